/**
 * Laws of matrix descriptors: where the hardware reads each element by the 64 bits that it is
 * given, as the PTX ISA tells it, against the layout of the tile. Included where they are needed,
 * after laws.h.
 */
#ifndef CUTLET_TESTS_LAWS_MMA_DESCRIPTOR_H
#define CUTLET_TESTS_LAWS_MMA_DESCRIPTOR_H

/** What the bits say. */
typedef struct law_fields {
    int64_t start, leading, stride; /* in bytes */
    int base_offset, line;          /* line: the bytes of the swizzle, 16 without one */
    int pieces;                     /* the bytes that the swizzle moves together */
} law_fields;

/** The fields of a descriptor; line 0 where bits are set that have to be clear, or clear that have
 *  to be set. */
LAW_FN law_fields law_fields_of(uint64_t bits, int arch)
{
    law_fields f = {0, 0, 0, 0, 0, 16};
    f.start = (int64_t)(bits % 16384) * 16;
    f.leading = (int64_t)((bits >> 16) % 16384) * 16;
    f.stride = (int64_t)((bits >> 32) % 16384) * 16;
    f.base_offset = (int)((bits >> 49) % 8);
    if ((bits >> 14) % 4 || (bits >> 30) % 4) return f;
    if (arch == 90) {
        static const int lines[4] = {16, 128, 64, 32};
        if ((bits >> 46) % 8 == 0 && (bits >> 52) % 1024 == 0) f.line = lines[bits >> 62];
    } else {
        static const int lines[8] = {16, 128, 128, 0, 64, 0, 32, 0};
        if ((bits >> 46) % 8 == 1 && (bits >> 52) % 512 == 0) f.line = lines[bits >> 61];
        if (bits >> 61 == 1) f.pieces = 32;
    }
    return f;
}

/** The address before the swizzle of byte `byte` along the major mode and element `across` of the
 *  other. */
LAW_FN int64_t law_linear(const law_fields *f, int mn_major, int64_t byte, int64_t across)
{
    const int64_t column = byte / 16, within = byte % 16;
    if (f->line == 16 && !mn_major) /* columns of 8 rows each, two columns an instruction */
        return f->start + column * f->leading + across / 8 * f->stride + across % 8 * 16 + within;
    if (f->line == 16) /* rows of 8 columns each */
        return f->start + column * f->stride + across / 8 * f->leading + across % 8 * 16 + within;
    if (!mn_major) return f->start + across / 8 * f->stride + across % 8 * f->line + byte;
    const int64_t lines = f->pieces == 32 ? 4 : 8;
    return f->start + byte / f->line * f->leading + byte % f->line + across / lines * f->stride +
           across % lines * f->line;
}

/** The address that the hardware reads: the line within the pattern, counted from where that
 *  begins, into the number of the piece. */
LAW_FN int64_t law_address(const law_fields *f, int mn_major, int64_t byte, int64_t across)
{
    const int64_t at = law_linear(f, mn_major, byte, across);
    const int64_t pieces = f->line / f->pieces; /* of a line */
    const int64_t row = (at / 128 + 8 - f->base_offset) % 8 % pieces;
    const int64_t piece = at / f->pieces % pieces;
    return at + ((piece ^ row) - piece) * f->pieces;
}

/** Every element of the tile lies where the instructions read it by d, the base at that address. */
LAW_FN const char *law_mma_descriptor_fields(ct_mma_descriptor d, ct_tensor tile, uint32_t address)
{
    const ct_mma_descriptor at = ct_mma_descriptor_at(d, address);
    if (at.err.status) return law_error(at.err);
    const uint64_t first = ct_mma_descriptor_pack(at);
    const int64_t bits = d.elem_bits;
    const int64_t mn = oracle_size(ct_mode(tile.layout, 0)),
                  k = oracle_size(ct_mode(tile.layout, 1));
    if (oracle_size(d.steps) != mn / d.mn * (k / d.k))
        return law_broken("a step for each instruction", 0, oracle_size(d.steps),
                          mn / d.mn * (k / d.k));
    for (int64_t i = 0; i < mn * k; ++i) {
        const int64_t row = i % mn, col = i / mn;
        const int64_t number = row / d.mn + mn / d.mn * (col / d.k);
        const law_fields f =
            law_fields_of(ct_mma_descriptor_step(first, oracle_eval(d.steps, number)), d.arch);
        if (f.line == 0) return law_broken("the fixed bits are as they must be", i, 0, 1);
        const int64_t r = row % d.mn, c = col % d.k;
        const int mn_major = d.major == CT_MMA_MN_MAJOR;
        const int64_t along = (mn_major ? r : c) * bits;
        const int64_t reads =
            8 * law_address(&f, mn_major, along / 8, mn_major ? c : r) + along % 8;
        const int64_t lies = 8 * (int64_t)address + bits * oracle_tensor(&tile, i);
        if (reads != lies)
            return law_broken("the hardware reads the element where it lies", i, reads, lies);
    }
    return NULL;
}

/** ct_make_mma_descriptor: it fails with a reason, or the hardware reads the tile by it. */
LAW_FN const char *law_mma_descriptor(ct_tensor tile, int operand, ct_mma_atom atom,
                                      uint32_t address)
{
    const ct_mma_descriptor d = ct_make_mma_descriptor(tile, operand, atom);
    if (d.err.status) return law_error(d.err);
    return law_mma_descriptor_fields(d, tile, address);
}

/** No byte offsets make the hardware read a tile's first part by the swizzle mode that the tile
 *  has; what a tile of whole parts that was refused for its form must keep to. Its major mode is
 *  tried as both. */
LAW_FN const char *law_no_descriptor(ct_tensor tile, int operand, ct_mma_atom atom)
{
    ct_mma_descriptor d = ct_mma_descriptor_of(operand, atom);
    const int32_t type = operand == CT_MMA_A ? atom.op.a : atom.op.b;
    const int64_t rows = oracle_size(ct_mode(tile.layout, 0)), bits = d.elem_bits;
    d.swizzle = ct_mma_swizzle_mode(tile.swizzle, d.elem_bits);
    for (d.major = CT_MMA_K_MAJOR; d.swizzle >= 0 && d.major <= CT_MMA_MN_MAJOR; ++d.major) {
        if (!ct_mma_takes_swizzle(d.arch, type, d.major, d.swizzle)) continue;
        law_fields f = law_fields_of(ct_mma_descriptor_pack(d), d.arch);
        const int mn_major = d.major == CT_MMA_MN_MAJOR;
        const int64_t along = (mn_major ? d.mn : d.k) * bits / 8, across = mn_major ? d.k : d.mn;
        if (!mn_major && f.line > 16 && along > f.line) continue; /* past the end of a line */
        const int64_t lines = f.pieces == 32 ? 4 : 8;
        /* The two offsets are where the first piece of a second group, or column, lies. */
        const int64_t far = 8 * f.line / bits * (mn_major ? 1 : rows),
                      next = lines * (mn_major ? rows : 1);
        int64_t p = along > f.line ? bits * oracle_eval(tile.layout, far) / 8 : 0;
        int64_t q = across > lines ? bits * oracle_eval(tile.layout, next) / 8 : 0;
        if (p < 0 || q < 0 || p >= 262144 || q >= 262144 || p % 16 || q % 16) continue;
        f.leading = f.line == 16 && mn_major ? q : p;
        f.stride = f.line == 16 && mn_major ? p : q;
        f.start = bits * tile.offset.value[0] / 8;
        int same = f.start % 16 == 0 && f.start < 262144;
        const int64_t elems = 8 * along / bits;
        for (int64_t i = 0; same && i < elems * across; ++i) {
            const int64_t a = i % elems, b = i / elems;
            const int64_t index = mn_major ? a + rows * b : b + rows * a;
            same = 8 * law_address(&f, mn_major, a * bits / 8, b) + a * bits % 8 ==
                   bits * oracle_tensor(&tile, index);
        }
        if (same)
            return law_broken("a refused tile has no descriptor", d.swizzle, f.leading, f.stride);
    }
    return NULL;
}

#endif
