#include "code.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"

/* An array with room for one more; it grows to powers of two. NULL when memory runs out. */
static void *one_more(void *array, int count, size_t item_bytes)
{
    if (count & (count - 1)) return array;
    return realloc(array, (count ? 2 * (size_t)count : 1) * item_bytes);
}

int ct_code_add(ct_code *code, const char *name, size_t name_bytes, const char *arch)
{
    char *const copy = strndup(name, name_bytes);
    ct_kernel_code *const grown =
        copy ? one_more(code->kernel, code->count, sizeof *code->kernel) : NULL;
    if (!grown) {
        free(copy);
        code->out_of_memory = 1;
        return -1;
    }
    code->kernel = grown;
    ct_kernel_code *const k = &grown[code->count];
    memset(k, 0, sizeof *k);
    k->name = copy;
    k->registers = k->stack_bytes = CT_NOT_KNOWN;
    snprintf(k->arch, sizeof k->arch, "%s", arch);
    return code->count++;
}

void ct_code_count(ct_code *code, int kernel, ct_sass_sized what, const char *at, const char *text,
                   size_t n)
{
    if (kernel < 0 || what.access == CT_NO_ACCESS) return;
    ct_kernel_code *const k = &code->kernel[kernel];
    ++k->count[what.access][what.width];
    if (!code->keeps_lines) return;
    const ct_code_line line = {what, strdup(at), strndup(text, n)};
    ct_code_line *const grown = one_more(k->line, k->lines, sizeof *k->line);
    if (grown) k->line = grown;
    if (grown && line.at && line.text) {
        k->line[k->lines++] = line;
        return;
    }
    free(line.at);
    free(line.text);
    code->out_of_memory = 1;
}

int64_t ct_kernel_count(const ct_kernel_code *kernel, ct_sass_access access, ct_sass_width first,
                        ct_sass_width last)
{
    int64_t n = 0;
    for (int width = first; width <= (int)last; ++width) n += kernel->count[access][width];
    return n;
}

void ct_kernel_cell(const ct_kernel_code *kernel, ct_sass_access access, char *text, size_t size)
{
    ct_sass_width first, last;
    size_t at = 0;
    ct_sass_access_widths(access, &first, &last);
    snprintf(text, size, "-");
    for (int width = CT_SASS_NONE; width >= 0; --width) {
        const int64_t n = kernel->count[access][width];
        if (n == 0 || at >= size) continue;
        const char *const gap = at ? " " : "";
        at += (size_t)(first == CT_SASS_NONE ? snprintf(text + at, size - at, "%s%" PRId64, gap, n)
                                             : snprintf(text + at, size - at, "%s%s:%" PRId64, gap,
                                                        ct_sass_width_name(width), n));
    }
}

static void free_kernel(ct_kernel_code *k)
{
    for (int i = 0; i < k->lines; ++i) {
        free(k->line[i].at);
        free(k->line[i].text);
    }
    free(k->line);
    free(k->name);
}

void ct_code_select_arch(ct_code *code, const char *arch)
{
    int kept = 0;
    for (int i = 0; i < code->count; ++i) {
        if (arch && strcmp(code->kernel[i].arch, arch) != 0) free_kernel(&code->kernel[i]);
        else code->kernel[kept++] = code->kernel[i];
    }
    code->count = kept;
}

void ct_code_select_name(ct_code *code, const char *name)
{
    int kept = 0, exact = 0;
    for (int i = 0; i < code->count && name; ++i) exact |= !strcmp(code->kernel[i].name, name);
    for (int i = 0; i < code->count; ++i) {
        if (name && !ct_name_matches(code->kernel[i].name, name, exact))
            free_kernel(&code->kernel[i]);
        else code->kernel[kept++] = code->kernel[i];
    }
    code->count = kept;
}

void ct_code_set_usage(ct_code *code, const ct_code *usage)
{
    for (int i = 0; i < code->count; ++i) {
        ct_kernel_code *const k = &code->kernel[i];
        for (int j = 0; j < usage->count; ++j) {
            const ct_kernel_code *const u = &usage->kernel[j];
            if (strcmp(u->name, k->name) != 0 || (u->arch[0] && strcmp(u->arch, k->arch) != 0))
                continue;
            k->registers = u->registers;
            k->stack_bytes = u->stack_bytes;
            break;
        }
    }
}

int ct_arch_compare(const char *a, const char *b)
{
    const int x = atoi(a + strcspn(a, "0123456789")), y = atoi(b + strcspn(b, "0123456789"));
    return x != y ? (x > y) - (x < y) : strcmp(a, b);
}

static int compare(const void *a, const void *b)
{
    const ct_kernel_code *const x = a, *const y = b;
    const int by_arch = ct_arch_compare(x->arch, y->arch);
    return by_arch ? by_arch : strcmp(x->name, y->name);
}

void ct_code_sort(ct_code *code)
{
    if (code->count > 1) qsort(code->kernel, (size_t)code->count, sizeof *code->kernel, compare);
}

void ct_code_free(ct_code *code)
{
    for (int i = 0; i < code->count; ++i) free_kernel(&code->kernel[i]);
    free(code->kernel);
    code->kernel = NULL;
    code->count = 0;
}
