/* Global -> shared -> global through each variant of the tiled copy. A kernel is a row of
 * variants.h for one order of the data and one size of its elements: ct_copy_rows8_async_row_2 is
 * rows8-async for row-major data of 2 bytes an element.
 *
 * A launch has as many threads as the plan, a block for each tile (x along the contiguous mode, y
 * times z along the other), and dynamic shared memory for one tile: 64 KiB for elements of 16
 * bytes, which a launch on a GPU has to ask for. */
#include "../copy_tile.h"
#include "variants.h"

/* How many blocks a multiprocessor has to hold: those that its 2048 threads and its shared memory
 * allow, 227 KiB on sm_90 with 1 KiB for each block, but for one where memory decides. The compiler
 * then keeps registers as few. */
#define RESIDENT(threads, bytes) \
    ct_min(2048 / (threads), 227 * 1024 / (CT_COPY_TILE * CT_COPY_TILE * (bytes) + 1024) - 1)

/* One kernel; the numbers are those of a row of the list. A macro, because C has no other way to
 * write a function down for a list of constants. */
#define KERNEL(id, order, ORDER, bytes, tm, tn, dm, dn, vm, vn, how)                              \
    CT_KERNEL_RESIDENT(ct_copy_##id##_##order##_##bytes, tm *tn, RESIDENT(tm *tn, bytes),         \
                       ct_copy_args, args)                                                        \
    {                                                                                             \
        CT_STATIC(ct_tile_plan, plan,                                                             \
                  ct_plan_variant(ct_layout2(tm, tn, dm, dn), ct_layout2(vm, vn, 1, vm),          \
                                  ct_make_plan_job(how, bytes, ORDER, CT_COPY_TILE, CT_COPY_TILE))); \
        CT_SHARED_DYNAMIC(unsigned char, tile);                                                   \
        ct_copy_tile(&plan, &args, tile);                                                         \
    }

/* The sizes of elements; a test of the generated code may ask for fewer. */
#ifndef CT_COPY_SIZES
#define CT_COPY_SIZES(K, ...) \
    K(1, __VA_ARGS__) K(2, __VA_ARGS__) K(4, __VA_ARGS__) K(8, __VA_ARGS__) K(16, __VA_ARGS__)
#endif

#define BOTH_ORDERS(bytes, id, name, tm, tn, dm, dn, vm, vn, how, orders, about)  \
    KERNEL(id, row, CT_ROW_MAJOR, bytes, tm, tn, dm, dn, vm, vn, how)             \
    KERNEL(id, col, CT_COL_MAJOR, bytes, tm, tn, dm, dn, vm, vn, how)
#define ALL_SIZES(...) CT_COPY_SIZES(BOTH_ORDERS, __VA_ARGS__)

CT_COPY_VARIANTS(ALL_SIZES)
