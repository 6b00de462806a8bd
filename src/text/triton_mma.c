/* The linear layouts of the results and operands of MMAs, as Triton 3.9 makes them. */
#include "triton.h"

typedef struct walk {
    const int *part;
    ct_bases *out;
    int at[CT_CONVERT_RANK]; /* the bits of each dimension that are taken */
    int full;
} walk;

/* The next bits of an input along dimension d; past the tensor they repeat an element. */
static void along(walk *w, int in, int d, int bits)
{
    for (int k = 0; k < bits; ++k, ++w->at[d]) {
        if (w->out->bits[in] == CT_LINEAR_BITS) {
            w->full = 1;
            return;
        }
        const int first = ct_bases_first(w->out, d);
        w->out->image[in][w->out->bits[in]++] =
            w->at[d] < w->part[d] ? (int64_t)1 << (first + w->at[d]) : 0;
    }
}

/* Warps along a dimension; those of one that is shared have the same elements. */
static void warps(walk *w, const ct_encoding *e, int d, int shared)
{
    const int before = w->at[d];
    if (shared) w->at[d] = w->part[d];
    along(w, CT_IN_WARP, d, ct_log2(e->warps[d]));
    if (shared) w->at[d] = before;
}

/* mma.sync and wgmma: k_width registers and 4 lanes along a row, 8 lanes down, then registers down
 * and along to the end of the instruction. */
static void nvidia(walk *w, const ct_encoding *e, const int *order)
{
    const int is_a = e->is_operand && e->operand == 0, is_b = e->is_operand && e->operand == 1;
    const int outer = e->rank - (is_b ? 1 : 2), inner = e->rank - (is_b ? 2 : 1);
    const int first = e->rank == 3 ? 1 : 0;
    const int k = ct_log2(e->is_operand ? e->k_width : 2);
    const int rows = is_b ? 3 : is_a ? 4 : ct_log2(e->instruction[first]);
    const int columns = e->is_operand ? k + 3 : ct_log2(e->instruction[first + 1]);
    along(w, CT_IN_REGISTER, inner, k);
    along(w, CT_IN_LANE, inner, 2);
    along(w, CT_IN_LANE, outer, 3);
    along(w, CT_IN_REGISTER, outer, rows - 3);
    along(w, CT_IN_REGISTER, inner, columns - k - 2);
    for (int i = 0; i < e->rank; ++i) {
        const int d = e->version == 3 ? i : order[i];
        warps(w, e, d, e->is_operand && d == inner);
    }
    for (int i = 0; i < e->rank; ++i) {
        const int d = order[i] == e->rank - 1 ? inner : order[i] == e->rank - 2 ? outer : order[i];
        along(w, CT_IN_REGISTER, d, w->part[d] - w->at[d]);
    }
}

/* MFMA: 4 registers down (none of 64 bits), lanes along a row and then down, and registers down to
 * the end of the instruction; its transpose has the dimensions exchanged. Along N a block's tiles go
 * on to the end of the whole tensor before those along M begin. */
static void mfma(walk *w, const ct_encoding *e, const int *order)
{
    const int m = e->rank - 2, n = e->rank - 1;
    const int down = e->transposed ? n : m, row = e->transposed ? m : n;
    const int high = ct_log2(e->instruction[e->transposed]);
    const int wide = ct_log2(e->instruction[!e->transposed]);
    const int height = e->element_bits == 64 ? 0 : 2;
    along(w, CT_IN_REGISTER, down, height);
    along(w, CT_IN_LANE, row, wide);
    along(w, CT_IN_LANE, down, 6 - wide);
    along(w, CT_IN_REGISTER, down, high - height - (6 - wide));
    for (int i = 0; i < e->rank; ++i) {
        const int d = order[i];
        along(w, CT_IN_REGISTER, d, e->tiles[d] ? ct_log2(e->tiles[d]) : 0);
        warps(w, e, d, 0);
        if (d == n) along(w, CT_IN_REGISTER, d, w->out->log[d] - w->at[d]);
    }
    for (int i = 0; i < e->rank; ++i)
        along(w, CT_IN_REGISTER, order[i], w->part[order[i]] - w->at[order[i]]);
}

/* An operand of MFMA: k_width registers and the lanes of the instruction, first across rows of K, and registers along
 * K to the end of the whole tensor. */
static void mfma_operand(walk *w, const ct_encoding *e, const int *order)
{
    const int k = ct_dim_of_k(e), outer = 2 * e->rank - 3 - k;
    const int wide = ct_log2(e->instruction[e->operand]);
    along(w, CT_IN_REGISTER, k, ct_log2(e->k_width));
    along(w, CT_IN_LANE, outer, wide);
    along(w, CT_IN_LANE, k, 6 - wide);
    if (wide == 6) along(w, CT_IN_REGISTER, k, 4); /* the other operand's lanes along K */
    along(w, CT_IN_REGISTER, k, w->out->log[k] - w->at[k]);
    along(w, CT_IN_REGISTER, outer, e->tiles[outer] ? ct_log2(e->tiles[outer]) : 0);
    for (int i = 0; i < e->rank; ++i) warps(w, e, order[i], order[i] == k);
    for (int i = 0; i < e->rank; ++i)
        along(w, CT_IN_REGISTER, order[i], w->part[order[i]] - w->at[order[i]]);
}

int ct_dim_of_k(const ct_encoding *e) { return e->rank - (e->operand == 0 ? 1 : 2); }

int ct_mma_encoding_bases(const ct_encoding *e, const int *part, ct_bases *out)
{
    walk w = {.part = part, .out = out};
    int order[CT_CONVERT_RANK];
    for (int i = 0; i < e->rank; ++i) order[i] = e->rank - 1 - i;
    if (e->kind == CT_TRITON_MMA) nvidia(&w, e, order);
    else if (e->is_operand) mfma_operand(&w, e, order);
    else mfma(&w, e, order);
    return !w.full;
}

static ct_status check_nvidia(const ct_encoding *e, ct_diag *diag)
{
    const int major = (int)e->version, first = e->rank == 3;
    const int64_t m = e->instruction[first], n = e->instruction[first + 1];
    if (major != 2 && major != 3)
        return ct_conversion_fail(diag, CT_E_NO_LAYOUT,
                                  "nvidia_mma is read of the versions 2 (mma.sync) and 3 (wgmma), "
                                  "not %d",
                                  major);
    if (major == 3 && e->rank != 2)
        return ct_conversion_fail(diag, CT_E_NO_LAYOUT,
                                  "nvidia_mma of version 3 has the rank 2, not %d", e->rank);
    if (m != 16 || ct_log2(n) < 3 || (first && e->instruction[0] != 1))
        return ct_conversion_fail(diag, CT_E_NO_LAYOUT,
                                  "instrShape is 16 x N, N a power of two from 8 on, not %lld x "
                                  "%lld",
                                  (long long)m, (long long)n);
    if (major == 3 && e->is_operand && e->operand == 1)
        return ct_conversion_fail(diag, CT_E_NO_LAYOUT,
                                  "operand 1 of wgmma is in shared memory: it has no dot_op");
    return CT_OK;
}

ct_status ct_mma_encoding_check(const ct_encoding *e, ct_diag *diag)
{
    const int64_t m = e->instruction[0], n = e->instruction[1];
    if (e->rank != 2 && e->rank != 3)
        return ct_conversion_fail(diag, CT_E_NO_LAYOUT, "an MMA has the rank 2 or 3, not %d",
                                  e->rank);
    if (e->is_operand && e->operand > 1)
        return ct_conversion_fail(diag, CT_E_NO_LAYOUT, "opIdx is 0 (A) or 1 (B), not %lld",
                                  (long long)e->operand);
    if (e->is_operand && (e->k_width == 0) != (e->kind == CT_SYSTEM_TRITON_BLOCKED))
        return ct_conversion_fail(diag, CT_E_ARGUMENT,
                                  e->k_width ? "kWidth is not for an operand of blocked threads"
                                             : "kWidth is missing: an operand of an MMA has it");
    if (e->kind == CT_SYSTEM_TRITON_BLOCKED) return CT_OK;
    if (e->kind == CT_TRITON_MMA) return check_nvidia(e, diag);
    const int square = m == n && (m == 16 || m == 32), flat = m == 4 && n == 64;
    if (!square && !flat && !(m == 64 && n == 4 && e->transposed))
        return ct_conversion_fail(diag, CT_E_NO_LAYOUT,
                                  "amd_mfma is read of 32 x 32, 16 x 16, 4 x 64 and, transposed, "
                                  "64 x 4, not %lld x %lld",
                                  (long long)m, (long long)n);
    if (e->element_bits == 64 && m != 16)
        return ct_conversion_fail(diag, CT_E_NO_LAYOUT,
                                  "amd_mfma of 64 bits is 16 x 16, not %lld x %lld", (long long)m,
                                  (long long)n);
    return CT_OK;
}
