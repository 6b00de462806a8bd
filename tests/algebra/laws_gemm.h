/**
 * The law of a product of tiles: which elements of A and B each instruction reads, by descriptors and steps or by the
 * registers of its threads, and to which element of C each of its sums belongs. Included where it is needed, after
 * laws.h, laws_partition.h and laws_mma_descriptor.h.
 */
#ifndef CUTLET_TESTS_LAWS_GEMM_H
#define CUTLET_TESTS_LAWS_GEMM_H

#include <stdlib.h>

enum { LAW_ATOM = 64 * 256 }; /* the elements of an operand of an instruction, at most */

/** A product, and what the law looks up. Operands: CT_MMA_A, _B, _C. */
typedef struct law_gemm_case {
    ct_tiled_mma t;
    ct_tuple tile;
    ct_memory in[2];           /* A and B */
    ct_fragment f[3];          /* of operands in registers */
    int32_t held[3][LAW_ATOM]; /* the element of an atom -> its thread and value */
    int32_t *at[2]; /* the byte of shared memory -> the element of the tile that begins there; -1 */
    int64_t reach[2], stage[2]; /* the bytes, and the stage that `at` is of */
} law_gemm_case;

/** The element (x,y) of the tile that is element (r,c) of atom (i,j) of the atoms with number `group`, by registers. */
LAW_FN const char *law_gemm_register(const law_gemm_case *q, const ct_gemm_partition *g,
                                     int operand, int group, int i, int j, int64_t element,
                                     int64_t *x)
{
    const int modes[2] = {ct_mma_mode_of(operand, 0), ct_mma_mode_of(operand, 1)};
    const int32_t types[3] = {g->op.a, g->op.b, g->op.c};
    const int64_t threads = oracle_size(q->t.atom.thr_id);
    const int64_t word =
        (int64_t)g->words[operand] *
        ct_gemm_atom(i, j, g->in[modes[0]], g->in[modes[1]], g->own[modes[0]] / g->in[modes[0]]);
    const int64_t t = oracle_eval(q->t.thr, q->held[operand][element] % threads + threads * group);
    const int64_t n = word * 32 / ct_mma_bits(types[operand]) + q->held[operand][element] / threads;
    if (n < 0 || n >= q->f[operand].count)
        return law_broken("a register of the fragment", operand, n, q->f[operand].count);
    for (int axis = 0; axis < 2; ++axis)
        x[axis] = law_fragment_first(&q->f[operand], t, axis) + q->f[operand].coord[axis][n];
    return NULL;
}

/** The same of an operand that is described: element (r,c) of the atom, as the hardware reads it. */
LAW_FN const char *law_gemm_described(const law_gemm_case *q, const ct_gemm_partition *g,
                                      int operand, int group, int i, int j, int64_t r, int64_t c,
                                      int64_t *x)
{
    const ct_gemm_side *const s = operand == CT_MMA_A ? &g->a : &g->b;
    const int mode = ct_mma_mode_of(operand, 0);
    const int32_t type = operand == CT_MMA_A ? g->op.a : g->op.b;
    const int bits = ct_mma_bits_held(g->op, type), major = g->op.major;
    const int mn_major = operand == CT_MMA_A ? major == CT_MMA_NT || major == CT_MMA_NN
                                             : major == CT_MMA_NT || major == CT_MMA_TT;
    const int64_t t = oracle_eval(q->t.thr, oracle_size(q->t.atom.thr_id) * group);
    const uint32_t base = 3 * 1024 / 16; /* where the memory begins */
    uint32_t low = base + s->low + (uint32_t)(q->stage[operand] * s->stage) +
                   (uint32_t)s->step[j * g->own[mode] + i];
    for (int b = 0; b < 3; ++b)
        if (t / 128 >> b & 1) low += (uint32_t)s->group[b];
    const law_fields f = law_fields_of((uint64_t)s->high << 32 | low, g->op.arch);
    if (f.line == 0) return law_broken("the fixed bits are as they must be", operand, 0, 1);
    const int64_t byte = (mn_major ? r : c) * bits / 8;
    const int64_t at = law_address(&f, mn_major, byte, mn_major ? c : r) - 16 * base;
    const int32_t e = at < 0 || at >= q->reach[operand] ? -1 : q->at[operand][at];
    if (e < 0) return law_broken("an instruction reads elements of the stage", i, at, r);
    x[0] = e % q->tile.value[mode];
    x[1] = e / q->tile.value[mode];
    return NULL;
}

/** Element (r,c) of an operand of an atom, by where it is. */
LAW_FN const char *law_gemm_element(const law_gemm_case *q, const ct_gemm_partition *g, int operand,
                                    int group, int i, int j, int64_t r, int64_t c, int64_t *x)
{
    if (operand != CT_MMA_C && q->at[operand])
        return law_gemm_described(q, g, operand, group, i, j, r, c, x);
    const int64_t rows = ct_mma_extent(&q->t.atom, ct_mma_mode_of(operand, 0));
    return law_gemm_register(q, g, operand, group, i, j, r + rows * c, x);
}

/** The rows and columns of the tile that those of an operand of an atom are: x[0][r] and x[1][c]. Elements of a row
 *  lie in one row, and those of a column in one column. */
LAW_FN const char *law_gemm_block(const law_gemm_case *q, const ct_gemm_partition *g, int operand,
                                  int group, int i, int j, int64_t x[2][256])
{
    const int64_t rows = ct_mma_extent(&q->t.atom, ct_mma_mode_of(operand, 0)),
                  columns = ct_mma_extent(&q->t.atom, ct_mma_mode_of(operand, 1));
    for (int64_t e = 0; e < rows * columns; ++e) {
        const int64_t r = e % rows, c = e / rows;
        int64_t at[2] = {0, 0};
        const char *const bad = law_gemm_element(q, g, operand, group, i, j, r, c, at);
        if (bad) return bad;
        if (c == 0) x[0][r] = at[0];
        if (r == 0) x[1][c] = at[1];
        if (x[0][r] != at[0])
            return law_broken("a row of an instruction is one of the tile", operand, at[0],
                              x[0][r]);
        if (x[1][c] != at[1])
            return law_broken("a column of an instruction is one of the tile", operand, at[1],
                              x[1][c]);
    }
    return NULL;
}

/** Adds the products of atom (i,j,k) of the atoms with number `group` to times, of the tile (m,n,k). */
LAW_FN const char *law_gemm_atom(const law_gemm_case *q, const ct_gemm_partition *g, int group,
                                 int i, int j, int k, uint8_t *times)
{
    const ct_mma_op op = q->t.atom.op;
    const int64_t M = q->tile.value[0], N = q->tile.value[1];
    int64_t a[2][256], b[2][256], c[2][256];
    const char *bad = law_gemm_block(q, g, CT_MMA_A, group, i, k, a);
    if (!bad) bad = law_gemm_block(q, g, CT_MMA_B, group, j, k, b);
    if (!bad && op.kind != CT_MMA_BLOCK) bad = law_gemm_block(q, g, CT_MMA_C, group, i, j, c);
    if (bad) return bad;
    for (int x = 0; x < op.k; ++x)
        if (a[1][x] != b[1][x]) return law_broken("A and B have one k", x, a[1][x], b[1][x]);
    for (int x = 0; x < op.m && op.kind != CT_MMA_BLOCK; ++x)
        if (a[0][x] != c[0][x]) return law_broken("a row of A is one of C", x, a[0][x], c[0][x]);
    for (int x = 0; x < op.n && op.kind != CT_MMA_BLOCK; ++x)
        if (b[0][x] != c[1][x])
            return law_broken("a row of B is a column of C", x, b[0][x], c[1][x]);
    for (int z = 0; z < op.k; ++z)
        for (int y = 0; y < op.n; ++y)
            for (int x = 0; x < op.m; ++x) times[a[0][x] + M * (b[0][y] + N * a[1][z])]++;
    return NULL;
}

/** Each product of the tile is summed once, at a stage of described operands. */
LAW_FN const char *law_gemm_products(const law_gemm_case *q, const ct_gemm_partition *g)
{
    const int64_t n = q->tile.value[0] * q->tile.value[1] * q->tile.value[2];
    const int groups = (int)oracle_size(q->t.atoms);
    uint8_t *const times = (uint8_t *)calloc((size_t)n, 1);
    const char *bad = NULL;
    for (int x = 0; x < groups * g->own[0] * g->own[1] * g->own[2] && !bad; ++x) {
        const int i = x % g->own[0], j = x / g->own[0] % g->own[1];
        const int k = x / g->own[0] / g->own[1] % g->own[2];
        bad = law_gemm_atom(q, g, x / g->own[0] / g->own[1] / g->own[2], i, j, k, times);
    }
    for (int64_t e = 0; e < n && !bad; ++e)
        if (times[e] != 1) bad = law_broken("each product is summed once", e, times[e], 1);
    free(times);
    return bad;
}

/** The copies of A and B to registers leave them where the instructions read them, and those of a step along k are
 *  consecutive. */
LAW_FN const char *law_gemm_loads(const law_gemm_case *q, const ct_gemm_partition *g)
{
    for (int operand = CT_MMA_A; operand <= CT_MMA_B; ++operand) {
        const ct_partition *const p = operand == CT_MMA_A ? &g->load_a : &g->load_b;
        const ct_fragment f = ct_fragment_of_partition(*p);
        const int steps = g->own[2] / g->in[2], mode = ct_mma_mode_of(operand, 0);
        const int words = g->words[operand] * g->own[mode] * g->own[2] / steps;
        if (q->in[operand].space == CT_SPACE_REGISTERS || q->at[operand]) continue;
        if (f.hash != q->f[operand].hash || f.count != q->f[operand].count)
            return law_broken("loads give each thread its fragment", operand, f.count,
                              q->f[operand].count);
        for (int i = 0; i < f.count; ++i)
            for (int axis = 0; axis < 2; ++axis)
                if (f.coord[axis][i] != q->f[operand].coord[axis][i])
                    return law_broken("in its order", i, f.coord[axis][i],
                                      q->f[operand].coord[axis][i]);
        for (int n = 0; n < p->values && !ct_atom_is_matrix(p->atom); ++n) {
            const int part = p->turn[n] / p->src.width * steps / p->src.accesses;
            if (part != n * steps / p->values)
                return law_broken("no access spans two steps", n, part, n * steps / p->values);
        }
        for (int x = 0; x < g->own[mode] * g->own[2]; ++x) {
            const int i = x % g->own[mode], k = x / g->own[mode];
            const int word = g->words[operand] *
                             ct_gemm_atom(i, k, g->in[mode], g->in[2], g->own[mode] / g->in[mode]);
            if (word / words != k / g->in[2])
                return law_broken("a step has consecutive words", x, word / words, k / g->in[2]);
        }
    }
    return NULL;
}

/** Where each element of stage `stage` of a described operand begins. */
LAW_FN void law_gemm_map(law_gemm_case *q, int operand, int64_t stage)
{
    const ct_tensor *const t = &q->in[operand].layout;
    const int mode = ct_mma_mode_of(operand, 0);
    const int64_t n = q->tile.value[mode] * q->tile.value[2];
    const int bytes =
        ct_mma_bits_held(q->t.atom.op, operand == CT_MMA_A ? q->t.atom.op.a : q->t.atom.op.b) / 8;
    q->stage[operand] = stage;
    q->reach[operand] = 512 * 1024;
    q->at[operand] = (int32_t *)malloc(sizeof(int32_t) * (size_t)q->reach[operand]);
    for (int64_t i = 0; i < q->reach[operand]; ++i) q->at[operand][i] = -1;
    for (int64_t i = 0; i < n; ++i)
        q->at[operand][bytes * oracle_tensor(t, i + n * stage)] = (int32_t)i;
}

/** ct_make_gemm: over all threads each product is summed once, into the register of its element of C. g: the
 *  product, or one with a planted fault. */
LAW_FN const char *law_gemm(const ct_gemm_partition *g, ct_tiled_mma t, ct_tuple tile, ct_memory a,
                            ct_memory b, int64_t stage)
{
    law_gemm_case *const q = (law_gemm_case *)calloc(1, sizeof *q);
    const char *bad = NULL;
    if (g->err.status) return law_error(g->err);
    q->t = t;
    q->tile = tile;
    q->in[0] = a;
    q->in[1] = b;
    for (int operand = CT_MMA_A; operand <= CT_MMA_C; ++operand) {
        const ct_layout tv = ct_mma_tv(t.atom, operand);
        const ct_tuple of = ct_tuple2(tile.value[ct_mma_mode_of(operand, 0)],
                                      tile.value[ct_mma_mode_of(operand, 1)]);
        if (operand != CT_MMA_C && g->op.kind >= CT_MMA_WARPGROUP &&
            q->in[operand].space == CT_SPACE_SHARED) {
            law_gemm_map(q, operand, stage);
            continue;
        }
        if (g->op.kind == CT_MMA_BLOCK) continue; /* C is in tensor memory */
        q->f[operand] = ct_fragment_of_mma(t, of, operand);
        for (int64_t i = 0; i < oracle_size(tv); ++i)
            q->held[operand][oracle_eval(tv, i)] = (int32_t)i;
    }
    bad = law_gemm_loads(q, g);
    if (!bad) bad = law_gemm_products(q, g);
    free(q->at[0]);
    free(q->at[1]);
    free(q);
    return bad;
}

#endif
