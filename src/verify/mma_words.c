/* Sentences of findings about an MMA. */
#include <stdarg.h>
#include <stdio.h>

#include "mma.h"

char ct_operand_letter(int operand) { return "ABCE"[operand]; }

void ct_mma_finding_say(ct_verify_mma_finding *f, int holds, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(f->text, sizeof f->text, format, args);
    va_end(args);
    f->state = holds ? CT_VERIFY_OK : CT_VERIFY_FAILED;
}
