/* A whole text in a form of CuTe. */
#include <string.h>

#include "exchange.h"
#include "text/cute.h"
#include "text/words.h"

ct_status ct_read_cute(const char *text, ct_exchange *out, ct_diag *diag)
{
    ct_reader r = ct_reader_of(text, diag);
    memset(out, 0, sizeof *out);
    if (ct_read_with(&r) || ct_read_cute_tensor(&r, &out->tensor) || ct_read_end(&r))
        return r.failed;
    return CT_OK;
}
