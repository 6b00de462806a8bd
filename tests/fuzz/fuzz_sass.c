/* Any text is read as generated code: whatever is found in it is counted, and nothing else happens. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tools/cutlet/sass/expect.h"
#include "tools/cutlet/sass/names.h"
#include "tools/cutlet/sass/read.h"

static void require(int holds)
{
    if (!holds) abort();
}

/* The counts are those of the kept lines, each of which is that access again. */
static void check(const ct_code *code, ct_sass_sized (*read)(const char *))
{
    char cell[64];
    for (int i = 0; i < code->count; ++i) {
        const ct_kernel_code *const k = &code->kernel[i];
        int64_t all = 0;
        require(k->name[0] != '\0');
        for (int a = 0; a < CT_SASS_ACCESS_COUNT; ++a) {
            all += ct_kernel_count(k, a, CT_SASS_8, CT_SASS_NONE);
            ct_kernel_cell(k, a, cell, sizeof cell);
            require(cell[0] != '\0');
        }
        require(all == k->lines);
        for (int j = 0; j < k->lines; ++j) {
            const char *const text = k->line[j].text;
            const int bare = text[0] != '@' && text[0] != '{';
            require(!bare || read(text).access == k->line[j].what.access);
        }
    }
}

static void read_text(char *text, int is_ptx)
{
    ct_code code = {.keeps_lines = 1}, usage = {0};
    ct_sass_reader sass = ct_sass_begin(&code), registers = ct_sass_begin(&usage);
    ct_ptx_reader ptx = ct_ptx_begin(&code);
    for (char *p = text, *end; *p; p = end) {
        end = p + strcspn(p, "\n");
        if (*end) *end++ = '\0';
        ct_usage_line(&registers, p);
        if (is_ptx) ct_ptx_line(&ptx, p);
        else ct_sass_line(&sass, p);
    }
    ct_ptx_end(&ptx);
    check(&code, is_ptx ? ct_ptx_access_of : ct_sass_access_of);
    ct_code_set_usage(&code, &usage);
    ct_code_sort(&code);
    ct_code_free(&usage);
    ct_code_free(&code);
}

static void read_expectations(const char *text)
{
    char message[CT_MESSAGE_BYTES] = "";
    ct_expectations all = {0};
    const int bad = ct_expect_read(&all, text, message);
    require(bad ? message[0] != '\0' : all.count > 0);
    ct_expect_free(&all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (int is_ptx = 0; is_ptx <= 1; ++is_ptx) {
        /* A kernel, so that what follows is inside. */
        const char *const head = is_ptx ? ".entry k() {\n" : "Function : k\n";
        char *const text = malloc(strlen(head) + size + 1);
        if (!text) return 0;
        strcpy(text, head);
        memcpy(text + strlen(head), data, size);
        text[strlen(head) + size] = '\0';
        read_expectations(text + strlen(head));
        read_text(text + (size % 2 ? strlen(head) : 0), is_ptx);
        free(text);
    }
    return 0;
}
