/**
 * What an element is, where it matters: for conversions.
 */
#ifndef CUTLET_ALGEBRA_ELEMENT_TYPE_H
#define CUTLET_ALGEBRA_ELEMENT_TYPE_H

/** Raw elements are bytes that are only moved: 1 to 16 of them. */
enum {
    CT_TYPE_RAW, CT_TYPE_HALF, CT_TYPE_BFLOAT16, CT_TYPE_FLOAT, CT_TYPE_DOUBLE, CT_TYPE_INT8,
    CT_TYPE_COUNT
};

#endif
