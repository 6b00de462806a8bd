/* wgmma's arithmetic: products and D are summed as doubles, and rounded once to the type of D. */
#include "wgmma.h"

#include <string.h>

#include <cutlet/mma/mma_atom.h>
#include "mma_values.h"

int ct_grid_wgmma_exists(ct_mma_op op) { return ct_mma_exists(op) == 2; }

/* Calls act for each element of an operand in registers, with its thread, value and number. */
typedef void on_element(ct_thread *thread, int value, int element, void *data);
static void each_element(ct_thread *group, const ct_mma_op *op, int operand, on_element *act,
                         void *data)
{
    ct_mma_op plain = *op;
    plain.major = CT_MMA_TN; /* the layouts of registers do not depend on it */
    const ct_layout tv = ct_mma_tv(ct_mma_atom_of(plain), operand);
    const int values = (int)ct_size(tv) / WARPGROUP_THREADS;
    int at[WORDS_D];
    for (int v = 0; v < values; ++v) at[v] = (int)ct_eval2(tv, 0, v);
    for (int i = 0; i < WARPGROUP_THREADS; ++i) {
        const int first = (int)ct_eval2(tv, i, 0);
        for (int v = 0; v < values; ++v) act(&group[i], v, first + at[v], data);
    }
}

static void take_a(ct_thread *thread, int value, int element, void *data)
{
    const ct_wgmma_lane *const own = thread->meeting.data;
    double *const a = data; /* rows of k */
    a[element % WGMMA_M * own->op->k + element / WGMMA_M] = ct_mma_value(own->op->a, own->a, value);
}

static void take_d(ct_thread *thread, int value, int element, void *data)
{
    const ct_wgmma_lane *const own = thread->meeting.data;
    ct_wgmma_sums *const d = data;
    d->value[element % WGMMA_M * own->op->n + element / WGMMA_M] =
        ct_mma_value(own->op->d, own->d, value);
}

static void give_d(ct_thread *thread, int value, int element, void *data)
{
    const ct_wgmma_sums *const d = data;
    unsigned char *const at = d->at[ct_grid_wgmma_rank(thread)];
    ct_mma_set_value(d->op.d, 0, at, value,
                     d->value[element % WGMMA_M * d->op.n + element / WGMMA_M]);
}

void ct_grid_wgmma_poison(const ct_wgmma_sums *d)
{
    for (int i = 0; i < WARPGROUP_THREADS; ++i)
        for (int w = 0; w < ct_grid_wgmma_words(&d->op); ++w)
            memcpy(d->at[i] + 4 * w, &d->poison, 4);
}

void ct_grid_wgmma_take_a(ct_thread *group, double *a)
{
    const ct_wgmma_lane *const own = group->meeting.data;
    each_element(group, own->op, CT_MMA_A, take_a, a);
}

void ct_grid_wgmma_take_d(ct_thread *group, ct_wgmma_sums *d)
{
    each_element(group, &d->op, CT_MMA_C, take_d, d);
}

void ct_grid_wgmma_give_d(ct_thread *group, const ct_wgmma_sums *d)
{
    each_element(group, &d->op, CT_MMA_C, give_d, (void *)(uintptr_t)d);
}

void ct_grid_wgmma_multiply(const ct_mma_op *op, const double *a, const double *b, int scale_d,
                            double *d)
{
    for (int i = 0; i < op->m; ++i) {
        double sum[WGMMA_N] = {0};
        for (int k = 0; k < op->k; ++k) {
            const double x = a[i * op->k + k], *const y = b + k * op->n;
            for (int j = 0; j < op->n; ++j) sum[j] += x * y[j];
        }
        for (int j = 0; j < op->n; ++j) {
            double *const to = &d[i * op->n + j];
            *to = ct_mma_rounded(op->d, op->form == CT_MMA_SATURATE, (scale_d ? *to : 0) + sum[j]);
        }
    }
}
