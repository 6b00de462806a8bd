/**
 * A tile divided among threads, as plain data: what copy_partition.h works out and a copy reads.
 *
 * A kernel that is given a partition as numbers, or at its launch, needs no more than this.
 */
#ifndef CUTLET_COPY_SIDES_H
#define CUTLET_COPY_SIDES_H

#include "swizzle.h"

/** The axes of a tile, and the accesses and values of one thread, at most. */
#ifndef CT_AXES
#define CT_AXES 8
#endif
#ifndef CT_ACCESSES
#define CT_ACCESSES 64
#endif
#ifndef CT_VALUES
#define CT_VALUES 256
#endif
/** The words of registers that a block of values may take. */
#define CT_COPY_WORDS 256
#ifndef CT_DIGITS
#define CT_DIGITS 12
#endif

/** Where a side of a copy lies. */
enum { CT_GLOBAL, CT_SHARED, CT_REGISTERS };

/** A digit of the thread number, (thread / div) % mod, and what it moves: coordinates along an axis,
 *  and elements of shared memory before the swizzle. */
typedef struct ct_digit {
    int32_t div, mod, axis, step, offset;
} ct_digit;

/** One side of a partition. Coordinates count from the thread's first element. */
typedef struct ct_side {
    int32_t space, axis; /* the axis along which an access's elements lie; -1: in shared memory only */
    int32_t width;       /* elements of an access */
    int32_t accesses;    /* of a thread */
    int32_t digits;
    ct_digit digit[CT_DIGITS];
    int32_t coord[CT_ACCESSES][CT_AXES];
    /* Shared memory: access i lies at ((first ^ fold[i]) + add[i]) bytes, where first is where the
     * thread begins, swizzled; or, where that does not hold for all threads (apart is 0), at the
     * swizzle of first + add[i], first not swizzled. */
    int32_t apart;
    int32_t fold[CT_ACCESSES], add[CT_ACCESSES];
    int32_t first; /* bytes at which thread 0 begins, before the swizzle */
    int16_t order[CT_VALUES]; /* element k of access i is value order[i * width + k] of the thread */
    int16_t place[CT_VALUES]; /* the inverse */
} ct_side;

/** A tile, divided among the threads and values of a tiled copy. */
typedef struct ct_partition {
    ct_error err;
    int32_t atom;      /* CT_ATOM_... */
    int32_t matrices;  /* of ldmatrix and stmatrix */
    int32_t elem_bits;
    int32_t threads, values; /* values of a thread */
    int32_t axes;
    int32_t tile[CT_AXES];   /* extents */
    int32_t turned;          /* whether the sides go through the values in different orders */
    int32_t blocks;          /* the values as blocks, each a whole number of accesses of each side */
    int32_t src_block, dst_block; /* accesses of a block */
    int32_t in_flight;       /* words of registers whose loads are in flight at once */
    ct_swizzle src_swizzle, dst_swizzle; /* in bytes */
    ct_side src, dst;
} ct_partition;

#endif
