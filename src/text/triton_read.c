/* What the text of an encoding of Triton describes. */
#include <stdlib.h>
#include <string.h>

#include "triton_text.h"

static ct_status fail_at_name(ct_triton_text *t, const char *message)
{
    return ct_reader_fail(&t->r, t->at, t->length, "%s", message);
}

/* The bases of a linear encoding. They make a tensor of all that they reach. */
static ct_status bases_of_rows(ct_triton_text *t, ct_bases *f)
{
    int total = 0, reach;
    f->rank = t->e.rank;
    if (f->rank == 0) return fail_at_name(t, "an encoding without a basis has no rank");
    for (int d = 0; d < f->rank; ++d) {
        int64_t most = 0;
        for (int in = 0; in < CT_IN_COUNT; ++in)
            for (int k = 0; k < t->bits[in]; ++k) most |= t->basis[in][k].at[d];
        while (most >> f->log[d]) ++f->log[d];
    }
    reach = ct_bases_reach(f);
    for (int in = 0; in < CT_IN_COUNT; ++in) total += t->bits[in];
    if (reach > CT_LINEAR_BITS || total > CT_LINEAR_BITS)
        return fail_at_name(t, "the bases have, or reach, more than 62 bits");
    for (int in = 0; in < CT_IN_COUNT; ++in) {
        f->bits[in] = t->bits[in];
        for (int k = 0; k < t->bits[in]; ++k)
            for (int d = 0; d < f->rank; ++d)
                f->image[in][k] |= t->basis[in][k].at[d] << ct_bases_first(f, d);
    }
    if (ct_bases_rank(f, 0, CT_IN_COUNT - 1) < reach)
        return fail_at_name(t, "the bases do not reach each element of their tensor, as Triton "
                               "asks");
    ct_diag why;
    if (t->e.kind == CT_SYSTEM_TRITON_LINEAR && ct_linear_check(f, &why))
        return fail_at_name(t, why.message);
    return CT_OK;
}

/* The shape of the tensor: of the type around the encoding, or of the options. */
static ct_status shape_of(ct_triton_text *t, const ct_convert_options *o, int *log, ct_diag *diag)
{
    const int rank = t->rank ? t->rank : o->rank;
    const int64_t *const shape = t->rank ? t->shape : o->shape;
    int reach = 0;
    if (rank == 0)
        return ct_conversion_fail(diag, CT_E_ARGUMENT,
                                  "the shape of the tensor is missing: write `of 64x64` behind "
                                  "it, or the type tensor<64x64xf16, #ttg..>");
    if (t->rank && o->rank &&
        (t->rank != o->rank || memcmp(t->shape, o->shape, sizeof(int64_t) * (size_t)rank) != 0))
        return ct_conversion_fail(diag, CT_E_ARGUMENT, "--shape is not the shape in the text");
    if (t->e.rank == 0) t->e.rank = rank;
    if (t->e.rank - t->slices != rank)
        return ct_conversion_fail(diag, CT_E_ARGUMENT, "the encoding has the rank %d, the shape %d",
                                  t->e.rank - t->slices, rank);
    for (int d = 0; d < rank; ++d) {
        log[d] = ct_log2(shape[d]);
        if (log[d] < 0)
            return ct_conversion_fail(diag, CT_E_ARGUMENT,
                                      "dimension %d of the shape is %lld: those "
                                      "of Triton are powers of two",
                                      d, (long long)shape[d]);
        reach += log[d];
    }
    if (reach > CT_LINEAR_BITS / 2)
        return ct_conversion_fail(diag, CT_E_ARGUMENT, "the tensor has more than 2^%d elements",
                                  CT_LINEAR_BITS / 2);
    return CT_OK;
}

static ct_status check_nvmma(ct_triton_text *t, ct_diag *diag)
{
    ct_encoding *const e = &t->e;
    for (int d = 0; d < e->rank; ++d) e->order[d] = e->rank - 1 - d;
    if (e->rank > 5)
        return ct_conversion_fail(diag, CT_E_ARGUMENT, "nvmma_shared has a rank up to 5, not %d",
                                  e->rank);
    if (e->rank == 1 && (e->swizzle_bytes > 0 || e->transposed))
        return ct_conversion_fail(diag, CT_E_NO_LAYOUT,
                                  "a tensor of rank 1 has neither a swizzle nor "
                                  "a transposed form");
    if (e->rank > 2 && e->transposed)
        return ct_conversion_fail(diag, CT_E_NO_LAYOUT,
                                  "a transposed nvmma_shared encoding is read of "
                                  "rank 2, not %d",
                                  e->rank);
    return CT_OK;
}

/* The tensor of a slice's parent has one element along the dimension that the slice is without. */
static ct_status insert_slices(const ct_triton_text *t, int *log, ct_diag *diag)
{
    int rank = t->e.rank - t->slices;
    for (int i = 0; i < t->slices; ++i, ++rank) {
        const int d = (int)t->slice[i];
        if (t->slice[i] > rank)
            return ct_conversion_fail(diag, CT_E_ARGUMENT,
                                      "a slice without dimension %lld of %d dimensions",
                                      (long long)t->slice[i], rank + 1);
        memmove(log + d + 1, log + d, sizeof(int) * (size_t)(rank - d));
        log[d] = 0;
    }
    return CT_OK;
}

/* A slice has the bases of its parent, except for registers that only repeat an element. */
static void take_slices(const ct_triton_text *t, ct_bases *f)
{
    int kept = 0;
    if (t->slices == 0) return;
    for (int i = t->slices - 1; i >= 0; --i, --f->rank) {
        const int d = (int)t->slice[i];
        memmove(f->log + d, f->log + d + 1, sizeof(int) * (size_t)(f->rank - 1 - d));
    }
    for (int k = 0; k < f->bits[CT_IN_REGISTER]; ++k)
        if (f->image[CT_IN_REGISTER][k])
            f->image[CT_IN_REGISTER][kept++] = f->image[CT_IN_REGISTER][k];
    f->bits[CT_IN_REGISTER] = kept;
}

/* Blocks along the dimension that a product sums over have the same operand, except of amd_mfma. */
static void share_operand(ct_encoding *e)
{
    const int k = ct_dim_of_k(e);
    for (int i = 0; i < e->blocks && e->is_operand && e->kind != CT_TRITON_MFMA; ++i)
        e->cga[i].at[k] = 0;
}

static int is_mma(const ct_encoding *e)
{
    return e->kind == CT_TRITON_MMA || e->kind == CT_TRITON_MFMA;
}

static ct_status bases_of_attributes(ct_triton_text *t, const ct_convert_options *o, ct_bases *f,
                                     ct_diag *diag)
{
    int log[CT_CONVERT_RANK], total = 0;
    ct_encoding *const e = &t->e;
    ct_status bad = shape_of(t, o, log, diag);
    if (!bad) bad = insert_slices(t, log, diag);
    if (!bad && (is_mma(e) || e->is_operand)) bad = ct_mma_encoding_check(e, diag);
    if (!bad && e->kind == CT_SYSTEM_TRITON_NVMMA) bad = check_nvmma(t, diag);
    if (bad) return bad;
    e->blocks = t->bits[CT_IN_BLOCK];
    memcpy(e->cga, t->basis[CT_IN_BLOCK], sizeof e->cga);
    share_operand(e);
    bad = ct_encoding_bases(e, log, f, diag);
    if (!bad) take_slices(t, f);
    for (int in = 0; in < CT_IN_COUNT; ++in) total += f->bits[in];
    if (!bad && total > CT_LINEAR_BITS)
        return ct_conversion_fail(diag, CT_E_OVERFLOW,
                                  "the encoding has %d bits, and at most %d are "
                                  "converted",
                                  total, CT_LINEAR_BITS);
    if (!bad && ct_bases_rank(f, 0, CT_IN_COUNT - 1) < ct_bases_reach(f))
        return ct_conversion_fail(diag, CT_E_ARGUMENT,
                                  "the bases of CGALayout do not reach each "
                                  "element of the tensor, as Triton asks");
    return bad;
}

/* A linear encoding has its shape in itself. */
static ct_status check_shape(ct_triton_text *t, const ct_convert_options *o, const ct_bases *f,
                             ct_diag *diag)
{
    int log[CT_CONVERT_RANK];
    if (t->rank == 0 && o->rank == 0) return CT_OK;
    const ct_status bad = shape_of(t, o, log, diag);
    if (bad) return bad;
    for (int d = 0; d < f->rank; ++d) {
        if (log[d] != f->log[d])
            return ct_conversion_fail(diag, CT_E_ARGUMENT,
                                      "dimension %d has %lld elements by the bases, "
                                      "and %lld by the shape",
                                      d, 1LL << f->log[d], 1LL << log[d]);
    }
    return CT_OK;
}

/* Where the element lies that a padded encoding has at index `at` without gaps, a power of two. */
static int64_t padded(const ct_triton_text *t, int64_t at)
{
    int64_t offset = at;
    for (int i = 0; i < t->pads; ++i) offset += at / t->interval[i] * t->pad[i];
    return offset;
}

/* Where each bit of dimension d lies without gaps: step[d][bit]. Of Gluon by the bases, else by the order. */
typedef int64_t steps[CT_CONVERT_RANK][CT_LINEAR_BITS + 1];

static ct_status steps_of_order(const ct_triton_text *t, steps step)
{
    int next = 0;
    for (int i = 0; i < t->e.rank; ++i) {
        const int d = (int)t->e.order[i];
        for (int k = 0; k < ct_log2(t->e.per_thread[d]) && next < CT_LINEAR_BITS; ++k)
            step[d][k] = (int64_t)1 << next++;
    }
    return CT_OK;
}

static ct_status steps_of_bases(ct_triton_text *t, steps step)
{
    int found = 0, wanted = 0;
    for (int k = 0; k < t->bits[CT_IN_OFFSET]; ++k) {
        for (int d = 0; d < t->e.rank; ++d) {
            const int64_t x = t->basis[CT_IN_OFFSET][k].at[d], rest = x & (x - 1);
            const int bit = x ? ct_log2(x & -x) : 0;
            if (x == 0) continue;
            if (rest || x >= t->e.per_thread[d] || step[d][bit]++)
                return fail_at_name(t,
                                    "padded offsets that XOR or repeat coordinates are not read");
            step[d][bit] = (int64_t)1 << k;
            ++found;
        }
    }
    for (int d = 0; d < t->e.rank; ++d) wanted += ct_log2(t->e.per_thread[d]);
    if (t->bits[CT_IN_BLOCK] > 0 || found != wanted || found != t->bits[CT_IN_OFFSET])
        return fail_at_name(t, "padded offsets are read that have each element of the shape, in "
                               "one block");
    return CT_OK;
}

/* The mode of a dimension of 2^bits elements: a leaf for each run of bits whose offsets double. */
static ct_layout padded_mode(const ct_triton_text *t, const int64_t *step, int bits)
{
    ct_layout mode = ct_layout1(1, 0);
    for (int b = 0, first = 0; b < bits; first = b) {
        const int64_t stride = padded(t, step[first]);
        while (b < bits && padded(t, step[b]) == stride << (b - first)) ++b;
        const ct_layout leaf = ct_layout1((int64_t)1 << (b - first), stride);
        mode = first == 0 ? leaf : ct_layout_append(mode, leaf);
    }
    return mode;
}

/* The shape that the bases of offsets reach. */
static void reach_of_bases(ct_triton_text *t)
{
    for (int d = 0; d < t->e.rank; ++d) {
        t->e.per_thread[d] = 1;
        for (int k = 0; k < t->bits[CT_IN_OFFSET]; ++k)
            while (t->basis[CT_IN_OFFSET][k].at[d] >= t->e.per_thread[d]) t->e.per_thread[d] *= 2;
    }
}

/* The layout of a padded encoding, whose shape is an attribute, or what its bases reach. */
static ct_status tensor_of_pads(ct_triton_text *t, ct_tensor *out, ct_diag *diag)
{
    steps step = {{0}};
    const int by_bases = t->bits[CT_IN_OFFSET] > 0;
    const int has_order = t->e.rank < 2 || t->e.order[0] != t->e.order[1];
    if (t->e.per_thread[0] == 0 && by_bases) reach_of_bases(t);
    if (t->e.per_thread[0] == 0 || (!by_bases && !has_order))
        return fail_at_name(t, t->e.per_thread[0] ? "the attribute `order` is missing"
                                                  : "the attribute `shape` is missing");
    ct_layout all = ct_layout_fail((ct_error){.status = CT_E_ARGUMENT});
    if (by_bases ? steps_of_bases(t, step) : steps_of_order(t, step)) return t->r.failed;
    for (int d = 0; d < t->e.rank; ++d) {
        const ct_layout mode = padded_mode(t, step[d], ct_log2(t->e.per_thread[d]));
        all = d == 0 ? ct_layout_wrap(mode) : ct_layout_append(all, mode);
    }
    *out = ct_make_tensor(all);
    return all.err.status ? ct_conversion_error(diag, all.err) : CT_OK;
}

/* What has been read. */
static ct_status exchange_of(ct_triton_text *t, const ct_convert_options *o, ct_exchange *out,
                             ct_diag *diag)
{
    const int kind = t->e.kind;
    const int linear = kind == CT_SYSTEM_TRITON_LINEAR || kind == CT_SYSTEM_TRITON_SHARED;
    const int distributed = kind == CT_SYSTEM_TRITON_BLOCKED || is_mma(&t->e);
    memset(out, 0, sizeof *out);
    if (t->slices > 0 && !distributed)
        return fail_at_name(t, "a slice is read of blocked, nvidia_mma, amd_mfma and dot_op");
    out->has_bases = kind != CT_TRITON_PADDED;
    if (kind == CT_TRITON_PADDED) {
        out->maps = CT_MAPS_MEMORY;
        return tensor_of_pads(t, &out->tensor, diag);
    }
    out->maps = distributed || kind == CT_SYSTEM_TRITON_LINEAR ? CT_MAPS_THREADS : CT_MAPS_MEMORY;
    out->element_bits =
        kind == CT_SYSTEM_TRITON_NVMMA ? (int32_t)t->e.element_bits : t->element_bits;
    if (!linear) return bases_of_attributes(t, o, &out->bases, diag);
    if (bases_of_rows(t, &out->bases)) return t->r.failed;
    return check_shape(t, o, &out->bases, diag);
}

ct_status ct_read_triton(const char *text, const ct_convert_options *o, ct_exchange *out,
                         ct_diag *diag)
{
    ct_triton_text t;
    memset(&t, 0, sizeof t);
    t.r = ct_reader_of(text, diag);
    if (ct_read_triton_text(&t) || ct_read_end(&t.r)) return t.r.failed;
    return exchange_of(&t, o, out, diag);
}

ct_status ct_read_triton_value(ct_reader *r, ct_value *out)
{
    static const ct_convert_options none;
    ct_triton_text *const t = calloc(1, sizeof *t);
    ct_exchange x;
    ct_tensor tensor;
    ct_diag why;
    if (!t) return ct_reader_no_memory(r, r->at);
    t->r = *r;
    ct_status bad = ct_read_triton_text(t);
    if (!bad) bad = exchange_of(t, &none, &x, &why);
    if (!bad) bad = ct_exchange_tensor(&x, &tensor, &why);
    r->at = t->r.at;
    if (bad && !t->r.failed) ct_reader_fail(&t->r, t->at, t->length, "%s", why.message);
    r->failed = t->r.failed;
    free(t);
    if (r->failed) return r->failed;
    ct_value_of_tensor(out, tensor);
    return CT_OK;
}
