/* Internals of the traffic of layouts: the lanes of an instruction, with the start and the
 * in-bounds part of each, and the walk over all instructions of a tile. */
#ifndef CUTLET_SRC_MODEL_TRAFFIC_WALK_H
#define CUTLET_SRC_MODEL_TRAFFIC_WALK_H

#include <cutlet/host/traffic.h>

enum { TRAFFIC_LANES = 32, TRAFFIC_VALUES = 32 /* of an access: 256 bits of 8 */ };

/* One side of a walk. */
typedef struct traffic_memory {
    const ct_traffic_side *side;
    const char *name;              /* "source: ", or "" where there is only one side */
    ct_layout mode[CT_MAX_LEAVES]; /* of the memory: coordinate along a mode -> element */
    int64_t extent[CT_MAX_LEAVES]; /* of the memory */
} traffic_memory;

/* Threads and values over a tile, and the tile over a tensor. */
typedef struct traffic_walk {
    ct_layout tv; /* (thread, value) -> index in the tile */
    int64_t threads, accesses;
    int32_t bits, elem_bits;
    int32_t width;     /* the values of an access */
    int32_t lanes;     /* of a warp, those that give an address */
    int32_t by_class;  /* congruent accesses are counted once */
    int32_t is_matrix; /* no lane may be off */
    int32_t is_filled; /* cp.async: an access of which the end is outside has zeros there */
    int rank;
    int64_t tile[CT_MAX_LEAVES], shape[CT_MAX_LEAVES]; /* of the tensor */
    char *message;                                     /* CT_MESSAGE_BYTES, or NULL */
} traffic_walk;

/* One access of a warp on one side. */
typedef struct traffic_lanes {
    uint32_t inside[TRAFFIC_LANES];               /* bit j: value j is */
    int64_t value[TRAFFIC_LANES][TRAFFIC_VALUES]; /* the byte that it begins at */
    uint32_t whole;                               /* the mask of an access that is all inside */
} traffic_lanes;

/* The state of a walk. */
typedef struct traffic_job {
    traffic_walk walk;
    traffic_memory memory[2];
    int given[2]; /* which sides are walked */
    const ct_access_rules *rules;
    ct_traffic_visit *visit;
    void *user;
    ct_traffic *sum[2];
    int together; /* both sides of a cp.async in one count; no visitor */
} traffic_job;

/* Whether the values in bounds make an access: all of them, or a part followed by zeros. */
int ct_traffic_is_access(const traffic_walk *w, uint32_t inside, uint32_t whole);

/* traffic_walk.c. Fills the memory of a side, mode by mode, or, `by_index`, as one. */
ct_status ct_traffic_memory_make(const traffic_walk *w, traffic_memory *p,
                                 const ct_traffic_side *side, const char *name, int by_index);

/* The access of a warp in the tile that begins at origin. Refuses an invalid access. */
ct_status ct_traffic_gather(const traffic_walk *w, const traffic_memory *p, const int64_t *origin,
                            int64_t warp, int64_t access, traffic_lanes *out);

/* traffic.c. Refuses bits of the walk for which the kind has no instruction. */
ct_status ct_traffic_check_widths(const traffic_walk *w, int kind);

/* Takes the thread-value layout apart, which may reach `n` indices. */
ct_status ct_traffic_set_tv(traffic_walk *w, ct_layout tv, int64_t n);

/* Adds the sums of one walk, this many times. */
void ct_traffic_add_times(ct_traffic *sum, const ct_traffic *more, int64_t times);

/* Access number `access` of a warp, on the given sides. */
ct_status ct_traffic_walk_access(const traffic_job *j, const int64_t *origin, int64_t tile,
                                 int64_t warp, int64_t access);

/* Refuses more accesses than are walked one by one. */
ct_status ct_traffic_check_count(const traffic_walk *w);

/* traffic_classes.c. As ct_traffic_of_tv, but of accesses that cost the same the visitor sees the first alone. */
ct_status ct_traffic_of_classes(ct_layout tv, const ct_traffic_side *side, int32_t bits,
                                const ct_access_rules *rules, ct_traffic_visit *visit, void *user,
                                ct_traffic *sum, char message[CT_MESSAGE_BYTES]);

/* Elements, a power of two, after which sectors, banks and the swizzle of a side repeat; 0: the rules have another period. */
int64_t ct_traffic_period(const traffic_job *j, int side);

/* All instructions of a tile. */
ct_status ct_traffic_walk_tile(const traffic_job *j, const int64_t *origin, int64_t tile);

#endif
