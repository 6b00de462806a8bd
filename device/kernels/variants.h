/**
 * The variants of the tiled copy, one row each. Kernels, tables and pictures are made from this
 * list.
 *
 * V(id, name, thr_m, thr_n, step_m, step_n, val_m, val_n, how, orders, about)
 *   id, name         in C and on the command line
 *   thr_.., step_..  the thread layout (thr_m,thr_n):(step_m,step_n), (m,n) -> thread
 *   val_..           the value layout (val_m,val_n), (m,n) -> value, column-major
 *   how              CT_BY_...
 *   orders           the orders of data for which it is meant: CT_FOR_ROWS, CT_FOR_COLS or both
 *
 * The layouts are those of their sources, for half. Other element sizes have the same layouts. The
 * access is then the widest of 1, 2, 4, 8 or 16 bytes that divides the run of a thread's values.
 * cp.async of 1 or 2 bytes does not exist: it becomes a load and a store. The list is an X-macro
 * because the compiler needs every row as constants, in C and in CUDA.
 */
#ifndef CUTLET_DEVICE_KERNELS_VARIANTS_H
#define CUTLET_DEVICE_KERNELS_VARIANTS_H

#include <cutlet/device/unaligned/sector_plan.h>
#include <cutlet/device/tensor/global.h>

/** How data is copied from global to shared memory. */
enum {
    CT_BY_ELEMENT,  /* through registers, element by element */
    CT_BY_VECTOR,   /* through registers, by the widest access that a thread's values allow */
    CT_BY_CP_ASYNC, /* by cp.async of the same width; 1 and 2 bytes go through registers */
    CT_BY_PARTITION /* element by element, with the elements of local_partition */
};

/** For data that is contiguous along axis 0, the columns, or along axis 1, the rows. */
#define CT_FOR_COLS 1
#define CT_FOR_ROWS 2

/** The extent of the kernels' own tile in both modes: a multiple of every block of the list. */
#define CT_COPY_TILE 64

#define CT_COPY_VARIANTS(V)                                                                        \
    V(rows4, "rows4", 16, 8, 8, 1, 1, 4, CT_BY_ELEMENT, CT_FOR_ROWS | CT_FOR_COLS,                 \
      "threads along a row, 4 values each, element by element")                                    \
    V(rows4_wide, "rows4-wide", 16, 8, 8, 1, 1, 4, CT_BY_VECTOR, CT_FOR_ROWS,                      \
      "threads along a row, 4 values in one access")                                               \
    V(rows8, "rows8", 16, 8, 8, 1, 1, 8, CT_BY_VECTOR, CT_FOR_ROWS,                                \
      "threads along a row, 8 values in one access")                                               \
    V(rows8_async, "rows8-async", 16, 8, 8, 1, 1, 8, CT_BY_CP_ASYNC, CT_FOR_ROWS | CT_FOR_COLS,    \
      "threads along a row, 8 values by cp.async")                                                 \
    V(half_line, "half-line", 32, 4, 4, 1, 1, 8, CT_BY_CP_ASYNC, CT_FOR_ROWS,                      \
      "4 threads along a row: half a cache line of half")                                          \
    V(printed4, "printed4", 8, 16, 16, 1, 4, 1, CT_BY_ELEMENT, CT_FOR_COLS,                        \
      "\"transposed\" as article 002 prints it, element by element")                               \
    V(printed8_async, "printed8-async", 8, 16, 16, 1, 8, 1, CT_BY_CP_ASYNC, CT_FOR_COLS,           \
      "\"transposed\" as article 002 prints it, by cp.async")                                      \
    V(cols4, "cols4", 8, 16, 1, 8, 4, 1, CT_BY_ELEMENT, CT_FOR_ROWS | CT_FOR_COLS,                 \
      "actually transposed, threads along a column, element by element")                           \
    V(cols8, "cols8", 8, 16, 1, 8, 8, 1, CT_BY_VECTOR, CT_FOR_COLS,                                \
      "threads along a column, 8 values in one access")                                            \
    V(cols8_async, "cols8-async", 8, 16, 1, 8, 8, 1, CT_BY_CP_ASYNC, CT_FOR_COLS,                  \
      "threads along a column, 8 values by cp.async")                                              \
    V(partition, "partition", 8, 32, 1, 8, 1, 1, CT_BY_PARTITION, CT_FOR_ROWS | CT_FOR_COLS,       \
      "local_partition of tutorial 000: 256 threads, one element at a time")

/** The arguments of the kernels. */
typedef struct ct_variant_args {
    ct_global src, dst;     /* matrices (m,n), contiguous along one axis */
    int32_t tile_m, tile_n; /* of a block: a multiple of what its threads cover at once */
    int32_t
        is_whole; /* whether both sides pass ct_check_whole and have one step, and no block has a z */
    int32_t by_sectors; /* whether blocks copy the tiles of ct_variant_sectors */
} ct_variant_args;

/** The number of contiguous values of a thread along an axis, from the first on. */
CT_FN int64_t ct_variant_run(ct_layout val, int32_t axis)
{
    const ct_layout at = ct_make_identity_layout(ct_product_each(ct_shape(val)));
    const ct_layout L = ct_coalesce(ct_composition(at, ct_right_inverse(val)));
    return L.basis[0] == (uint32_t)(axis + 1) && L.stride[0] == 1 ? L.shape[0] : 1;
}

/** The bytes of an access: the largest power of two up to 16 that divides the run of values. */
CT_FN int32_t ct_variant_bytes(ct_layout val, int32_t how, int32_t elem_bytes, int32_t axis)
{
    const int wide = how == CT_BY_VECTOR || how == CT_BY_CP_ASYNC;
    return wide ? (int32_t)ct_power_of_two(ct_variant_run(val, axis) * elem_bytes, 16) : elem_bytes;
}

/** The atom of accesses of `bytes` bytes: cp.async moves 4, 8 or 16; bypassing L1 only 16. */
CT_FN ct_copy_atom ct_variant_atom(int32_t how, int32_t bytes, int32_t elem_bytes)
{
    if (how != CT_BY_CP_ASYNC || bytes < 4)
        return ct_copy_atom_universal(8 * bytes, 8 * elem_bytes);
    return ct_copy_atom_cp_async(bytes == 16 ? CT_ATOM_CP_ASYNC_CG : CT_ATOM_CP_ASYNC_CA, 8 * bytes,
                                 8 * elem_bytes);
}

/** The extents that the threads of a variant cover at once. */
CT_FN ct_tuple ct_variant_block(ct_layout thr, ct_layout val)
{
    return ct_tuple2(ct_size(ct_mode(thr, 0)) * ct_size(ct_mode(val, 0)),
                     ct_size(ct_mode(thr, 1)) * ct_size(ct_mode(val, 1)));
}

/** The kernels' own tile. */
CT_FN ct_tuple ct_variant_tile(void) { return ct_tuple2(CT_COPY_TILE, CT_COPY_TILE); }

/** The partition of a part of a tile. In shared memory the part has the strides of the tile. */
CT_FN ct_partition ct_variant_part(ct_layout thr, ct_layout val, int32_t how, int32_t elem_bytes,
                                   int32_t axis, ct_tuple part, ct_tuple tile, int to_shared)
{
    const int32_t bytes = ct_variant_bytes(val, how, elem_bytes, axis);
    const ct_copy_atom atom = ct_variant_atom(to_shared ? how : CT_BY_VECTOR, bytes, elem_bytes);
    const ct_tuple step = ct_stride(axis == 0 ? ct_make_col_major(tile) : ct_make_row_major(tile));
    const ct_memory global = ct_in_global(axis);
    const ct_memory shared = ct_in_shared_plain(ct_make_layout(part, step));
    return ct_make_partition(ct_make_tiled_copy(atom, thr, val), part, to_shared ? global : shared,
                             to_shared ? shared : global);
}

/**
 * The partition of a tile by a variant, for data contiguous along `axis`: from global to shared
 * memory by `how`, or back through registers. The tile has the same order in shared memory.
 *
 * Fails:    as ct_make_tiled_copy and ct_make_partition.
 */
CT_FN ct_partition ct_variant_partition(ct_layout thr, ct_layout val, int32_t how,
                                        int32_t elem_bytes, int32_t axis, ct_tuple tile,
                                        int to_shared)
{
    return ct_variant_part(thr, val, how, elem_bytes, axis, tile, tile, to_shared);
}

/**
 * The strip that a block stores between two barriers: the whole tile, except for two kinds of
 * variants whose warps write partial sectors. Measured on an H200 (docs/benchmarks.md).
 *
 * - By local_partition, if 8 elements are less than a sector: two blocks of threads along the
 *   contiguous axis. The barrier synchronises the warps that write parts of the same sectors, so
 *   that L2 merges these parts.
 * - Element by element, if a thread's values are along the contiguous axis and consecutive threads
 *   across it: one block of threads along the axis, and the whole tile across it.
 */
CT_FN ct_tuple ct_variant_strip(ct_layout thr, ct_layout val, int32_t how, int32_t elem_bytes,
                                int32_t axis)
{
    const ct_tuple block = ct_variant_block(thr, val);
    ct_tuple strip = ct_variant_tile();
    if (how == CT_BY_PARTITION && 8 * elem_bytes < 32) {
        strip.value[axis] = 2 * block.value[axis];
        strip.value[1 - axis] = block.value[1 - axis];
    } else if (how == CT_BY_ELEMENT && ct_variant_run(val, axis) > 1 &&
               ct_stride(thr).value[axis] != 1) {
        strip.value[axis] = block.value[axis];
    }
    return strip;
}

/** What a partition of a variant's kernel divides: the kernel's tile or a strip of it, or what the threads cover at
 *  once, for other tiles. */
enum { CT_VARIANT_TILE, CT_VARIANT_STRIP, CT_VARIANT_BLOCK_IN, CT_VARIANT_BLOCK_OUT };

/** One of them, of thread layout (tm,tn):(dm,dn) and values (vm,vn). */
CT_FN ct_partition ct_variant_constant(int part, int32_t elem_bytes, int32_t axis, int32_t tm,
                                       int32_t tn, int32_t dm, int32_t dn, int32_t vm, int32_t vn,
                                       int32_t how)
{
    const ct_layout thr = ct_layout2(tm, tn, dm, dn), val = ct_layout2(vm, vn, 1, vm);
    const ct_tuple tile = ct_variant_tile(), block = ct_variant_block(thr, val);
    if (part == CT_VARIANT_TILE)
        return ct_variant_partition(thr, val, how, elem_bytes, axis, tile, 1);
    if (part == CT_VARIANT_STRIP)
        return ct_variant_part(thr, val, how, elem_bytes, axis,
                               ct_variant_strip(thr, val, how, elem_bytes, axis), tile, 0);
    return ct_variant_partition(thr, val, how, elem_bytes, axis, block,
                                part == CT_VARIANT_BLOCK_IN);
}

/** The sector-aligned tile of a variant's threads, for misaligned addresses: as large as the kernel's own,
 *  with half as many lines, so that fewer bytes outside the tile are staged. */
CT_FN ct_sector_copy ct_variant_sectors(int32_t threads, int32_t elem_bytes, int32_t axis)
{
    const int32_t lines = CT_COPY_TILE / 2, along = CT_COPY_TILE * 2;
    return ct_make_sector_copy(elem_bytes, axis == 0 ? along : lines, axis == 0 ? lines : along,
                               threads, axis, axis, 16);
}

#endif
