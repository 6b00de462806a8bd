/* ldmatrix and stmatrix on the grid: each lane checks and records its own row, then the lanes meet.
 * The last to arrive moves the 8 x 8 elements of every matrix. */
#include "run.h"

#include <string.h>

enum { MATRIX_ROWS = 8, ROW_BYTES = 16 };

typedef struct matrix_lane {
    unsigned char *row;
    uint32_t *reg; /* a store reads it, a load writes it */
    int count, trans, is_store;
} matrix_lane;

/* The address in memory of half 0 or 1 of the element pair that a lane holds of a matrix. */
static unsigned char *element(void *data[WARP_LANES], int matrix, int lane, int half, int trans)
{
    const int row = lane / 4, column = lane % 4 * 2 + half;
    const matrix_lane *from = data[MATRIX_ROWS * matrix + (trans ? column : row)];
    return from->row + 2 * (trans ? row : column);
}

static void act_matrix(ct_thread *last, const ct_operation *op, void *data[WARP_LANES])
{
    (void)last;
    (void)op;
    for (int lane = 0; lane < WARP_LANES; ++lane) {
        const matrix_lane *m = data[lane];
        for (int i = 0; i < m->count; ++i) {
            for (int half = 0; half < 2; ++half) {
                unsigned char *in_memory = element(data, i, lane, half, m->trans);
                unsigned char *in_register = (unsigned char *)&m->reg[i] + 2 * half;
                if (m->is_store) memcpy(in_memory, in_register, 2);
                else memcpy(in_register, in_memory, 2);
            }
        }
    }
}

static void matrix(ct_grid_site *site, const ct_operation *op, int kind, const matrix_lane *m)
{
    ct_thread *t = self();
    matrix_lane own = *m;
    int64_t address = CT_LANE_OFF;
    ct_grid_check_fragment(t, op, own.reg);
    if (t->lane < MATRIX_ROWS * own.count) address = ct_grid_check(t, op, own.row);
    ct_grid_record(t, site, kind, 8 * ROW_BYTES, 0, address);
    ct_grid_meet_all(t, op, &own, act_matrix);
}

void ct_grid_ldmatrix(ct_grid_site *site, uint32_t *reg, const void *row, int count, int trans)
{
    const ct_operation op = {site, "ldmatrix from shared memory", ROW_BYTES, 1, 0, 0, 0};
    const matrix_lane m = {(unsigned char *)(uintptr_t)row, reg, count, trans, 0};
    matrix(site, &op, CT_ACCESS_LDSM, &m);
}

void ct_grid_stmatrix(ct_grid_site *site, void *row, const uint32_t *reg, int count, int trans)
{
    const ct_operation op = {site, "stmatrix to shared memory", ROW_BYTES, 1, 1, 0, 0};
    const matrix_lane m = {row, (uint32_t *)(uintptr_t)reg, count, trans, 1};
    matrix(site, &op, CT_ACCESS_STSM, &m);
}
