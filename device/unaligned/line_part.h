/**
 * @internal The part of a line of the destination that a block stores: whole aligned vectors of 16
 * bytes, and pieces where the line begins and ends.
 *
 * Parts of one line meet at multiples of a sector of 32 bytes. So no two blocks write the same
 * sector, which L2 would read first. Bytes are counted from a byte of the line.
 */
#ifndef CUTLET_DEVICE_UNALIGNED_LINE_PART_H
#define CUTLET_DEVICE_UNALIGNED_LINE_PART_H

#include <cutlet/device/kernel/kernel.h>

/** The bytes of a sector, at which parts meet; and of a vector. */
#define CT_SECTOR_BYTES 32
#define CT_VECTOR_BYTES 16

typedef struct ct_line_part {
    int32_t begin; /* of the first vector: aligned, and perhaps past the end */
    int32_t end;   /* of the part */
    int32_t from;  /* the first byte: begin, or less in the first part of a line */
} ct_line_part;

/** The bytes from byte `at` of the memory at dst to the next multiple of a sector, or 0. */
CT_DEVICE int32_t ct_to_sector(const void *dst, const int32_t at)
{
    const uint32_t low = (uint32_t)(uintptr_t)dst + (uint32_t)at;
    return (int32_t)(-low & (CT_SECTOR_BYTES - 1));
}

/** The bytes of the whole vectors. */
CT_DEVICE int32_t ct_part_whole(const ct_line_part *p)
{
    return p->end > p->begin ? (p->end - p->begin) & ~(CT_VECTOR_BYTES - 1) : 0;
}

/** The slots for pieces of `bytes` bytes: before the first vector, and all with those after the
 *  last one. */
CT_DEVICE int32_t ct_head_slots(const int bytes) { return CT_SECTOR_BYTES / bytes; }
CT_DEVICE int32_t ct_end_slots(const int bytes)
{
    return (CT_SECTOR_BYTES + CT_VECTOR_BYTES) / bytes;
}

/** The first byte of the piece in a slot; `bytes` divides its address. */
CT_DEVICE int32_t ct_end_piece(const ct_line_part *p, const int32_t slot, const int bytes)
{
    const int32_t at = p->begin - CT_SECTOR_BYTES + slot * bytes;
    return slot < ct_head_slots(bytes) ? at : at + ct_part_whole(p);
}

/** Whether a byte of a piece is of the part. */
CT_DEVICE int ct_part_has(const ct_line_part *p, const int32_t byte)
{
    return byte >= p->from && byte < p->end;
}

#endif
