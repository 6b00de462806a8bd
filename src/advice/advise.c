/* The width of a copy, and what would widen it. */
#include <string.h>

#include "base/refuse.h"
#include "width.h"

ct_status ct_advise(const ct_advice_job *job, ct_advice *a, char message[CT_MESSAGE_BYTES])
{
    memset(a, 0, sizeof *a);
    const ct_status bad = ct_find_width(job, &a->bytes, message);
    if (bad) return bad;
    a->next = a->bytes < job->most_bytes ? 2 * a->bytes : 0;
    ct_find_limits(job, a, message);
    if (a->next) ct_find_hints(job, a);
    ct_find_facts(job, a);
    if (a->bytes == 0) return ct_refuse(message, CT_E_MEMORY, "out of memory");
    ct_find_notes(job, a);
    return CT_OK;
}
