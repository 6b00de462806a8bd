/* Any text is evaluated, refused, or fails with a reason; see eval_holds.h. */
#include "eval_holds.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text) return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    check_evaluation(text);
    free(text);
    return 0;
}
