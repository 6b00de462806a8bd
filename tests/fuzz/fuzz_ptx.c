/* Any text is read as PTX, alone and as the body of a kernel: it is loaded, or refused with its line and a reason. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cutlet/host/ptx.h>

static void require(int holds)
{
    if (!holds) abort();
}

static void load(const char *text)
{
    char message[CT_MESSAGE_BYTES] = "";
    int line = 0, length = 0;
    ct_ptx *const module = ct_ptx_load(text, message);
    if (!module) {
        require(sscanf(message, "line %d: %n", &line, &length) == 1 && length && message[length]);
        return;
    }
    for (int32_t i = 0; ct_ptx_kernel_at(module, i); ++i)
        for (int32_t k = 0; ct_ptx_param_at(ct_ptx_kernel_at(module, i), k).name; ++k) {}
    ct_ptx_free(module);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char head[] =
        ".version 8.0\n.target sm_90a\n.entry k(.param .u64 a) {\n"
        ".reg .b32 %r<9>; .reg .b64 %d<9>; .reg .pred %p<9>; .reg .f32 %f<9>;\n";
    char *const text = malloc(sizeof head + size + 8);
    if (!text) return 0;
    memcpy(text, head, sizeof head - 1);
    memcpy(text + sizeof head - 1, data, size);
    strcpy(text + sizeof head - 1 + size, "\nret; }\n");
    load(text);
    text[sizeof head - 1 + size] = '\0';
    load(text + sizeof head - 1);
    free(text);
    return 0;
}
