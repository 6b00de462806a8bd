/**
 * @internal Permutes values in registers, from the order of one side of a copy to that of the
 * other.
 *
 * Every position is a constant: elements of whole words only rename registers. Elements of 2 bytes
 * take one byte permutation per word, bytes two.
 */
#ifndef CUTLET_DEVICE_ELEMENT_PERMUTE_H
#define CUTLET_DEVICE_ELEMENT_PERMUTE_H

#include <cutlet/copy/copy_sides.h>

#include <cutlet/device/kernel/kernel.h>

/** Four bytes of the eight of (low, high): digit i of the selector selects byte i of the result. */
CT_DEVICE uint32_t ct_permute(uint32_t low, uint32_t high, uint32_t selector)
{
#if defined(__CUDACC__)
    return __byte_perm(low, high, selector);
#else
    const uint64_t both = (uint64_t)high << 32 | low;
    uint32_t word = 0;
    for (int i = 0; i < 4; ++i)
        word |= (uint32_t)(both >> 8 * (selector >> 4 * i & 7) & 0xff) << 8 * i;
    return word;
#endif
}

/** The low word of (low, high) shifted right by `bits` bits, 0 to 32. */
CT_DEVICE uint32_t ct_funnel(uint32_t low, uint32_t high, uint32_t bits)
{
#if defined(__CUDACC__)
    return __funnelshift_rc(low, high, bits);
#else
    return (uint32_t)(((uint64_t)high << 32 | low) >> bits);
#endif
}

/** The word that begins at byte at % 4 of (low, high). */
CT_DEVICE uint32_t ct_word_at(uint32_t low, uint32_t high, uint32_t at)
{
#if defined(__CUDACC__)
    return __funnelshift_r(low, high, 8 * at); /* by the lowest five bits */
#else
    return (uint32_t)(((uint64_t)high << 32 | low) >> 8 * (at & 3));
#endif
}

/** The position of byte `byte` of element `at` of a side's accesses in its registers, in bytes, four
 *  in a word. An access of less than a word has its own word. */
CT_FN int32_t ct_turn_byte(const ct_side *side, int32_t elem_bits, int32_t at, int32_t byte)
{
    const int32_t access_bits = side->width * elem_bits;
    if (access_bits >= 32) return at * elem_bits / 8 + byte;
    return at / side->width * 4 + at % side->width * elem_bits / 8 + byte;
}

/** The word of bytes a, b, c, d of the words `in`, counted from in[0]. All four are constants. */
CT_DEVICE uint32_t ct_turn_word(const uint32_t *in, const int a, const int b, const int c,
                                const int d)
{
    const int wa = a / 4, wb = b / 4, wc = c / 4, wd = d / 4;
    const uint32_t s0 = a % 4, s1 = b % 4, s2 = c % 4, s3 = d % 4;
    if (wa == wb && wb == wc && wc == wd && s0 == 0 && s1 == 1 && s2 == 2 && s3 == 3) return in[wa];
    if (wa == wb && wc == wd)
        return ct_permute(in[wa], in[wc], s0 | s1 << 4 | (s2 + 4) << 8 | (s3 + 4) << 12);
    /* the same byte of four words: two such results share their first two permutations */
    if (s0 == s1 && s1 == s2 && s2 == s3) {
        const uint32_t pairs = s0 < 2 ? 0x5140 : 0x7362;
        const uint32_t low = ct_permute(in[wa], in[wb], pairs);
        const uint32_t high = ct_permute(in[wc], in[wd], pairs);
        return ct_permute(low, high, s0 % 2 == 0 ? 0x5410 : 0x7632);
    }
    const uint32_t low = ct_permute(in[wa], in[wb], s0 | (s1 + 4) << 4);
    const uint32_t high = ct_permute(in[wc], in[wd], s2 | (s3 + 4) << 4);
    return ct_permute(low, high, 0x5410);
}

/** The element of a side's accesses that has byte `byte` of word `word` of its registers. -1 for
 *  bytes after an access of less than a word. */
CT_FN int32_t ct_turn_element(const ct_side *side, int32_t elem_bits, int32_t word, int32_t byte)
{
    const int32_t words = (side->width * elem_bits + 31) / 32;
    const int32_t access = word / words, at = (word % words * 4 + byte) * 8 / elem_bits;
    return at < side->width ? access * side->width + at : -1;
}

/** Word `word` of a block in the destination's order; `in` are its words in the source's order. */
CT_DEVICE uint32_t ct_turn(const ct_partition *P, const uint32_t *in, const int word)
{
    const int bits = P->elem_bits;
    int at[4] = {0, 0, 0, 0};
    CT_UNROLL for (int b = 0; b < 4; ++b)
    {
        const int to = ct_turn_element(&P->dst, bits, word, b);
        const int from = to < 0 || !P->permuted ? to : P->turn[to];
        const int of_word = bits >= 32 ? word * 4 : 0;
        const int in_elem = bits >= 8 ? (of_word + b) % (bits / 8) : 0;
        at[b] = from < 0 ? b : ct_turn_byte(&P->src, bits, from, in_elem);
    }
    return ct_turn_word(in, at[0], at[1], at[2], at[3]);
}

/** Shifts the words of v down by `bytes` bytes, 1 to 16, and fills them from x: so a loop that is
 *  not unrolled fills a vector from its first element to its last. */
CT_DEVICE void ct_shift_in(uint32_t *v, const uint32_t *x, const int bytes)
{
    if (bytes >= 4) {
        const int n = bytes / 4;
        CT_UNROLL for (int i = 0; i < 4; ++i) v[i] = i + n < 4 ? v[i + n] : x[i + n - 4];
        return;
    }
    CT_UNROLL for (int i = 0; i < 3; ++i) v[i] = ct_funnel(v[i], v[i + 1], 8 * (uint32_t)bytes);
    v[3] = ct_funnel(v[3], x[0], 8 * (uint32_t)bytes);
}

#endif
