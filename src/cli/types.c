/* The element types of the command line. */
#include "types.h"

#include <string.h>

const ct_cli_type *ct_cli_type_named(const char *name)
{
    static const ct_cli_type types[] = {
        {"half", "half_t", "f2", 16},           {"float16", "half_t", "f2", 16},
        {"bfloat16", "bfloat16_t", "V2", 16},   {"float", "float", "f4", 32},
        {"float32", "float", "f4", 32},         {"tf32", "tfloat32_t", "f4", 32},
        {"double", "double", "f8", 64},         {"float64", "double", "f8", 64},
        {"fp8", "float_e4m3_t", "V1", 8},       {"e4m3", "float_e4m3_t", "V1", 8},
        {"e5m2", "float_e5m2_t", "V1", 8},      {"bool", "bool", "b1", 8},
        {"int8", "int8_t", "i1", 8},            {"int16", "int16_t", "i2", 16},
        {"int32", "int32_t", "i4", 32},         {"int64", "int64_t", "i8", 64},
        {"uint8", "uint8_t", "u1", 8},          {"uint16", "uint16_t", "u2", 16},
        {"uint32", "uint32_t", "u4", 32},       {"uint64", "uint64_t", "u8", 64},
        {"uint128", "uint128_t", "V16", 128},   {"complex64", "cutlass::complex<float>", "c8", 64},
        {"complex128", "cutlass::complex<double>", "c16", 128},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
        if (strcmp(types[i].name, name) == 0) return &types[i];
    }
    return NULL;
}
