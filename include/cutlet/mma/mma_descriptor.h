/**
 * Matrix descriptors of wgmma and tcgen05.mma for operands in shared memory: their fields, made
 * from the layout of the operand. mma_descriptor_bits.h makes the 64-bit numbers of them.
 *
 *     CT_STATIC(ct_mma_descriptor, a, ct_make_mma_descriptor(tile_a, CT_MMA_A, atom));
 *
 * The hardware adds the start and multiples of the two byte offsets to get the address of a piece
 * of 16 bytes, and then swizzles this address. A step is therefore an addition to the start, even
 * within a line of the swizzle.
 *
 * The canonical forms, in pieces of 16 bytes, W of them a line and R lines together
 * (mma_swizzle.h):
 *
 *     the major mode    (W,groups):(1,P)      a line, then the next W pieces of each line
 *     the other mode    (R,groups):(W,Q)      R lines, then the next R
 *
 * P is the leading dimension byte offset and Q the stride dimension byte offset; they are exchanged
 * for MN-major without a swizzle. K-major with a swizzle has no P: an instruction reads 32 bytes of
 * each line, or 64 for B of a sparse one. The field is ignored and set to 16, as in CuTe.
 *
 * Source:  PTX ISA, "Matrix Descriptor Format" of wgmma, "Shared Memory Descriptor" of tcgen05;
 *          CuTe's make_gmma_desc and make_umma_desc for the values of fields that are not read.
 */
#ifndef CUTLET_MMA_MMA_DESCRIPTOR_H
#define CUTLET_MMA_MMA_DESCRIPTOR_H

#include <cutlet/algebra/divide.h>
#include <cutlet/mma/mma_atom.h>
#include <cutlet/mma/mma_runs.h>
#include <cutlet/mma/mma_swizzle.h>
#include <cutlet/algebra/tensor.h>

/** The bytes that a descriptor can name: its fields hold 14 bits, of pieces of 16 bytes. */
#define CT_MMA_DESCRIPTOR_BYTES 262144

/** A descriptor, field by field. */
typedef struct ct_mma_descriptor {
    ct_error err;
    int32_t arch;          /* 90: of wgmma; 100: of tcgen05 */
    int32_t swizzle;       /* CT_MMA_SWIZZLE_NONE ... */
    int32_t major;         /* CT_MMA_K_MAJOR ...: no field, but an operand of the instruction */
    int32_t elem_bits;     /* of an element in shared memory */
    int32_t mn, k;         /* the elements that one instruction reads by it */
    int32_t start_bytes;   /* of the first instruction's part, from the base, or in shared memory */
    int32_t leading_bytes; /* the leading dimension byte offset */
    int32_t stride_bytes;  /* the stride dimension byte offset */
    int32_t base_offset;   /* of a base that is not a multiple of the swizzle's pattern, in 128
                            bytes */
    int32_t version;       /* 0 of sm_90, 1 of sm_100 */
    ct_layout steps;       /* (instructions along m or n, along k) -> bytes to add to the start */
} ct_mma_descriptor;

/** @internal The failed descriptor that carries e. */
CT_FN ct_mma_descriptor ct_mma_descriptor_fail(ct_error e)
{
    ct_mma_descriptor d = CT_ZERO;
    d.err = e;
    return d;
}

/* ---- the operand ----------------------------------------------------------------------------- */

/** @internal The element type of an operand. */
CT_FN int32_t ct_mma_operand_type(ct_mma_op op, int operand)
{
    return operand == CT_MMA_A ? op.a : operand == CT_MMA_B ? op.b : op.c;
}

/** @internal An empty descriptor: the instruction's properties of an operand. Of two blocks
 *  each names its half of the rows. */
CT_FN ct_mma_descriptor ct_mma_descriptor_of(int operand, ct_mma_atom atom)
{
    const ct_mma_op op = atom.op;
    const int reads = op.kind == CT_MMA_WARPGROUP || op.kind == CT_MMA_BLOCK;
    if (atom.err.status) return ct_mma_descriptor_fail(atom.err);
    if (!reads || operand < CT_MMA_A || operand > CT_MMA_B ||
        ct_mma_from(op, operand) != CT_MMA_SHARED)
        return ct_mma_descriptor_fail(
            ct_mma_descriptor_error(CT_WHY_DESC_OPERAND, operand, 0, 0, 0, 0));
    ct_mma_descriptor d = CT_ZERO;
    d.arch = op.arch;
    d.version = op.arch == 100;
    d.elem_bits = ct_mma_bits_held(op, ct_mma_operand_type(op, operand));
    d.mn = (operand == CT_MMA_A ? op.m : op.n) / op.blocks;
    d.k = operand == CT_MMA_A ? ct_mma_a_columns(op) : op.k;
    return d;
}

/** @internal The bytes of n elements, for a message too. */
CT_FN int64_t ct_mma_bytes(const ct_mma_descriptor *d, int64_t n)
{
    return d->elem_bits < 8 ? n / 2 : ct_mma_times(n, d->elem_bits / 8);
}

/** @internal The error of a tile that is not a multiple of an instruction: its rank, its strides,
 * its sizes. */
CT_FN ct_error ct_mma_tile_check(const ct_mma_descriptor *d, const ct_tensor *tile)
{
    const ct_error bad = ct_tensor_check(tile);
    if (bad.status) return bad;
    if (ct_layout_rank(tile->layout) != 2)
        return ct_mma_descriptor_error(CT_WHY_RANK, 0, 0, 0, ct_layout_rank(tile->layout), 0);
    if (!ct_is_integral(tile->layout) || !ct_offset_is_integer(&tile->offset))
        return ct_mma_descriptor_error(CT_WHY_NOT_INTEGER, 0, 0, 0, 0, 0);
    const int64_t mn = ct_size(ct_mode(tile->layout, 0)), k = ct_size(ct_mode(tile->layout, 1));
    if (mn % d->mn != 0) return ct_mma_descriptor_error(CT_WHY_SIZE_DIVIDES, 0, 0, mn, d->mn, 0);
    if (k % d->k != 0) return ct_mma_descriptor_error(CT_WHY_SIZE_DIVIDES, 1, 0, k, d->k, 0);
    return bad;
}

/* ---- the descriptor -------------------------------------------------------------------------- */

/** @internal Puts the swizzle mode of the tile's swizzle into d. */
CT_FN void ct_mma_put_swizzle(ct_mma_descriptor *d, ct_swizzle s, int32_t type)
{
    const int32_t log = d->elem_bits == 32   ? 2
                        : d->elem_bits == 16 ? 1
                        : d->elem_bits == 8  ? 0
                                             : -1;
    d->swizzle = ct_mma_swizzle_mode(s, d->elem_bits);
    if (d->swizzle < 0)
        d->err = ct_mma_descriptor_error(CT_WHY_DESC_SWIZZLE, d->elem_bits, s.base, s.bits,
                                         s.base + log, s.shift);
    else if (!ct_mma_takes_swizzle(d->arch, type, d->major, d->swizzle))
        d->err = ct_mma_descriptor_error(CT_WHY_DESC_NO_SWIZZLE, d->major == CT_MMA_K_MAJOR,
                                         d->arch, s.bits, s.bits ? s.base + log : 0, s.shift);
    else if (d->major == CT_MMA_K_MAJOR && d->swizzle != CT_MMA_SWIZZLE_NONE &&
             ct_mma_bytes(d, d->k) > ct_mma_line_bytes(d->swizzle))
        d->err = ct_mma_descriptor_error(CT_WHY_DESC_SHORT, 0, 0, ct_mma_line_bytes(d->swizzle),
                                         ct_mma_bytes(d, d->k), 0);
}

/** @internal Puts the byte offsets of a part of one instruction, (mn,k), into d. */
CT_FN void ct_mma_put_offsets(ct_mma_descriptor *d, ct_layout part)
{
    const int64_t elems = 128 / d->elem_bits, line = ct_mma_line_bytes(d->swizzle);
    const int32_t major = d->major == CT_MMA_K_MAJOR, minor = 1 - major;
    const ct_layout along = ct_mma_pieces(ct_mode(part, major), major, elems, 1);
    const ct_layout across = ct_mma_pieces(ct_mode(part, minor), minor, elems, 0);
    d->err = along.err.status ? along.err : across.err;
    if (d->err.status) return;
    const ct_mma_runs p = ct_mma_runs_of(along, line / 16, 1);
    const ct_mma_runs q = ct_mma_runs_of(across, ct_mma_lines(d->swizzle), line / 16);
    if (!p.fits) d->err = ct_mma_runs_error(along, p, major, CT_WHY_DESC_RUN, elems, line);
    else if (!q.fits) d->err = ct_mma_runs_error(across, q, minor, CT_WHY_DESC_LINES, 1, line);
    else if (p.stride < 0 || p.stride >= CT_MMA_DESCRIPTOR_BYTES / 16)
        d->err = ct_mma_descriptor_error(CT_WHY_DESC_FIELD, major, 0, ct_mma_times(p.stride, 16),
                                         CT_MMA_DESCRIPTOR_BYTES - 16, 0);
    else if (q.stride < 0 || q.stride >= CT_MMA_DESCRIPTOR_BYTES / 16)
        d->err = ct_mma_descriptor_error(CT_WHY_DESC_FIELD, minor, 0, ct_mma_times(q.stride, 16),
                                         CT_MMA_DESCRIPTOR_BYTES - 16, 0);
    if (d->err.status) return;
    const int swapped = d->major == CT_MMA_MN_MAJOR && d->swizzle == CT_MMA_SWIZZLE_NONE;
    const int ignored = d->major == CT_MMA_K_MAJOR && d->swizzle != CT_MMA_SWIZZLE_NONE;
    d->leading_bytes = CT_CAST(int32_t, 16 * (swapped ? q.stride : ignored ? 1 : p.stride));
    d->stride_bytes = CT_CAST(int32_t, 16 * (swapped ? p.stride : q.stride));
}

/** @internal The error of the strides between the instructions' parts, (along m or n, along k). The
 * first mode has `first` leaves. */
CT_FN ct_error ct_mma_steps_check(const ct_mma_descriptor *d, const ct_layout *rest, int first)
{
    const int64_t elems = 128 / d->elem_bits;
    ct_error e = rest->err;
    CT_FOR(i, rest->profile.leaves)
    {
        const int64_t step = rest->stride[i];
        if (e.status == CT_OK && rest->shape[i] > 1 && step < 0)
            e = ct_mma_descriptor_error(CT_WHY_DESC_FIELD, i >= first, 0, ct_mma_bytes(d, step),
                                        CT_MMA_DESCRIPTOR_BYTES - 16, 0);
        else if (e.status == CT_OK && rest->shape[i] > 1 && step % elems != 0)
            e = ct_mma_descriptor_error(CT_WHY_DESC_PIECES, i >= first, i < first ? d->mn : d->k,
                                        ct_mma_bytes(d, step), 0, 0);
    }
    return e;
}

/** @internal Puts the start of the first instruction's part, and the steps to the others, into
 * d. */
CT_FN void ct_mma_put_steps(ct_mma_descriptor *d, ct_layout rest, int64_t offset)
{
    const int64_t elems = 128 / d->elem_bits;
    ct_layout steps = ct_coalesce_by(rest, ct_tuple2(1, 1));
    d->err = ct_mma_steps_check(d, &steps, ct_profile_mode_span(steps.profile, 0).count);
    if (d->err.status) return;
    int ok = 1;
    const int64_t top = ct_add(offset, ct_cosize(steps) - 1, &ok);
    const int64_t worst = offset < 0 ? offset : ok ? top : INT64_MAX;
    if (offset % elems != 0)
        d->err = ct_mma_descriptor_error(CT_WHY_ALIGNMENT, 0, 0, offset, elems, 0);
    else if (worst < 0 || worst >= CT_MMA_DESCRIPTOR_BYTES / 16 * elems)
        d->err = ct_mma_descriptor_error(CT_WHY_INDEX, 0, 0, ct_mma_bytes(d, worst),
                                         CT_MMA_DESCRIPTOR_BYTES, 0);
    if (d->err.status) return;
    CT_FOR(i, steps.profile.leaves) steps.stride[i] = ct_mma_bytes(d, steps.stride[i]);
    d->start_bytes = CT_CAST(int32_t, ct_mma_bytes(d, offset));
    d->steps = steps;
}

/**
 * The descriptor of an instruction's first part of a tile (mn,k) of A or B in shared memory, and
 * the steps to the other parts. The start is that of a base of 0. Elements have the size of
 * ct_mma_bits_held: those of 4 and 6 bits take a byte.
 *
 * Ensures:  the address that the hardware computes from the fields is the tile's address of each
 *           element. [law_mma_descriptor]
 * Fails:    CT_E_ARGUMENT when the instruction reads the operand by no descriptor, when the tile is
 *           not of whole parts, and for a layout that has no canonical form: with the rule
 *           that it breaks, the mode, the element, where it lies, and where it should.
 *           CT_E_CAPACITY, CT_E_OVERFLOW.
 * Cost:     O(leaves^2); a failure also walks the part of one instruction.
 * In C:     const ct_mma_atom atom = ct_make_mma_atom("SM90_64x128x16_F32F16F16_SS");
 *           const ct_layout rows = ct_layout2(64, 64, 64, 1); // lines of 128 bytes along k
 *           ct_tensor tile = ct_make_swizzled(ct_make_swizzle(3, 3, 3), 0, rows);
 *           const ct_mma_descriptor a = ct_make_mma_descriptor(tile, CT_MMA_A, atom);
 *           assert(a.major == CT_MMA_K_MAJOR && a.swizzle == CT_MMA_SWIZZLE_128B);
 *           assert(a.stride_bytes == 8 * 128); // eight lines, then the next
 *           assert(ct_eval2(a.steps, 0, 3) == 3 * 32); // 16 halves along k a step
 *           tile.swizzle = ct_swizzle_none(); // lines of 128 bytes, unswizzled: no form
 *           assert(ct_make_mma_descriptor(tile, CT_MMA_A, atom).err.status == CT_E_ARGUMENT);
 * Source:   PTX ISA, as above.
 */
CT_FN ct_mma_descriptor ct_make_mma_descriptor(ct_tensor tile, int operand, ct_mma_atom atom)
{
    ct_mma_descriptor d = ct_mma_descriptor_of(operand, atom);
    if (d.err.status) return d;
    d.err = ct_mma_tile_check(&d, &tile);
    if (d.err.status) return d;
    const int32_t type = ct_mma_operand_type(atom.op, operand), elems = 128 / d.elem_bits;
    const ct_layout parts =
        ct_zipped_divide_by(tile.layout, ct_tiler2(ct_layout1(d.mn, 1), ct_layout1(d.k, 1)));
    const ct_layout part = ct_mode(parts, 0);
    d.err = parts.err;
    if (d.err.status == CT_E_NO_LAYOUT)
        d.err = ct_mma_descriptor_error(CT_WHY_SHAPE_CROSSES, 0, 0, d.mn, d.k, 0);
    if (d.err.status) return ct_mma_descriptor_fail(d.err);
    if (ct_mma_is_run(ct_mode(part, 1), elems)) d.major = CT_MMA_K_MAJOR;
    else if (ct_mma_is_run(ct_mode(part, 0), elems)) d.major = CT_MMA_MN_MAJOR;
    else d.err = ct_mma_descriptor_error(CT_WHY_CONTIGUOUS, 0, 0, elems, 0, 0);
    if (d.err.status == CT_OK && !ct_mma_takes_major(d.arch, type, d.major))
        d.err = ct_mma_descriptor_error(CT_WHY_DESC_MAJOR, 0, d.arch, ct_mma_bits(type), 0, 0);
    if (d.err.status == CT_OK) ct_mma_put_swizzle(&d, tile.swizzle, type);
    if (d.err.status == CT_OK) ct_mma_put_offsets(&d, part);
    if (d.err.status == CT_OK)
        ct_mma_put_steps(&d, ct_mode(parts, 1),
                         tile.offset.profile.leaves == 0 ? 0 : tile.offset.value[0]);
    return d.err.status ? ct_mma_descriptor_fail(d.err) : d;
}

/** @internal Whether an instruction reads the leading dimension byte offset. */
CT_FN int ct_mma_reads_leading(const ct_mma_descriptor *d)
{
    if (d->major == CT_MMA_K_MAJOR) return d->swizzle == CT_MMA_SWIZZLE_NONE;
    if (d->swizzle == CT_MMA_SWIZZLE_NONE) return d->k > ct_mma_lines(d->swizzle);
    return d->mn * d->elem_bits > 8 * ct_mma_line_bytes(d->swizzle);
}

/** @internal Whether an instruction reads the stride dimension byte offset. */
CT_FN int ct_mma_reads_stride(const ct_mma_descriptor *d)
{
    if (d->major == CT_MMA_K_MAJOR) return d->mn > ct_mma_lines(d->swizzle);
    if (d->swizzle == CT_MMA_SWIZZLE_NONE) return d->mn * d->elem_bits > 128;
    return d->k > ct_mma_lines(d->swizzle);
}

#endif
