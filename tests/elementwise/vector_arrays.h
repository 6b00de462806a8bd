/**
 * Arrays of numbers between guards on a device, for vector_cases.h. The program that includes this
 * defines vector_run and the memory of the device.
 */
#ifndef CUTLET_TESTS_VECTOR_ARRAYS_H
#define CUTLET_TESTS_VECTOR_ARRAYS_H

#include "test.h"

#include <math.h>

#include <cutlet/host/text.h>
#include "dice.h"
#include <cutlet/device/element/element.h>
#include <cutlet/device/elementwise/elementwise_args.h>
#include "vector.h"

enum { GUARD = 64, POISON = 0xa5 };

static inline void *device_take(size_t bytes);
static inline void device_give(void *memory);
static inline void device_put(void *dst, const void *src, size_t bytes);
static inline void device_get(void *dst, const void *src, size_t bytes);

/** An array on the device: `at` lies `shift` bytes past a 256-byte boundary, guards around it. */
typedef struct guarded {
    const char *name;
    unsigned char *memory, *at;
    size_t bytes, shift;
    int writable;
} guarded;

/** Runs a kernel that may touch these arrays alone; a failure fails the test. */
static void vector_run(const char *kernel, int64_t blocks, int32_t threads, const void *args,
                       size_t args_bytes, const guarded *arrays, int count);

static inline size_t array_all(const guarded *p) { return 256 + p->shift + p->bytes + GUARD; }

/** Takes memory for this many bytes and fills it: with data, or with poison. */
static inline guarded array_take(const char *name, const void *data, size_t bytes, size_t shift)
{
    guarded p = {name, NULL, NULL, bytes, shift, data == NULL};
    unsigned char *const image = malloc(array_all(&p));
    assert_non_null(image);
    memset(image, POISON, array_all(&p));
    if (data) memcpy(image + 256 + shift, data, bytes);
    p.memory = device_take(array_all(&p));
    p.at = p.memory + 256 + shift;
    device_put(p.memory, image, array_all(&p));
    free(image);
    return p;
}

/** Gives the memory back; what it held, from malloc. Whatever lies around it must be untouched. */
static inline unsigned char *array_give(guarded *p, const char *what)
{
    unsigned char *const image = malloc(array_all(p));
    assert_non_null(image);
    device_get(image, p->memory, array_all(p));
    device_give(p->memory);
    for (size_t i = 0; i < array_all(p); ++i) {
        if (i >= 256 + p->shift && i < 256 + p->shift + p->bytes) continue;
        if (image[i] != POISON)
            fail_msg("%s: %s: byte %lld was written", what, p->name,
                     (long long)i - (long long)(256 + p->shift));
    }
    memmove(image, image + 256 + p->shift, p->bytes);
    return image;
}

/* ---- numbers --------------------------------------------------------------------------------- */

enum { FLOAT, HALF, BFLOAT16 };
static const int type_bytes[] = {4, 2, 2};
static const char *const type_names[] = {"float", "half", "bfloat16"};

static inline double number_at(const unsigned char *data, int64_t i, int type)
{
    uint32_t w = 0;
    memcpy(&w, data + i * type_bytes[type], (size_t)type_bytes[type]);
    return type == FLOAT  ? ct_get_float(&w, 0)
           : type == HALF ? ct_get_half(&w, 0)
                          : ct_get_bfloat16(&w, 0);
}

static inline void number_put(unsigned char *data, int64_t i, int type, double x)
{
    uint32_t w = 0;
    if (type == FLOAT) ct_put_float(&w, 0, (float)x);
    else if (type == HALF) ct_put_half(&w, 0, (float)x);
    else ct_put_bfloat16(&w, 0, (float)x);
    memcpy(data + i * type_bytes[type], &w, (size_t)type_bytes[type]);
}

/** Half of a unit in the last place of 1. */
static inline double type_unit(int type)
{
    return type == FLOAT ? 0x1p-24 : type == HALF ? 0x1p-11 : 0x1p-8;
}

/** n numbers from -range to range, from malloc; special ones among them where asked for. */
static inline unsigned char *numbers(dice *d, int64_t n, int type, double range, int special)
{
    static const double odd[] = {0.0,     -0.0,     INFINITY, -INFINITY, NAN,
                                 0x1p-24, -0x1p-15, 65504,    1e-40};
    unsigned char *const data = malloc((size_t)(n * type_bytes[type]) + 1);
    assert_non_null(data);
    for (int64_t i = 0; i < n; ++i) {
        const double x = range * ((double)dice_int(d, -1000000, 1000000) / 1000000);
        const int pick = special && dice_int(d, 0, 7) == 0;
        number_put(data, i, type, pick ? odd[dice_int(d, 0, 8)] : x);
    }
    return data;
}

/** Whether a result is within this many units of what it should be, and a step of the smallest number
 *  if it need not be exact. */
static inline int is_near(double found, double right, int type, double units)
{
    const double least = type == HALF ? 0x1p-25 : 0x1p-126; /* a GPU may flush what is less */
    if (isnan(right) || isinf(right)) return isnan(right) ? isnan(found) : found == right;
    return fabs(found - right) <=
           units * type_unit(type) * fabs(right) + (units < 1 ? units : 1) * least;
}

#endif
