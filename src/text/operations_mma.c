/* MMA atoms and tiled MMAs. */
#include <cutlet/mma/mma_partition.h>
#include <cutlet/mma/mma_tensor_memory.h>
#include <cutlet/mma/own_mma_atom.h>
#include "operations.h"

#define ATOM arg[0].as.mma_atom
#define MMA arg[0].as.mma
#define UNUSED (void)count

CT_GIVES(run_mma_atom, mma_atom, ATOM)

/* mma_atom(SHAPE, A, B, C, THREADS): without the last, thread i of the atom is thread i. */
static void run_own_mma_atom(const ct_value *arg, int count, ct_value *out)
{
    const ct_layout c = arg[3].as.layout;
    const ct_layout threads = count > 4 ? arg[4].as.layout : ct_layout1(ct_size(ct_mode(c, 0)), 1);
    ct_give_mma_atom(out, ct_mma_atom_of_layouts(arg[0].as.tuple, arg[1].as.layout,
                                                 arg[2].as.layout, c, threads));
}

CT_GIVES(run_atom_shape, tuple, ct_mma_shape(ATOM))
CT_GIVES(run_atom_threads, layout, ATOM.thr_id)
CT_GIVES(run_atom_tv_e, layout, ct_mma_tv(ATOM, CT_MMA_E))
CT_GIVES(run_tmem_c, layout, ct_mma_tmem_c(ATOM))
CT_GIVES(run_tmem_e, layout, ct_mma_tmem_e(ATOM))
CT_GIVES(run_tmem_scale_a, layout, ct_mma_tmem_scale(ATOM, CT_MMA_A))
CT_GIVES(run_tmem_scale_b, layout, ct_mma_tmem_scale(ATOM, CT_MMA_B))
CT_GIVES(run_scale_a, layout, ct_mma_scale_tv(ATOM, CT_MMA_A))
CT_GIVES(run_scale_b, layout, ct_mma_scale_tv(ATOM, CT_MMA_B))

static void run_tiled_mma(const ct_value *arg, int count, ct_value *out)
{
    const ct_layout atoms = count > 1 ? arg[1].as.layout : ct_layout1(1, 0);
    ct_give_mma(out, ct_make_tiled_mma(ATOM, atoms, count > 2 ? arg[2].as.tiler : ct_tiler0()));
}

CT_GIVES(run_mma_shape, tuple, ct_tiled_mma_shape(MMA))
CT_GIVES(run_mma_threads, layout, MMA.thr)
CT_GIVES(run_size, int, ct_tiled_mma_threads(MMA), MMA.atom.err)
CT_GIVES(run_atom_of, mma_atom, MMA.atom)

static void run_tiler(const ct_value *arg, int count, ct_value *out)
{
    UNUSED;
    out->kind = CT_KIND_TILER;
    out->as.tiler = MMA.tiler;
}

/* The functions of an operand, for A, B and C. */
#define OF_OPERAND(letter, LETTER)                                                                 \
    static void run_atom_tv_##letter(const ct_value *arg, int count, ct_value *out)                \
    {                                                                                              \
        UNUSED;                                                                                    \
        ct_give_layout(out, ct_mma_tv(ATOM, CT_MMA_##LETTER));                                     \
    }                                                                                              \
    static void run_tv_##letter(const ct_value *arg, int count, ct_value *out)                     \
    {                                                                                              \
        UNUSED;                                                                                    \
        ct_give_layout(out, ct_tiled_mma_tv(MMA, CT_MMA_##LETTER));                                \
    }                                                                                              \
    static void run_partition_##letter(const ct_value *arg, int count, ct_value *out)              \
    {                                                                                              \
        UNUSED;                                                                                    \
        ct_give_tensor(out, ct_partition_##letter(MMA, arg[1].as.tensor, ct_arg_int(&arg[2])));    \
    }                                                                                              \
    static void run_partition_shape_##letter(const ct_value *arg, int count, ct_value *out)        \
    {                                                                                              \
        UNUSED;                                                                                    \
        ct_give_tuple(out, ct_mma_fragment_shape(MMA, arg[1].as.tuple, CT_MMA_##LETTER));          \
    }                                                                                              \
    static void run_tiled_copy_##letter(const ct_value *arg, int count, ct_value *out)             \
    {                                                                                              \
        UNUSED;                                                                                    \
        ct_give_copy(out, ct_make_tiled_copy_##letter(arg[0].as.atom, arg[1].as.mma));             \
    }

OF_OPERAND(a, A)
OF_OPERAND(b, B)
OF_OPERAND(c, C)

#define OWN CT_OPERATION_OWN
#define FIELD CT_OPERATION_FIELD

const ct_operation ct_operations_mma[] = {
    OWN("mma_atom", "A", run_mma_atom, ct_make_mma_atom, "a matrix instruction by CuTe's name"),
    OWN("mma_atom", "tLLL", run_own_mma_atom, ct_mma_atom_of_layouts,
        "one of your own: its (m,n,k), and who holds what of A, B and C"),
    OWN("mma_atom", "tLLLL", run_own_mma_atom, ct_mma_atom_of_layouts,
        "the same, with its thread -> thread"),
    OWN("shape", "A", run_atom_shape, ct_mma_shape, "the (m,n,k) that it multiplies"),
    FIELD("mma_threads", "A", run_atom_threads, ct_mma_atom, thr_id, "its thread -> thread"),
    OWN("tv_layout_a", "A", run_atom_tv_a, ct_mma_tv, "its (thread, value) -> (m,k)"),
    OWN("tv_layout_b", "A", run_atom_tv_b, ct_mma_tv, "its (thread, value) -> (n,k)"),
    OWN("tv_layout_c", "A", run_atom_tv_c, ct_mma_tv, "its (thread, value) -> (m,n)"),
    OWN("tv_layout_e", "A", run_atom_tv_e, ct_mma_tv,
        "of a sparse one: (thread, bit) -> (m, bit of the row)"),
    OWN("tmem_layout_c", "A", run_tmem_c, ct_mma_tmem_c,
        "of tcgen05.mma: (m,n) -> (lane, column, block)"),
    OWN("tmem_layout_e", "A", run_tmem_e, ct_mma_tmem_e,
        "its (m, bit of the row) -> (lane, column, bit, block)"),
    OWN("tmem_scale_a", "A", run_tmem_scale_a, ct_mma_tmem_scale,
        "its (m, scale factor) -> (lane, column, byte, block)"),
    OWN("tmem_scale_b", "A", run_tmem_scale_b, ct_mma_tmem_scale,
        "its (n, scale factor) -> (lane, column, byte)"),
    OWN("scale_layout_a", "A", run_scale_a, ct_mma_scale_tv,
        "of mma.sync: (thread, factor) -> (m, scale factor)"),
    OWN("scale_layout_b", "A", run_scale_b, ct_mma_scale_tv,
        "its (thread, factor) -> (n, scale factor)"),
    OWN("tiled_mma", "A", run_tiled_mma, ct_make_tiled_mma, "a tiled MMA of one atom"),
    OWN("tiled_mma", "AL", run_tiled_mma, ct_make_tiled_mma,
        "an MMA atom over a layout (m,n,k) of atoms"),
    OWN("tiled_mma", "ALT", run_tiled_mma, ct_make_tiled_mma,
        "the same over the tile of a permutation of m, n and k"),
    OWN("make_tiled_mma", "A", run_tiled_mma, ct_make_tiled_mma, "a tiled MMA of one atom"),
    OWN("make_tiled_mma", "AL", run_tiled_mma, ct_make_tiled_mma,
        "an MMA atom over a layout (m,n,k) of atoms"),
    OWN("make_tiled_mma", "ALT", run_tiled_mma, ct_make_tiled_mma,
        "the same over the tile of a permutation of m, n and k"),
    FIELD("atom", "M", run_atom_of, ct_tiled_mma, atom, "its atom"),
    OWN("shape", "M", run_mma_shape, ct_tiled_mma_shape, "the (m,n,k) of its tile"),
    OWN("size", "M", run_size, ct_tiled_mma_threads, "the number of its threads"),
    FIELD("mma_threads", "M", run_mma_threads, ct_tiled_mma, thr,
          "(thread of the atom, m, n, k) -> thread"),
    FIELD("tiler", "M", run_tiler, ct_tiled_mma, tiler, "its permutation of m, n and k"),
    OWN("tv_layout_a", "M", run_tv_a, ct_tiled_mma_tv, "(thread, value) -> index in its tile of A"),
    OWN("tv_layout_b", "M", run_tv_b, ct_tiled_mma_tv, "(thread, value) -> index in its tile of B"),
    OWN("tv_layout_c", "M", run_tv_c, ct_tiled_mma_tv, "(thread, value) -> index in its tile of C"),
    OWN("partition_a", "MXi", run_partition_a, ct_partition_a,
        "the elements of A (m,k) that a thread holds"),
    OWN("partition_b", "MXi", run_partition_b, ct_partition_b,
        "the elements of B (n,k) that a thread holds"),
    OWN("partition_c", "MXi", run_partition_c, ct_partition_c,
        "the elements of C (m,n) that a thread holds"),
    OWN("partition_shape_a", "Mt", run_partition_shape_a, ct_mma_fragment_shape,
        "the shape of a thread's fragment of A"),
    OWN("partition_shape_b", "Mt", run_partition_shape_b, ct_mma_fragment_shape,
        "the shape of a thread's fragment of B"),
    OWN("partition_shape_c", "Mt", run_partition_shape_c, ct_mma_fragment_shape,
        "the shape of a thread's fragment of C"),
    OWN("tiled_copy_a", "aM", run_tiled_copy_a, ct_make_tiled_copy_a,
        "the tiled copy that moves A as a tiled MMA holds it"),
    OWN("tiled_copy_b", "aM", run_tiled_copy_b, ct_make_tiled_copy_b, "the same for B"),
    OWN("tiled_copy_c", "aM", run_tiled_copy_c, ct_make_tiled_copy_c, "the same for C"),
    {0},
};
