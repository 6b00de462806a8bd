/* Copy atoms and tiled copies. */
#include <limits.h>

#include "atoms.h"
#include <cutlet/copy/copy_check.h>
#include <cutlet/copy/copy_width.h>
#include <cutlet/copy/own_copy_atom.h>
#include <cutlet/copy/retile.h>
#include "operations.h"

#define COPY arg[0].as.copy
#define ATOM arg[0].as.atom
#define UNUSED (void)count

/* The name has been found to be one of an atom when it was read. */
static void run_copy_atom(const ct_value *arg, int count, ct_value *out)
{
    UNUSED;
    ct_copy_atom a = {0};
    const int64_t bits = ct_arg_int(&arg[1]);
    if (ct_atom_named(arg[0].as.name, bits < 0 || bits > 4096 ? 0 : (int32_t)bits, &a))
        ct_give_copy_atom(out, a);
    else
        ct_give_error(out, ct_make_error(CT_E_ARGUMENT, CT_OP_COPY_ATOM, CT_WHY_ATOM, -1, bits, 0));
}

/* copy_atom(SRC, DST, BITS): the destination is the side in registers; else copy_atom(SRC, DST, REGISTERS, BITS). */
static void run_own_copy_atom(const ct_value *arg, int count, ct_value *out)
{
    const int64_t bits = ct_arg_int(&arg[count - 1]);
    ct_give_copy_atom(out, ct_make_copy_atom(arg[0].as.layout, arg[1].as.layout,
                                             arg[count - 2].as.layout,
                                             (int32_t)ct_max(INT32_MIN, ct_min(bits, INT32_MAX))));
}

CT_GIVES(run_atom_src, layout, ATOM.src_tv)
CT_GIVES(run_atom_dst, layout, ATOM.dst_tv)
CT_GIVES(run_atom_ref, layout, ATOM.ref_tv)
CT_GIVES(run_atom_thr, layout, ATOM.thr_id)
CT_GIVES(run_tiled_copy, copy, ct_make_tiled_copy(ATOM, arg[1].as.layout, arg[2].as.layout))
CT_GIVES(run_cotiled_copy, copy, ct_make_cotiled_copy(ATOM, arg[1].as.layout, arg[2].as.layout))

/* A tiled copy from its written parts. The last is for an operand of a tiled MMA: the number of
 * threads that hold each element. */
static void run_tiled_copy_of(const ct_value *arg, int count, ct_value *out)
{
    ct_tiled_copy c = {0};
    const int64_t copies = count > 3 ? ct_arg_int(&arg[3]) : 1;
    c.atom = ATOM;
    c.tv = arg[1].as.layout;
    c.tiler = arg[2].as.tiler;
    const int rank = ct_layout_rank(c.tv);
    if (rank != 2) {
        ct_give_error(out, ct_make_error(CT_E_ARGUMENT, CT_OP_TILED_COPY, CT_WHY_RANK, 0, 2, rank));
        return;
    }
    const int64_t values = ct_size(ct_mode(c.tv, 1)), top = ct_cosize(c.tv);
    const int64_t tile = ct_product(ct_tiled_copy_shape(c));
    const ct_error e = ct_atom_fits(ATOM, ct_tiled_copy_threads(c), values);
    c.copies = (int32_t)ct_min(copies, INT32_MAX);
    if (copies < 1)
        ct_give_error(
            out, ct_make_error(CT_E_ARGUMENT, CT_OP_TILED_COPY, CT_WHY_NOT_POSITIVE, 0, copies, 0));
    else if (e.status) ct_give_error(out, e);
    else if (top == CT_INVALID) ct_give_error(out, ct_integer_error(c.tv, CT_OP_TILED_COPY));
    else if (tile == CT_INVALID || top > tile || ct_lowest(c.tv) < 0)
        ct_give_error(out,
                      ct_make_error(CT_E_DOMAIN, CT_OP_TILED_COPY, CT_WHY_INDEX, 0, top - 1, tile));
    else ct_give_copy(out, c);
}

CT_GIVES(run_tv, layout, COPY.tv)
CT_GIVES(run_tv_src, layout, ct_tiled_copy_tv(COPY, COPY.atom.src_tv))
CT_GIVES(run_tv_dst, layout, ct_tiled_copy_tv(COPY, COPY.atom.dst_tv))

/* The tiler, as a shape where each tile is s:1. */
static void run_tiler(const ct_value *arg, int count, ct_value *out)
{
    UNUSED;
    const ct_tiler t = COPY.tiler;
    const ct_tuple shape = ct_tiled_copy_shape(COPY);
    int plain = ct_tiler_count(t) > 0;
    for (int k = 0; k < ct_tiler_count(t); ++k) {
        const ct_layout tile = ct_tile(t, k);
        if (!ct_layout_equal(tile, ct_layout1(ct_size(tile), 1))) plain = 0;
    }
    if (plain) {
        ct_give_tuple(out, shape);
    } else {
        out->kind = CT_KIND_TILER;
        out->as.tiler = t;
    }
}

CT_GIVES(run_atom, copy_atom, COPY.atom)
CT_GIVES(run_threads, int, ct_tiled_copy_threads(COPY), COPY.atom.err)
CT_GIVES(run_partition_src, tensor, ct_partition_src(COPY, arg[1].as.tensor, ct_arg_int(&arg[2])))
CT_GIVES(run_partition_dst, tensor, ct_partition_dst(COPY, arg[1].as.tensor, ct_arg_int(&arg[2])))
CT_GIVES(run_retile, layout, ct_retile(COPY, arg[1].as.layout))
CT_GIVES(run_retile_tensor, tensor, ct_tensor_retile(COPY, arg[1].as.tensor))

static void run_check_copy(const ct_value *arg, int count, ct_value *out)
{
    UNUSED;
    const ct_error e = ct_tiled_copy_check(COPY, arg[1].as.layout, arg[2].as.layout);
    if (e.status) ct_give_error(out, e);
    else ct_give_bool(out, 1);
}

static void run_copy_width(const ct_value *arg, int count, ct_value *out)
{
    UNUSED;
    const ct_copy_width_result w =
        ct_copy_width(arg[0].as.layout, arg[1].as.layout, ct_arg_int(&arg[2]), ct_arg_int(&arg[3]),
                      (uint64_t)ct_arg_int(&arg[4]), (uint64_t)ct_arg_int(&arg[5]));
    if (w.err.status) ct_give_error(out, w.err);
    else ct_give_tuple(out, ct_int(w.bytes));
}

#define OWN CT_OPERATION_OWN
#define FIELD CT_OPERATION_FIELD

const ct_operation ct_operations_copy[] = {
    OWN("copy_atom", "ni", run_copy_atom, ct_copy_atom_universal,
        "a copy instruction and the bits of its values"),
    OWN("copy_atom", "LLi", run_own_copy_atom, ct_make_copy_atom,
        "one of your own: who holds what of the source and of the destination, in registers"),
    OWN("copy_atom", "LLLi", run_own_copy_atom, ct_make_copy_atom,
        "the same, with the layout of the side in registers third"),
    FIELD("atom_src", "a", run_atom_src, ct_copy_atom, src_tv,
          "(thread, value) -> element of the source"),
    FIELD("atom_dst", "a", run_atom_dst, ct_copy_atom, dst_tv,
          "(thread, value) -> element of the destination"),
    FIELD("atom_ref", "a", run_atom_ref, ct_copy_atom, ref_tv,
          "(thread, value) -> element, of the side in registers"),
    FIELD("atom_thr_id", "a", run_atom_thr, ct_copy_atom, thr_id,
          "index within the atom -> thread"),
    OWN("tiled_copy", "aLL", run_tiled_copy, ct_make_tiled_copy,
        "an atom over a thread layout and a value layout"),
    OWN("make_tiled_copy", "aLL", run_tiled_copy, ct_make_tiled_copy,
        "an atom over a thread layout and a value layout"),
    OWN("make_cotiled_copy", "aLL", run_cotiled_copy, ct_make_cotiled_copy,
        "the one whose threads and values touch given addresses"),
    FIELD("tiled_copy_of", "aLT", run_tiled_copy_of, ct_tiled_copy, tv,
          "a tiled copy from its thread-value layout and tiler"),
    FIELD("tiled_copy_of", "aLTi", run_tiled_copy_of, ct_tiled_copy, tv,
          "the same, each element held by this many threads"),
    FIELD("atom", "k", run_atom, ct_tiled_copy, atom, "its atom"),
    FIELD("tv_layout", "k", run_tv, ct_tiled_copy, tv, "(thread, value) -> index in the tile"),
    OWN("tv_layout_src", "k", run_tv_src, ct_tiled_copy_tv,
        "the same, values in the order of the source"),
    OWN("tv_layout_dst", "k", run_tv_dst, ct_tiled_copy_tv,
        "the same, values in the order of the destination"),
    OWN("src_tv_layout", "k", run_tv_src, ct_tiled_copy_tv, "another name of tv_layout_src"),
    OWN("dst_tv_layout", "k", run_tv_dst, ct_tiled_copy_tv, "another name of tv_layout_dst"),
    OWN("tiler", "k", run_tiler, ct_tiled_copy_shape, "the shape of its tile"),
    OWN("size", "k", run_threads, ct_tiled_copy_threads, "the number of its threads"),
    OWN("partition_src", "kXi", run_partition_src, ct_partition_src,
        "the source elements of a thread"),
    OWN("partition_dst", "kXi", run_partition_dst, ct_partition_dst,
        "the destination elements of a thread"),
    OWN("retile", "kL", run_retile, ct_retile, "a register fragment as this copy takes it"),
    OWN("retile", "kx", run_retile_tensor, ct_tensor_retile, "the same of a tensor"),
    OWN("check_copy", "kLL", run_check_copy, ct_tiled_copy_check,
        "whether every access is contiguous and aligned"),
    OWN("copy_width", "LLiiii", run_copy_width, ct_copy_width,
        "bytes of the widest access: source, destination, element bytes, most bytes, two "
        "addresses"),
    {0},
};
