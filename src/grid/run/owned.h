/* The registers of a thread that is interpreted, and which of them belong to a wgmma in flight. */
#ifndef CUTLET_SRC_GRID_RUN_OWNED_H
#define CUTLET_SRC_GRID_RUN_OWNED_H

#include "wgmma.h"

enum { OWNED_MOST = 16, OWNED_WORDS = 128, OWNED_A = 64 };

typedef struct ct_owned_d {
    uint32_t words[OWNED_WORDS];
    int32_t in_flight;
    int64_t group;
} ct_owned_d;

typedef struct ct_registers {
    uint64_t *r;      /* all of them */
    uint32_t *tags;   /* of each: 1 + number of the D << 16 | word; 0: it is the thread's */
    ct_owned_d *d;    /* [OWNED_MOST] */
    uint32_t (*a)[4]; /* [OWNED_A]: A in registers of the last instructions */
    int32_t count, tagged, next_a;
    int64_t groups; /* committed */
} ct_registers;

/* An instruction whose D is in `count` registers d; own.d is set here. */
void ct_grid_wgmma_owned(ct_grid_site *site, ct_registers *file, int count, const int32_t *d,
                         ct_wgmma_lane own);
void ct_grid_wgmma_wait_owned(ct_grid_site *site, ct_registers *file, int groups);
/* A register gets the value of another one, and its tag; from -1: of none. */
void ct_grid_move_tag(ct_registers *file, ptrdiff_t to, ptrdiff_t from);

#endif
