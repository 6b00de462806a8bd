/* NumPy files: any bytes are read or refused with a reason, and so is a file with a header that is put
 * together from its parts. What is read agrees with itself, and is read again from a header written
 * anew. */
#include "bytes.h"
#include <cutlet/algebra/size.h>
#include <cutlet/host/npy.h>

/* The bytes of a file; what is more than 16 KiB is left out. */
typedef struct file {
    uint8_t at[16384];
    size_t count;
} file;

static void put(file *f, const void *bytes, size_t count)
{
    if (f->count + count > sizeof f->at) count = sizeof f->at - f->count;
    memcpy(f->at + f->count, bytes, count);
    f->count += count;
}

/* Magic bytes, version and length, then the header. */
static void put_header(file *f, int version, const fuzz_text *t, int64_t lie)
{
    const size_t length = t->length + (size_t)lie;
    /* clang-format off */
    const uint8_t head[12] = {0x93, 'N', 'U', 'M', 'P', 'Y', (uint8_t)version, 0, (uint8_t)length,
                              (uint8_t)(length >> 8), (uint8_t)(length >> 16), 0};
    /* clang-format on */
    put(f, head, version == 1 ? 10 : 12);
    put(f, t->at, t->length);
}

/* What every array that was read is. */
static void check_array(const ct_npy *a)
{
    int64_t size = 1;
    require(strlen(a->descr) < sizeof a->descr && a->descr[0] != '\0');
    require(strchr("biufcmMSUV", a->kind) != NULL && a->kind != '\0');
    require(a->elem_bytes >= 1 && a->elem_bytes <= CT_NPY_MAX_ELEM_BYTES);
    require(a->rank >= 0 && a->rank <= CT_NPY_MAX_RANK);
    for (int k = 0; k < a->rank; ++k) {
        require(a->shape[k] >= 1);
        size *= a->shape[k];
    }
    require(size == a->size && a->data_bytes == size * a->elem_bytes && a->data != NULL);
    const ct_layout L = ct_npy_layout(a);
    require((a->rank > CT_MAX_LEAVES) == (L.err.status == CT_E_CAPACITY));
    if (L.err.status) return;
    require(ct_is_valid(L) && ct_size(L) == size && ct_cosize(L) == size);
}

/* The same array from a header of ours, without spaces. */
static void check_again(const ct_npy *a)
{
    static const char *const word[2] = {"False", "True"};
    char message[CT_MESSAGE_BYTES];
    const int is_list = a->descr[0] == '[';
    fuzz_text t = {{0}, 0};
    file f = {{0}, 0};
    ct_npy again;
    if (a->data_bytes > 4096) return;
    fuzz_put(&t, "{\"shape\":(");
    for (int k = 0; k < a->rank; ++k) {
        fuzz_put_int(&t, a->shape[k]);
        fuzz_put(&t, ",");
    }
    fuzz_put(&t, is_list ? "),'descr':" : "),'descr':'");
    fuzz_put(&t, a->descr);
    fuzz_put(&t, is_list ? ",'fortran_order':" : "','fortran_order':");
    fuzz_put(&t, word[a->fortran]);
    fuzz_put(&t, "}");
    put_header(&f, 3, &t, 0);
    put(&f, a->data, (size_t)a->data_bytes);
    require(ct_npy_decode(f.at, f.count, &again, message) == 0);
    require(memcmp(again.descr, a->descr, sizeof a->descr) == 0 || !strcmp(again.descr, a->descr));
    require(again.rank == a->rank && again.kind == a->kind && again.fortran == a->fortran);
    require(again.elem_bytes == a->elem_bytes && again.big_endian == a->big_endian);
    require(memcmp(again.shape, a->shape, sizeof a->shape) == 0);
    require(memcmp(again.data, a->data, (size_t)a->data_bytes) == 0);
    ct_npy_free(&again);
}

static void check_bytes(const uint8_t *bytes, size_t count)
{
    static const ct_npy zero;
    char message[CT_MESSAGE_BYTES] = "";
    ct_npy a;
    if (ct_npy_decode(bytes, count, &a, message) == 0) {
        check_array(&a);
        check_again(&a);
    } else {
        require(message[0] != '\0' && strchr(message, '\n') == NULL);
        require(memcmp(&a, &zero, sizeof a) == 0);
    }
    ct_npy_free(&a);
}

/* A type, mostly one that there is. */
static int put_type(fuzz_text *t, fuzz_bytes *b)
{
    static const struct {
        const char *text;
        int bytes;
    } types[] = {{"<f4", 4},  {"<f2", 2}, {">i8", 8},  {"|u1", 1},     {"|b1", 1}, {"<c16", 16},
                 {"<U3", 12}, {"|S5", 5}, {"|V7", 7},  {"<M8[ns]", 8}, {"f8", 8},  {"<f16", 16},
                 {"|O", 0},   {"<f3", 0}, {"|S99", 0}, {"<", 0},       {"", 0},    {"<m8[25s", 0}};
    const int i = fuzz_pick(b, sizeof types / sizeof *types);
    fuzz_put(t, "'");
    fuzz_put(t, types[i].text);
    fuzz_put(t, "'");
    return types[i].bytes;
}

static void put_shape(fuzz_text *t, fuzz_bytes *b, int64_t *size)
{
    const int rank = fuzz_pick(b, 8) ? fuzz_pick(b, 4) : fuzz_pick(b, 70);
    fuzz_put(t, "(");
    for (int k = 0; k < rank; ++k) {
        const int64_t extent = fuzz_pick(b, 12) ? fuzz_int(b, 1, 5) : fuzz_int(b, 0, INT64_MAX);
        *size = *size > 8192 || extent > 8192 ? 8193 : *size * extent;
        fuzz_put_int(t, extent);
        if (fuzz_pick(b, 16) == 0) fuzz_put(t, "L");
        if (k + 1 < rank || rank == 1 || fuzz_pick(b, 2)) fuzz_put(t, ", ");
    }
    fuzz_put(t, ")");
}

/* Fields of a type, nested a few deep; returns their bytes, of many no more than too many. */
static int put_fields(fuzz_text *t, fuzz_bytes *b, int depth)
{
    const int fields = fuzz_pick(b, 4);
    int bytes = 0;
    fuzz_put(t, "[");
    for (int k = 0; k < fields; ++k) {
        static const char *const names[] = {"('x', ", "('\xc3\xa9', ", "(('t', 'y'), ", "('', "};
        int64_t repeat = 1;
        fuzz_put(t, names[fuzz_pick(b, 4)]);
        const int own =
            depth < 10 && fuzz_pick(b, 3) == 0 ? put_fields(t, b, depth + 1) : put_type(t, b);
        if (fuzz_pick(b, 3) == 0) {
            fuzz_put(t, ", ");
            put_shape(t, b, &repeat);
        }
        bytes = (int)ct_min(CT_NPY_MAX_ELEM_BYTES + 1, bytes + own * repeat);
        fuzz_put(t, k + 1 < fields ? "), " : ")");
    }
    fuzz_put(t, "]");
    return bytes;
}

/* The keys in any order, one of them perhaps missing, unknown or there twice. */
static void check_file(fuzz_bytes *b)
{
    static const char *const order[] = {"False", "True", "Maybe", "0"};
    const int version = fuzz_pick(b, 8) ? 1 + fuzz_pick(b, 3) : fuzz_pick(b, 256);
    const int first = fuzz_pick(b, 3), keys = fuzz_pick(b, 8) ? 3 : fuzz_pick(b, 5);
    int64_t size = 1;
    int bytes = 0;
    fuzz_text t = {{0}, 0};
    file f = {{0}, 0};
    fuzz_put(&t, "{");
    for (int k = 0; k < keys; ++k) {
        switch ((first + k) % 3) {
            case 0:
                fuzz_put(&t, "'descr': ");
                bytes = fuzz_pick(b, 3) ? put_type(&t, b) : put_fields(&t, b, 0);
                break;
            case 1:
                fuzz_put(&t, "'fortran_order': ");
                fuzz_put(&t, order[fuzz_pick(b, 8) ? fuzz_pick(b, 2) : fuzz_pick(b, 4)]);
                break;
            default: fuzz_put(&t, "'shape': "); put_shape(&t, b, &size);
        }
        if (k + 1 < keys || fuzz_pick(b, 2)) fuzz_put(&t, ", ");
    }
    fuzz_put(&t, fuzz_pick(b, 16) ? "}   \n" : "} x");
    put_header(&f, version, &t, fuzz_pick(b, 16) ? 0 : fuzz_int(b, 0, 40));
    const int64_t data = size <= 8192 && bytes <= 16 ? size * bytes : 16;
    const int64_t given = fuzz_pick(b, 8) ? data : fuzz_int(b, 0, 255);
    for (int64_t i = 0; i < given && f.count < sizeof f.at; ++i)
        f.at[f.count++] = (uint8_t)(i * 37);
    check_bytes(f.at, f.count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes b = {data, data + size};
    if (fuzz_pick(&b, 2)) check_file(&b);
    else check_bytes(b.at, fuzz_left(&b));
    return 0;
}
