/**
 * A tile divided among threads, as plain data: the result of copy_partition.h that a copy reads.
 *
 * A kernel that gets a partition as numbers, or at launch, needs only this header.
 */
#ifndef CUTLET_COPY_COPY_SIDES_H
#define CUTLET_COPY_COPY_SIDES_H

#include <cutlet/algebra/swizzle.h>

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

/** The instructions. */
enum {
    CT_ATOM_UNIVERSAL = 1, /* a load and a store through registers */
    CT_ATOM_CP_ASYNC_CA,   /* cp.async.ca: global to shared, 4, 8 or 16 bytes, through L1 */
    CT_ATOM_CP_ASYNC_CG,   /* cp.async.cg: global to shared, 16 bytes, past L1 */
    CT_ATOM_LDMATRIX, /* shared to registers, 8x8 matrices of 16-bit elements, a warp at once */
    CT_ATOM_LDMATRIX_TRANS,
    CT_ATOM_STMATRIX, /* registers to shared */
    CT_ATOM_STMATRIX_TRANS,
    CT_ATOM_AUTO,      /* registers, by the widest accesses that either side allows */
    CT_ATOM_BULK_LOAD, /* one thread moves a tile: rows of it, contiguous on both sides */
    CT_ATOM_BULK_STORE,
    CT_ATOM_TMA_LOAD, /* one thread moves a tile of a tensor that a map describes */
    CT_ATOM_TMA_STORE,
    CT_ATOM_TMA_ADD, /* what it stores is added to, or compared with, what lies there */
    CT_ATOM_TMA_MIN,
    CT_ATOM_TMA_MAX,
    CT_ATOM_BULK_ADD, /* rows, as of CT_ATOM_BULK_STORE, added to or compared with memory */
    CT_ATOM_BULK_MIN,
    CT_ATOM_BULK_MAX,
    CT_ATOM_OWN /* of layouts: no instruction; see own_copy_atom.h */
};

/** @internal Whether the atom is cp.async: its copies are complete only after a wait. */
CT_FN int ct_atom_is_async(int32_t kind)
{
    return kind == CT_ATOM_CP_ASYNC_CA || kind == CT_ATOM_CP_ASYNC_CG;
}

/** @internal Whether one thread moves a tile with the atom. */
CT_FN int ct_atom_is_tile(int32_t kind)
{
    return kind >= CT_ATOM_BULK_LOAD && kind <= CT_ATOM_BULK_MAX;
}

/** @internal Whether the atom reduces rows in global memory by bulk copies. */
CT_FN int ct_atom_is_reduction(int32_t kind)
{
    return kind >= CT_ATOM_BULK_ADD && kind <= CT_ATOM_BULK_MAX;
}

/** @internal Whether the atom moves rows by bulk copies. */
CT_FN int ct_atom_is_bulk(int32_t kind)
{
    return kind == CT_ATOM_BULK_LOAD || kind == CT_ATOM_BULK_STORE || ct_atom_is_reduction(kind);
}

/** @internal Whether an atom fixes the width of its accesses on either side. */
CT_FN int ct_atom_is_matrix(int32_t kind)
{
    return kind == CT_ATOM_LDMATRIX || kind == CT_ATOM_LDMATRIX_TRANS || kind == CT_ATOM_STMATRIX ||
           kind == CT_ATOM_STMATRIX_TRANS;
}

/** The memory of a side of a copy. */
enum { CT_SPACE_GLOBAL, CT_SPACE_SHARED, CT_SPACE_REGISTERS };

/** A digit of the thread number, (thread / div) % mod, and its steps: coordinates along an axis,
 * and elements of shared memory before the swizzle. */
typedef struct ct_digit {
    int32_t div, mod, axis, step, offset;
} ct_digit;

/** A digit of a number, (number / div) % mod, and what it moves; axis -1: nothing. */
typedef struct ct_value_digit {
    int32_t div, mod, axis, step;
} ct_value_digit;

/** Digits of a number. */
typedef struct ct_digits {
    int32_t count;
    ct_value_digit digit[CT_DIGITS];
} ct_digits;

/** One side of a partition. Coordinates count from the thread's first element. */
typedef struct ct_side {
    int32_t space,
        axis;         /* the axis along which an access's elements lie; -1: in shared memory only */
    int32_t width;    /* elements of an access */
    int32_t accesses; /* of a thread */
    int32_t digits;
    ct_digit digit[CT_DIGITS];
    uint32_t coord[CT_ACCESSES];           /* of access i: ct_access_coord */
    uint8_t left[CT_AXES], right[CT_AXES]; /* shifts to the coordinate along an axis; 0: it is 0 */
    int32_t is_signed;
    /* Shared memory: access i is at byte (first ^ fold[i]) + add[i], where first is the swizzled
     * start of the thread. If this does not hold for all threads, apart is 0 and access i is at the
     * swizzle of first + add[i], with the unswizzled first. */
    int32_t separate;
    uint16_t fold[CT_ACCESSES];
    int32_t add[CT_ACCESSES];
    int32_t first; /* bytes at which thread 0 begins, before the swizzle */
    int32_t bytes; /* of shared memory from one stage to the next */
    /* Shared memory whose layout is larger than a tile: the number of tiles along an axis with one
     * step, and this step, in bytes before the swizzle. */
    int32_t tiles[CT_AXES], next[CT_AXES];
} ct_side;

/** A tile, divided among the threads and values of a tiled copy. */
typedef struct ct_partition {
    ct_error err;
    int32_t atom;     /* CT_ATOM_... */
    int16_t matrices; /* of ldmatrix and stmatrix */
    int16_t elem;     /* of a bulk reduction: CT_ELEM_...; 0 otherwise */
    int32_t elem_bits;
    int32_t threads, values; /* values of a thread */
    int32_t axes;
    int32_t inner;                /* axes, a bit each, that go on in the mode of the axis before */
    int32_t tile[CT_AXES];        /* extents */
    int32_t permuted;             /* whether the sides go through the values in different orders */
    int32_t blocks;               /* blocks of values, each of full accesses on both sides */
    int32_t src_block, dst_block; /* accesses of a block */
    int32_t in_flight;            /* words of registers whose loads are in flight at once */
    int32_t is_unaligned;         /* elements may be at any address: moved byte by byte */
    int32_t src_bits; /* of an element of the source: elem_bits, unless the copy converts */
    ct_swizzle src_swizzle, dst_swizzle; /* in bytes */
    ct_digits value; /* of a side in registers: where element i of a thread lies in the tile, */
    uint32_t hash;   /* from the thread's first; and a hash of what each thread has: 0 if the */
                     /* layout of the registers has no modes in common with the values */
    /* Element k of access i, of both sides numbered i * width + k: element j of the destination is
     * element turn[j] of the source, and element j of the source is element back[j] of the destination. */
    uint8_t turn[CT_VALUES], back[CT_VALUES];
    ct_side src, dst;
    uint8_t ends;       /* of a plan: axes, a bit each, past whose end are whole accesses */
    uint8_t unchecked;  /* every tile is full and aligned: no tests */
    uint8_t predicated; /* every access is tested: a tile may begin and end outside of a tensor */
    uint8_t over;       /* axes, a bit each, along which the tiled copy covers more than the tile */
    uint8_t reach[2][CT_AXES];  /* of src and dst: coordinates from an access's first to its last */
    uint16_t repeats;           /* axes, a bit each, along which the source's step is 0 */
    uint8_t alike[CT_ACCESSES]; /* then: the first access that has the elements of access i */
} ct_partition;

/** @internal The coordinate of access i of a side along an axis, from the thread's first. */
CT_FN int32_t ct_access_coord(const ct_side *s, int i, int axis)
{
    const uint32_t high = s->coord[i] << s->left[axis];
    if (s->right[axis] == 0) return 0;
    return s->is_signed ? CT_CAST(int32_t, high) >> s->right[axis]
                        : CT_CAST(int32_t, high >> s->right[axis]);
}

/** @internal The failed partition that carries e. */
CT_FN ct_partition ct_partition_fail(ct_error e)
{
    ct_partition p = CT_ZERO;
    p.err = e;
    return p;
}

#endif
