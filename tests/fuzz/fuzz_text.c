/* Any text is read or refused; what is read is written and read again as the same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cutlet/host/eval.h>
#include <cutlet/host/text.h>

static void require(int holds)
{
    if (!holds) abort();
}

static void check_refusal(const char *text, const ct_diag *diag)
{
    require(diag->at <= strlen(text));
    require(diag->length >= 1);
    require(diag->message[0] != '\0');
    require(memchr(diag->message, '\0', sizeof diag->message) != NULL);
    for (const char *p = diag->message; *p; ++p) require((unsigned char)*p >= 0x20);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ct_value v, again;
    ct_diag diag;
    char *text = malloc(size + 1);
    if (!text) return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    if (ct_parse_value(text, &v, &diag)) {
        check_refusal(text, &diag);
    } else {
        const int n = ct_format_value(NULL, 0, &v);
        char *written = malloc((size_t)n + 1);
        require(written != NULL);
        require(ct_format_value(written, (size_t)n + 1, &v) == n);
        require((int)strlen(written) == n);
        require(v.kind == CT_KIND_LIST || n < CT_TEXT_BYTES);
        require(ct_parse_value(written, &again, &diag) == 0);
        require(v.kind == again.kind);
        require(ct_value_equal(&v, &again));
        free(written);
        ct_value_free(&v);
        ct_value_free(&again);
    }
    free(text);
    return 0;
}
