#include "expect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/builder.h"
#include "base/refuse.h"

/* The names of all accesses. */
static ct_status say_accesses(char *message, const char *name, size_t n)
{
    ct_builder line = ct_builder_fixed(message, CT_MESSAGE_BYTES);
    ct_put(&line, "there is no access `%.*s`; there are", (int)(n > 20 ? 20 : n), name);
    for (int i = 0; i < CT_SASS_ACCESS_COUNT; ++i)
        ct_put(&line, "%s %s", i ? "," : "", ct_sass_access_name(i));
    ct_builder_end(&line);
    return CT_E_ARGUMENT;
}

/* The widths of one access. */
static ct_status say_widths(char *message, ct_sass_access access, const char *width, size_t n)
{
    ct_builder line = ct_builder_fixed(message, CT_MESSAGE_BYTES);
    ct_sass_width first, last;
    ct_sass_access_widths(access, &first, &last);
    ct_put(&line, "%s has no width `%.*s`; it has", ct_sass_access_name(access),
           (int)(n > 20 ? 20 : n), width);
    if (first == CT_SASS_NONE) ct_put_text(&line, " none");
    for (int i = first; i <= (int)last && i < CT_SASS_NONE; ++i)
        ct_put(&line, "%s %s", i > (int)first ? "," : "", ct_sass_width_name(i));
    ct_builder_end(&line);
    return CT_E_ARGUMENT;
}

static ct_status read_one(ct_expectation *e, const char *text, size_t n,
                          char message[CT_MESSAGE_BYTES])
{
    if (n == 0)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "an expectation is empty; examples are LDG.128 and !LDL");
    *e = (ct_expectation){.last = CT_SASS_NONE};
    snprintf(e->text, sizeof e->text, "%.*s", (int)(n < 100 ? n : 100), text);
    e->forbids = *text == '!';
    const char *const name = text + e->forbids, *const end = text + n;
    const char *const point = memchr(name, '.', (size_t)(end - name));
    const size_t name_bytes = (size_t)((point ? point : end) - name);
    e->access = ct_sass_access_named(name, name_bytes);
    if (e->access == CT_NO_ACCESS) return say_accesses(message, name, name_bytes);
    if (!point) return 0;
    ct_sass_width first, last;
    const int range = end[-1] == '+' || end[-1] == '-' ? end[-1] : 0; /* not the point */
    const size_t width_bytes = (size_t)(end - point - 1) - (range != 0);
    const ct_sass_width width = ct_sass_width_named(point + 1, width_bytes);
    ct_sass_access_widths(e->access, &first, &last);
    if (width < first || width > last)
        return say_widths(message, e->access, point + 1, (size_t)(end - point - 1));
    e->first = range == '-' ? first : width;
    e->last = range == '+' ? last : width;
    return 0;
}

ct_status ct_expect_read(ct_expectations *expectations, const char *list,
                         char message[CT_MESSAGE_BYTES])
{
    for (;;) {
        const size_t n = strcspn(list, ",");
        ct_expectation *const grown =
            realloc(expectations->item, (size_t)(expectations->count + 1) * sizeof *grown);
        if (!grown) return ct_refuse(message, CT_E_MEMORY, "out of memory");
        expectations->item = grown;
        const ct_status bad = read_one(&grown[expectations->count], list, n, message);
        if (bad) return bad;
        ++expectations->count;
        if (list[n] == '\0') return 0;
        list += n + 1;
    }
}

int ct_expect_holds(const ct_expectation *expectation, const ct_kernel_code *kernel)
{
    const int present =
        ct_kernel_count(kernel, expectation->access, expectation->first, expectation->last) > 0;
    return present != expectation->forbids;
}

void ct_expect_explain(const ct_expectation *expectation, const ct_kernel_code *kernel,
                       char text[CT_MESSAGE_BYTES])
{
    char cell[128];
    const char *const name = ct_sass_access_name(expectation->access);
    ct_kernel_cell(kernel, expectation->access, cell, sizeof cell);
    if (strcmp(cell, "-") == 0)
        snprintf(text, CT_MESSAGE_BYTES, "expected %s; there is no %s", expectation->text, name);
    else
        snprintf(text, CT_MESSAGE_BYTES, "expected %s; of %s there is %s", expectation->text, name,
                 cell);
}

void ct_expect_free(ct_expectations *expectations)
{
    free(expectations->item);
    expectations->item = NULL;
    expectations->count = 0;
}
