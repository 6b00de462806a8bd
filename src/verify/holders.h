/**
 * Every value of every thread with the element of the tile that it holds, by enumeration.
 * Layouts in memory are tables, so that the offset of an element takes a few additions.
 */
#ifndef CUTLET_SRC_VERIFY_HOLDERS_H
#define CUTLET_SRC_VERIFY_HOLDERS_H

#include <cutlet/host/verify.h>

/** What ct_hold.at is for an element that has no index in the tile. */
#define CT_HOLD_OUTSIDE CT_INVALID

/** One value of one thread. */
typedef struct ct_hold {
    int64_t thread, value;
    int64_t at; /* index in the tile; outside [0, size) the tile has no such element */
} ct_hold;

typedef struct ct_holders {
    int64_t threads; /* numbered from 0; not each must hold something */
    int64_t slots;   /* values of a thread's block, in the order in which accesses take them */
    int64_t count;   /* of hold: full blocks of slots */
    int64_t size;    /* of the tile */
    int64_t copies;  /* threads that are to hold each element */
    int rank;        /* of the tile */
    int64_t tile[CT_MAX_LEAVES];
    ct_hold *hold;
    int32_t *coord; /* rank for each hold: its coordinate in the tile; not set outside */
} ct_holders;

/** Tiles along a mode whose offsets differ by one number, a multiple of the modulus: they are proved
 *  by the first. */
typedef struct ct_tile_class {
    int64_t origin, times;
} ct_tile_class;

/** A layout in memory. */
typedef struct ct_verify_side {
    ct_layout layout;
    int rank;
    int64_t extent[CT_MAX_LEAVES];
    int64_t step[CT_MAX_LEAVES];   /* of a mode of one stride */
    int64_t *table[CT_MAX_LEAVES]; /* of another: coordinate -> its part of the offset */
    ct_swizzle swizzle;
    int64_t offset, size;
    int separate;                        /* no two elements have one offset, by the strides alone */
    ct_tile_class *tiles[CT_MAX_LEAVES]; /* NULL: not asked for */
    int64_t classes[CT_MAX_LEAVES];
} ct_verify_side;

/** The holders of tv over a tile, or (by_blocks) of thr and val. CT_E_ARGUMENT: they do not fit;
 *  CT_E_CAPACITY: they are too many; CT_E_MEMORY. Freed by ct_holders_free in either case. */
ct_status ct_holders_of_tv(ct_holders *h, ct_layout tv, ct_tuple tile, char *message);
ct_status ct_holders_of_blocks(ct_holders *h, ct_layout thr, ct_layout val, ct_tuple tile,
                               char *message);
void ct_holders_free(ct_holders *h);

/** The side of a layout; name is "source" and so on. Freed by ct_side_free in either case. */
ct_status ct_side_make(ct_verify_side *s, const ct_tensor *c, const char *name, char *message);
void ct_side_free(ct_verify_side *s);

/**
 * Finds the classes of the tiles of h along each mode. Accesses that begin at multiples of up to
 * `align` elements, and the swizzle, treat the tiles of a class alike. CT_E_CAPACITY: more holds in
 * tiles of different classes than are enumerated; CT_E_MEMORY.
 */
ct_status ct_side_classes(ct_verify_side *s, const ct_holders *h, int64_t align, const char *name,
                          char *message);

/** The elements of the side that the holds reach, each hold counted by itself. */
int64_t ct_side_writes(const ct_holders *h, const ct_verify_side *s);

/** Two elements of one offset, at any size: 1 with their coordinates, and how many offsets several
 *  elements have, 0 where that is not counted; 0: there are none; -1: too many would be tried. */
int ct_side_meet(const ct_verify_side *s, int64_t coord[2][CT_MAX_LEAVES], int64_t *offsets);

/** The offset of a coordinate inside the extents. */
int64_t ct_side_at(const ct_verify_side *s, const int64_t *coord);

/** The tiles of a tensor, one after the other: origin is that of tile 0 after ct_tiles_first, and
 *  ct_tiles_next is 0 past the last. Modes that the tile lacks are walked one by one. */
void ct_tiles_first(int64_t *origin);
int ct_tiles_next(const ct_holders *h, const ct_verify_side *s, int64_t *origin);

/** The coordinate in the tensor of hold i in the tile at origin; 0 where it is outside. */
int ct_hold_coord(const ct_holders *h, const ct_verify_side *s, const int64_t *origin, int64_t i,
                  int64_t *coord);

/** A coordinate as a tuple: an integer where the rank is 1. */
ct_tuple ct_coord_tuple(const int64_t *coord, int rank);

/** The coordinate of an index in the tile. */
ct_tuple ct_holders_coord(const ct_holders *h, int64_t at);

/** What the accesses of one side are like. */
typedef struct ct_accesses {
    int64_t whole, cut; /* accesses inside the tensor, and across its edge */
    int64_t bad;        /* full ones that are not one aligned run */
    int32_t fault;      /* of the first bad one: CT_BROKEN_STEP or CT_BROKEN_START */
    int64_t hold[2];    /* STEP: the two values that are not neighbours; START: the first, twice */
    int64_t offset[2];
    int64_t coord[2][CT_MAX_LEAVES];
} ct_accesses;

enum { CT_BROKEN_STEP = 1, CT_BROKEN_START };

/** Looks at every access of n values: contiguous, and its first offset a multiple of `align`
 *  elements. first: stop at the first bad one. Requires: n divides slots. */
ct_accesses ct_accesses_of(const ct_holders *h, const ct_verify_side *s, int64_t n, int64_t align,
                           int first);

#endif
