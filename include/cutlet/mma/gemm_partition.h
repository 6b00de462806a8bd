/**
 * A tiled MMA applied to a tile, as a constant: C (m,n) += A (m,k) B (n,k) by all its threads. What a partition is to a
 * copy, it is to ct_gemm (device/mma/gemm.h): the instruction and how often a thread executes it, where each reads A
 * and B, and which registers hold C.
 *
 *     p.mma = ct_make_gemm(mma, ct_tuple3(128, 256, 64), ct_in_shared(p.a.tensor), ct_in_shared(p.b.tensor));
 *     p.c = ct_fragment_c(mma, ct_tuple2(128, 256));
 *
 * A and B are in the memory that the instruction reads, or that ldmatrix or loads read before it: shared memory,
 * (m,k) and (n,k) with a mode of stages or without. ct_in_registers() says that the kernel has them in registers.
 * Atoms of the tiled MMA along k divide it: each of their threads has a sum of its own.
 *
 * Cost:     that of two descriptors and of a table of their steps, or of two partitions, for the compiler.
 * In C:     const ct_tiled_mma mma = ct_make_tiled_mma(ct_make_mma_atom("SM90_64x128x16_F32F16F16_SS"),
 *                                                      ct_layout1(2, 1), ct_tiler0()); // two warpgroups
 *           const ct_tensor rows = ct_make_swizzled(ct_make_swizzle(3, 3, 3), 0,
 *                                                   ct_layout3(128, 64, 4, 64, 1, 128 * 64)); // of four stages
 *           const ct_memory in = ct_in_shared(rows);
 *           const ct_gemm_partition g = ct_make_gemm(mma, ct_tuple3(128, 128, 64), in, in);
 *           assert(g.err.status == CT_OK && g.own[0] == 1 && g.own[1] == 1 && g.own[2] == 4);
 *           assert(g.a.step[1] == 2 && g.a.group[0] == 64 * 8 && g.a.stage == 1024); // in 16 bytes
 *           assert(ct_make_gemm(mma, ct_tuple3(64, 128, 64), in, in).err.status == CT_E_ARGUMENT);
 * Source:   NVIDIA, PTX ISA 9.0, wgmma.mma_async, tcgen05.mma and mma.
 */
#ifndef CUTLET_MMA_GEMM_PARTITION_H
#define CUTLET_MMA_GEMM_PARTITION_H

#include <cutlet/copy/copy_partition.h>
#include <cutlet/mma/mma_descriptor_bits.h>
#include <cutlet/mma/mma_fragment.h>

/** The atoms of A, or of B, that a warpgroup executes in one ct_gemm, at most. */
enum { CT_GEMM_ATOMS = 64 };

/** A or B, as descriptors name it: addresses in 16 bytes, of memory that begins at 0. */
typedef struct ct_gemm_side {
    uint32_t low, high; /* the descriptor of the first warpgroup's first atom */
    int32_t group[3];   /* from a warpgroup's first atom to that of warpgroup 1, 2 and 4 after it */
    int32_t stage;      /* to the next stage */
    int32_t step[CT_GEMM_ATOMS]; /* to the thread's atom (i,k), at i + atoms * k */
} ct_gemm_side;

/** A tiled MMA applied to a tile. Modes: 0 m, 1 n, 2 k. */
typedef struct ct_gemm_partition {
    ct_error err;
    ct_mma_op op; /* the instruction, with the modes that are contiguous */
    int32_t threads;
    int32_t own[3],
        in[3];         /* atoms of a thread along a mode, and those in one tile of the tiled MMA */
    int32_t words[3];  /* 32-bit words of a thread for A, B and C of an atom; 0 in shared memory */
    uint32_t hash[3];  /* of the fragments of A, B and C */
    int32_t count[3];  /* and their values */
    ct_gemm_side a, b; /* of wgmma and tcgen05 */
    ct_partition load_a, load_b; /* of other instructions, from shared memory to registers */
} ct_gemm_partition;

/** @internal The failed product that carries e. */
CT_FN ct_gemm_partition ct_gemm_fail(ct_error e)
{
    ct_gemm_partition g = CT_ZERO;
    g.err = e;
    return g;
}

/** @internal The error of a product. */
CT_FN ct_error ct_gemm_error(int32_t why, int mode, int64_t a, int64_t b)
{
    return ct_make_error(CT_E_ARGUMENT, CT_OP_GEMM, why, mode, a, b);
}

/** @internal The tensor (mn,k) of the first stage. */
CT_FN ct_tensor ct_gemm_tile_of(ct_memory m)
{
    ct_tensor t = m.layout;
    t.layout = ct_layout_take(t.layout, 0, 2);
    return t;
}

/** @internal The 32-bit words of a thread for one operand of an atom. */
CT_FN int32_t ct_mma_words(ct_mma_atom a, int operand, int32_t type)
{
    const int64_t values = ct_size(ct_mma_tv(a, operand)) / ct_size(a.thr_id);
    return (int32_t)(values * ct_mma_bits(type) / 32);
}

/** @internal The number of a thread's atom (i,j) in its registers, of `in` atoms in a tile of the tiled MMA along each
 *  mode, and `tiles` such tiles along the first. */
CT_FN int32_t ct_gemm_atom(int i, int j, int in_i, int in_j, int tiles)
{
    return i % in_i + in_i * (j % in_j) + in_i * in_j * (i / in_i + tiles * (j / in_j));
}

/* ---- descriptors ----------------------------------------------------------------------------- */

/** @internal The place of atom x along a mode of an operand, in atoms: where the permutation of the tiled MMA has it;
 *  -1 if the elements of the atom are not consecutive there. */
CT_FN int64_t ct_gemm_place(const ct_tiled_mma *t, int mode, int64_t x)
{
    const ct_layout order = ct_tile(t->tiler, mode);
    const int64_t n = ct_mma_extent(&t->atom, mode), size = ct_size(order), first = n * x % size;
    const int64_t at = ct_eval(order, first);
    if (order.profile.leaves == 1) return x;
    for (int64_t i = 0; i < n; ++i)
        if (ct_eval(order, first + i) != at + i) return -1;
    return (n * x / size * size + at) /
           n; /* all atoms are consecutive, so they begin at multiples of n */
}

/** @internal Puts the steps of an operand's atoms from a warpgroup's first one into s, and returns where that one is,
 *  in 16 bytes. The steps are those of all warpgroups: e otherwise. */
CT_FN int64_t ct_gemm_steps(ct_gemm_side *s, const ct_gemm_partition *g, const ct_tiled_mma *t,
                            const ct_mma_descriptor *d, int mode, int group, ct_error *e)
{
    const ct_tuple at = ct_thread_coord(t->thr, 128 * group); /* (thread of the atom, m, n, k) */
    const int64_t of_i = ct_size(ct_mode(t->atoms, mode)), of_k = ct_size(ct_mode(t->atoms, 2));
    int64_t first = 0;
    for (int x = 0; x < g->own[mode] * g->own[2] && e->status == CT_OK; ++x) {
        const int64_t i = ct_gemm_place(t, mode, at.value[1 + mode] + of_i * (x % g->own[mode]));
        const int64_t k = ct_gemm_place(t, 2, at.value[3] + of_k * (x / g->own[mode]));
        const int64_t step = i < 0 || k < 0 ? 0 : ct_eval2(d->steps, i, k) / 16;
        if (x == 0) first = step;
        if (group == 0) s->step[x] = CT_CAST(int32_t, step - first);
        const int other = i < 0 || (k >= 0 && x < g->own[mode]) ? mode : 2;
        if (i < 0 || k < 0 || step - first != s->step[x])
            *e = ct_gemm_error(CT_WHY_MMA_PERMUTED, other, ct_mma_extent(&t->atom, other), 0);
    }
    return first;
}

/** @internal Puts an operand in shared memory into s: its descriptor, and the steps to a warpgroup's atoms. */
CT_FN ct_error ct_gemm_describe(ct_gemm_side *s, const ct_gemm_partition *g, const ct_tiled_mma *t,
                                ct_memory where, int operand, const ct_mma_descriptor *d)
{
    ct_error e = ct_stages_check(where, 2, d->elem_bits);
    const int mode = ct_mma_mode_of(operand, 0), atoms = g->own[mode] * g->own[2];
    const uint64_t packed = ct_mma_descriptor_pack(*d);
    const int32_t stage = ct_stage_bytes(where, 2, d->elem_bits);
    const int32_t pattern =
        d->swizzle == CT_MMA_SWIZZLE_NONE ? 16 : ct_mma_pattern_bytes(d->swizzle);
    if (e.status) return e;
    if (atoms > CT_GEMM_ATOMS)
        return ct_make_error(CT_E_CAPACITY, CT_OP_GEMM, CT_WHY_ACCESSES, mode, atoms,
                             CT_GEMM_ATOMS);
    if (stage % pattern != 0) return ct_gemm_error(CT_WHY_STAGES, 2, stage, pattern);
    const int64_t origin = ct_gemm_steps(s, g, t, d, mode, 0, &e);
    s->low = CT_CAST(uint32_t, packed) + CT_CAST(uint32_t, origin);
    s->high = CT_CAST(uint32_t, packed >> 32);
    s->stage = stage / 16;
    for (int i = 1; i < g->threads / 128 && e.status == CT_OK; ++i) {
        const int64_t from = ct_gemm_steps(s, g, t, d, mode, i, &e) - origin;
        int64_t sum = 0;
        for (int b = 0; b < 3; ++b) {
            if (i == 1 << b) s->group[b] = CT_CAST(int32_t, from);
            if (i >> b & 1) sum += s->group[b];
        }
        if (e.status == CT_OK && from != sum)
            e = ct_gemm_error(CT_WHY_MMA_GROUPS, mode, 16 * from, i);
    }
    return e;
}

/** @internal By wgmma or tcgen05: instructions that read shared memory. */
CT_FN ct_error ct_gemm_by_descriptors(ct_gemm_partition *g, const ct_tiled_mma *t, ct_memory a,
                                      ct_memory b)
{
    const ct_mma_op op = t->atom.op;
    const int from_registers = op.a_from == CT_MMA_REGISTERS;
    const ct_mma_descriptor of_b = ct_make_mma_descriptor(ct_gemm_tile_of(b), CT_MMA_B, t->atom);
    if (of_b.err.status) return of_b.err;
    const ct_mma_descriptor of_a =
        from_registers ? of_b : ct_make_mma_descriptor(ct_gemm_tile_of(a), CT_MMA_A, t->atom);
    if (of_a.err.status) return of_a.err;
    const int by_k = from_registers || of_a.major == CT_MMA_K_MAJOR;
    g->op.major = of_b.major == CT_MMA_K_MAJOR ? (by_k ? CT_MMA_TN : CT_MMA_NN)
                  : by_k                       ? CT_MMA_TT
                                               : CT_MMA_NT;
    const ct_error e = from_registers ? g->err : ct_gemm_describe(&g->a, g, t, a, CT_MMA_A, &of_a);
    return e.status ? e : ct_gemm_describe(&g->b, g, t, b, CT_MMA_B, &of_b);
}

/* ---- registers ------------------------------------------------------------------------------- */

/** @internal Whether a copy to registers can be made step by step along k: the words of a step come from accesses of
 *  its own. Elements of less than a word are moved in their order. */
CT_FN int ct_gemm_has_steps(const ct_partition *p, int steps)
{
    const int values = p->values / steps, accesses = p->src.accesses / steps;
    if (p->src.accesses % steps != 0 || (p->elem_bits < 32 && p->permuted)) return 0;
    for (int i = 0; i < p->values; ++i)
        if (p->back[i] / values != i / p->src.width / accesses) return 0;
    return 1;
}

/** @internal The copy of an operand from shared memory to the registers of mma.sync or of single threads: by ldmatrix,
 *  by the most matrices that its layout allows, or by loads, the widest that do not span steps along k. */
CT_FN ct_partition ct_gemm_loads(const ct_tiled_mma *t, ct_tuple tile, ct_memory from, int operand,
                                 int steps)
{
    const int32_t bits = ct_mma_bits(operand == CT_MMA_A ? t->atom.op.a : t->atom.op.b);
    ct_partition p = CT_ZERO;
    if (from.space == CT_SPACE_REGISTERS) return p;
    p.err.status = CT_E_ARGUMENT;
    for (int n = 4; n >= 1 && p.err.status && t->atom.op.kind == CT_MMA_WARP; n /= 2) {
        const ct_copy_atom plain = ct_copy_atom_matrix(CT_ATOM_LDMATRIX, n, bits);
        p = ct_make_partition(ct_make_tiled_copy_mma(plain, *t, operand), tile, from,
                              ct_in_registers());
        if (p.err.status == CT_OK || bits != 16) continue;
        const ct_copy_atom transposed = ct_copy_atom_matrix(CT_ATOM_LDMATRIX_TRANS, n, bits);
        p = ct_make_partition(ct_make_tiled_copy_mma(transposed, *t, operand), tile, from,
                              ct_in_registers());
    }
    if (p.err.status == CT_OK) return p;
    const ct_tiled_copy loads = ct_make_tiled_copy_mma(ct_copy_atom_auto(bits), *t, operand);
    p = ct_make_partition(loads, tile, from, ct_in_registers());
    for (int most = p.src.width / 2;
         p.err.status == CT_OK && most > 0 && !ct_gemm_has_steps(&p, steps); most /= 2)
        p = ct_make_partition(loads, tile, ct_with_most(from, most), ct_in_registers());
    if (p.err.status == CT_OK && !ct_gemm_has_steps(&p, steps))
        p.err = ct_gemm_error(CT_WHY_MMA_PERMUTED, 2, steps, 0);
    return p;
}

/** @internal Of an operand that the kernel has in registers: what it holds of a tile. */
CT_FN ct_error ct_gemm_holds(ct_gemm_partition *g, const ct_tiled_mma *t, ct_tuple tile,
                             int operand)
{
    const ct_fragment f = ct_fragment_of_mma(*t, tile, operand);
    const int type = operand == CT_MMA_A ? g->op.a : operand == CT_MMA_B ? g->op.b : g->op.d;
    g->hash[operand] = f.hash;
    g->count[operand] = f.count;
    g->words[operand] = ct_mma_words(t->atom, operand, type);
    return f.err;
}

/** @internal Puts the atoms of a thread into g, and checks the extents of the tile, and of A and B in shared memory. */
CT_FN ct_error ct_gemm_sizes(ct_gemm_partition *g, const ct_tiled_mma *t, ct_tuple tile,
                             const ct_memory *from)
{
    const ct_tuple shape = ct_tiled_mma_shape(*t);
    for (int mode = 0; mode < 3; ++mode) {
        const int64_t at_once = ct_mma_extent(&t->atom, mode) * ct_size(ct_mode(t->atoms, mode));
        if (tile.value[mode] <= 0 || tile.value[mode] % shape.value[mode] != 0)
            return ct_gemm_error(CT_WHY_SIZE_DIVIDES, mode, tile.value[mode], shape.value[mode]);
        g->own[mode] = CT_CAST(int32_t, tile.value[mode] / at_once);
        g->in[mode] = CT_CAST(int32_t, shape.value[mode] / at_once);
    }
    for (int x = 0; x < 2; ++x) {
        const ct_layout L = from[x].layout.layout;
        if (from[x].space == CT_SPACE_REGISTERS) continue;
        if (L.err.status) return L.err;
        for (int k = 0; k < 2; ++k) {
            const int mode = k == 1 ? 2 : x;
            const int64_t has = ct_layout_rank(L) > k ? ct_size(ct_mode(L, k)) : 1;
            if (has != tile.value[mode])
                return ct_gemm_error(CT_WHY_SIZES, mode, has, tile.value[mode]);
        }
    }
    const int64_t atoms = CT_CAST(int64_t, g->own[0]) * g->own[1] * ct_size(t->atoms);
    if (g->op.kind == CT_MMA_BLOCK && (atoms != 1 || g->op.blocks != 1))
        return ct_gemm_error(CT_WHY_MMA_IDLE, 0, atoms, g->op.blocks);
    return t->atom.err;
}

/**
 * The product of a tile (m,n,k) by a tiled MMA, of A (m,k) and B (n,k) in these memories.
 *
 * Ensures:  over all threads, each product of the tile is summed once.                    [law_gemm]
 * Fails:    CT_E_ARGUMENT for an instruction that is sparse or takes scales; if the tile is not a multiple of the tiled
 *           MMA's; if A or B is not in the memory that the
 *           instruction reads, has other extents, or has no descriptor; if wgmma cannot have the permutation of the
 *           tiled MMA: an atom's elements are consecutive, and its steps are those of all warpgroups. CT_E_CAPACITY for
 *           more than CT_GEMM_ATOMS atoms of A or B of a warpgroup; as ct_fragment_c and ct_make_partition. By
 *           tcgen05.mma: for more than one instruction along m and n, and for a pair of blocks.
 */
CT_FN ct_gemm_partition ct_make_gemm(ct_tiled_mma t, ct_tuple tile, ct_memory a, ct_memory b)
{
    ct_gemm_partition g = CT_ZERO;
    const ct_memory from[2] = {a, b};
    ct_error e = t.atom.err.status ? t.atom.err : tile.err;
    const int leaves = tile.profile.leaves, rank = ct_tuple_rank(tile);
    if (e.status == CT_OK && (rank != 3 || leaves != 3))
        e = ct_gemm_error(CT_WHY_RANK, 0, 3, leaves != 3 ? leaves : rank);
    if (e.status) return ct_gemm_fail(e);
    const ct_mma_op op = t.atom.op;
    if (op.kind == CT_MMA_NO_KIND) return ct_gemm_fail(ct_gemm_error(CT_WHY_ATOM_OWN, 0, 0, 0));
    if (op.sparse || op.form == CT_MMA_SCALED || op.form == CT_MMA_SCALED_16)
        return ct_gemm_fail(ct_gemm_error(CT_WHY_MMA_INSTRUCTION, 0, 0, 0));
    const int described = op.kind >= CT_MMA_WARPGROUP;
    const int is_read =
        b.space == CT_SPACE_SHARED &&
        a.space == (op.a_from == CT_MMA_REGISTERS ? CT_SPACE_REGISTERS : CT_SPACE_SHARED);
    if (described ? !is_read : a.space != b.space || a.space == CT_SPACE_GLOBAL)
        return ct_gemm_fail(ct_gemm_error(CT_WHY_MMA_OPERANDS, 0, a.space, b.space));
    g.op = op;
    g.threads = CT_CAST(int32_t, ct_tiled_mma_threads(t));
    e = ct_gemm_sizes(&g, &t, tile, from);
    if (e.status) return ct_gemm_fail(e);
    const ct_tuple tile_a = ct_tuple2(tile.value[0], tile.value[2]),
                   tile_b = ct_tuple2(tile.value[1], tile.value[2]);
    if (g.op.kind != CT_MMA_BLOCK)
        e = ct_gemm_holds(&g, &t, ct_tuple2(tile.value[0], tile.value[1]), CT_MMA_C);
    if (e.status == CT_OK && (!described || a.space == CT_SPACE_REGISTERS))
        e = ct_gemm_holds(&g, &t, tile_a, CT_MMA_A);
    if (e.status == CT_OK && !described) e = ct_gemm_holds(&g, &t, tile_b, CT_MMA_B);
    if (e.status == CT_OK && described) e = ct_gemm_by_descriptors(&g, &t, a, b);
    if (e.status) return ct_gemm_fail(e);
    if (described) return g;
    g.load_a = ct_gemm_loads(&t, tile_a, a, CT_MMA_A, g.own[2] / g.in[2]);
    g.load_b = ct_gemm_loads(&t, tile_b, b, CT_MMA_B, g.own[2] / g.in[2]);
    e = g.load_a.err.status ? g.load_a.err : g.load_b.err;
    return e.status ? ct_gemm_fail(e) : g;
}

#endif
