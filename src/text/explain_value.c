/* What a layout is, where an expression has no operation: its modes, the offsets that it reaches, what
 * is contiguous; of a swizzle, which bits it moves. */
#include <stdlib.h>
#include <string.h>

#include <cutlet/algebra/coalesce.h>
#include "explainer.h"

enum { SHOWN = 4, COUNTED = 1 << 22, NAMES = 6 };

/* `0, 8, 16, ..`: the first offsets of a mode. */
static const char *first_offsets(ct_explainer *x, ct_layout mode)
{
    char *text = ct_shown_next(x);
    const int64_t size = ct_size(mode);
    int n = 0;
    text[0] = 0;
    for (int64_t i = 0; i < size && i < SHOWN; ++i) {
        char *const at = ct_shown_next(x);
        ct_format_tuple(at, CT_TEXT_BYTES, ct_at(mode, ct_int(i)));
        n += snprintf(text + n, CT_TEXT_BYTES - (size_t)n, "%s%.40s", i ? ", " : "", at);
    }
    if (size > SHOWN) snprintf(text + n, CT_TEXT_BYTES - (size_t)n, ", ..");
    return text;
}

static void explain_modes(ct_explainer *x, ct_layout L)
{
    const int rank = ct_layout_rank(L);
    for (int k = 0; k < rank; ++k) {
        const ct_layout mode = ct_mode(L, k);
        ct_say(x, "mode %d  %-16s offsets %s", k, ct_shown(x, mode), first_offsets(x, mode));
    }
}

/* How many different offsets there are; -1 where they are too many to count. */
static int64_t count_different(ct_layout L)
{
    const int64_t size = ct_size(L), span = ct_cosize(L), low = ct_lowest(L);
    if (size > COUNTED || span > 8 * (int64_t)COUNTED) return -1;
    unsigned char *const seen = calloc((size_t)span + 1, 1);
    int64_t n = seen ? 0 : -1;
    for (int64_t i = 0; seen && i < size; ++i) {
        unsigned char *const at = &seen[ct_eval(L, i) - low];
        n += !*at;
        *at = 1;
    }
    free(seen);
    return n;
}

/* `8*i + j`: the offset of a coordinate, where each mode has one stride. */
static void explain_formula(ct_explainer *x, ct_layout L)
{
    static const char names[] = "ijklmn";
    char sum[256] = "", list[32] = "";
    const int rank = ct_layout_rank(L);
    int n = 0;
    if (rank > NAMES) return;
    for (int k = 0; k < rank; ++k) {
        const ct_layout mode = ct_coalesce(ct_mode(L, k));
        if (mode.profile.leaves != 1) return;
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%c", k ? "," : "", names[k]);
        if (mode.stride[0] == 0 || mode.shape[0] == 1) continue;
        if (mode.stride[0] == 1)
            n += snprintf(sum + n, sizeof sum - (size_t)n, "%s%c", n ? " + " : "", names[k]);
        else
            n += snprintf(sum + n, sizeof sum - (size_t)n, "%s%lld*%c", n ? " + " : "",
                          (long long)mode.stride[0], names[k]);
    }
    ct_say(x, rank == 1 ? "index %s lies at %s" : "coordinate (%s) lies at %s", list,
           n ? sum : "0");
}

static void explain_offsets(ct_explainer *x, ct_layout L)
{
    const int64_t size = ct_size(L), low = ct_lowest(L), high = low + ct_cosize(L) - 1;
    const int64_t different = count_different(L);
    const char *how = different < 0            ? ""
                      : different < size       ? ", some several times"
                      : high - low + 1 == size ? ", each once, without gaps"
                                               : ", each at most once, with gaps";
    ct_say(x, "%lld coordinates reach offsets %lld to %lld%s", (long long)size, (long long)low,
           (long long)high, how);
    if (different >= 0 && different < size)
        ct_say(x, "%lld different offsets: it is not injective", (long long)different);
}

static void explain_runs(ct_explainer *x, ct_layout L)
{
    int best = -1;
    int64_t run = 1;
    for (int k = 0; k < ct_layout_rank(L); ++k) {
        const ct_layout mode = ct_coalesce(ct_mode(L, k));
        if (mode.stride[0] != 1 || mode.shape[0] <= run) continue;
        best = k;
        run = mode.shape[0];
    }
    if (best >= 0)
        ct_say(x, "contiguous along mode %d, %lld elements at a time", best, (long long)run);
    else ct_say(x, "no mode is contiguous");
    const char *whole = ct_shown(x, L), *short_form = ct_shown(x, ct_coalesce(L));
    if (strcmp(whole, short_form) != 0) ct_say(x, "the same function of an index: %s", short_form);
}

void ct_explain_the_layout(ct_explainer *x, ct_layout L)
{
    explain_modes(x, L);
    if (!ct_is_integral(L)) {
        ct_say(x, "Its offsets are coordinates: the strides are steps along modes.");
        return;
    }
    explain_formula(x, L);
    explain_offsets(x, L);
    explain_runs(x, L);
}

void ct_explain_the_swizzle(ct_explainer *x, ct_swizzle s)
{
    if (s.bits == 0) {
        ct_say(x, "It changes nothing.");
        return;
    }
    const int from = s.base + (s.shift > 0 ? s.shift : 0),
              to = s.base + (s.shift > 0 ? 0 : -s.shift);
    ct_say(x, "Bits %d to %d of an offset are added to bits %d to %d, without a carry (XOR).", from,
           from + s.bits - 1, to, to + s.bits - 1);
    ct_say(x, "Runs of %lld stay together; the pattern repeats after %lld.", 1LL << s.base,
           1LL << (ct_max(from, to) + s.bits));
}
