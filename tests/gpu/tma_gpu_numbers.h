/* What lies in src and dst before the tests of tile copies on a real GPU. */
#ifndef CUTLET_TESTS_TMA_GPU_NUMBERS_H
#define CUTLET_TESTS_TMA_GPU_NUMBERS_H

#include "tma_gpu.h"

/* Words that are all different. */
static void fill_words(unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i + 4 <= count; i += 4) {
        const uint32_t x = (uint32_t)(i / 4 + 1) * 2654435761u;
        memcpy(bytes + i, &x, 4);
    }
}

/* Elements of a type: small numbers, positive and negative, of which sums are exact. */
static void fill_numbers(unsigned char *bytes, size_t count, int elem, uint32_t seed)
{
    const size_t size = (size_t)ct_elem_bytes(elem);
    dice rolls = dice_of(seed);
    for (size_t i = 0; i + size <= count; i += size) {
        const int number = (int)dice_int(&rolls, -32, 31);
        const int64_t whole = elem == CT_ELEM_S32 || elem == CT_ELEM_S64 ? number : number + 32;
        const float single = (float)number;
        const double twice = number;
        uint32_t bits;
        uint16_t half;
        memcpy(&bits, &single, 4);
        switch (elem) {
            case CT_ELEM_F16: /* a small integer: the exponent is that of its float, rebiased */
                half = (uint16_t)(bits >> 16 & 0x8000);
                if (number)
                    half |= (uint16_t)(((bits >> 23 & 0xff) - 112) << 10 | (bits >> 13 & 0x3ff));
                memcpy(bytes + i, &half, 2);
                break;
            case CT_ELEM_BF16:
                half = (uint16_t)(bits >> 16);
                memcpy(bytes + i, &half, 2);
                break;
            case CT_ELEM_F64: memcpy(bytes + i, &twice, 8); break;
            default:
                if (ct_elem_is_float(elem)) memcpy(bytes + i, &single, 4);
                else memcpy(bytes + i, &whole, size);
        }
    }
}

/* Numbers that round, overflow, are subnormal, infinite or none. */
static int specials(int elem, uint64_t *bits)
{
    static const uint64_t f16[] = {0,      0x8000, 1,      0x8001, 0x3ff,  0x400,  0x3c00, 0xbc00,
                                   0x6801, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x7d01, 0xffff};
    static const uint64_t bf16[] = {0,      0x8000, 1,      0x8001, 0x7f,   0x80,   0x3f80, 0xbf80,
                                    0x4381, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc0, 0x7f81, 0xffff};
    static const uint64_t f32[] = {0,          0x80000000, 1,          0x80000001,
                                   0x7fffff,   0x800000,   0x3f800000, 0xbf800000,
                                   0x4b800001, 0x7f7fffff, 0xff7fffff, 0x7f800000,
                                   0xff800000, 0x7fc00000, 0x7f800001, 0xffffffff};
    /* 0x1000 is half of the last bit that tf32 keeps */
    /* clang-format off */
    static const uint64_t tf32[] = {0x3f801000, 0x3f803000, 0xbf801000, 0xbf803000, 0x3f800fff,
                                    0x3f801001, 0x80000001, 0x807fffff, 0x00400000, 0x80402000,
                                    0x00001000, 0x00003000, 0x7f7ff000, 0xff7fefff, 0x7f801000,
                                    0xffc00000};
    static const uint64_t f64[] = {0, 0x8000000000000000, 1, 0x8000000000000001, 0xfffffffffffff,
                                   0x10000000000000, 0x3ff0000000000000, 0xbff0000000000000,
                                   0x4340000000000001, 0x7fefffffffffffff, 0xffefffffffffffff,
                                   0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000,
                                   0x7ff0000000000001, 0xffffffffffffffff};
    static const uint64_t whole[] = {0, 1, 2, 0x7f, 0x80, 0xff, 0x7fffffff, 0x80000000, 0xffffffff,
                                     0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff,
                                     0x100000000, 3, 5, 0xfffffffffffffffe};
    const uint64_t *const from = elem == CT_ELEM_F16    ? f16
                                 : elem == CT_ELEM_BF16 ? bf16
                                 : elem == CT_ELEM_F64  ? f64
                         : elem >= CT_ELEM_F32_FTZ ? tf32
                                 : ct_elem_is_float(elem) ? f32
                                                          : whole;
    /* clang-format on */
    memcpy(bits, from, 16 * sizeof *bits);
    return 16;
}

/* Each special number of src against each of dst. */
static void fill_specials(int elem)
{
    uint64_t bits[16];
    const int n = specials(elem, bits), size = ct_elem_bytes(elem);
    for (int i = 0; i < n * n; ++i) {
        memcpy(host_src + i * size, &bits[i % n], (size_t)size);
        memcpy(before_dst + i * size, &bits[i / n], (size_t)size);
    }
}

#endif
