/* The linear layouts of Triton's encodings, as lib/Dialect/TritonGPU/IR/LinearLayoutConversions.cpp
 * of Triton 3.9 makes them. */
#include <string.h>

#include "triton.h"

/* The bits of a TMA box in one dimension: it has at most 256 elements. */
enum { BOX_BITS = 8 };

static void push(ct_bases *f, int in, int64_t image) { f->image[in][f->bits[in]++] = image; }

/* The index of the element 2^bit of dimension d, on `first`, the first bit of each dimension. */
static int64_t unit(const ct_bases *f, int d, int bit)
{
    return (int64_t)1 << (ct_bases_first(f, d) + bit);
}

static int has_capacity(const ct_bases *f, int in, int more)
{
    return f->bits[in] + more <= CT_LINEAR_BITS;
}

/* log[d] of the part of the tensor that one block has, and the bases of blocks. */
static void split(const ct_encoding *e, const int *log, ct_bases *out, int *part)
{
    for (int d = 0; d < e->rank; ++d) {
        int64_t most = 0;
        for (int k = 0; k < e->blocks; ++k) most |= e->cga[k].at[d];
        int bits = 0;
        while (most >> bits) ++bits;
        part[d] = log[d] > bits ? log[d] - bits : 0;
    }
    for (int k = 0; k < e->blocks; ++k) {
        int64_t image = 0;
        for (int d = 0; d < e->rank; ++d) {
            const int64_t x = e->cga[k].at[d] << part[d];
            if (x >> log[d] == 0) image |= x << ct_bases_first(out, d);
        }
        push(out, CT_IN_BLOCK, image);
    }
}

/* Registers, lanes, warps, each along the order; what goes past the tensor repeats an element, and
 * a register that does is left out, except of an operand; registers fill what is left. */
static int blocked(const ct_encoding *e, const int *part, ct_bases *out)
{
    int at[CT_CONVERT_RANK] = {0};
    const int64_t *const counts[3] = {e->per_thread, e->threads, e->warps};
    for (int in = CT_IN_REGISTER; in <= CT_IN_WARP; ++in) {
        for (int i = 0; i < e->rank; ++i) {
            const int d = (int)e->order[i], bits = ct_log2(counts[in][d]);
            if (!has_capacity(out, in, bits)) return 0;
            for (int k = 0; k < bits; ++k, ++at[d]) {
                const int inside = at[d] < part[d];
                if (inside || in != CT_IN_REGISTER || e->is_operand)
                    push(out, in, inside ? unit(out, d, at[d]) : 0);
            }
        }
    }
    for (int i = 0; i < e->rank; ++i) {
        const int d = (int)e->order[i];
        if (!has_capacity(out, CT_IN_REGISTER, part[d])) return 0;
        for (int k = at[d]; k < part[d]; ++k) push(out, CT_IN_REGISTER, unit(out, d, k));
    }
    return 1;
}

/* Rows whose phase XORs the column in steps of vec elements. */
static void swizzled(const ct_encoding *e, const int *part, ct_bases *out)
{
    const int fast = (int)e->order[0];
    const int64_t columns = (int64_t)1 << part[fast];
    for (int i = 0; i < e->rank; ++i) {
        const int d = (int)e->order[i];
        for (int k = 0; k < part[d]; ++k) {
            const int64_t row = (int64_t)1 << k, phase = row / e->per_phase % e->max_phase;
            const int64_t column = i == 1 ? e->vec * phase % columns : 0;
            push(out, CT_IN_OFFSET, unit(out, d, k) | column << ct_bases_first(out, fast));
        }
    }
}

/* TMA boxes one after another: in each, rows of swizzle_bytes of which the first 8 are swizzled. */
static ct_status nvmma(const ct_encoding *e, const int *part, ct_bases *out, ct_diag *diag)
{
    const int inner = e->transposed ? 0 : e->rank - 1;
    int box[CT_CONVERT_RANK] = {0}, rows = 0;
    for (int d = 0; d < e->rank; ++d) {
        box[d] = part[d] < BOX_BITS ? part[d] : BOX_BITS;
        if (d != inner) rows += box[d];
    }
    if (e->swizzle_bytes > 0) {
        const int columns = ct_log2(e->swizzle_bytes * 8 / e->element_bits);
        if (part[inner] < columns || rows < 3)
            return ct_conversion_fail(diag, CT_E_NO_LAYOUT,
                                      "a swizzle of %lld bytes needs 8 rows of "
                                      "%lld elements, and the tensor of a block has %lld of %lld",
                                      (long long)e->swizzle_bytes, 1LL << columns, 1LL << rows,
                                      1LL << part[inner]);
        box[inner] = columns;
    }
    for (int k = 0; k < box[inner]; ++k) push(out, CT_IN_OFFSET, unit(out, inner, k));
    for (int i = e->rank - 1, row = 0; i >= 0; --i) {
        const int d = e->transposed ? e->rank - 1 - i : i;
        for (int k = 0; k < box[d] && d != inner; ++k, ++row) {
            int64_t column = 0; /* of rows from the eighth on, too */
            if (e->swizzle_bytes > 0)
                column = 128 / e->element_bits *
                         (((int64_t)1 << row) / (128 / e->swizzle_bytes) % (e->swizzle_bytes / 16));
            push(out, CT_IN_OFFSET, unit(out, d, k) | column << ct_bases_first(out, inner));
        }
    }
    for (int d = 0; d < e->rank; ++d)
        for (int k = box[d]; k < part[d]; ++k) push(out, CT_IN_OFFSET, unit(out, d, k));
    return CT_OK;
}

ct_status ct_encoding_bases(const ct_encoding *e, const int *log, ct_bases *out, ct_diag *diag)
{
    int part[CT_CONVERT_RANK];
    memset(out, 0, sizeof *out);
    out->rank = e->rank;
    memcpy(out->log, log, sizeof(int) * (size_t)e->rank);
    split(e, log, out, part);
    if (e->kind == CT_SYSTEM_TRITON_NVMMA && e->rank > 1) return nvmma(e, part, out, diag);
    const int is_blocked = e->kind == CT_SYSTEM_TRITON_BLOCKED;
    ct_encoding plain = *e; /* an operand of blocked threads has all along K in registers */
    if (is_blocked && e->is_operand)
        plain.per_thread[ct_dim_of_k(e)] = (int64_t)1 << log[ct_dim_of_k(e)];
    if (is_blocked || e->kind >= CT_TRITON_PADDED) {
        if (is_blocked ? blocked(&plain, part, out) : ct_mma_encoding_bases(e, part, out))
            return CT_OK;
        return ct_conversion_fail(diag, CT_E_OVERFLOW,
                                  "the encoding has more than 2^%d registers, "
                                  "lanes or warps",
                                  CT_LINEAR_BITS);
    }
    if (e->kind == CT_SYSTEM_TRITON_NVMMA) plain.vec = plain.per_phase = plain.max_phase = 1;
    swizzled(&plain, part, out);
    return CT_OK;
}

/* ---- the other way: attributes that give a linear layout ------------------------------------ */

typedef struct search {
    const ct_bases *f;
    ct_encoding *e;
    int part[CT_CONVERT_RANK]; /* the bits of each dimension that a block has */
} search;

static int matches(const search *s)
{
    ct_bases made;
    return ct_encoding_bases(s->e, s->f->log, &made, NULL) == CT_OK && ct_bases_equal(&made, s->f);
}

/* Counts registers, lanes and warps of each dimension along the order. A dimension takes all bases
 * that go on along it: no other dimension has them. Zeros, past the end of the tensor, are the same
 * ones for each dimension that has ended. */
static int find_blocked(const search *s)
{
    ct_encoding *const e = s->e;
    int64_t *const counts[3] = {e->per_thread, e->threads, e->warps};
    int at[CT_CONVERT_RANK] = {0};
    for (int in = CT_IN_REGISTER; in <= CT_IN_WARP; ++in) {
        int bit = 0;
        for (int i = 0; i < e->rank; ++i) {
            const int d = (int)e->order[i], first = bit;
            while (bit < s->f->bits[in] &&
                   s->f->image[in][bit] == (at[d] < s->part[d] ? unit(s->f, d, at[d]) : 0)) {
                ++bit;
                ++at[d];
            }
            counts[in][d] = (int64_t)1 << (bit - first);
        }
    }
    return matches(s);
}

/* CGALayout of a linear layout: its bases of blocks, in steps of what one block has. */
static void find_blocks(const ct_bases *f, ct_encoding *e, int *part)
{
    e->blocks = f->bits[CT_IN_BLOCK];
    for (int d = 0; d < f->rank; ++d) {
        const int first = ct_bases_first(f, d);
        const int64_t mask = ((int64_t)1 << f->log[d]) - 1;
        int64_t moved = 0;
        for (int k = 0; k < e->blocks; ++k) moved |= f->image[CT_IN_BLOCK][k] >> first & mask;
        part[d] = moved ? ct_lowest_bit(moved) : f->log[d];
        for (int k = 0; k < e->blocks; ++k)
            e->cga[k].at[d] = (f->image[CT_IN_BLOCK][k] >> first & mask) >> part[d];
    }
}

/* Row 2^k moves the column by vec 2^(k - per) in a run of k from per on, and by 0 elsewhere. */
static int find_swizzled(const search *s)
{
    ct_encoding *const e = s->e;
    const ct_bases *const f = s->f;
    const int fast = (int)e->order[0], columns = s->part[fast];
    const int rows = e->rank > 1 ? s->part[e->order[1]] : 0;
    int per = 0, phases = 0;
    int64_t vec = 0;
    for (int k = 0; k < rows && columns + k < f->bits[CT_IN_OFFSET]; ++k) {
        const int64_t x = f->image[CT_IN_OFFSET][columns + k] >> ct_bases_first(f, fast) &
                          (((int64_t)1 << f->log[fast]) - 1);
        if (x == 0 && phases == 0) ++per;
        if (x == 0) continue;
        if (phases == 0) vec = x;
        ++phases;
    }
    e->vec = phases > 0 ? vec : 1;
    e->per_phase = phases > 0 ? (int64_t)1 << per : 1;
    e->max_phase = (int64_t)1 << phases;
    return ct_log2(e->vec) >= 0 && matches(s);
}

static int find_nvmma(const search *s, int element_bits)
{
    s->e->element_bits = element_bits;
    for (int bytes = 0; bytes <= 128; bytes = bytes ? 2 * bytes : 32) {
        for (int transposed = 0; transposed <= (s->f->rank == 2); ++transposed) {
            s->e->swizzle_bytes = bytes;
            s->e->transposed = transposed;
            if ((bytes == 0 || s->f->rank > 1) && matches(s)) return 1;
        }
    }
    return 0;
}

/* The next order of the dimensions, from the last one fastest on; 0 behind the last. */
static int next_order(int64_t *order, int rank)
{
    int i = rank - 2;
    while (i >= 0 && order[i] < order[i + 1]) --i;
    if (i < 0) return 0;
    int k = rank - 1;
    while (order[k] > order[i]) --k;
    const int64_t x = order[i];
    order[i] = order[k];
    order[k] = x;
    for (int a = i + 1, b = rank - 1; a < b; ++a, --b) {
        const int64_t y = order[a];
        order[a] = order[b];
        order[b] = y;
    }
    return 1;
}

int ct_encoding_of_bases(const ct_bases *f, int element_bits, ct_encoding *e)
{
    search s;
    memset(&s, 0, sizeof s);
    s.f = f;
    s.e = e;
    e->rank = f->rank;
    find_blocks(f, e, s.part);
    for (int d = 0; d < f->rank; ++d) e->order[d] = f->rank - 1 - d;
    if (e->kind == CT_SYSTEM_TRITON_NVMMA) return find_nvmma(&s, element_bits);
    do {
        if (e->kind == CT_SYSTEM_TRITON_BLOCKED ? find_blocked(&s) : find_swizzled(&s)) return 1;
    } while (next_order(e->order, f->rank));
    return 0;
}
