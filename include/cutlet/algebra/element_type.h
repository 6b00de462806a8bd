/**
 * Element types, for conversions.
 */
#ifndef CUTLET_ALGEBRA_ELEMENT_TYPE_H
#define CUTLET_ALGEBRA_ELEMENT_TYPE_H

#include <stdint.h>

/** Raw elements are bytes that are only moved: 1 to 16 of them. */
enum {
    CT_TYPE_RAW,
    CT_TYPE_HALF,
    CT_TYPE_BFLOAT16,
    CT_TYPE_FLOAT,
    CT_TYPE_DOUBLE,
    CT_TYPE_INT8,
    CT_TYPE_COUNT
};

/** More types of elements in registers, which no copy converts. */
enum { CT_TYPE_UINT8 = 16, CT_TYPE_INT32, CT_TYPE_INT4, CT_TYPE_UINT4, CT_TYPE_E4M3, CT_TYPE_E5M2 };

/** @internal The conversion of a copy: the element types of both sides, raw if there is none, and
 * the factor applied first. */
typedef struct ct_conversion {
    int32_t from, to;
    int32_t has_scale;
    double scale;
} ct_conversion;

#endif
