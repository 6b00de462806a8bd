/* Element types by name. */
#include "types.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/refuse.h"
#include <cutlet/algebra/element_type.h>
#include "npy_header.h"
#include "text/nearest.h"

static const ct_named_type types[] = {
    {"half", "float16 f16 fp16 half_t", "half_t", "f2", 16, CT_TYPE_HALF},
    {"bfloat16", "bf16 bfloat16_t", "bfloat16_t", "V2", 16, CT_TYPE_BFLOAT16},
    {"float", "float32 f32 fp32", "float", "f4", 32, CT_TYPE_FLOAT},
    {"tf32", "tfloat32_t", "tfloat32_t", "f4", 32, CT_TYPE_RAW},
    {"double", "float64 f64 fp64", "double", "f8", 64, CT_TYPE_DOUBLE},
    {"longdouble", "float128", NULL, "f16", 128, CT_TYPE_RAW},
    {"e4m3", "fp8 float_e4m3_t float8_e4m3fn", "float_e4m3_t", "V1", 8, CT_TYPE_RAW},
    {"e5m2", "float_e5m2_t float8_e5m2", "float_e5m2_t", "V1", 8, CT_TYPE_RAW},
    {"e2m1", "fp4 float_e2m1_t float4_e2m1fn", "float_e2m1_t", "", 4, CT_TYPE_RAW},
    {"e2m3", "float_e2m3_t float6_e2m3fn", "float_e2m3_t", "", 6, CT_TYPE_RAW},
    {"e3m2", "fp6 float_e3m2_t float6_e3m2fn", "float_e3m2_t", "", 6, CT_TYPE_RAW},
    {"int4", "s4 int4_t", "int4_t", "", 4, CT_TYPE_RAW},
    {"uint4", "u4_t uint4_t", "uint4_t", "", 4, CT_TYPE_RAW},
    {"bool", "", "bool", "b1", 8, CT_TYPE_RAW},
    {"int8", "int8_t", "int8_t", "i1", 8, CT_TYPE_INT8},
    {"int16", "int16_t i16 s16", "int16_t", "i2", 16, CT_TYPE_RAW},
    {"int32", "int32_t i32 s32", "int32_t", "i4", 32, CT_TYPE_RAW},
    {"int64", "int64_t i64 s64", "int64_t", "i8", 64, CT_TYPE_RAW},
    {"uint8", "uint8_t", "uint8_t", "u1", 8, CT_TYPE_RAW},
    {"uint16", "uint16_t u16", "uint16_t", "u2", 16, CT_TYPE_RAW},
    {"uint32", "uint32_t u32", "uint32_t", "u4", 32, CT_TYPE_RAW},
    {"uint64", "uint64_t u64", "uint64_t", "u8", 64, CT_TYPE_RAW},
    {"uint128", "uint128_t", "uint128_t", "V16", 128, CT_TYPE_RAW},
    {"complex64", "", "cutlass::complex<float>", "c8", 64, CT_TYPE_RAW},
    {"complex128", "", "cutlass::complex<double>", "c16", 128, CT_TYPE_RAW},
};

enum { TYPES = sizeof types / sizeof *types };

const ct_named_type *ct_named_type_listed(int i) { return i >= 0 && i < TYPES ? &types[i] : NULL; }

/* The next word of a list; NULL after the last. */
static const char *next_word(const char **at, int *length)
{
    const char *const word = *at + strspn(*at, " ");
    *length = (int)strcspn(word, " ");
    *at = word + *length;
    return *length ? word : NULL;
}

/* Whether the type has that name; every name is passed to near. */
static int is_named(const ct_named_type *type, const char *name, ct_nearest *near)
{
    int n = 0;
    if (strcmp(type->name, name) == 0) return 1;
    ct_nearest_try(near, type->name);
    for (const char *word, *at = type->aliases; (word = next_word(&at, &n));) {
        if (strlen(name) == (size_t)n && strncmp(word, name, (size_t)n) == 0) return 1;
        ct_nearest_try_part(near, word, n);
    }
    return 0;
}

/* Elements that are bytes to NumPy, V12. 0, or -1. */
static int read_bytes(const char *code, ct_named_type *out)
{
    int64_t bytes = 0;
    if (code[0] != 'V' || code[1] == '0' ||
        ct_number_read(code + 1, 1, CT_NPY_MAX_ELEM_BYTES, &bytes))
        return -1;
    *out = (ct_named_type){.name = "bytes", .aliases = "", .element = CT_TYPE_RAW};
    out->bits = 8 * (int32_t)bytes;
    return snprintf(out->code, sizeof out->code, "V%d", (int)bytes) > 0 ? 0 : -1;
}

/* The type of a code of NumPy without its byte order. The first of several types with one code has
 * it, and V is bytes. */
static int read_code(const char *code, ct_named_type *out)
{
    for (int i = 0; i < TYPES && code[0] && code[0] != 'V'; ++i) {
        if (strcmp(types[i].code, code) != 0) continue;
        *out = types[i];
        return 0;
    }
    return read_bytes(code, out);
}

ct_status ct_named_type_read(const char *name, ct_named_type *out, char *message)
{
    const ct_status bad = ct_packed_type_read(name, out, message);
    if (bad || out->bits >= 8) return bad;
    return ct_refuse(message, CT_E_ARGUMENT,
                     "an element of `%s` has %d bits, and elements of whole bytes are taken here",
                     out->name, (int)out->bits);
}

ct_status ct_packed_type_read(const char *name, ct_named_type *out, char *message)
{
    ct_nearest near = {.word = name};
    char ask[CT_NEAREST_BYTES];
    for (int i = 0; i < TYPES; ++i) {
        if (!is_named(&types[i], name, &near)) continue;
        *out = types[i];
        return 0;
    }
    if (read_code(name + (name[0] != '\0' && strchr("<|=", name[0]) != NULL), out) == 0) return 0;
    return ct_refuse(message, CT_E_ARGUMENT,
                     "there is no type `%.40s`%s; `cutlet help types` lists them", name,
                     ct_nearest_ask(&near, ask));
}

void ct_named_type_describe(const ct_named_type *type, char *text)
{
    if (type->bits < 8) snprintf(text, 10, "-");
    else
        snprintf(text, 10, "%c%s", type->bits == 8 || type->code[0] == 'V' ? '|' : '<', type->code);
}

int32_t ct_named_type_of_file(char kind, int32_t bytes)
{
    char code[8];
    ct_named_type type;
    snprintf(code, sizeof code, "%c%d", kind, (int)(bytes % 1000));
    return read_code(code, &type) ? CT_TYPE_RAW : type.element;
}
