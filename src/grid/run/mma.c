/* mma.sync on the grid: the lanes meet, each with its fragments, and the last to arrive multiplies.
 * The atom's thread-value layouts give the elements of each lane. */
#include "sparse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cutlet/mma/mma_atom.h>
#include "mma_values.h"

/* The largest operand has single bits: A of 16 x 256. */
enum { MOST_ROWS = 16, MOST_ELEMENTS = MOST_ROWS * 256, MOST_VALUES = 128, TABLES = 8 };

/* An instruction's layouts, evaluated: the element of each value of each thread. */
typedef struct mma_table {
    ct_mma_op op;
    int threads, values[3]; /* values of A, B and C */
    int lane[WARP_LANES];   /* of each thread of the first group */
    int16_t at[3][WARP_LANES][MOST_VALUES];
} mma_table;

/* The last few tables of a launch (kernels use one or two), and the matrices of one instruction.
 * (Not on the stack of a thread, which is short.) */
typedef struct mma_products {
    mma_table tables[TABLES];
    int newest;
    ct_mma_op known; /* it exists */
    double a[MOST_ELEMENTS + MOST_ROWS], b[MOST_ELEMENTS], c[MOST_ELEMENTS];
} mma_products;

static mma_products *products_of(ct_thread *t, const ct_operation *op)
{
    ct_grid_state *const r = t->grid;
    if (!r->products) r->products = calloc(1, sizeof(mma_products));
    if (!r->products)
        ct_grid_fail_at(t, op, CT_GRID_E_MEMORY, "not enough memory for %zu bytes of tables",
                        sizeof(mma_products));
    return r->products;
}

static void make_table(mma_table *t, const ct_mma_op *op)
{
    const ct_mma_atom atom = ct_mma_atom_of(*op);
    t->op = *op;
    t->threads = (int)ct_size(atom.thr_id);
    for (int i = 0; i < t->threads; ++i) t->lane[i] = (int)ct_eval(atom.thr_id, i);
    for (int operand = 0; operand < 3; ++operand) {
        const ct_layout tv = ct_mma_tv(atom, operand);
        t->values[operand] = (int)(ct_size(tv) / t->threads);
        for (int i = 0; i < t->threads; ++i)
            for (int v = 0; v < t->values[operand]; ++v)
                t->at[operand][i][v] = (int16_t)ct_eval2(tv, i, v);
    }
}

static const mma_table *table_of(mma_products *p, const ct_mma_op *op)
{
    for (int i = 0; i < TABLES; ++i) {
        const mma_table *const t = &p->tables[(p->newest + i) % TABLES];
        if (t->threads > 0 && ct_mma_same_op(t->op, *op)) return t;
    }
    p->newest = (p->newest + TABLES - 1) % TABLES;
    make_table(&p->tables[p->newest], op);
    return &p->tables[p->newest];
}

typedef struct mma_lane {
    const ct_mma_op *op;
    void *d;
    const void *part[3]; /* A, B and C */
    const ct_metadata *metadata;
} mma_lane;

/* Gathers all elements of an operand from the threads of the group that begins at lane `first`. */
static void gather(const mma_table *t, void *data[WARP_LANES], int first, int operand, double *to)
{
    const int32_t type = operand == CT_MMA_A ? t->op.a : operand == CT_MMA_B ? t->op.b : t->op.c;
    for (int i = 0; i < t->threads; ++i) {
        const mma_lane *const lane = data[first + t->lane[i]];
        double values[MOST_VALUES];
        ct_mma_values(type, lane->part[operand], t->values[operand], values);
        for (int v = 0; v < t->values[operand]; ++v) to[t->at[operand][i][v]] = values[v];
    }
}

/* The sum for element (i,j). Each product of doubles is fused with its sum; products of other types
 * are exact. */
static double dot(const ct_mma_op *op, const double *a, const double *b, double sum)
{
    const int is_xor = op->form == CT_MMA_XORPOPC;
    double products = 0;
    for (int k = 0; k < op->k; ++k) {
        const double x = a[k * op->m], y = b[k * op->n];
        if (op->a == CT_MMA_F64) sum = fma(x, y, sum);
        else products += is_xor ? x != y : x * y;
    }
    return sum + products;
}

static void spread(ct_thread *last, const ct_operation *said, const ct_mma_op *op,
                   void *data[WARP_LANES], double *a)
{
    uint32_t words[WARP_LANES];
    for (int i = 0; i < WARP_LANES; ++i) words[i] = ((const mma_lane *)data[i])->metadata->word;
    ct_grid_spread(last, said, op, ((const mma_lane *)data[0])->metadata, words, a, 1, op->m);
}

/* Adds the products of numbers that are exact to column j of C. */
static void add_column(const ct_mma_op *op, const double *a, const double *b, double *c)
{
    double sums[MOST_ROWS] = {0};
    for (int k = 0; k < op->k; ++k)
        for (int i = 0; i < MOST_ROWS; ++i) sums[i] += a[i + k * op->m] * b[k * op->n];
    for (int i = 0; i < op->m; ++i) c[i] += sums[i];
}

/* Multiplies for the group of threads that begins at lane `first`. */
static void multiply(ct_thread *last, const ct_operation *said, mma_products *p, const mma_table *t,
                     void *data[WARP_LANES], int first)
{
    double *const a = p->a, *const b = p->b, *const c = p->c;
    const ct_mma_op *const op = &t->op;
    gather(t, data, first, CT_MMA_A, a);
    if (op->sparse) spread(last, said, op, data, a);
    gather(t, data, first, CT_MMA_B, b);
    gather(t, data, first, CT_MMA_C, c);
    const int is_plain = op->a != CT_MMA_F64 && op->form != CT_MMA_XORPOPC;
    for (int j = 0; j < op->n; ++j)
        if (is_plain) add_column(op, a, b + j, c + j * op->m);
        else
            for (int i = 0; i < op->m; ++i)
                c[i + j * op->m] = dot(op, a + i, b + j, c[i + j * op->m]);
    for (int i = 0; i < t->threads; ++i) {
        const mma_lane *const lane = data[first + t->lane[i]];
        for (int v = 0; v < t->values[CT_MMA_C]; ++v) {
            const double sum = c[t->at[CT_MMA_C][i][v]];
            const float rounded = (float)sum;
            if (op->d == CT_MMA_F32 && sum == sum) memcpy((float *)lane->d + v, &rounded, 4);
            else ct_mma_set_value(op->d, op->form == CT_MMA_SATURATE, lane->d, v, sum);
        }
    }
}

/* Multiplies for the warp, or for each of its four quad pairs. */
static void act_mma(ct_thread *last, const ct_operation *op, void *data[WARP_LANES])
{
    const mma_lane *const lane = data[0];
    for (int i = 1; i < WARP_LANES; ++i)
        if (((const mma_lane *)data[i])->op != lane->op &&
            !ct_mma_same_op(*((const mma_lane *)data[i])->op, *lane->op))
            ct_grid_fail_at(last, op, CT_GRID_E_DIVERGENCE,
                            "lanes 0 and %d of the warp ask for different instructions", i);
    mma_products *const p = products_of(last, op);
    const mma_table *const t = table_of(p, lane->op);
    p->known = *lane->op;
    for (int first = 0; first < WARP_LANES / 2; first += 4) {
        multiply(last, op, p, t, data, first);
        if (t->op.kind != CT_MMA_QUAD_PAIR) return;
    }
}

void ct_grid_mma(ct_grid_site *site, const ct_mma_op *mma, void *d, const void *a, const void *b,
                 const void *c)
{
    ct_grid_mma_with(site, mma, d, a, b, c, NULL);
}

void ct_grid_mma_with(ct_grid_site *site, const ct_mma_op *mma, void *d, const void *a,
                      const void *b, const void *c, const ct_metadata *metadata)
{
    ct_thread *const t = self();
    const ct_operation op = {site, "mma.sync", 4, 0, 0, 0, 0};
    const void *const all[] = {d, a, b, c};
    mma_lane own = {mma, d, {a, b, c}, metadata};
    if (mma->kind != CT_MMA_WARP && mma->kind != CT_MMA_QUAD_PAIR)
        ct_grid_fail_at(t, &op, CT_GRID_E_ATOM, "the instruction is not one of a warp");
    const mma_products *const p = t->grid->products;
    if (!(p && ct_mma_same_op(p->known, *mma)) && ct_mma_exists(*mma) < 2)
        ct_grid_fail_at(t, &op, CT_GRID_E_ATOM,
                        "there is no such instruction: see ct_make_mma_atom");
    ct_grid_check_metadata(t, &op, mma, metadata);
    if (mma->arch > 90 || !ct_mma_is_number(mma->a) || !ct_mma_is_number(mma->b))
        ct_grid_fail_at(t, &op, CT_GRID_E_ATOM,
                        "the grid has no mma.sync of complex numbers, nor those of sm_120");
    for (int i = 0; i < 4; ++i) ct_grid_check_fragment(t, &op, all[i]);
    ct_grid_meet_all(t, &op, &own, act_mma);
}
