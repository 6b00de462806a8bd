/* Linear layouts of Triton as tensors, and tensors as linear layouts. */
#include <string.h>

#include "triton_bases.h"

int ct_bases_reach(const ct_bases *f)
{
    int reach = 0;
    for (int d = 0; d < f->rank; ++d) reach += f->log[d];
    return reach;
}

int ct_bases_first(const ct_bases *f, int d)
{
    int first = 0;
    for (int k = 0; k < d; ++k) first += f->log[k];
    return first;
}

int ct_bases_rank(const ct_bases *f, int first, int last)
{
    int64_t pivot[CT_LINEAR_BITS] = {0};
    int rank = 0;
    for (int in = first; in <= last; ++in) {
        for (int k = 0; k < f->bits[in]; ++k) {
            int64_t x = f->image[in][k];
            for (int b = CT_LINEAR_BITS - 1; b >= 0 && x != 0; --b) {
                if (!(x >> b & 1)) continue;
                if (pivot[b] == 0) {
                    pivot[b] = x;
                    ++rank;
                    break;
                }
                x ^= pivot[b];
            }
        }
    }
    return rank;
}

int ct_bases_permute(const ct_bases *f)
{
    int64_t seen = 0;
    for (int in = 0; in < CT_IN_COUNT; ++in) {
        for (int k = 0; k < f->bits[in]; ++k) {
            const int64_t x = f->image[in][k];
            if (x & (x - 1) || x & seen) return 0;
            seen |= x;
        }
    }
    return 1;
}

ct_status ct_linear_check(const ct_bases *f, ct_diag *diag)
{
    if (ct_bases_permute(f)) return CT_OK;
    static const char *const names[] = {"register", "lane", "warp", "block"};
    for (int in = 0; in < CT_IN_COUNT; ++in) {
        for (int k = 0; k < f->bits[in] && in != CT_IN_WARP; ++k) {
            int moved = 0;
            for (int d = 0; d < f->rank; ++d)
                moved += (f->image[in][k] >> ct_bases_first(f, d) &
                          (((int64_t)1 << f->log[d]) - 1)) != 0;
            if (moved > 1)
                return ct_conversion_fail(diag, CT_E_NO_LAYOUT,
                                          "basis %d of `%s` moves in %d "
                                          "dimensions: Triton takes one",
                                          k, names[in], moved);
        }
    }
    return CT_OK;
}

int ct_bases_equal(const ct_bases *a, const ct_bases *b)
{
    if (a->rank != b->rank || memcmp(a->log, b->log, sizeof(int) * (size_t)a->rank) != 0 ||
        memcmp(a->bits, b->bits, sizeof a->bits) != 0)
        return 0;
    for (int in = 0; in < CT_IN_COUNT; ++in) {
        const size_t bytes = sizeof(int64_t) * (size_t)a->bits[in];
        if (memcmp(a->image[in], b->image[in], bytes) != 0) return 0;
    }
    return 1;
}

/* Adds a leaf of f with the bits of an input. */
static void push_input(ct_linear_layout *f, const ct_bases *b, int in, int open, int close)
{
    const int leaf = f->profile.leaves++;
    f->profile.open[leaf] = (uint8_t)open;
    f->profile.close[leaf] = (uint8_t)close;
    f->log[leaf] = b->bits[in];
    for (int k = 0; k < b->bits[in]; ++k) f->image[f->bits++] = b->image[in][k];
}

/* ((lane,warp),register[,block]) -> index in the tensor. */
static ct_linear_layout of_threads(const ct_bases *b)
{
    ct_linear_layout f;
    memset(&f, 0, sizeof f);
    const int blocks = b->bits[CT_IN_BLOCK] > 0;
    push_input(&f, b, CT_IN_LANE, 2, 0);
    push_input(&f, b, CT_IN_WARP, 0, 1);
    push_input(&f, b, CT_IN_REGISTER, 0, !blocks);
    if (blocks) push_input(&f, b, CT_IN_BLOCK, 0, 1);
    return f;
}

/* The dimensions of the tensor -> offset: what the offsets of the bases move, inverted. */
static ct_status of_memory(const ct_bases *b, ct_linear_layout *out, ct_diag *diag)
{
    ct_linear_layout f;
    memset(&f, 0, sizeof f);
    const int reach = ct_bases_reach(b), offsets = b->bits[CT_IN_OFFSET];
    if (b->bits[CT_IN_BLOCK] > 0)
        return ct_conversion_fail(diag, CT_E_NO_LAYOUT,
                                  "the tensor is in the shared memory of %lld "
                                  "blocks: an offset does not say in which",
                                  1LL << b->bits[CT_IN_BLOCK]);
    if (ct_bases_rank(b, CT_IN_OFFSET, CT_IN_OFFSET) < offsets || offsets != reach)
        return ct_conversion_fail(diag, CT_E_NO_LAYOUT,
                                  "%lld offsets hold %lld elements: several "
                                  "offsets hold the same one",
                                  1LL << offsets, 1LL << reach);
    push_input(&f, b, CT_IN_OFFSET, 0, 0);
    f = ct_linear_inverse(f);
    memset(&f.profile, 0, sizeof f.profile);
    f.profile.leaves = b->rank;
    f.profile.open[0] = 1;
    f.profile.close[b->rank - 1] = 1;
    for (int d = 0; d < b->rank; ++d) f.log[d] = b->log[d];
    *out = f;
    return CT_OK;
}

ct_status ct_exchange_tensor(const ct_exchange *x, ct_tensor *out, ct_diag *diag)
{
    ct_linear_layout f;
    if (!x->has_bases) {
        *out = x->tensor;
        return CT_OK;
    }
    if (x->maps == CT_MAPS_THREADS) f = of_threads(&x->bases);
    else if (of_memory(&x->bases, &f, diag)) return CT_E_NO_LAYOUT;
    *out = ct_linear_tensor(f);
    return ct_conversion_error(diag, out->layout.err);
}

/* The bits of mode m of a tensor. */
static int mode_bits(const ct_tensor *t, int m) { return ct_log2(ct_size(ct_mode(t->layout, m))); }

/* A tensor (thread,value[,block]) -> index in the tensor of the options' shape. */
static ct_status threads_of(const ct_tensor *t, const ct_convert_options *o, ct_bases *b,
                            ct_diag *diag)
{
    const ct_linear_layout f = ct_make_linear(*t);
    const int rank = ct_layout_rank(t->layout);
    if (f.err.status) return ct_conversion_error(diag, f.err);
    if (rank != 2 && rank != 3)
        return ct_conversion_fail(diag, CT_E_ARGUMENT,
                                  "a thread-value layout has the modes (thread,"
                                  "value) or (thread,value,block), and this one has %d",
                                  rank);
    if (o->rank == 0)
        return ct_conversion_fail(diag, CT_E_ARGUMENT,
                                  "the shape of the tensor is missing, as in "
                                  "--shape 64x64: a thread-value layout does not have it");
    b->rank = o->rank;
    for (int d = 0; d < o->rank; ++d) b->log[d] = ct_log2(o->shape[d]);
    const int threads = mode_bits(t, 0), reach = ct_bases_reach(b);
    b->bits[CT_IN_LANE] = threads < 5 ? threads : 5;
    b->bits[CT_IN_WARP] = threads - b->bits[CT_IN_LANE];
    b->bits[CT_IN_REGISTER] = mode_bits(t, 1);
    b->bits[CT_IN_BLOCK] = rank == 3 ? mode_bits(t, 2) : 0;
    if (ct_linear_reach(&f) >> reach != 0)
        return ct_conversion_fail(diag, CT_E_ARGUMENT,
                                  "the layout reaches index %lld of a tensor of "
                                  "%lld elements",
                                  (long long)ct_linear_reach(&f), 1LL << reach);
    if (f.origin != 0)
        return ct_conversion_fail(diag, CT_E_NO_LAYOUT,
                                  "thread 0 begins at element %lld: a layout "
                                  "of Triton begins at 0",
                                  (long long)f.origin);
    static const int order[CT_IN_COUNT] = {CT_IN_LANE, CT_IN_WARP, CT_IN_REGISTER, CT_IN_BLOCK};
    for (int i = 0, at = 0; i < CT_IN_COUNT; at += b->bits[order[i++]])
        memcpy(b->image[order[i]], f.image + at, sizeof(int64_t) * (size_t)b->bits[order[i]]);
    const int rank_of_all = ct_bases_rank(b, 0, CT_IN_COUNT - 1);
    if (rank_of_all < reach)
        return ct_conversion_fail(diag, CT_E_NO_LAYOUT,
                                  "the threads hold %lld of the tensor's %lld "
                                  "elements: Triton's layouts hold all",
                                  1LL << rank_of_all, 1LL << reach);
    return CT_OK;
}

/* A tensor that maps coordinates to offsets, all from 0 to its size. */
static ct_status memory_of(const ct_tensor *t, const ct_convert_options *o, ct_bases *b,
                           ct_diag *diag)
{
    const int rank = ct_layout_rank(t->layout);
    ct_linear_layout f = ct_make_linear(*t);
    if (f.err.status) return ct_conversion_error(diag, f.err);
    if (rank > CT_CONVERT_RANK || rank < 1)
        return ct_conversion_fail(diag, CT_E_NO_LAYOUT,
                                  "a tensor of rank %d: from 1 to %d are "
                                  "converted",
                                  rank, CT_CONVERT_RANK);
    b->rank = rank;
    const int one = ct_profile_is_integer(t->layout.profile);
    for (int d = 0; d < rank; ++d) b->log[d] = one ? f.bits : mode_bits(t, d);
    for (int d = 0; d < o->rank; ++d) {
        if (o->rank == rank && o->shape[d] == (int64_t)1 << b->log[d]) continue;
        return ct_conversion_fail(
            diag, CT_E_ARGUMENT,
            "--shape has the rank %d and %lld in dimension %d; the layout has "
            "the rank %d and %lld",
            o->rank, (long long)o->shape[d], d, rank, d < rank ? 1LL << b->log[d] : 1LL);
    }
    b->bits[CT_IN_OFFSET] = f.bits;
    memcpy(b->image[CT_IN_OFFSET], f.image, sizeof(int64_t) * (size_t)f.bits);
    if (f.origin != 0)
        return ct_conversion_fail(diag, CT_E_NO_LAYOUT,
                                  "the layout begins at offset %lld: one of "
                                  "Triton begins at 0",
                                  (long long)f.origin);
    if (ct_linear_reach(&f) >> f.bits != 0 || ct_bases_rank(b, CT_IN_OFFSET, CT_IN_OFFSET) < f.bits)
        return ct_conversion_fail(diag, CT_E_NO_LAYOUT,
                                  "the %lld coordinates do not have all offsets "
                                  "from 0 to %lld, once each, as in Triton",
                                  1LL << f.bits, (1LL << f.bits) - 1);
    f = ct_linear_inverse(f);
    memcpy(b->image[CT_IN_OFFSET], f.image, sizeof(int64_t) * (size_t)f.bits);
    return CT_OK;
}

ct_status ct_exchange_bases(const ct_exchange *x, int maps, const ct_convert_options *o,
                            ct_bases *out, ct_diag *diag)
{
    if (x->maps != CT_MAPS_ANY && x->maps != maps)
        return ct_conversion_fail(diag, CT_E_ARGUMENT,
                                  maps == CT_MAPS_THREADS
                                      ? "the text maps coordinates to offsets, and the encoding "
                                        "threads to elements"
                                      : "the text maps threads to elements, and the encoding "
                                        "coordinates to offsets");
    memset(out, 0, sizeof *out);
    if (x->has_bases) {
        *out = x->bases;
        return CT_OK;
    }
    if (maps == CT_MAPS_THREADS) return threads_of(&x->tensor, o, out, diag);
    return memory_of(&x->tensor, o, out, diag);
}
