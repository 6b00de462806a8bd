/* How MMA atoms, tiled MMAs and their partitions get their results, step by step. */
#include "cutlet/mma_partition.h"
#include "explainer.h"

static const char *place_name(int32_t from)
{
    return from == CT_MMA_REGISTERS ? "in registers"
           : from == CT_MMA_SHARED  ? "in shared memory, named by a descriptor"
                                    : "in tensor memory";
}

/* Who carries the instruction out. */
static const char *who(ct_mma_op op)
{
    switch (op.kind) {
    case CT_MMA_QUAD_PAIR: return "a quad pair, 4 threads of each half of a warp";
    case CT_MMA_WARP: return "a warp";
    case CT_MMA_WARPGROUP: return "a warpgroup, 128 threads";
    case CT_MMA_BLOCK: return op.blocks == 2 ? "two blocks" : "a block";
    default: return "a thread";
    }
}

static void explain_operand(ct_explainer *x, const ct_mma_atom *a, int operand)
{
    static const char *const modes[] = {"A (m,k)", "B (n,k)", "C (m,n)"};
    const ct_mma_op op = a->op;
    const ct_layout tv = ct_mma_tv(*a, operand);
    const int32_t type = operand == CT_MMA_A ? op.a : operand == CT_MMA_B ? op.b : op.c;
    const int64_t values = ct_size(ct_mode(tv, 1));
    ct_say(x, "%s of %s, %s: (thread, value) -> element: %s, %lld value%s of each%s",
           modes[operand], ct_mma_type_name(type), place_name(ct_mma_from(op, operand)),
           ct_shown(x, tv), (long long)values, values == 1 ? "" : "s",
           ct_mma_copies(op, operand) > 1 ? "; every thread names the whole" : "");
}

void ct_explain_mma_atom(ct_explainer *x, ct_mma_atom a)
{
    const ct_mma_op op = a.op;
    if (op.arch)
        ct_say(x, "D = A * B + C with m, n, k = %d, %d, %d, from sm_%d on, carried out by %s.",
               (int)op.m, (int)op.n, (int)op.k, (int)op.arch, who(op));
    else ct_say(x, "D = A * B + C of one element each: the fma of %s.", who(op));
    for (int operand = CT_MMA_A; operand <= CT_MMA_C; ++operand) explain_operand(x, &a, operand);
}

void ct_explain_tiled_mma(ct_explainer *x, ct_mma_atom atom, ct_layout atoms,
                          const ct_tiled_mma *made)
{
    const ct_tiled_mma t = ct_make_tiled_mma(atom, atoms, ct_tiler0());
    if (t.atom.err.status) return;
    const char *number = ct_shown(x, t.atoms);
    ct_say(x, "Each atom is carried out by its own threads: (m,n,k) -> atom: %s", number);
    const char *id = ct_shown(x, atom.thr_id);
    ct_say(x, "tiled_product(%s, atoms), (thread of the atom, m, n, k) -> thread: %s", id,
           ct_shown(x, t.thr));
    const char *at_once = ct_shown_tuple(x, ct_tiled_mma_shape(t));
    if (made)
        ct_say(x, "the atoms cover %s at once; the permutation's tile, a multiple, is %s", at_once,
               ct_shown_tuple(x, ct_tiled_mma_shape(*made)));
    else ct_say(x, "the atoms cover %s at once, and a tile must be a multiple", at_once);
}

/* The tiler of the two modes of an operand, as each of m, n and k has it. */
static ct_tiler tiler_of(const ct_tiled_mma *t, int operand)
{
    return ct_tiler2(ct_tile(t->tiler, ct_mma_mode_of(operand, 0)),
                     ct_tile(t->tiler, ct_mma_mode_of(operand, 1)));
}

void ct_explain_partition_mma(ct_explainer *x, ct_tiled_mma t, ct_layout L, int64_t thread,
                              int operand)
{
    const ct_tuple at = ct_thread_coord(t.thr, thread);
    const ct_layout ordered = ct_logical_divide_by(L, tiler_of(&t, operand));
    const ct_tuple extent = ct_tuple2(ct_mma_extent(&t.atom, ct_mma_mode_of(operand, 0)),
                                      ct_mma_extent(&t.atom, ct_mma_mode_of(operand, 1)));
    ct_say(x, "Each mode of L is put into the order of the permutation, divided by the atom, read "
              "through the atom's thread-value layout, and shared out among the atoms.");
    ct_say(x, "logical_divide(L, permutation): %s", ct_shown(x, ordered));
    if (ordered.err.status) return;
    const char *shape = ct_shown_tuple(x, extent);
    ct_say(x, "zipped_divide by %s = ((atom), (rest)): %s", shape,
           ct_shown(x, ct_zipped_divide_by(ordered, ct_tiler_of_shape(extent))));
    ct_layout by = {0};
    ct_mma_by_atom(&by, &t, &L, operand);
    const char *tv = ct_shown(x, ct_mma_tv(t.atom, operand));
    ct_say(x, "the atom through %s, ((thread, value), (rest)): %s", tv, ct_shown(x, by));
    ct_layout all = {0};
    ct_mma_by_thread(&all, &t, &L, operand);
    ct_say(x, "by threads, ((thread of the atom, (atoms)), (values of one atom, (rest))): %s",
           ct_shown(x, all));
    if (at.err.status) return;
    ct_say(x, "thread %lld is at (thread of the atom, m, n, k) = %s of %s", (long long)thread,
           ct_shown_tuple(x, at), ct_shown(x, t.thr));
}
