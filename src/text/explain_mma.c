/* How MMA atoms, tiled MMAs and their partitions get their results, step by step. */
#include "atoms.h"
#include <cutlet/mma/mma_partition.h>
#include <cutlet/mma/mma_tensor_memory.h>
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

/* The GPUs of the instruction. Instructions of a warpgroup or of sm_120 need one architecture's
 * `a`; those of tensor memory are in its family too. */
static const char *machines(ct_mma_op op, char *out, size_t size)
{
    const int newest = op.kind == CT_MMA_BLOCK || op.arch == 120;
    if (op.kind == CT_MMA_WARPGROUP) snprintf(out, size, "on sm_%da alone", (int)op.arch);
    else if (newest) snprintf(out, size, "on sm_%da and its family", (int)op.arch);
    else snprintf(out, size, "from sm_%d on", (int)op.arch);
    return out;
}

static void explain_operand(ct_explainer *x, const ct_mma_atom *a, int operand)
{
    static const char *const modes[] = {"A (m,k)", "B (n,k)", "C (m,n)"};
    const ct_mma_op op = a->op;
    const int half = op.sparse && operand == CT_MMA_A;
    const ct_layout tv = ct_mma_tv(*a, operand);
    const int32_t type = operand == CT_MMA_A ? op.a : operand == CT_MMA_B ? op.b : op.c;
    const int64_t values = ct_size(ct_mode(tv, 1));
    ct_say(x, "%s of %s, %s: (thread, value) -> element: %s, %lld value%s of each%s",
           half ? "A (m,k/2)" : modes[operand], ct_mma_type_name(type),
           place_name(ct_mma_from(op, operand)), ct_shown(x, tv), (long long)values,
           values == 1 ? "" : "s",
           ct_mma_copies(op, operand) > 1 ? "; every thread names the whole" : "");
}

/* The widest ldmatrix that fills the registers of an operand of one atom; NULL: none does. */
static const char *widest_matrix(const ct_mma_atom *a, int operand, int trans)
{
    const ct_mma_op op = a->op;
    const int32_t type = operand == CT_MMA_A ? op.a : op.b, bits = ct_mma_bits_held(op, type);
    const ct_tiled_mma one = ct_make_tiled_mma(*a, ct_layout1(1, 0), ct_tiler0());
    for (int32_t matrices = 4; matrices >= 1; matrices /= 2) {
        const ct_copy_atom load =
            ct_copy_atom_matrix(trans ? CT_ATOM_LDMATRIX_TRANS : CT_ATOM_LDMATRIX, matrices, bits);
        if (ct_make_tiled_copy_mma(load, one, operand).atom.err.status == CT_OK)
            return ct_atom_name(&load);
    }
    return NULL;
}

/* Which ldmatrix feeds A and B, where a warp has them in registers. */
static void explain_feed(ct_explainer *x, const ct_mma_atom *a)
{
    const int group = a->op.kind == CT_MMA_WARPGROUP;
    for (int operand = CT_MMA_A; operand <= CT_MMA_B; ++operand) {
        const char letter = operand == CT_MMA_A ? 'A' : 'B', rows = operand == CT_MMA_A ? 'm' : 'n';
        if ((a->op.kind != CT_MMA_WARP && !group) ||
            ct_mma_from(a->op, operand) != CT_MMA_REGISTERS)
            continue;
        const char *const in_order = widest_matrix(a, operand, 0);
        const char *const transposed = widest_matrix(a, operand, 1);
        if (in_order && transposed)
            ct_say(x, "%c is read by %s from shared memory if k is contiguous, by %s if %c is",
                   letter, in_order, transposed, rows);
        else if (in_order)
            ct_say(x, "%c is read by %s from shared memory if k is contiguous", letter, in_order);
        else ct_say(x, "%c cannot be read by ldmatrix", letter);
    }
}

/* The threads that give the metadata, by the selector. */
static void selector_words(ct_mma_op op, char *words, size_t size)
{
    const int32_t selectors = ct_mma_selectors(op);
    if (selectors == 1) snprintf(words, size, "every thread gives it");
    else
        snprintf(words, size, "the selector s, 0 to %d, takes that of %s of each 4",
                 (int)selectors - 1, selectors == 4 ? "thread s" : "threads 2s and 2s + 1");
}

/* Which elements of A a sparse instruction has, and where E says so. */
static void explain_metadata(ct_explainer *x, const ct_mma_atom *a)
{
    char words[96];
    const int chunk = (int)ct_mma_chunk(a->op);
    selector_words(a->op, words, sizeof words);
    ct_say(x,
           "A is sparse: of each %d elements along k, %d are stored, and 4 bits of E say which%s.",
           chunk, chunk / 2, chunk == 8 ? " pairs" : "");
    if (a->op.kind == CT_MMA_BLOCK) {
        ct_say(x, "E (m,bit) of metadata, in tensor memory: -> (lane, column, bit%s): %s",
               a->op.blocks == 2 ? ", block" : "", ct_shown(x, ct_mma_tmem_e(*a)));
        return;
    }
    ct_say(x, "E (m,bit) of metadata, in registers: (thread, bit of its register) -> bit: %s; %s",
           ct_shown(x, ct_mma_tv(*a, CT_MMA_E)), words);
}

/* Where tcgen05.mma has D. */
static void explain_tensor_memory(ct_explainer *x, ct_mma_atom a)
{
    ct_say(x, "D in tensor memory: (m,n) -> (lane, column%s): %s",
           a.op.blocks == 2 ? ", block" : "", ct_shown(x, ct_mma_tmem_c(a)));
}

/* The scale factors and their places. */
static void explain_scales(ct_explainer *x, ct_mma_atom a)
{
    static const char *const rows[] = {"A (m,factor)", "B (n,factor)"};
    const int block = a.op.kind == CT_MMA_BLOCK, vector = a.op.form == CT_MMA_SCALED ? 32 : 16;
    for (int operand = CT_MMA_A; operand <= CT_MMA_B; ++operand) {
        const ct_layout L = block ? ct_mma_tmem_scale(a, operand) : ct_mma_scale_tv(a, operand);
        ct_say(x, "scale factors of %s, bytes of %s, one for %d stored elements along k, %s: %s",
               rows[operand], vector == 32 ? "ue8m0" : "ue4m3", vector,
               block ? "-> (lane, column, byte) of tensor memory" : "(thread, factor) -> factor",
               ct_shown(x, L));
    }
}

/* An atom of layouts, for which no instruction is known. */
static void explain_own(ct_explainer *x, const ct_mma_atom *a)
{
    static const char *const modes[] = {"A (m,k)", "B (n,k)", "C (m,n)"};
    ct_say(
        x,
        "D = A * B + C with m, n, k = %d, %d, %d, by an atom of %lld threads that layouts define; "
        "no instruction is known.",
        (int)a->op.m, (int)a->op.n, (int)a->op.k, (long long)ct_size(a->thr_id));
    for (int operand = CT_MMA_A; operand <= CT_MMA_C; ++operand)
        ct_say(x, "%s: (thread, value) -> element: %s", modes[operand],
               ct_shown(x, ct_mma_tv(*a, operand)));
}

void ct_explain_mma_atom(ct_explainer *x, ct_mma_atom a)
{
    const ct_mma_op op = a.op;
    char on[40];
    if (op.kind == CT_MMA_NO_KIND) {
        explain_own(x, &a);
        return;
    }
    if (op.arch)
        ct_say(x, "D = A * B + C with m, n, k = %d, %d, %d, %s, carried out by %s.", (int)op.m,
               (int)op.n, (int)op.k, machines(op, on, sizeof on), who(op));
    else ct_say(x, "D = A * B + C of one element each: the fma of %s.", who(op));
    for (int operand = CT_MMA_A; operand <= CT_MMA_C; ++operand) explain_operand(x, &a, operand);
    explain_feed(x, &a);
    if (op.sparse) explain_metadata(x, &a);
    if (op.kind == CT_MMA_BLOCK) explain_tensor_memory(x, a);
    if (ct_mma_scale_factors(op) > 0) explain_scales(x, a);
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
    return ct_tiler2(ct_tiled_mma_order(t, operand, 0), ct_tiled_mma_order(t, operand, 1));
}

void ct_explain_partition_mma(ct_explainer *x, ct_tiled_mma t, ct_layout L, int64_t thread,
                              int operand)
{
    const ct_tuple at = ct_thread_coord(t.thr, thread);
    const ct_layout ordered = ct_logical_divide_by(L, tiler_of(&t, operand));
    const ct_tuple extent = ct_tuple2(ct_mma_operand_extent(&t.atom, operand, 0),
                                      ct_mma_operand_extent(&t.atom, operand, 1));
    ct_say(x, "Each mode of L is permuted, divided by the atom, composed with the atom's "
              "thread-value layout, and distributed over the atoms.");
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
