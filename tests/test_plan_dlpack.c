/* DLPack tensors as sides of a plan and back, and what is refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "cutlet/host/dlpack.h"
#include "cutlet/make.h"

static char message[CT_PLAN_MESSAGE_BYTES];

static ct_dl_tensor tensor_of(void *data, int code, int bits, int ndim, int64_t *shape,
                              int64_t *strides)
{
    ct_dl_tensor t = {.data = data, .device_type = CT_DL_CPU, .ndim = ndim, .code = (uint8_t)code,
                      .bits = (uint8_t)bits, .lanes = 1, .shape = shape, .strides = strides};
    return t;
}

static void test_copy(void **state)
{
    (void)state;
    int32_t from[24], to[24];
    int64_t shape[3] = {2, 3, 4}, strides[3] = {1, 2, 6};
    for (int i = 0; i < 24; ++i) from[i] = 100 + i;
    ct_dl_tensor a = tensor_of(from, CT_DL_INT, 32, 3, shape, NULL);
    ct_dl_tensor b = tensor_of(to, CT_DL_INT, 32, 3, shape, strides);
    assert_int_equal(ct_plan_copy_dlpack(&b, &a, message), 0);
    for (int i = 0; i < 24; ++i) assert_int_equal(to[i / 12 + i / 4 % 3 * 2 + i % 4 * 6], from[i]);
    /* an offset, and strides that run backwards */
    int64_t four = 4, back = -1, one = 1;
    a = tensor_of(from, CT_DL_INT, 32, 1, &four, &back);
    a.byte_offset = 3 * sizeof *from;
    b = tensor_of(to, CT_DL_INT, 32, 1, &four, &one);
    assert_int_equal(ct_plan_copy_dlpack(&b, &a, message), 0);
    for (int i = 0; i < 4; ++i) assert_int_equal(to[i], from[3 - i]);
    /* a single element; none */
    a = tensor_of(from, CT_DL_INT, 32, 0, NULL, NULL);
    b = tensor_of(to + 9, CT_DL_INT, 32, 0, NULL, NULL);
    assert_int_equal(ct_plan_copy_dlpack(&b, &a, message), 0);
    assert_int_equal(to[9], from[0]);
    int64_t none[2] = {3, 0};
    a = tensor_of(NULL, CT_DL_INT, 32, 2, none, NULL);
    assert_int_equal(ct_plan_copy_dlpack(&a, &a, message), 0);
}

static void test_types(void **state)
{
    (void)state;
    static const struct {
        int code, bits, lanes, type, bytes;
    } rows[] = {
        {CT_DL_FLOAT, 16, 1, CT_TYPE_HALF, 2},     {CT_DL_BFLOAT, 16, 1, CT_TYPE_BFLOAT16, 2},
        {CT_DL_FLOAT, 32, 1, CT_TYPE_FLOAT, 4},    {CT_DL_FLOAT, 64, 1, CT_TYPE_DOUBLE, 8},
        {CT_DL_INT, 8, 1, CT_TYPE_INT8, 1},        {CT_DL_UINT, 8, 1, CT_TYPE_RAW, 1},
        {CT_DL_COMPLEX, 128, 1, CT_TYPE_RAW, 16},  {CT_DL_UINT, 8, 3, CT_TYPE_RAW, 3},
        {CT_DL_FLOAT, 32, 4, CT_TYPE_RAW, 16},     {CT_DL_INT, 64, 1, CT_TYPE_RAW, 8},
    };
    int64_t extents[2] = {5, 6}, shape[CT_MAX_LEAVES], strides[CT_MAX_LEAVES];
    char memory[16 * 30];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        ct_dl_tensor t = tensor_of(memory, rows[i].code, rows[i].bits, 2, extents, NULL), back;
        ct_plan_side side;
        void *at;
        t.lanes = (uint16_t)rows[i].lanes;
        assert_int_equal(ct_plan_side_from_dlpack(&t, &side, &at, message), 0);
        assert_int_equal(side.type, rows[i].type);
        assert_int_equal(side.elem_bytes, rows[i].bytes);
        assert_ptr_equal(at, memory);
        assert_true(ct_layout_equal(side.memory.layout, ct_make_row_major(ct_tuple2(5, 6))));
        assert_int_equal(ct_plan_side_to_dlpack(&side, at, &back, shape, strides, message), 0);
        assert_ptr_equal(back.data, memory);
        assert_int_equal(back.ndim, 2);
        assert_int_equal(back.bits * back.lanes, 8 * rows[i].bytes);
        if (rows[i].type != CT_TYPE_RAW) assert_int_equal(back.code, rows[i].code);
        assert_int_equal(shape[0], 5);
        assert_int_equal(shape[1], 6);
        assert_int_equal(strides[0], 6);
        assert_int_equal(strides[1], 1);
    }
}

static void test_refused(void **state)
{
    (void)state;
    int64_t shape[CT_MAX_LEAVES + 1], strides[CT_MAX_LEAVES + 1], other = 4, negative = -3;
    char memory[16];
    ct_plan_side side;
    void *at;
    for (int k = 0; k <= CT_MAX_LEAVES; ++k) shape[k] = 3;
    ct_dl_tensor t = tensor_of(memory, CT_DL_UINT, 4, 1, shape, NULL), u;
    assert_int_equal(ct_plan_side_from_dlpack(&t, &side, &at, message), CT_PLAN_E_ARGUMENT);
    assert_string_equal(message, "tensor: elements of 4 bits; they have 1 to 16 whole bytes");
    t = tensor_of(memory, CT_DL_UINT, 8, CT_MAX_LEAVES + 1, shape, NULL);
    assert_int_equal(ct_plan_side_from_dlpack(&t, &side, &at, message), CT_PLAN_E_ARGUMENT);
    t = tensor_of(memory, CT_DL_UINT, 8, 1, &negative, NULL);
    assert_int_equal(ct_plan_side_from_dlpack(&t, &side, &at, message), CT_PLAN_E_ARGUMENT);
    assert_string_equal(message, "tensor: mode 0 has the extent -3");
    t = tensor_of(memory, CT_DL_UINT, 8, 1, shape, NULL);
    u = tensor_of(memory + 8, CT_DL_UINT, 8, 1, &other, NULL);
    assert_int_equal(ct_plan_copy_dlpack(&u, &t, message), CT_PLAN_E_ARGUMENT);
    assert_string_equal(message, "mode 0: the source has the extent 3, the destination 4");
    u = tensor_of(memory + 8, CT_DL_UINT, 8, 1, shape, NULL);
    u.device_type = CT_DL_CUDA;
    assert_int_equal(ct_plan_copy_dlpack(&u, &t, message), CT_PLAN_E_BACKEND);
    assert_string_equal(message, "destination: a tensor of device type 2, not in memory of the host");
    side = ct_plan_side_raw(ct_layout1(8, 1), 1);
    side.memory.swizzle = ct_make_swizzle(1, 0, 1);
    assert_int_equal(ct_plan_side_to_dlpack(&side, memory, &t, shape, strides, message),
                     CT_PLAN_E_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copy),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
