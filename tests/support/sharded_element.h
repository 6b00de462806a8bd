/* The elements of redistributed tensors, made of their numbers. */
#ifndef CUTLET_TESTS_SHARDED_ELEMENT_H
#define CUTLET_TESTS_SHARDED_ELEMENT_H

#include <string.h>

#include <cutlet/host/redistribute.h>

/** Writes a number as an element; those that are converted are 0 to 63. */
static inline void put_element(const ct_redistribute_side *s, unsigned char *at, uint64_t number)
{
    const float f = (float)(number % 64);
    const double d = (double)(number % 64);
    uint64_t raw = number * 0x9e3779b97f4a7c15u;
    switch (s->type) {
        case CT_TYPE_FLOAT: memcpy(at, &f, sizeof f); break;
        case CT_TYPE_DOUBLE: memcpy(at, &d, sizeof d); break;
        case CT_TYPE_INT8: *at = (unsigned char)(number % 64); break;
        default:
            for (int i = 0; i < s->elem_bytes; ++i, raw >>= 3) at[i] = (unsigned char)raw;
    }
}

#endif
