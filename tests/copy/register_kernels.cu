/* Register tensors against what they hold: coordinates, reductions over each axis, parts, types in place, another order.
 * Each thread counts what is wrong. x(i,j) = 64 i + j as floats, h the same modulo 256 as bfloat16s. */
#include <cutlet/device/copy/copy.h>
#include <cutlet/device/register/reductions.h>

#include <cutlet/algebra/read.h>
#include <cutlet/mma/mma_fragment.h>

typedef struct register_args {
    ct_global x, h, out; /* out: (64,64) floats, then the wrong values of each thread, int32 */
} register_args;

/* A tile of (64,64) by 128 threads: a tiled copy, four atoms of mma.sync, and partitions to registers. */
CT_FN ct_tuple square(void) { return ct_tuple2(64, 64); }
CT_FN ct_tiled_copy plain(void)
{
    return ct_make_tiled_copy(ct_copy_atom_auto(32), ct_layout2(8, 16, 16, 1),
                              ct_layout2(2, 4, 1, 2));
}
CT_FN ct_tiled_mma atoms(void)
{
    return ct_make_tiled_mma(ct_make_mma_atom("SM80_16x8x16_F32BF16BF16F32_TN"),
                             ct_layout2(2, 2, 1, 2), ct_tiler_of_shape(ct_tuple3(32, 32, 16)));
}
CT_FN ct_partition to_registers(ct_tiled_copy copy, ct_memory registers)
{
    return ct_make_partition(copy, square(), ct_in_global(1), registers);
}
CT_FN ct_partition sums_of(ct_tiled_mma t)
{
    return to_registers(ct_make_tiled_copy_c(ct_copy_atom_auto(32), t), ct_in_registers());
}
#define DONE                                                                                       \
    ct_store_element(&args.out, ct_index2(64 + threadIdx.x / 64, threadIdx.x % 64), &wrong, 32)

#define CHECK(c) (wrong += !(c))
#define SAME(a, b) ((a) == (b) || ((a) != (a) && (b) != (b)))

/* A product of which no factor is exact: only one order of the lanes gives all of them the same bits. */
CT_DEVICE float scaled_sum(float a, float b) { return a + b + 0.0009765625f * (a * b); }

/* The coordinates of the values of a fragment of (64,64), both reductions of it, and of the rows to one value. */
#define BOTH(of, src)                                                                              \
    {                                                                                              \
        CT_REGISTERS(float, x, of);                                                                \
        CT_REGISTERS(float, r, ct_fragment_reduced(x_as, 1));                                      \
        CT_REGISTERS(float, s, ct_fragment_reduced(x_as, 0));                                      \
        CT_REGISTERS(float, t, ct_fragment_reduced(r_as, 0));                                      \
        CT_SHARED(float, a, 4 * 64);                                                               \
        CT_SHARED(float, b, 4 * 64);                                                               \
        CT_SHARED(float, c, 4 * 64);                                                               \
        CHECK(ct_reduce_elems(&r_as) <= 256 && ct_reduce_elems(&s_as) <= 256);                     \
        ct_copy(src, x);                                                                           \
        CT_EACH(i, x)                                                                              \
        CHECK(ct_val(x, i) == (float)(64 * ct_coord(x, i, 0) + ct_coord(x, i, 1)));                \
        ct_reduce(x, ct_op_sum, r, a);                                                             \
        CT_EACH(i, r) CHECK(ct_val(r, i) == (float)(4096 * ct_coord(r, i, 0) + 2016));             \
        ct_reduce(x, ct_op_max, s, b);                                                             \
        CT_EACH(i, s) CHECK(ct_val(s, i) == (float)(63 * 64 + ct_coord(s, i, 1)));                 \
        CT_EACH(i, x) CHECK(ct_val_row(r, x, i) == (float)(4096 * ct_coord(x, i, 0) + 2016));      \
        CT_EACH(i, x) CHECK(ct_val_row(s, x, i) == (float)(63 * 64 + ct_coord(x, i, 1)));          \
        ct_reduce(r, ct_op_min, t, c);                                                             \
        CHECK(ct_val(t, 0) == 2016);                                                               \
        CT_EACH(i, x) ct_put(x, i, ct_val(x, i) * 0.000244140625f + 0.1f);                         \
        __syncthreads();                                                                           \
        ct_reduce(x, scaled_sum, r, a);                                                            \
        ct_reduce(r, scaled_sum, t, b);                                                            \
        ct_store_shared(c + 128 + threadIdx.x, &t.words[0], 32);                                   \
        __syncthreads();                                                                           \
        uint32_t first = 0;                                                                        \
        ct_load_shared(&first, c + 128, 32);                                                       \
        CHECK(first == t.words[0]); /* the same bits in every thread */                            \
        __syncthreads();                                                                           \
    }

CT_KERNEL_THREADS(register_reductions, 128, register_args, args)
{
    int32_t wrong = 0;
    const ct_index at = ct_index2(0, 0);
    CT_STATIC(ct_tiled_mma, group,
              ct_make_tiled_mma(ct_make_mma_atom("SM90_64x64x16_F32BF16BF16_SS"), ct_read("1"),
                                ct_tiler0()));
    CT_STATIC(ct_partition, by_sync, sums_of(atoms()));
    CT_STATIC(ct_partition, by_group, sums_of(group));
    CT_STATIC(ct_partition, by_plain, to_registers(plain(), ct_in_registers()));
    CT_STATIC(ct_partition, permuted,
              to_registers(plain(), ct_in_registers_by(ct_layout2(4, 8, 8, 1))));
    BOTH(ct_fragment_c(atoms(), square()), ct_view_tile(&args.x, &by_sync, at))
    BOTH(ct_fragment_c(group, square()), ct_view_tile(&args.x, &by_group, at))
    BOTH(by_plain, ct_view_tile(&args.x, &by_plain, at))
    BOTH(permuted, ct_view_tile(&args.x, &permuted, at))
    DONE;
}

/* What ldmatrix brings of A, in parts along k; O takes the rows of S. */
CT_KERNEL_THREADS(register_operands, 128, register_args, args)
{
    int32_t wrong = 0;
    const ct_index at = ct_index2(0, 0);
    CT_STATIC(ct_memory, shared, ct_in_shared_plain(ct_read("(64,64):(64,1)")));
    CT_STATIC(ct_copy_atom, matrices, ct_copy_atom_matrix(CT_ATOM_LDMATRIX, 4, 16));
    CT_STATIC(ct_tiled_copy, wide,
              ct_make_tiled_copy(ct_copy_atom_auto(16), ct_read("(16,8):(8,1)"), ct_read("(1,8)")));
    CT_STATIC(ct_partition, fill, ct_make_partition(wide, square(), ct_in_global(1), shared));
    CT_STATIC(ct_partition, take,
              ct_make_partition(ct_make_tiled_copy_a(matrices, atoms()), square(), shared,
                                ct_in_registers()));
    CT_STATIC(ct_fragment, step,
              ct_fragment_part(ct_fragment_a(atoms(), square()), ct_tuple2(64, 16)));
    CT_SHARED(uint16_t, memory, 64 * 64);
    CT_REGISTERS(bfloat16, a, ct_fragment_a(atoms(), square()));
    ct_copy(ct_view_tile(&args.h, &fill, at), ct_view_shared(memory));
    __syncthreads();
    ct_copy(&take, ct_view_shared(memory), a);
    CT_EACH(i, a)
    CHECK(ct_val(a, i) == (float)((64 * ct_coord(a, i, 0) + ct_coord(a, i, 1)) % 256));
    CT_UNROLL for (int k = 0; k < 4; ++k)
    {
        const ct_registers part = ct_part_of(&step, a, ct_index4(0, k, 0, 0));
        CT_EACH(i, part)
        CHECK(ct_val(part, i) ==
              (float)((64 * ct_coord(part, i, 0) + 16 * k + ct_coord(part, i, 1)) % 256));
    }
    CT_REGISTERS(float, o, ct_fragment_c(atoms(), ct_tuple2(64, 128)));
    CT_REGISTERS(float, rows, ct_fragment_reduced(ct_fragment_c(atoms(), square()), 1));
    CT_EACH(i, rows) ct_put(rows, i, (float)ct_coord(rows, i, 0));
    CT_EACH(i, o) CHECK(ct_val_row(rows, o, i) == (float)ct_coord(o, i, 0));
    ct_clear(o);
    CT_EACH(i, o) CHECK(o.words[i] == 0);
    DONE;
}

/* Values of a type written in any order, changed in place, converted to floats and back. */
#define IN_PLACE(type, least, most, step)                                                          \
    {                                                                                              \
        CT_REGISTERS(type, x, by_row);                                                             \
        CT_REGISTERS(float, y, by_row);                                                            \
        CT_REGISTERS(type, z, by_row);                                                             \
        CT_EACH(i, x)                                                                              \
        ct_put(x, (5 * i + 3) % 16, least + step * (float)((5 * i + 3) % 16));                     \
        CT_EACH(i, x) ct_put(x, i, ct_val(x, i) + step);                                           \
        ct_put(x, 15, most);                                                                       \
        CT_EACH(i, x) CHECK(ct_val(x, i) == (i == 15 ? most : least + step * (float)(i + 1)));     \
        ct_convert_registers(y, x);                                                                \
        CT_EACH(i, y) CHECK(ct_val(y, i) == ct_val(x, i));                                         \
        ct_convert_registers(z, y);                                                                \
        CT_EACH(i, z) CHECK(ct_val(z, i) == ct_val(x, i));                                         \
    }

CT_KERNEL_THREADS(register_types, 128, register_args, args)
{
    int32_t wrong = 0;
    CT_STATIC(
        ct_tiled_copy, rows,
        ct_make_tiled_copy(ct_copy_atom_auto(32), ct_read("(8,16):(16,1)"), ct_read("(1,4)")));
    CT_STATIC(ct_partition, by_row,
              ct_make_partition(rows, ct_tuple2(32, 64), ct_in_global(1), ct_in_registers()));
    IN_PLACE(float, -3.5f, 1e30f, 0.25f)
    IN_PLACE(half, -3.5f, 65504.0f, 0.25f)
    IN_PLACE(bfloat16, -3.5f, 128.0f, 0.25f)
    IN_PLACE(e4m3, -8.0f, 448.0f, 1.0f)
    IN_PLACE(e5m2, -4.0f, 57344.0f, 0.5f)
    IN_PLACE(int8, -128.0f, 127.0f, 1.0f)
    IN_PLACE(uint8, 0.0f, 255.0f, 1.0f)
    IN_PLACE(int4, -8.0f, 7.0f, 0.0f)
    IN_PLACE(uint4, 0.0f, 15.0f, 0.0f)
    CT_REGISTERS(int4, nibbles, by_row);
    CT_REGISTERS(int32, ints, by_row);
    CT_REGISTERS(double, doubles, by_row);
    CT_EACH(i, nibbles) ct_put_s32(nibbles, i, i - 8);
    CT_EACH(i, nibbles) CHECK(ct_val_s32(nibbles, i) == i - 8);
    ct_convert_registers(ints, nibbles);
    ct_convert_registers(doubles, ints);
    CT_EACH(i, ints) CHECK(ct_val_s32(ints, i) == i - 8 && ct_val_f64(doubles, i) == i - 8);
    CT_EACH(i, doubles) ct_put_f64(doubles, i, ct_val_f64(doubles, i) * 1e300);
    CT_EACH(i, doubles) CHECK(ct_val_f64(doubles, i) == (i - 8) * 1e300);
    CT_REGISTERS(uint8, bytes, by_row);
    CT_EACH(i, bytes) ct_put(bytes, i, 2.5f); /* ties to even */
    CT_EACH(i, bytes) CHECK(ct_val_s32(bytes, i) == 2);
    CT_EACH(i, bytes) ct_put(bytes, i, i % 2 ? -3.0f : 300.0f); /* clamped */
    CT_EACH(i, bytes) CHECK(ct_val_s32(bytes, i) == (i % 2 ? 0 : 255));
    CT_REGISTERS(e4m3, small, by_row);
    ct_put(small, 3, 1e9f);
    ct_put(small, 4, 0.001953125f * 0.5f); /* half of the least: ties to even */
    ct_put(small, 5, 0.001953125f * 1.5f);
    CHECK(ct_val(small, 3) == 448.0f && ct_val(small, 4) == 0 &&
          ct_val(small, 5) == 0.001953125f * 2);
    DONE;
}

/* Every value of a narrow type at every place of a word, as halves and bfloat16s, in its order and in pairs that are four
 * apart: the threads have all bytes. */
#define UNPACKED(narrow, wide)                                                                     \
    {                                                                                              \
        CT_REGISTERS(narrow, x, by_row);                                                           \
        CT_REGISTERS(wide, y, by_row);                                                             \
        CT_REGISTERS(wide, z, by_fours);                                                           \
        for (uint32_t k = 0; k < 4; ++k) {                                                         \
            const uint32_t v = bytes << 8 * k | (k > 0 ? bytes >> (32 - 8 * k) : 0);               \
            CT_UNROLL for (int w = 0; w < x_as.count * ct_type_bits(x.type) / 32; ++w)             \
                x.words[w] = v;                                                                    \
            ct_convert_registers(y, x);                                                            \
            ct_retile_registers(z, x);                                                             \
            CT_EACH(i, x) CHECK(SAME(ct_val(y, i), ct_val(x, i)));                                 \
            CT_EACH(i, z) CHECK(SAME(ct_val(z, i), ct_val(x, i % 2 * 4 + i / 2)));                 \
        }                                                                                          \
    }

CT_KERNEL_THREADS(register_unpacked, 128, register_args, args)
{
    int32_t wrong = 0;
    const uint32_t t = threadIdx.x,
                   bytes = 2 * t | (2 * t + 1) << 8 | (t ^ 0x5a) << 16 | (255 - t) << 24;
    CT_STATIC(
        ct_tiled_copy, rows,
        ct_make_tiled_copy(ct_copy_atom_auto(32), ct_read("(8,16):(16,1)"), ct_read("(1,4)")));
    CT_STATIC(ct_partition, by_row,
              ct_make_partition(rows, ct_tuple2(16, 64), ct_in_global(1), ct_in_registers()));
    CT_STATIC(ct_partition, by_fours,
              ct_make_partition(rows, ct_tuple2(16, 64), ct_in_global(1),
                                ct_in_registers_by(ct_layout2(4, 2, 2, 1))));
    UNPACKED(int4, half)
    UNPACKED(uint4, half)
    UNPACKED(e4m3, half)
    UNPACKED(e5m2, half)
    UNPACKED(int4, bfloat16)
    UNPACKED(uint4, bfloat16)
    UNPACKED(e4m3, bfloat16)
    UNPACKED(e5m2, bfloat16)
    DONE;
}

/* Another order of the same thread; vectors along an axis; what is outside of the tensor. */
CT_KERNEL_THREADS(register_orders, 128, register_args, args)
{
    int32_t wrong = 0;
    const ct_index at = ct_index2(0, 0);
    CT_STATIC(ct_partition, in, to_registers(plain(), ct_in_registers()));
    CT_STATIC(ct_partition, permuted,
              to_registers(plain(), ct_in_registers_by(ct_layout2(4, 8, 8, 1))));
    CT_STATIC(ct_partition, out,
              ct_make_partition(plain(), square(), ct_in_registers(), ct_in_global(1)));
    CT_REGISTERS(float, x, in);
    CT_REGISTERS(float, y, permuted);
    CT_REGISTERS(float, columns, ct_fragment_reduced(x_as, 0));
    ct_copy(ct_view_tile(&args.x, &in, at), x);
    ct_retile_registers(y, x);
    CT_EACH(i, y) CHECK(ct_val(y, i) == (float)(64 * ct_coord(y, i, 0) + ct_coord(y, i, 1)));
    ct_load_values(columns, &args.x, ct_index2(5, 0));
    CT_EACH(i, x) CHECK(ct_val_row(columns, x, i) == (float)(64 * 5 + ct_coord(x, i, 1)));
    for (int k = -1; k < 3; ++k) { /* columns before and after it, and rows */
        const int row = k < 2 ? 5 : 64, first = k < 2 ? 37 * k : 0;
        ct_load_values(columns, &args.x, ct_index2(row, first));
        CT_EACH(i, columns)
        {
            const int c = first + ct_coord(columns, i, 1), in = c >= 0 && c < 64 && row < 64;
            CHECK(ct_val(columns, i) == (in ? (float)(64 * row + c) : 0.0f));
        }
    }
    const ct_view edge = ct_view_at(&args.x, &in, ct_index2(40, 28));
    ct_copy(edge, x);
    ct_fill_outside(x, edge, -1);
    CT_EACH(i, x)
    {
        const int row = 40 + ct_coord(x, i, 0), column = 28 + ct_coord(x, i, 1);
        CHECK(ct_val(x, i) == (row < 64 && column < 64 ? (float)(64 * row + column) : -1.0f));
    }
    ct_copy(x, ct_view_tile(&args.out, &out, at));
    DONE;
}

/* Reads a value that was never written. */
CT_KERNEL_THREADS(unwritten_registers, 128, register_args, args)
{
    CT_STATIC(ct_partition, in, to_registers(plain(), ct_in_registers()));
    CT_REGISTERS(float, x, in);
    ct_put(x, 0, 1);
    const int32_t wrong = ct_val(x, 0) == 1 && ct_val(x, 1) != ct_val(x, 1) ? 0 : 1;
    DONE;
}
