/* Changes that make accesses wider: other thread and value layouts, padded strides, aligned bases
 * and another swizzle. Each is verified by enumeration before it is reported. */
#include <stdio.h>
#include <string.h>

#include "changes.h"

enum { CHANGES = 16 };

typedef struct search {
    const ct_advice_job *job;
    ct_advice *advice;
    ct_candidates layouts;
    ct_change change[CHANGES];
    int changes;
    int32_t best; /* of fewer changes */
} search;

/* Keeps a hint if it is wider than all with fewer changes; among equally many changes the widest is
 * first. */
static void keep(search *s, const ct_advice_hint *hint)
{
    ct_advice *a = s->advice;
    int at = a->hints, same = 0;
    if (hint->bytes <= s->best) return;
    for (int i = 0; i < a->hints; ++i) {
        same += a->hint[i].changes == hint->changes;
        if (strcmp(a->hint[i].text, hint->text) == 0) return;
    }
    while (at > 0 && a->hint[at - 1].changes == hint->changes &&
           a->hint[at - 1].bytes < hint->bytes)
        --at;
    if (same >= 3 && at == a->hints) return;
    if (a->hints == CT_ADVICE_HINTS && at == a->hints) return;
    if (same >= 3 || a->hints == CT_ADVICE_HINTS) --a->hints;
    memmove(&a->hint[at + 1], &a->hint[at], (size_t)(a->hints - at) * sizeof *a->hint);
    a->hint[at] = *hint;
    ++a->hints;
}

/* Tries layout `l` (-1: as it is) with the changes of a set. */
static void attempt(search *s, int l, unsigned set)
{
    static const char none[CT_MESSAGE_BYTES] = "";
    ct_advice_hint hint;
    memcpy(hint.text, none, sizeof hint.text);
    hint.job = *s->job;
    hint.changes = l >= 0;
    if (l >= 0 && !ct_change_blocks(&hint.job, &s->layouts.of[l], hint.text)) return;
    for (int i = 0; i < s->changes; ++i) {
        if (!(set >> i & 1)) continue;
        if (!ct_change_memory(&hint.job, s->change[i], hint.text)) return;
        ++hint.changes;
    }
    if (strlen(hint.text) + 1 == sizeof hint.text) return; /* more than a line can say */
    hint.bytes = ct_trial_width(&hint.job, s->advice);
    keep(s, &hint);
}

static int count_bits(unsigned set)
{
    int n = 0;
    for (; set; set &= set - 1) ++n;
    return n;
}

/* The changes that would change something. */
static void list_changes(search *s)
{
    for (int side = 0; side < 2; ++side) {
        for (int i = 0; i < CT_MAX_LEAVES + CT_CHANGE_KINDS - 1;
             ++i) { /* UNIT of each leaf, then the others */
            char text[CT_MESSAGE_BYTES] = "";
            ct_advice_job job = *s->job;
            const int unit = i < CT_MAX_LEAVES;
            const ct_change c = {unit ? CT_CHANGE_UNIT : i - CT_MAX_LEAVES + 1, side, unit ? i : 0};
            if (s->changes < CHANGES && ct_change_memory(&job, c, text))
                s->change[s->changes++] = c;
        }
    }
}

/* The widest that other threads and values reach on one side alone, the other being registers. */
static int32_t alone(search *s, int side, char *text)
{
    int32_t best = 0;
    for (int l = -1; l < s->layouts.count && best < s->job->most_bytes; ++l) {
        char what[CT_MESSAGE_BYTES] = "";
        ct_advice_job job = *s->job;
        job.has[1 - side] = 0;
        if (l >= 0 && !ct_change_blocks(&job, &s->layouts.of[l], what)) continue;
        const int32_t bytes = ct_trial_width(&job, s->advice);
        if (bytes > best) {
            best = bytes;
            snprintf(text, 160, "%.150s", l < 0 ? "as it is" : what);
        }
    }
    return best;
}

/* Where no change of the thread-value layout helps, as in a transpose: each side with its own. */
static void note_two_steps(search *s)
{
    char text[2][160] = {"", ""};
    const int32_t src = alone(s, 0, text[0]), dst = alone(s, 1, text[1]);
    ct_advice *a = s->advice;
    if (src <= a->bytes || dst <= a->bytes || a->notes == CT_ADVICE_NOTES) return;
    snprintf(a->note[a->notes++], CT_MESSAGE_BYTES,
             "The two have their stride 1 on different modes; through shared memory each side has "
             "its own accesses: %d-bit from the source (%.75s), %d-bit to the destination (%.75s).",
             8 * (int)src, text[0], 8 * (int)dst, text[1]);
}

void ct_find_hints(const ct_advice_job *job, ct_advice *a)
{
    static const int most_changes = 4;
    search s;
    memset(&s, 0, sizeof s);
    s.job = job;
    s.advice = a;
    s.best = a->bytes;
    ct_candidates_of(job, &s.layouts);
    list_changes(&s);
    for (int n = 1; n <= most_changes && s.best < job->most_bytes; ++n) {
        for (unsigned set = 0; set < 1u << s.changes; ++set) {
            if (count_bits(set) == n) attempt(&s, -1, set);
            for (int l = 0; count_bits(set) == n - 1 && l < s.layouts.count; ++l)
                attempt(&s, l, set);
        }
        for (int i = 0; i < a->hints; ++i) s.best = (int32_t)ct_max(s.best, a->hint[i].bytes);
    }
    if (a->hints == 0 && job->has[0] && job->has[1]) note_two_steps(&s);
}
