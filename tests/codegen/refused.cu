/* Kernels whose constants cannot be made, and copies with wrong views: each is refused, with the
 * reason. refused.py compiles them one by one, the number of one in REFUSED, which 0 is the number of a
 * right one; the CPU grid, in test_grid_lines.c, has them all. A line `refused N:` says what a compiler
 * must say of the line of HERE: the sentence, and after `numbers:` the numbers. NVRTC accepts those
 * of `nvcc refuses N:`. */
/* HERE notes the line of the call beside it. */
/* clang-format off */
#include <cutlet/device/copy/copy.h>
#include <cutlet/device/kernel/static.h>
#include <cutlet/device/mma/gemm.h>
#include <cutlet/device/register/reductions.h>
#include <cutlet/mma/mma_fragment.h>
#include <cutlet/mma/tiled_mma.h>

#if defined(REFUSED)
#define HERE(i) ((void)0)
#define HAS(n) (REFUSED == (n))
#else
#define HAS(n) 1
#endif

typedef struct refused_args {
    int64_t *out;
} refused_args;

/* A tiled copy of 16 x 64 halves, and the partition of a tile of this many rows by it, in a tensor that
 * is contiguous along an axis. */
CT_FN ct_tiled_copy copy_of(ct_copy_atom atom)
{
    return ct_make_tiled_copy(atom, ct_layout2(16, 8, 8, 1), ct_layout2(1, 8, 0, 1));
}
CT_FN ct_partition rows_of(int rows, ct_copy_atom atom, int axis)
{
    return ct_make_partition(copy_of(atom), ct_tuple2(rows, 64), ct_in_global(axis), ct_in_registers());
}

/* The predicated partition of a tile of 20 rows. */
CT_FN ct_partition halo_of(ct_copy_atom atom, int columns)
{
    return ct_make_predicated_partition(copy_of(atom), ct_tuple2(20, columns), ct_in_global(1), ct_in_registers());
}

/* Two threads for each element. */
CT_FN ct_tiled_copy doubled(void)
{
    return ct_make_tiled_copy(ct_copy_atom_auto(16), ct_layout2(16, 8, 1, 1), ct_layout2(1, 8, 0, 1));
}

/* Four atoms of 16 x 8 x 16 over this many columns. */
CT_FN ct_tiled_mma mma_of(int columns)
{
    return ct_make_tiled_mma(ct_make_mma_atom("SM80_16x8x16_F32F16F16F32_TN"), ct_make_col_major(ct_tuple3(2, 2, 1)),
                             ct_tiler_of_shape(ct_tuple3(32, columns, 16)));
}

/* A plan of the kernel's own, which carries the error of its partition after another member. */
typedef struct rows_plan {
    int32_t rows;
    ct_error err;
    ct_partition in;
} rows_plan;
CT_FN rows_plan plan_of(int rows)
{
    rows_plan p = CT_ZERO;
    p.rows = rows;
    p.in = rows_of(rows, ct_copy_atom_auto(16), 1);
    p.err = p.in.err;
    return p;
}

typedef struct tile_args {
    int64_t *out;
    ct_global src;
} tile_args;

#if HAS(0)
CT_KERNEL(refused_0, refused_args, args)
{
    CT_STATIC(ct_copy_atom, atom, ct_copy_atom_auto(16));
    CT_STATIC(ct_tiled_copy, copy, copy_of(atom));
    CT_STATIC(ct_partition, P, rows_of(128, atom, 1));
    CT_STATIC(ct_layout, L, ct_layout2(4, 8, 8, 1));
    CT_STATIC(ct_tensor, tile, ct_make_tensor(ct_layout2(128, 64, 1, 128)));
    CT_STATIC(ct_tiled_mma, mma, mma_of(32));
    CT_STATIC(rows_plan, plan, plan_of(128));
    CT_STATIC(ct_memory, in_shared, ct_in_shared(tile));
    CT_STATIC(ct_mma_op, op, mma.atom.op);
    CT_STATIC(int64_t, n, 5); /* of a type that carries no error */
    const int64_t sum = ct_tiled_copy_threads(copy) + P.threads + ct_size(L) + tile.layout.shape[0] +
                        ct_size(mma.thr) + n + plan.rows + in_shared.axis + op.m;
    ct_store_global(args.out, &sum, 64);
}
#endif

/* refused 1: mode %m of the tile has %a elements, not a multiple of the %b that the tiled copy covers
 * numbers: CT_OP_PARTITION_COPY m=0LL a=120LL b=16LL */
#if HAS(1)
CT_KERNEL(refused_1, refused_args, args)
{
    HERE(0); CT_STATIC(ct_partition, P, rows_of(120, ct_copy_atom_auto(16), 1));
    ct_store_global(args.out, &P.threads, 32);
}
#endif

/* refused 2: the atom moves %a values at once, and only %b are contiguous in the source
 * numbers: CT_OP_PARTITION_COPY a=8LL b=1LL */
#if HAS(2)
CT_KERNEL(refused_2, refused_args, args)
{
    HERE(0); CT_STATIC(ct_partition, P, rows_of(128, ct_copy_atom_universal(128, 16), 0));
    ct_store_global(args.out, &P.threads, 32);
}
#endif

/* refused 3: a universal copy moves 8, 16, 32, 64, 128 or 256 bits, not %a (values of %b bits)
 * numbers: CT_OP_COPY_ATOM a=24LL b=16LL */
#if HAS(3)
CT_KERNEL(refused_3, refused_args, args)
{
    HERE(0); CT_STATIC(ct_tiled_copy, copy, copy_of(ct_copy_atom_universal(24, 16)));
    ct_store_global(args.out, &copy.atom.kind, 32);
}
#endif

/* refused 4: the thread layout reaches thread %a twice
 * numbers: CT_OP_TILED_COPY a=1LL */
#if HAS(4)
CT_KERNEL(refused_4, refused_args, args)
{
    HERE(0); CT_STATIC(ct_tiled_copy, copy, doubled());
    ct_store_global(args.out, &copy.atom.kind, 32);
}
#endif

/* refused 5: mode %m of B has stride %a: steps of %c in mode %o of A coalesced (size %b) cross its end;
 * they must divide %b, or be a multiple of it
 * numbers: op=CT_OP_COMPOSITION m=0LL a=4LL b=6LL c=4LL */
#if HAS(5)
CT_KERNEL(refused_5, refused_args, args)
{
    HERE(0); CT_STATIC(ct_layout, L, ct_composition(ct_layout2(6, 8, 1, 7), ct_layout1(4, 4)));
    ct_store_global(args.out, &L.shape[0], 64);
}
#endif

/* refused 6: Sw<%a,%b,%c> is not a swizzle; Sw<bits,base,shift> needs bits and base of at least
 * 0, |shift|
 * >= bits, and bits + base + |shift| of at most 62
 * numbers: op=CT_OP_SWIZZLE a=3LL b=4LL c=2LL */
#if HAS(6)
CT_KERNEL(refused_6, refused_args, args)
{
    HERE(0); CT_STATIC(ct_swizzle, sw, ct_make_swizzle(3, 4, 2));
    ct_store_global(args.out, &sw.bits, 32);
}
#endif

/* refused 7: there is no mode %m; the operand has rank %a, and modes count from 0
 * numbers: op=CT_OP_MODE m=5LL a=2LL */
#if HAS(7)
CT_KERNEL(refused_7, refused_args, args)
{
    HERE(0); CT_STATIC(ct_tuple, t, ct_get(ct_tuple2(4, 8), 5));
    ct_store_global(args.out, &t.value[0], 64);
}
#endif

/* refused 8: mode %m has shape %a; a shape is at least 1
 * numbers: op=CT_OP_MAKE_LAYOUT m=1LL a=0LL */
#if HAS(8)
CT_KERNEL(refused_8, refused_args, args)
{
    HERE(0); CT_STATIC(ct_tensor, tile, ct_make_tensor(ct_layout2(128, 0, 1, 128)));
    ct_store_global(args.out, &tile.layout.shape[0], 64);
}
#endif

/* refused 9: mode %m (0 is m, 1 is n, 2 is k) of the permutation has %a elements; atom and threads
 * cover %b at once, and a multiple is needed
 * numbers: CT_OP_TILED_MMA m=1LL a=24LL b=16LL */
#if HAS(9)
CT_KERNEL(refused_9, refused_args, args)
{
    HERE(0); CT_STATIC(ct_tiled_mma, mma, mma_of(24));
    ct_store_global(args.out, &mma.thr.stride[0], 64);
}
#endif

/* refused 10: the name is not that of an MMA atom, such as SM80_16x8x16_F32F16F16F32_TN
 * numbers: op=CT_OP_MMA_ATOM */
#if HAS(10)
CT_KERNEL(refused_10, refused_args, args)
{
    HERE(0); CT_STATIC(ct_mma_atom, atom, ct_make_mma_atom("SM80"));
    ct_store_global(args.out, &atom.op.m, 32);
}
#endif

/* refused 11: mode %m of the tile has %a elements, not a multiple of the %b that the tiled copy covers
 * numbers: CT_OP_PARTITION_COPY m=0LL a=120LL b=16LL */
#if HAS(11)
CT_KERNEL(refused_11, refused_args, args)
{
    HERE(0); CT_STATIC(rows_plan, plan, plan_of(120));
    ct_store_global(args.out, &plan.rows, 32);
}
#endif

/* refused 12: mode %m has shape %a; a shape is at least 1
 * numbers: op=CT_OP_MAKE_LAYOUT m=0LL a=0LL */
#if HAS(12)
CT_KERNEL(refused_12, refused_args, args)
{
    HERE(0); CT_STATIC(ct_memory, tile, ct_in_shared_plain(ct_layout2(0, 32, 32, 1)));
    ct_store_global(args.out, &tile.axis, 32);
}
#endif

/* nvcc refuses 13: the tile's coordinate %a along axis %m is negative; a tile of a tensor begins at
 * coordinate 0 or later
 * numbers: CT_OP_TENSOR m=1LL a=-2LL */
#if HAS(13)
CT_KERNEL_THREADS(refused_13, 128, tile_args, args)
{
    CT_STATIC(ct_partition, P, rows_of(16, ct_copy_atom_auto(16), 1));
    CT_FRAGMENT(uint32_t, v, 4);
    HERE(0); ct_copy(ct_view_tile(&args.src, &P, ct_index2(3, -2)), ct_view_registers(v));
    ct_store_global(args.out, v, 32);
}
#endif

/* nvcc refuses 14: side %m of the copy (0 is the source, 1 the destination) is a view of memory %a, and
 * the partition has memory %b there (0 is global, 1 shared, 2 registers, 3 a tensor map)
 * numbers: op=CT_OP_TENSOR m=1LL a=0LL b=2LL */
#if HAS(14)
CT_KERNEL_THREADS(refused_14, 128, tile_args, args)
{
    CT_STATIC(ct_partition, P, rows_of(16, ct_copy_atom_auto(16), 1));
    const ct_index x = ct_index2(blockIdx.x, 0);
    HERE(0); ct_copy(ct_view_tile(&args.src, &P, x), ct_view_tile(&args.src, &P, x));
}
#endif

/* nvcc refuses 15: the tiled copy has %a threads, the block %b along x; for other threads, ct_view_src
 * and ct_view_dst take a thread's number
 * numbers: CT_OP_TENSOR a=128LL b=96LL */
#if HAS(15)
CT_KERNEL_THREADS(refused_15, 96, tile_args, args)
{
    CT_STATIC(ct_partition, P, rows_of(16, ct_copy_atom_auto(16), 1));
    CT_FRAGMENT(uint32_t, v, 4);
    HERE(0); ct_copy(&P, ct_view_tile(&args.src, &P, ct_index2(0, 0)), ct_view_registers(v));
    ct_store_global(args.out, v, 32);
}
#endif

/* Register tensors by 128 threads: of a partition's tile of 16 x 64 halves, 8 for each thread, and of C (32,32). */
CT_FN ct_fragment c_of(void) { return ct_fragment_c(mma_of(32), ct_tuple2(32, 32)); }
#define WITH_REGISTERS(name, ...)                                                                  \
    CT_KERNEL_THREADS(name, 128, tile_args, args)                                                  \
    {                                                                                              \
        CT_STATIC(ct_partition, P, rows_of(16, ct_copy_atom_auto(16), 1));                         \
        CT_STATIC(ct_partition, Q, rows_of(32, ct_copy_atom_auto(16), 1));                         \
        const ct_view tile = ct_view_tile(&args.src, &P, ct_index2(0, 0));                         \
        CT_REGISTERS(half, x, P);                                                                  \
        CT_REGISTERS(half, x_of_q, Q);                                                             \
        CT_REGISTERS(half, x_of_c, c_of());                                                        \
        CT_REGISTERS(float, wide, P);                                                              \
        CT_REGISTERS(float, c, c_of());                                                            \
        CT_REGISTERS(int32, ints, c_of());                                                         \
        CT_REGISTERS(float, rows, ct_fragment_reduced(c_of(), 1));                                 \
        ct_copy(tile, x);                                                                          \
        ct_clear(c), ct_clear(rows), ct_clear(ints);                                               \
        __VA_ARGS__;                                                                               \
        ct_store_global(args.out, x.words, 32);                                                    \
        ct_store_global(args.out, x_of_q.words, 32);                                               \
        ct_store_global(args.out, wide.words, 32);                                                 \
        ct_store_global(args.out, x_of_c.words, 32);                                               \
    }

/* nvcc refuses 16: the register tensor has %a values of a thread, not the %b that are needed, or has them in another order
 * numbers: op=CT_OP_FRAGMENT a=16LL b=8LL */
#if HAS(16)
WITH_REGISTERS(refused_16, HERE(0); ct_copy(&P, tile, x_of_q))
#endif

/* nvcc refuses 17: the tensor has elements of %a bits, and the partition of %b bits
 * numbers: op=CT_OP_TENSOR a=32LL b=16LL */
#if HAS(17)
WITH_REGISTERS(refused_17, HERE(0); ct_copy(&P, tile, wide))
#endif

/* nvcc refuses 18: the register tensor has %a values of a thread, not the %b that are needed, or has them in another order
 * numbers: op=CT_OP_FRAGMENT a=8LL b=8LL */
#if HAS(18)
WITH_REGISTERS(refused_18, HERE(0); ct_copy(&P, tile, x_of_c))
#endif

/* nvcc refuses 19: elements of type %a (CT_TYPE_...) have no value of this kind; ct_val is of floats and of up to 16 bits, ct_val_s32 of integers, ct_val_f64 of doubles
 * numbers: op=CT_OP_FRAGMENT a=17LL b=0LL */
#if HAS(19)
WITH_REGISTERS(refused_19, HERE(0); ct_put(x, 0, ct_val(ints, 0)))
#endif

/* nvcc refuses 20: the register tensor has %a values of a thread, not the %b that are needed, or has them in another order
 * numbers: op=CT_OP_FRAGMENT a=2LL b=8LL */
#if HAS(20)
WITH_REGISTERS(refused_20, HERE(0); ct_put(x, 0, ct_val_row(rows, x, 0)))
#endif

/* nvcc refuses 21: several warps have parts of each row; give ct_reduce shared memory, %a floats (ct_reduce_elems)
 * numbers: op=CT_OP_FRAGMENT a=64LL b=0LL */
#if HAS(21)
WITH_REGISTERS(refused_21, HERE(0); ct_reduce(c, ct_op_sum, rows))
#endif

/* nvcc refuses 22: element %a of the register tensor is another thread's in the other one
 * numbers: op=CT_OP_FRAGMENT a=0LL b=8LL */
#if HAS(22)
WITH_REGISTERS(refused_22, HERE(0); ct_retile_registers(x_of_c, x))
#endif

/* refused 23: axis %m: %a threads, %b apart, have parts of each row, and a reduction needs powers of two
 * numbers: op=CT_OP_FRAGMENT m=1LL a=3LL b=1LL */
#if HAS(23)
CT_KERNEL_THREADS(refused_23, 128, refused_args, args)
{
    CT_STATIC(
        ct_tiled_copy, three,
        ct_make_tiled_copy(ct_copy_atom_auto(16), ct_layout2(2, 3, 3, 1), ct_layout2(1, 8, 8, 1)));
    CT_STATIC(ct_partition, P,
              ct_make_partition(three, ct_tuple2(2, 24), ct_in_global(1), ct_in_registers()));
    HERE(0); CT_REGISTERS(float, rows, ct_fragment_reduced(ct_fragment_of(P), 1));
    ct_store_global(args.out, rows.words, 32);
}
#endif

/* A product of 32 x 32 x 16 by 128 threads, A and B in registers. */
CT_FN ct_gemm_partition product_of(int k)
{
    return ct_make_gemm(mma_of(32), ct_tuple3(32, 32, k), ct_in_registers(), ct_in_registers());
}
#define WITH_PRODUCT(name, ...)                                                                    \
    CT_KERNEL_THREADS(name, 128, tile_args, args)                                                  \
    {                                                                                              \
        CT_STATIC(ct_gemm_partition, G, product_of(16));                                           \
        CT_STATIC(ct_fragment, part, ct_fragment_part(c_of(), ct_tuple2(32, 16)));                 \
        CT_REGISTERS(float, c, c_of());                                                            \
        CT_REGISTERS(half, a, ct_fragment_a(mma_of(32), ct_tuple2(32, 16)));                       \
        CT_REGISTERS(half, b, ct_fragment_b(mma_of(32), ct_tuple2(32, 16)));                       \
        CT_REGISTERS(float, large, ct_fragment_c(mma_of(32), ct_tuple2(64, 32)));                  \
        CT_REGISTERS(bfloat16, other, ct_fragment_a(mma_of(32), ct_tuple2(32, 16)));               \
        ct_clear(c), ct_clear(a), ct_clear(b), ct_clear(large), ct_clear(other);                   \
        __VA_ARGS__;                                                                               \
        ct_store_global(args.out, c.words, 32);                                                    \
        ct_store_global(args.out, large.words, 32);                                                \
        ct_store_global(args.out, other.words, 32);                                                \
        ct_store_global(args.out, &part.count, 32);                                                \
    }

#if HAS(0)
WITH_PRODUCT(accepted_product, ct_gemm(&G, c, a, b, 0);
             ct_clear(ct_recast_registers(a, CT_TYPE_BFLOAT16)))
#endif

/* nvcc refuses 25: the register tensor has %a values of a thread, not the %b that are needed, or has them in another order
 * numbers: op=CT_OP_FRAGMENT a=16LL b=8LL */
#if HAS(25)
WITH_PRODUCT(refused_25, HERE(0); ct_gemm(&G, large, a, b, 0))
#endif

/* nvcc refuses 26: operand %m (0 is A, 1 B, 2 C) is a register tensor of type %a, and the instruction has type %b (CT_TYPE_...)
 * numbers: CT_OP_GEMM m=0LL */
#if HAS(26)
WITH_PRODUCT(refused_26, HERE(0); ct_gemm(&G, c, other, b, 0))
#endif

/* nvcc refuses 27: the register tensor has %a values of a thread, not the %b that are needed, or has them in another order
 * numbers: op=CT_OP_FRAGMENT a=8LL b=8LL */
#if HAS(27)
WITH_PRODUCT(refused_27, HERE(0); ct_gemm(&G, c, b, a, 0))
#endif

/* nvcc refuses 28: the register tensor has elements of %a bits, and elements of %b bits are needed
 * numbers: CT_OP_FRAGMENT a=16LL b=32LL */
#if HAS(28)
WITH_PRODUCT(refused_28, HERE(0); ct_clear(ct_recast_registers(a, CT_TYPE_FLOAT)))
#endif

/* refused 30: axis %m of the tile ends after %a elements, inside an access of %b; give the atom or the side narrower ones
 * numbers: CT_OP_PARTITION_COPY m=1LL a=60LL b=8LL */
#if HAS(30)
CT_KERNEL(refused_30, refused_args, args)
{
    HERE(0); CT_STATIC(ct_partition, P, halo_of(ct_copy_atom_universal(128, 16), 60));
    ct_store_global(args.out, &P.threads, 32);
}
#endif

/* refused 31: only loads, stores and cp.async of whole bytes, checked and aligned, are tested by their coordinates; this is atom %a with elements of %b bits
 * numbers: CT_OP_PARTITION_COPY a=8LL b=4LL */
#if HAS(31)
CT_KERNEL(refused_31, refused_args, args)
{
    HERE(0); CT_STATIC(ct_partition, P, halo_of(ct_copy_atom_auto(4), 64));
    ct_store_global(args.out, &P.threads, 32);
}
#endif

/* nvcc refuses 32: axis %m has no index: that takes a tile in global memory of a predicated partition, and an axis along which no access lies
 * numbers: op=CT_OP_TENSOR m=1LL */
#if HAS(32)
CT_KERNEL_THREADS(refused_32, 128, tile_args, args)
{
    CT_STATIC(ct_partition, P, halo_of(ct_copy_atom_auto(16), 64));
    CT_FRAGMENT(uint32_t, words, 64);
    HERE(0); ct_copy(ct_view_indexed(&P, ct_view_at(&args.src, &P, ct_index2(0, 0)), 1, (const int32_t *)args.out, 8), ct_view_registers(words));
    ct_store_global(args.out, words, 32);
}
#endif

/* nvcc refuses 33: only loads, stores and cp.async of whole bytes, checked and aligned, are tested by their coordinates; this is atom %a with elements of %b bits
 * numbers: op=CT_OP_TENSOR a=8LL b=16LL */
#if HAS(33)
CT_DEVICE int always(const void *with, ct_index x) { return with != 0 || x.at[0] > 0; }
WITH_REGISTERS(refused_33, HERE(0); ct_copy_if(&P, tile, ct_view_registers(x.words), always, &args))
#endif

/* nvcc refuses 34: the sides of the copy have different partitions, or none; name one: ct_copy(&P, src, dst)
 * numbers: op=CT_OP_TENSOR m=0LL */
#if HAS(34)
WITH_REGISTERS(refused_34, CT_SHARED(uint32_t, shared, 512); HERE(0); ct_copy(x, ct_view_shared(shared)))
#endif

/* nvcc refuses 35: the sides of the copy have different partitions, or none; name one: ct_copy(&P, src, dst)
 * numbers: op=CT_OP_TENSOR m=0LL */
#if HAS(35)
CT_FN ct_partition global_of(int rows)
{
    return ct_make_partition(copy_of(ct_copy_atom_auto(16)), ct_tuple2(rows, 64), ct_in_global(1), ct_in_global(1));
}
CT_KERNEL_THREADS(refused_35, 128, tile_args, args)
{
    CT_STATIC(ct_partition, P, global_of(16));
    CT_STATIC(ct_partition, Q, global_of(32));
    HERE(0); ct_copy(ct_view_tile(&args.src, &P, ct_index2(0, 0)), ct_view_tile(&args.src, &Q, ct_index2(0, 0)));
}
#endif

/* ptxas refuses 36: Unresolved extern function 'ct_name_the_partition_of_this_copy' */
#if HAS(36)
WITH_REGISTERS(refused_36, CT_SHARED(uint32_t, shared, 512); const ct_view to = ct_view_shared(shared); HERE(0); ct_copy(x, to))
#endif

/* ptxas refuses 37: Unresolved extern function 'ct_name_the_partition_of_this_copy' */
#if HAS(37)
CT_KERNEL_THREADS(refused_37, 128, tile_args, args)
{
    CT_STATIC(ct_partition, halo, halo_of(ct_copy_atom_auto(16), 60));
    CT_SHARED(uint32_t, held, 128);
    CT_FRAGMENT(uint32_t, words, 8);
    const ct_view from = ct_view_at(&args.src, &halo, ct_index2(-1, -1)), to = ct_view_registers(words);
    HERE(0); ct_copy(from, to);
    ct_store_shared(held + threadIdx.x, words, 32);
}
#endif

/* refused 29: mode %m (0 is m, 1 is n, 2 is k) of the tile has %a elements, not a multiple of the %b that the tiled MMA covers
 * numbers: CT_OP_GEMM m=2LL a=24LL b=16LL */
#if HAS(29)
typedef struct product_plan {
    int32_t count;
    ct_gemm_partition whole, mma;
} product_plan;
CT_PLAN(product_plan);
CT_FN product_plan product_plan_of(void)
{
    product_plan p = CT_ZERO;
    p.whole = product_of(16);
    p.mma = product_of(24);
    return p;
}
CT_DEVICE_OF(product_plan) int32_t steps_of_whole(const product_plan *p)
{
    return CT_OF(p, whole)->own[2];
}
CT_KERNEL_THREADS(refused_29, 128, refused_args, args)
{
    CT_STATIC_PLAN(product_plan, p, product_plan_of());
    HERE(0); const int32_t wrong = CT_OF(&p, mma)->own[2];
    const int32_t sum = wrong + steps_of_whole(&p);
    ct_store_global(args.out, &sum, 32);
}
#endif

/* Right copies of all kinds, and every pair of memories, as nvcc tells them apart. */
#if HAS(0)
CT_KERNEL_THREADS(accepted, 128, tile_args, args)
{
    CT_STATIC(ct_partition, P, rows_of(16, ct_copy_atom_auto(16), 1));
    CT_SHARED(uint32_t, held, 128);
    CT_FRAGMENT(uint32_t, v, 4);
    const ct_view registers = ct_view_registers(v), two[1] = {registers};
    const ct_view tile = ct_view_tile(&args.src, &P, ct_index2(blockIdx.x, 0));
    ct_copy(tile, registers);
    ct_copy(ct_view_at(&args.src, &P, ct_index2(8, 0)), (two[0]));
    ct_copy(&P, ct_view_src(&P, tile, threadIdx.x), ct_view_dst(&P, ct_view_registers(v), threadIdx.x));
    ct_copy(&P, (tile), ct_view_registers(v));
    CT_STATIC(ct_partition, halo, halo_of(ct_copy_atom_auto(16), 60));
    CT_FRAGMENT(uint32_t, around, 8);
    ct_copy(ct_view_at(&args.src, &halo, ct_index2(-1, -1)), ct_view_registers(around));
    ct_store_shared(held + threadIdx.x, v, 32);
}
#if defined(__CUDACC__) && CT_KNOWS
CT_FN int pairs_are_distinct(void)
{
    for (int n = 0; n < 256; ++n) {
        const int src = n & 3, dst = n >> 2 & 3, from = n >> 4 & 3, to = n >> 6;
        const ct_error e = ct_known_refusal(src | dst << 2 | 32 << 4, from, to, 1, 32);
        if ((e.status == CT_OK) != (src == from && dst == to)) return 0;
    }
    return ct_known_refusal(32 << 4, 0, 0, 1, 31).why == CT_WHY_THREADS && ct_known_refusal(CT_UNKNOWN, 0, 1, 1, 1).status == CT_OK;
}
static_assert(pairs_are_distinct(), "");
#endif
#endif
