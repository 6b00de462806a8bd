/* The arguments of a kernel: texts, and the parameters that they become. */
#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cutlet/algebra/element_type.h>
#include <cutlet/device/element/element.h>
#include <cutlet/host/text.h>
#include <cutlet/host/tma.h>
#include "base/number.h"
#include "base/refuse.h"
#include "text/extents.h"

#define REFUSE(...) ct_refuse(message, CT_E_ARGUMENT, __VA_ARGS__)

/* The extents of `256,256]`; 0, or -1. */
static int read_shape(const char *at, ct_npy *array)
{
    for (array->rank = 0, array->size = 1; array->rank < CT_NPY_MAX_RANK; ++at) {
        int64_t *const n = &array->shape[array->rank++];
        if (ct_number_begin(at, 1, INT32_MAX, n, &at)) return -1;
        if (array->size > (INT64_C(1) << 40) / *n) return -1;
        array->size *= *n;
        if (*at != ',') return strcmp(at, "]") != 0;
    }
    return -1;
}

/* Cuts the text of an array, [SHAPE]@FILE:out@FILE behind the type, into its parts; the shape, or NULL. */
static char *cut(ct_run_arg *a, char *value)
{
    char *const by_value = strstr(value, ":value"), *const out = strstr(value, ":out");
    if (by_value && !by_value[6]) a->by_value = 1, *by_value = '\0';
    if (out && (!out[4] || out[4] == '@')) {
        a->is_out = 1;
        a->out_file = out[4] ? out + 5 : NULL;
        *out = '\0';
    }
    char *const at = strchr(value, '@'), *const shape = strchr(value, '[');
    if (at) a->file = at + 1, *at = '\0';
    if (!shape || (at && shape > at)) return NULL;
    *shape = '\0';
    return shape + 1;
}

/* The file's array, which is as the text says. */
static ct_status load(ct_run_arg *a, char message[CT_MESSAGE_BYTES])
{
    const ct_npy asked = a->array;
    ct_npy *const array = &a->array;
    char why[CT_MESSAGE_BYTES];
    *array = (ct_npy){0};
    if (ct_npy_read(a->file, array, why))
        return ct_refuse(message, CT_E_FILE, "%s: %.600s", a->name, why);
    if (!a->has_type && ct_named_type_read(array->descr, &a->type, why))
        return REFUSE("%s: %.600s", a->name, why);
    if (array->elem_bytes != a->type.bits / 8 || (array->big_endian && array->elem_bytes > 1))
        return REFUSE("%s: the file has elements %.40s, not %s", a->name, array->descr,
                      a->type.name);
    if (asked.rank &&
        (asked.rank != array->rank ||
         memcmp(asked.shape, array->shape, (size_t)asked.rank * sizeof(int64_t)) != 0))
        return REFUSE("%s: the file has another shape", a->name);
    return CT_OK;
}
static ct_status make(ct_run_arg *a, char message[CT_MESSAGE_BYTES])
{
    ct_npy *const array = &a->array;
    if (!a->has_type || !array->rank)
        return REFUSE("%s: without a file it takes a type and a shape", a->name);
    ct_named_type_describe(&a->type, array->descr);
    array->kind = a->type.code[0];
    array->elem_bytes = a->type.bits / 8;
    array->data_bytes = array->size * array->elem_bytes;
    array->data = calloc(1, (size_t)array->data_bytes);
    return array->data ? CT_OK : ct_refuse(message, CT_E_MEMORY, "%s: out of memory", a->name);
}

/* NAME=TYPE:NUMBER, or NAME=TYPE[SHAPE]@FILE:out@FILE. */
static ct_status read_arg(const char *text, ct_run_arg *a, char message[CT_MESSAGE_BYTES])
{
    char *value = a->name = strdup(text), why[CT_MESSAGE_BYTES];
    if (!value) return ct_refuse(message, CT_E_MEMORY, "out of memory");
    value += strcspn(value, "=");
    if (!*value || value == a->name) return REFUSE("--arg %.100s: it is NAME=VALUE", text);
    *value++ = '\0';
    const int is_array = strpbrk(value, "[@") || strstr(value, ":out");
    char *const shape = is_array ? cut(a, value) : NULL, *const colon = strchr(value, ':');
    if (!is_array) a->number = colon ? colon + 1 : value;
    if (!is_array && colon) *colon = '\0';
    a->has_type = value != a->number && *value;
    if (a->has_type && ct_named_type_read(value, &a->type, why))
        return REFUSE("%s: %.600s", a->name, why);
    if (shape && read_shape(shape, &a->array))
        return REFUSE("%s: `[%.60s` is no shape such as [256,64]", a->name, shape);
    if (!is_array) return CT_OK;
    return a->file ? load(a, message) : make(a, message);
}

/* ---- parameters ------------------------------------------------------------------------------ */

static ct_status put_number(const ct_run_arg *a, unsigned char *to, char message[CT_MESSAGE_BYTES])
{
    const int bits = a->type.bits, is_signed = a->type.code[0] == 'i';
    char *end = NULL;
    int64_t n = 0;
    const double x = strtod(a->number, &end);
    const float f = (float)x;
    uint32_t word = a->type.element == CT_TYPE_BFLOAT16 ? ct_bfloat16_of_float(f)
                    : bits == 16                        ? ct_half_of_float(f)
                                                        : ct_bits_of_float(f);
    if (a->type.code[0] == 'f' || a->type.element == CT_TYPE_BFLOAT16) {
        if (bits == 64) memcpy(to, &x, sizeof x);
        else memcpy(to, &word, (size_t)bits / 8);
        if (end != a->number && !*end && bits <= 64) return CT_OK;
    } else if (bits <= 64) {
        const int64_t most =
            bits - is_signed < 63 ? (INT64_C(1) << (bits - is_signed)) - 1 : INT64_MAX;
        if (ct_number_read(a->number, is_signed ? -most - (bits < 64) : 0, most, &n) == 0) {
            memcpy(to, &n, (size_t)bits / 8);
            return CT_OK;
        }
    }
    return REFUSE("%s: `%.60s` is no %s", a->name, a->number, a->type.name);
}

/* The type of a number that has none is that of the parameter. */
static ct_status set_type(ct_run_arg *a, const ct_ptx_param *p, char message[CT_MESSAGE_BYTES])
{
    char name[32];
    if (a->has_type || !a->number) return CT_OK; /* b32 is a uint32; u8 is a code of NumPy's */
    snprintf(name, sizeof name, "%s%s", p->type[0] == 'b' ? "u" : "",
             p->type + (p->type[0] == 'b'));
    if (!p->is_array &&
        ct_named_type_read(strcmp(p->type, "u8") == 0 ? "uint8" : name, &a->type, NULL) == 0)
        return CT_OK;
    return REFUSE("%s: its type is missing, as in %s=i32:%.60s", a->name, a->name, a->number);
}

/* box=64x64,swizzle=128: the tensor map of the array. */
static ct_status put_map(const ct_run_arg *a, unsigned char *to, char message[CT_MESSAGE_BYTES])
{
    static const int32_t floats[] = {[16] = CT_ELEM_F16, [32] = CT_ELEM_F32, [64] = CT_ELEM_F64};
    static const int32_t others[] = {
        [8] = CT_ELEM_U8, [16] = CT_ELEM_U16, [32] = CT_ELEM_U32, [64] = CT_ELEM_U64};
    char box[64] = "", why[CT_MESSAGE_BYTES];
    int swizzle = 0, used = 0;
    ct_tuple extents;
    ct_diag diag;
    ct_tma_map map;
    const int bits = a->type.bits;
    if (bits > 64 ||
        sscanf(a->map, "box=%63[^,]%n,swizzle=%d%n", box, &used, &swizzle, &used) < 1 ||
        a->map[used] || (swizzle & (swizzle - 1)) || swizzle == 16 || swizzle > 128 || swizzle < 0)
        return REFUSE("--tma %s,%.60s: it is NAME,box=64x64,swizzle=0, 32, 64 or 128", a->name,
                      a->map);
    if (ct_extents_read(box, &extents, &diag))
        return REFUSE("--tma %s: box=%s: %.300s", a->name, box, diag.message);
    const int elem = a->type.element == CT_TYPE_BFLOAT16 ? CT_ELEM_BF16
                     : a->type.code[0] == 'f'            ? floats[bits]
                                                         : others[bits];
    const int mode = swizzle == 0 ? 0 : swizzle == 32 ? 1 : swizzle == 64 ? 2 : 3;
    const ct_tma_desc d =
        ct_make_tma_desc(ct_npy_layout(&a->array), extents, elem, mode, (uintptr_t)a->array.data);
    if (ct_grid_tma_map(&d, &map, why)) return REFUSE("--tma %s: %.600s", a->name, why);
    memcpy(to, &map, sizeof map);
    return CT_OK;
}

static int64_t bytes_of(const ct_run_arg *a)
{
    return a->map        ? (int64_t)sizeof(ct_tma_map)
           : a->number   ? a->type.bits / 8
           : a->by_value ? a->array.data_bytes
                         : (int64_t)sizeof(void *);
}
static ct_status put(const ct_run_arg *a, unsigned char *to, char message[CT_MESSAGE_BYTES])
{
    if (a->map) return put_map(a, to, message);
    if (a->number) return put_number(a, to, message);
    if (a->by_value) memcpy(to, a->array.data, (size_t)a->array.data_bytes);
    else memcpy(to, &a->array.data, sizeof(void *));
    return CT_OK;
}

/* Arguments fill the parameters in order. A structure takes several, each at its own alignment. */
static ct_status place(ct_run *run, const ct_grid_kernel *kernel, char message[CT_MESSAGE_BYTES])
{
    ct_ptx_param p = ct_ptx_param_at(kernel, 0);
    int32_t param = 0, used = 0;
    for (int i = 0; i < run->arg_count; ++i) {
        ct_run_arg *const a = &run->args[i];
        if (!p.name)
            return REFUSE("%s: the kernel has only %d parameters; --list shows them", a->name,
                          param);
        if (set_type(a, &p, message)) return CT_E_ARGUMENT;
        const int64_t bytes = bytes_of(a), align = a->map ? 64 : a->by_value ? 1 : bytes;
        int64_t at = (used + align - 1) / align * align;
        if (used && at + bytes > p.bytes) { /* padding ends the structure */
            p = ct_ptx_param_at(kernel, ++param);
            at = used = 0;
        }
        if (at + bytes > p.bytes || (!p.is_array && bytes != p.bytes))
            return REFUSE("%s: it has %lld bytes; parameter %d of the kernel has %d", a->name,
                          (long long)bytes, param, p.bytes);
        if (put(a, run->argument + p.offset_bytes + at, message)) return CT_E_ARGUMENT;
        used = (int32_t)(at + bytes);
        if (used == p.bytes) {
            p = ct_ptx_param_at(kernel, ++param);
            used = 0;
        }
    }
    if (p.name && (used == 0 || ct_ptx_param_at(kernel, param + 1).name))
        return REFUSE("parameter %d of the kernel, %s, has no --arg; --list shows them", param,
                      p.name);
    return CT_OK;
}

/* What follows the name of an argument in --tma NAME,.. and --expect NAME=..; NULL: it is another's. */
static const char *behind(const char *text, const char *name, char sign)
{
    const size_t n = strlen(name);
    return strncmp(text, name, n) == 0 && text[n] == sign ? text + n + 1 : NULL;
}
static ct_status assign(ct_run *run, const char *text, int is_map, char message[CT_MESSAGE_BYTES])
{
    ct_run_arg *only = NULL;
    int outs = 0;
    for (int i = 0; i < run->arg_count; ++i) {
        ct_run_arg *const a = &run->args[i];
        const char *const rest = behind(text, a->name, is_map ? ',' : '=');
        if (rest && a->number) continue;
        if (rest) *(is_map ? &a->map : &a->expected) = rest;
        if (rest) return CT_OK;
        if (a->is_out && ++outs) only = a;
    }
    if (is_map || outs != 1 || strchr(text, '='))
        return REFUSE("--%s %.100s: it names no array of an --arg", is_map ? "tma" : "expect",
                      text);
    only->expected = text;
    return CT_OK;
}

ct_status ct_run_bind(ct_run *run, const ct_grid_kernel *kernel, char message[CT_MESSAGE_BYTES])
{
    ct_status bad = CT_OK;
    for (int i = 0; i < run->arg_count && !bad; ++i)
        bad = read_arg(run->arg_texts[i], &run->args[i], message);
    for (int i = 0; i < run->map_count && !bad; ++i)
        bad = assign(run, run->map_texts[i], 1, message);
    for (int i = 0; i < run->expect_count && !bad; ++i)
        bad = assign(run, run->expect_texts[i], 0, message);
    return bad ? bad : place(run, kernel, message);
}
