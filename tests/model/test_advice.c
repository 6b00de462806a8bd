/* ct_advise against brute force: the width by looking at every access of the whole tensor, each
 * fact for every residue and several sizes, each hint by its width; and rows for what people ask.
 */
#include <cutlet/host/advice.h>
#include "sweep.h"

#include <cutlet/host/grid.h>

#include <cutlet/device/staged/copy_any.h>

/* A job of thread and value layouts between layouts; dst NULL: registers. */
static ct_advice_job job_of(const char *thr, const char *val, const char *src, const char *dst,
                            int elem_bytes)
{
    ct_advice_job job;
    memset(&job, 0, sizeof job);
    job.thr = L_(thr);
    job.val = L_(val);
    job.has_blocks = 1;
    const ct_tiled_copy copy = ct_make_tiled_copy(
        ct_copy_atom_universal(8 * elem_bytes, 8 * elem_bytes), job.thr, job.val);
    assert_int_equal(copy.atom.err.status, CT_OK);
    job.tv = copy.tv;
    job.tile = ct_tiled_copy_shape(copy);
    job.elem_bytes = elem_bytes;
    job.most_bytes = 16;
    for (int s = 0; s < 2; ++s) {
        const char *text = s ? dst : src;
        ct_diag diag;
        if (!text) continue;
        job.has[s] = 1;
        if (strstr(text, " o ")) {
            assert_int_equal(ct_parse_tensor(text, &job.memory[s], &diag), 0);
        } else {
            job.memory[s].layout = L_(text);
            job.memory[s].swizzle = ct_swizzle_none();
        }
    }
    return job;
}

static int64_t naive_offset(ct_tensor c, int64_t i)
{
    const int64_t x = c.offset.value[0] + oracle_eval(c.layout, i);
    int64_t y = x;
    for (int b = 0; b < c.swizzle.bits; ++b) {
        const int from = c.swizzle.base + b + (c.swizzle.shift > 0 ? c.swizzle.shift : 0);
        if (x >> from & 1) y ^= (int64_t)1 << (from - c.swizzle.shift);
    }
    return y;
}

/* Whether every whole access of n values of a side is one aligned run: the whole tensor, every
   value, nothing cut down. Tiles and tensors of two modes. */
static int naive_side(const ct_advice_job *job, int s, int64_t n)
{
    const ct_tensor c = job->memory[s];
    const int64_t threads = oracle_size(ct_mode(job->tv, 0)),
                  values = oracle_size(ct_mode(job->tv, 1));
    const int64_t tm = job->tile.value[0], tn = job->tile.value[1];
    const int64_t em = oracle_size(ct_mode(c.layout, 0)), en = oracle_size(ct_mode(c.layout, 1));
    const int64_t align = job->align[s] ? job->align[s] : job->most_bytes;
    if (values % n != 0 || (n > 1 && align % (n * job->elem_bytes) != 0)) return 0;
    for (int64_t om = 0; om < em; om += tm)
        for (int64_t on = 0; on < en; on += tn)
            for (int64_t t = 0; t < threads; ++t)
                for (int64_t v = 0; v < values; v += n) {
                    int64_t offset[32];
                    int in = 1;
                    for (int64_t k = 0; k < n && in; ++k) {
                        const int64_t at = oracle_eval(job->tv, t + threads * (v + k));
                        const int64_t m = om + at % tm, col = on + at / tm;
                        in = m < em && col < en;
                        if (in) offset[k] = naive_offset(c, m + em * col);
                    }
                    for (int64_t k = 0; k < n && in; ++k) {
                        if (offset[k] != offset[0] + k || offset[0] % n != 0) return 0;
                    }
                }
    return 1;
}

static int32_t naive_width(const ct_advice_job *job)
{
    int32_t best = job->elem_bytes;
    for (int32_t b = 2 * best; b <= job->most_bytes; b *= 2) {
        int ok = 1;
        for (int s = 0; s < 2; ++s)
            ok = ok && (!job->has[s] || naive_side(job, s, b / job->elem_bytes));
        if (ok) best = b;
    }
    return best;
}

/* Everything that the advice claims, counted out. */
static ct_advice the_advice;
static int notes_checked;

static void check_hints(const ct_advice_job *job)
{
    const ct_advice *a = &the_advice;
    char message[CT_MESSAGE_BYTES];
    for (int i = 0; i < a->hints; ++i) {
        const ct_advice_hint *h = &a->hint[i];
        assert_true(h->bytes > a->bytes && h->changes >= 1 && h->text[0]);
        assert_int_equal(ct_advice_width(&h->job, message), h->bytes);
        if (!(h->job.unknown[0] | h->job.unknown[1]))
            assert_int_equal(naive_width(&h->job), h->bytes);
        if (i > 0) assert_true(h->changes >= a->hint[i - 1].changes);
    }
    (void)job;
}

/* One side as the job has it, or as a partner that any width fits; its contiguous axis comes last. */
static ct_global side_of(const ct_advice_job *job, int s)
{
    const int from = job->has[s] ? s : 1 - s, aligned = from != s; /* registers take any width */
    const ct_tensor c = job->memory[from];
    const int e = job->elem_bytes;
    const int64_t align = job->align[s] && !aligned ? job->align[s] : 0;
    const uintptr_t base = 0x100000u + (uintptr_t)(align < 16 ? align : 0) +
                           (uintptr_t)(aligned ? 0 : c.offset.value[0] * e);
    ct_layout L = c.layout;
    for (int k = 0; k < 2 && aligned; ++k) L.stride[k] = L.stride[k] == 1 ? 1 : 1 << 20;
    const ct_global g = ct_global_at(ct_make_global(0, 8 * e, L), (void *)base);
    assert_int_equal(g.err.status, CT_OK);
    return g.axis == 0 ? ct_global_transposed(g) : g;
}

/* What a note says of ct_copy is the way that ct_copy goes between tensors that lie as the job does:
 * by accesses that fit, or that are cut, and never element by element. */
static void check_note(const ct_advice_job *job)
{
    for (int i = 0; i < the_advice.notes; ++i) {
        if (!strstr(the_advice.note[i],
                    "ct_copy (device/copy/copy.h) assembles each in-bounds load"))
            continue;
        const ct_any_copy copy = ct_make_any_copy(8 * job->elem_bytes, 64, 128);
        const ct_global src = side_of(job, 0), dst = side_of(job, 1);
        const ct_view from = ct_view_tile(&src, &copy.in, ct_index2(0, 0));
        const ct_view to = ct_view_tile(&dst, &copy.out, ct_index2(0, 0));
        const int in = ct_path_of(&copy.in, &copy.in.src, &from);
        const int out = ct_path_of(&copy.out, &copy.out.dst, &to);
        assert_int_equal(copy.err.status, CT_OK);
        assert_true(in <= CT_PATH_CUT && out <= CT_PATH_CUT);
        assert_true(in == CT_PATH_CUT || out == CT_PATH_CUT || job->most_bytes > 16);
        ++notes_checked;
    }
}
/* Each residue, at several sizes. */
static void check_facts(const ct_advice_job *job)
{
    for (int i = 0; i < the_advice.facts; ++i) {
        const ct_advice_fact *f = &the_advice.fact[i];
        const int64_t n = job->most_bytes / job->elem_bytes;
        assert_int_equal(f->modulus, n);
        for (int64_t x = 2 * n; x < 5 * n; ++x) {
            ct_advice_job other = *job;
            if (f->kind == CT_FACT_STRIDE) {
                other.memory[f->side].layout.stride[f->leaf] = x;
            } else {
                for (int s = 0; s < 2; ++s) { /* packed strides follow the extent */
                    ct_layout *L = &other.memory[s].layout;
                    const int outer = 1 - f->mode;
                    if (!job->has[s]) continue;
                    if (L->stride[f->mode] == 1 && L->stride[outer] == L->shape[f->mode])
                        L->stride[outer] = x;
                    L->shape[f->mode] = x;
                }
            }
            if (naive_width(&other) != f->bytes[x % n])
                print_error("%s\n  at %lld: %d, not %d\n", f->text, (long long)x,
                            naive_width(&other), f->bytes[x % n]);
            assert_int_equal(naive_width(&other), f->bytes[x % n]);
        }
        if (f->kind == CT_FACT_STRIDE) {
            ct_advice_job other = *job;
            other.memory[f->side].layout.stride[f->leaf] = 1;
            assert_int_equal(naive_width(&other), f->at_one);
        }
    }
}

static void advise(const ct_advice_job *job)
{
    char message[CT_MESSAGE_BYTES] = "";
    const int bad = ct_advise(job, &the_advice, message);
    if (bad) print_error("%s\n", message);
    assert_int_equal(bad, 0);
    if (!(job->unknown[0] | job->unknown[1])) {
        assert_int_equal(the_advice.bytes, naive_width(job));
        check_facts(job);
    }
    assert_int_equal(the_advice.next,
                     the_advice.bytes < job->most_bytes ? 2 * the_advice.bytes : 0);
    assert_int_equal(the_advice.limits > 0, the_advice.next > 0);
    check_hints(job);
    check_note(job);
}

/* ---- what people ask ------------------------------------------------------------------------- */

typedef struct row {
    const char *name, *thr, *val, *src, *dst;
    int elem_bytes;
    int64_t src_align;
    int bytes, limit, side, mode; /* the first limit; 0: none */
    int64_t n;
    int hint_bytes;   /* of the widest hint; 0 without a hint */
    const char *hint; /* in the text of the first one */
} row;

static const row rows[] = {
    {"as wide as can be", "(16,8):(8,1)", "(1,8)", "(64,64):(64,1)", "(64,64):(64,1)", 2, 0, 16, 0,
     0, 0, 0, 0, ""},
    {"values along the wrong mode", "(8,16):(1,8)", "(8,1)", "(64,64):(64,1)", NULL, 2, 0, 2,
     CT_LIMIT_STEP, 0, 0, 64, 16, "val (1,8)"},
    {"values in the wrong order", "(8,16):(1,8)", "(2,4):(1,2)", "(64,64):(64,1)", NULL, 2, 0, 2,
     CT_LIMIT_STEP, 0, 0, 64, 16, "val (1,8)"},
    {"a leading dimension that is odd", "(16,8):(8,1)", "(1,8)", "(64,64):(67,1)", NULL, 2, 0, 2,
     CT_LIMIT_STRIDE, 0, 0, 67, 16, "stride 72 instead of 67 on mode 0"},
    {"one that is 4 mod 8", "(16,8):(8,1)", "(1,8)", "(64,64):(68,1)", NULL, 2, 0, 8,
     CT_LIMIT_STRIDE, 0, 0, 68, 16, "stride 72 instead of 68 on mode 0"},
    {"of the destination", "(16,8):(8,1)", "(1,8)", "(64,64):(64,1)", "(64,64):(66,1)", 2, 0, 4,
     CT_LIMIT_STRIDE, 1, 0, 66, 16, "of the destination"},
    {"a base that is not aligned", "(16,8):(8,1)", "(1,8)", "(64,64):(64,1)", NULL, 2, 4, 4,
     CT_LIMIT_BASE, 0, -1, 4, 16, "a base of the source that is a multiple of 16 bytes"},
    {"extents that are ragged, padded rows", "(16,8):(8,1)", "(1,8)", "(61,61):(64,1)", NULL, 2, 0,
     16, 0, 0, 0, 0, 0, ""},
    {"extents that are ragged, packed", "(16,8):(8,1)", "(1,8)", "(61,61):(61,1)", NULL, 2, 0, 2,
     CT_LIMIT_STRIDE, 0, 0, 61, 16, "stride 64 instead of 61"},
    {"a swizzle with base 0", "(16,8):(8,1)", "(1,8)", "(64,64):(64,1)",
     "Sw<3,0,3> o 0 o (64,64):(64,1)", 2, 0, 2, CT_LIMIT_SWIZZLE, 1, -1, 0, 16, "Sw<3,3,3>"},
    {"a swizzle with base 2", "(16,8):(8,1)", "(1,8)", "(64,64):(64,1)",
     "Sw<3,2,3> o 0 o (64,64):(64,1)", 2, 0, 8, CT_LIMIT_SWIZZLE, 1, -1, 2, 16, "Sw<3,3,3>"},
    {"a swizzle that fits", "(16,8):(8,1)", "(1,8)", "(64,64):(64,1)",
     "Sw<3,3,3> o 0 o (64,64):(64,1)", 2, 0, 16, 0, 0, 0, 0, 0, ""},
    {"too few values", "(16,8):(8,1)", "(1,4)", "(64,64):(64,1)", NULL, 2, 0, 8, CT_LIMIT_VALUES,
     -1, -1, 4, 16, "val (1,8)"},
    {"a transpose", "(16,8):(8,1)", "(1,8)", "(64,64):(64,1)", "(64,64):(1,64)", 2, 0, 2,
     CT_LIMIT_STEP, 1, 1, 64, 0, ""},
    {"an offset", "(16,8):(8,1)", "(1,8)", "Sw<0,0,0> o 3 o (64,64):(64,1)", NULL, 2, 0, 2,
     CT_LIMIT_OFFSET, 0, -1, 3, 16, "begin the source"},
    {"no stride 1", "(16,8):(8,1)", "(1,8)", "(64,64):(128,2)", NULL, 2, 0, 2, CT_LIMIT_STEP, 0, 1,
     2, 0, ""},
    {"bytes", "(16,8):(8,1)", "(1,8)", "(64,128):(128,1)", NULL, 1, 0, 8, CT_LIMIT_VALUES, -1, -1,
     8, 16, "val (1,16)"},
    {"two at once", "(8,16):(1,8)", "(8,1)", "(64,64):(67,1)", NULL, 2, 0, 2, CT_LIMIT_STEP, 0, 0,
     67, 16, "val (1,8); stride 72"},
    {"elements of 16 bytes", "(16,8):(8,1)", "(1,2)", "(64,64):(67,1)", NULL, 16, 0, 16, 0, 0, 0, 0,
     0, ""},
};

TEST(what_people_ask)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const row *r = &rows[i];
        ct_advice_job job = job_of(r->thr, r->val, r->src, r->dst, r->elem_bytes);
        job.align[0] = r->src_align;
        print_message("%s\n", r->name);
        advise(&job);
        assert_int_equal(the_advice.bytes, r->bytes);
        assert_int_equal(the_advice.limits > 0, r->limit != 0);
        int32_t widest = 0;
        for (int k = 0; k < the_advice.hints; ++k)
            widest = (int32_t)ct_max(widest, the_advice.hint[k].bytes);
        assert_int_equal(widest, r->hint_bytes);
        if (widest && !strstr(the_advice.hint[0].text, r->hint))
            print_error("%s\n", the_advice.hint[0].text);
        if (widest) assert_non_null(strstr(the_advice.hint[0].text, r->hint));
        if (!r->limit) continue;
        assert_int_equal(the_advice.limit[0].kind, r->limit);
        assert_int_equal(the_advice.limit[0].side, r->side);
        assert_int_equal(the_advice.limit[0].mode, r->mode);
        assert_int_equal(the_advice.limit[0].n, r->n);
    }
}

/* Strides that are known at run time only: sure is the least; a run-time 1 is a 1. */
TEST(unknown_strides)
{
    ct_advice_job job = job_of("(16,8):(8,1)", "(1,8)", "(64,64):(64,1)", NULL, 2);
    job.unknown[0] = 1;
    advise(&job);
    assert_int_equal(the_advice.bytes, 2);
    assert_int_equal(the_advice.facts, 1);
    static const int by_residue[8] = {16, 2, 4, 2, 8, 2, 4, 2};
    for (int r = 0; r < 8; ++r) assert_int_equal(the_advice.fact[0].bytes[r], by_residue[r]);
    assert_non_null(strstr(the_advice.fact[0].text,
                           "128-bit for every ld that is a multiple of 8; "
                           "64-bit for ld mod 8 = 4; 32-bit for ld mod 8 = "
                           "2,6; 16-bit for every odd ld"));
    job.unknown[0] = 2;
    advise(&job);
    assert_int_equal(the_advice.bytes, 2);
    assert_int_equal(the_advice.fact[1].leaf, 1);
    assert_int_equal(the_advice.fact[1].at_one, 16);
    assert_int_equal(the_advice.fact[1].bytes[1], 2);
    assert_int_equal(the_advice.hint[0].bytes, 16);
    assert_non_null(strstr(the_advice.hint[0].text, "mode 1 that is 1"));
}

/* ---- random ---------------------------------------------------------------------------------- */

TEST(random_copies)
{
    int narrow = 0, wide = 0, hinted = 0;
    sweep_seed(20260201);
    for (int i = 0; i < 150; ++i) {
        char thr[64], val[64], text[2][96];
        const int m = 1 << sweep_int(0, 3), n = 1 << sweep_int(0, 3);
        const int e = 1 << sweep_int(0, 3);
        snprintf(thr, sizeof thr, i % 2 ? "(%d,%d):(1,%d)" : "(%d,%d):(%d,1)", m, n, i % 2 ? m : n);
        snprintf(val, sizeof val, sweep_int(0, 1) ? "(%d,%d)" : "(%d,%d)", sweep_int(0, 2) ? 1 : 4,
                 1 << sweep_int(0, 3));
        const int em = (int)sweep_int(1, 40), en = (int)sweep_int(1, 70);
        for (int s = 0; s < 2; ++s) {
            const int pad = (int)sweep_int(0, 16);
            if (sweep_int(0, 3))
                snprintf(text[s], sizeof text[s], "(%d,%d):(%d,1)", em, en, en + pad);
            else snprintf(text[s], sizeof text[s], "(%d,%d):(1,%d)", em, en, em + pad);
        }
        ct_advice_job job = job_of(thr, val, text[0], i % 3 ? NULL : text[1], e);
        job.most_bytes = i % 5 ? 16 : 32;
        job.align[0] = i % 4 ? 0 : ct_max(e, 1 << sweep_int(0, 5));
        advise(&job);
        narrow += the_advice.next > 0;
        wide += the_advice.next == 0;
        hinted += the_advice.hints > 0;
    }
    assert_true(narrow > 40 && wide > 5 && hinted > 30 && notes_checked > 8);
}

TEST(refused_operands)
{
    char message[CT_MESSAGE_BYTES];
    ct_advice_job job = job_of("(16,8):(8,1)", "(1,8)", "(64,64):(64,1)", "(64,64):(64,1)", 2);
    job.align[0] = 1;
    assert_int_equal(ct_advise(&job, &the_advice, message), CT_E_ARGUMENT);
    assert_non_null(strstr(message, "aligned to its elements"));
    job = job_of("(16,8):(8,1)", "(1,8)", "(64,64):(64,1)", "(64,32):(64,1)", 2);
    assert_int_equal(ct_advise(&job, &the_advice, message), CT_E_ARGUMENT);
    assert_non_null(strstr(message, "different extents"));
    job = job_of("(16,8):(8,1)", "(1,8)", "64:1", NULL, 2);
    assert_int_equal(ct_advise(&job, &the_advice, message), CT_E_ARGUMENT);
    assert_non_null(strstr(message, "modes"));
    job = job_of("(16,8):(8,1)", "(1,8)", NULL, NULL, 2);
    assert_int_equal(ct_advise(&job, &the_advice, message), CT_E_ARGUMENT);
    assert_non_null(strstr(message, "a source or a destination"));
    job = job_of("(16,8):(8,1)", "(1,8)", "(64,64):(64,1)", NULL, 2);
    job.elem_bytes = 3;
    assert_int_equal(ct_advise(&job, &the_advice, message), CT_E_ARGUMENT);
}

GROUP("advice", NULL, NULL)
