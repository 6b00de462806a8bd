/* DLPack tensors as sides of a plan and back, and what is refused. */
#include "test.h"

#include <cutlet/host/dlpack.h>
#include <cutlet/algebra/make.h>

static char message[CT_MESSAGE_BYTES];

static ct_dl_tensor tensor_of(void *data, int code, int bits, int ndim, int64_t *shape,
                              int64_t *strides)
{
    ct_dl_tensor t = {.data = data,
                      .device_type = CT_DL_CPU,
                      .ndim = ndim,
                      .code = (uint8_t)code,
                      .bits = (uint8_t)bits,
                      .lanes = 1,
                      .shape = shape,
                      .strides = strides};
    return t;
}

TEST(test_copy)
{
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

TEST(test_types)
{
    static const struct {
        int code, bits, lanes, type, bytes;
    } rows[] = {
        {CT_DL_FLOAT, 16, 1, CT_TYPE_HALF, 2},    {CT_DL_BFLOAT, 16, 1, CT_TYPE_BFLOAT16, 2},
        {CT_DL_FLOAT, 32, 1, CT_TYPE_FLOAT, 4},   {CT_DL_FLOAT, 64, 1, CT_TYPE_DOUBLE, 8},
        {CT_DL_INT, 8, 1, CT_TYPE_INT8, 1},       {CT_DL_UINT, 8, 1, CT_TYPE_RAW, 1},
        {CT_DL_COMPLEX, 128, 1, CT_TYPE_RAW, 16}, {CT_DL_UINT, 8, 3, CT_TYPE_RAW, 3},
        {CT_DL_FLOAT, 32, 4, CT_TYPE_RAW, 16},    {CT_DL_INT, 64, 1, CT_TYPE_RAW, 8},
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

TEST(test_refused)
{
    int64_t shape[CT_MAX_LEAVES + 1], strides[CT_MAX_LEAVES + 1], other = 4, negative = -3;
    char memory[16];
    ct_plan_side side;
    void *at;
    for (int k = 0; k <= CT_MAX_LEAVES; ++k) shape[k] = 3;
    ct_dl_tensor t = tensor_of(memory, CT_DL_UINT, 4, 1, shape, NULL), u;
    assert_int_equal(ct_plan_side_from_dlpack(&t, &side, &at, message), CT_E_ARGUMENT);
    assert_string_equal(message, "tensor: elements of 4 bits; they have 1 to 16 whole bytes");
    t = tensor_of(memory, CT_DL_UINT, 8, CT_MAX_LEAVES + 1, shape, NULL);
    assert_int_equal(ct_plan_side_from_dlpack(&t, &side, &at, message), CT_E_ARGUMENT);
    t = tensor_of(memory, CT_DL_UINT, 8, 1, &negative, NULL);
    assert_int_equal(ct_plan_side_from_dlpack(&t, &side, &at, message), CT_E_ARGUMENT);
    assert_string_equal(message, "tensor: mode 0 has the extent -3");
    t = tensor_of(memory, CT_DL_UINT, 8, 1, shape, NULL);
    u = tensor_of(memory + 8, CT_DL_UINT, 8, 1, &other, NULL);
    assert_int_equal(ct_plan_copy_dlpack(&u, &t, message), CT_E_ARGUMENT);
    assert_string_equal(message, "mode 0: the source has the extent 3, the destination 4");
    u = tensor_of(memory + 8, CT_DL_UINT, 8, 1, shape, NULL);
    u.device_type = CT_DL_CUDA;
    assert_int_equal(ct_plan_copy_dlpack(&u, &t, message), CT_E_BACKEND);
    assert_string_equal(message, "the source is on device 1:0, the destination on 2:0");
    t.device_type = CT_DL_CUDA;
    t.device_id = 1;
    assert_int_equal(ct_plan_copy_dlpack(&u, &t, message), CT_E_BACKEND);
    assert_string_equal(message, "the source is on device 2:1, the destination on 2:0");
    t.device_type = 10; /* ROCm */
    assert_int_equal(ct_plan_copy_dlpack(&u, &t, message), CT_E_BACKEND);
    assert_string_equal(message,
                        "source: a tensor of device type 10, neither of the host nor of CUDA");
    t.device_type = u.device_type = CT_DL_CUDA_HOST;
    t.shape = NULL;
    assert_int_equal(ct_plan_side_from_dlpack(&t, &side, &at, message), CT_E_ARGUMENT);
    assert_string_equal(message, "tensor: it has no shape");
    side = ct_plan_side_raw(ct_layout1(8, 1), 1);
    side.memory.swizzle = ct_make_swizzle(1, 0, 1);
    assert_int_equal(ct_plan_side_to_dlpack(&side, memory, &t, shape, strides, message),
                     CT_E_ARGUMENT);
    assert_string_equal(message, "side: it is swizzled, which the strides of a tensor cannot say");
    int64_t far[2] = {INT64_MAX, 3};
    t = tensor_of(memory, CT_DL_UINT, 8, 2, far, NULL);
    assert_int_equal(ct_plan_side_from_dlpack(&t, &side, &at, message), CT_E_ARGUMENT);
    assert_string_equal(message, "tensor: its offsets do not fit in 64 bits");
    assert_int_equal(ct_plan_copy_dlpack(&u, &t, message), CT_E_ARGUMENT);
    assert_string_equal(message, "the source has 2 dimensions, the destination 1");
}

/* Elements of types that plans do not know are moved, never changed into others of the same size. */
TEST(test_other_types)
{
    static const struct {
        int from[3], to[3], status;
    } rows[] = {
        /* code, bits, lanes */
        {{CT_DL_BOOL, 8, 1}, {CT_DL_BOOL, 8, 1}, CT_OK},
        {{CT_DL_UINT, 16, 1}, {CT_DL_UINT, 16, 1}, CT_OK},
        {{CT_DL_UINT, 8, 3}, {CT_DL_UINT, 8, 3}, CT_OK},
        {{CT_DL_FLOAT, 32, 2}, {CT_DL_FLOAT, 32, 2}, CT_OK},
        {{CT_DL_INT, 8, 1}, {CT_DL_FLOAT, 32, 1}, CT_OK},
        {{CT_DL_BFLOAT, 16, 1}, {CT_DL_FLOAT, 16, 1}, CT_OK},
        {{CT_DL_UINT, 8, 1}, {CT_DL_BOOL, 8, 1}, CT_E_ARGUMENT},
        {{CT_DL_UINT, 8, 1}, {CT_DL_INT, 8, 1}, CT_E_ARGUMENT},
        {{CT_DL_INT, 32, 1}, {CT_DL_UINT, 32, 1}, CT_E_ARGUMENT},
        {{CT_DL_COMPLEX, 64, 1}, {CT_DL_INT, 64, 1}, CT_E_ARGUMENT},
        {{CT_DL_FLOAT, 32, 2}, {CT_DL_UINT, 64, 1}, CT_E_ARGUMENT},
        {{CT_DL_UINT, 8, 4}, {CT_DL_UINT, 32, 1}, CT_E_ARGUMENT},
    };
    int64_t extent = 5;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        _Alignas(16) char from[80] = {1, 0, 1, 1}, to[80] = {0};
        ct_dl_tensor a = tensor_of(from, rows[i].from[0], rows[i].from[1], 1, &extent, NULL);
        ct_dl_tensor b = tensor_of(to, rows[i].to[0], rows[i].to[1], 1, &extent, NULL);
        a.lanes = (uint16_t)rows[i].from[2];
        b.lanes = (uint16_t)rows[i].to[2];
        const int status = ct_plan_copy_dlpack(&b, &a, message);
        if (status != rows[i].status) fail_msg("row %d: %d, %s", (int)i, status, message);
        char why[CT_MESSAGE_BYTES];
        snprintf(why, sizeof why,
                 "elements of code %d, %d bits, %d lanes are not converted to code %d, %d bits, %d "
                 "lanes",
                 a.code, a.bits, a.lanes, b.code, b.bits, b.lanes);
        if (status) assert_string_equal(message, why);
        else if (rows[i].from[0] == rows[i].to[0])
            assert_memory_equal(from, to, (size_t)(5 * a.bits / 8 * a.lanes));
    }
}

/* Complex numbers lie where their parts are aligned; anything else may lie anywhere. */
TEST(test_unaligned)
{
    static const int types[][3] = {
        {CT_DL_COMPLEX, 128, 8}, {CT_DL_COMPLEX, 64, 4}, {CT_DL_FLOAT, 64, 1}, {CT_DL_UINT, 16, 1}};
    _Alignas(16) unsigned char from[256], to[256];
    int64_t shape[2] = {2, 3}, transposed[2] = {1, 2};
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
        const int bytes = types[i][1] / 8, past = types[i][2];
        for (int k = 0; k < 256; ++k) from[k] = (unsigned char)k;
        memset(to, 0xee, sizeof to);
        ct_dl_tensor a = tensor_of(from, types[i][0], types[i][1], 2, shape, NULL);
        ct_dl_tensor b = tensor_of(to, types[i][0], types[i][1], 2, shape, transposed);
        a.byte_offset = (uint64_t)past;
        b.byte_offset = (uint64_t)(3 * past);
        if (ct_plan_copy_dlpack(&b, &a, message)) fail_msg("%d: %s", (int)i, message);
        for (int k = 0; k < 256; ++k) {
            const int at = k - 3 * past, e = at / bytes;
            const int right =
                at < 0 || e >= 6 ? 0xee : past + (e % 2 * 3 + e / 2) * bytes + at % bytes;
            if (to[k] != right) fail_msg("type %d: byte %d is %d, not %d", (int)i, k, to[k], right);
        }
    }
}

static int deleted, released;

static void delete_it(ct_dl_managed *self)
{
    assert_int_equal(*(int *)self->manager_ctx, 77);
    ++deleted;
}

static void delete_versioned(ct_dl_versioned *self)
{
    assert_int_equal(*(int *)self->manager_ctx, 77);
    ++deleted;
}

static void release_it(void *owner)
{
    assert_int_equal(*(int *)owner, 78);
    ++released;
}

TEST(test_taken)
{
    int ours = 77;
    int64_t three = 3, four = 4;
    float from[4] = {1, 2, 3, 4}, to[4] = {0};
    ct_dl_managed m = {tensor_of(from, CT_DL_FLOAT, 32, 1, &three, NULL), &ours, delete_it};
    ct_dl_versioned v = {.major = 1,
                         .minor = 9,
                         .manager_ctx = &ours,
                         .deleter = delete_versioned,
                         .flags = CT_DL_READ_ONLY,
                         .tensor = m.tensor};
    ct_dl_tensor dst = tensor_of(to, CT_DL_FLOAT, 32, 1, &three, NULL), *tensor;
    ct_dl_tensor longer = tensor_of(to, CT_DL_FLOAT, 32, 1, &four, NULL);
    deleted = 0;
    assert_int_equal(ct_plan_take_dlpack(&dst, &m, message), 0);
    assert_int_equal(deleted, 1);
    assert_true(to[0] == 1 && to[2] == 3 && to[3] == 0);
    assert_int_equal(ct_plan_take_dlpack(&longer, &m, message), CT_E_ARGUMENT);
    assert_int_equal(deleted, 2);
    assert_int_equal(ct_plan_take_versioned_dlpack(&dst, &v, message), 0); /* reading is allowed */
    assert_int_equal(deleted, 3);
    assert_int_equal(ct_plan_take_versioned_dlpack(&longer, &v, message), CT_E_ARGUMENT);
    assert_int_equal(deleted, 4);
    assert_int_equal(ct_plan_open_dlpack(&v, 0, &tensor, message), 0);
    assert_ptr_equal(tensor, &v.tensor);
    assert_int_equal(ct_plan_open_dlpack(&v, 1, &tensor, message), CT_E_ARGUMENT);
    assert_string_equal(message, "tensor: it is read-only");
    assert_null(tensor);
    v.major = 2;
    assert_int_equal(ct_plan_take_versioned_dlpack(&dst, &v, message), CT_E_ARGUMENT);
    assert_string_equal(message, "tensor: version 2.9 of DLPack; versions 1 are read");
    assert_int_equal(deleted, 5);
    m.deleter = NULL;
    assert_int_equal(ct_plan_take_dlpack(&dst, &m, message), 0);
    assert_int_equal(deleted, 5);
}

TEST(test_given)
{
    int ours = 78;
    float data[12];
    ct_plan_side side = ct_plan_side_of(ct_layout2(3, 4, 4, 1), CT_TYPE_FLOAT);
    ct_dl_managed *m;
    ct_dl_versioned *v;
    released = 0;
    assert_int_equal(ct_plan_give_dlpack(&side, data, &ours, release_it, &m, message), 0);
    assert_true(m->tensor.data == data && m->tensor.ndim == 2 && m->tensor.strides[0] == 4);
    m->deleter(m);
    assert_int_equal(released, 1);
    assert_int_equal(
        ct_plan_give_versioned_dlpack(&side, data, CT_DL_READ_ONLY, &ours, release_it, &v, message),
        0);
    assert_true(v->major == 1 && v->flags == CT_DL_READ_ONLY && v->tensor.shape[1] == 4);
    v->deleter(v);
    assert_int_equal(released, 2);
    assert_int_equal(ct_plan_give_dlpack(&side, data, NULL, NULL, &m, message), 0);
    m->deleter(m);
    side.memory.swizzle = ct_make_swizzle(1, 0, 1);
    assert_int_equal(ct_plan_give_dlpack(&side, data, &ours, release_it, &m, message),
                     CT_E_ARGUMENT);
    assert_null(m);
    assert_int_equal(ct_plan_give_versioned_dlpack(&side, data, 0, &ours, release_it, &v, message),
                     CT_E_ARGUMENT);
    assert_null(v);
    assert_int_equal(released, 2);
}

GROUP("plan dlpack", NULL, NULL)
