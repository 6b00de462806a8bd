/* cutlet gemm: a product compared with one in double, of the elements as the files have them. */
#include <float.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "base/pool.h"
#include "gemm.h"
#include "gemm/plan.h"

/* Products of more multiply-adds than MOST are compared at places: some in every tile of TILE. */
#define MOST ((int64_t)1 << 26)
enum { TILE = 128, TASK = 256 };

typedef struct comparison {
    const ct_gemm_plan *plan;
    const ct_gemm_operands *on;
    ct_gemm_check *check;
    pthread_mutex_t lock; /* of check */
    int64_t count;        /* elements that are compared: all, or places */
} comparison;

/* What an element should be, how far from it a right one may be, where infinity begins. */
typedef struct expectation {
    double right, may, largest;
} expectation;

/* A number that looks random; the same for the same n. */
static uint64_t mixed(uint64_t n)
{
    n += 0x9e3779b97f4a7c15u;
    n = (n ^ n >> 30) * 0xbf58476d1ce4e5b9u;
    n = (n ^ n >> 27) * 0x94d049bb133111ebu;
    return n ^ n >> 31;
}

static int64_t tiles_of(const ct_gemm_plan *j)
{
    return ct_ceil_div_int(j->m, TILE) * ct_ceil_div_int(j->n, TILE);
}

static int64_t count_of(const ct_gemm_plan *j)
{
    const int64_t all = j->m * j->n;
    return ct_min(all, ct_max(MOST / j->k, tiles_of(j)));
}

/* Element number `i` of those that are compared. */
static void place_of(const comparison *c, int64_t i, int64_t at[2])
{
    const ct_gemm_plan *const j = c->plan;
    const int64_t columns = ct_ceil_div_int(j->n, TILE), tile = i % tiles_of(j);
    const int64_t corner[] = {tile / columns * TILE, tile % columns * TILE};
    const uint64_t dice = mixed((uint64_t)i);
    at[0] = corner[0] + (int64_t)((dice & 0xffffffff) % (uint64_t)ct_min(TILE, j->m - corner[0]));
    at[1] = corner[1] + (int64_t)((dice >> 32) % (uint64_t)ct_min(TILE, j->n - corner[1]));
    if (c->count == j->m * j->n) {
        at[0] = i / j->n;
        at[1] = i % j->n;
    }
}

/*
 * What rounding may do to an element. A sum of floats in any order of neighbours errs by at most
 * 2^-23 of each partial sum, of which none is larger than twice the largest, `peak`, and the
 * products around it: `size` is the sum of their magnitudes. (Matrix instructions cut what they add
 * where multiply-adds round, hence 2^-23.) TF32 takes 10 bits of each factor. The result is rounded
 * to its type. The epilogue rounds what it scales and adds. An activation is no steeper than 1.2; gelu
 * and silu err by 2^-20 of their operand, or for results of 16 bits by 2^-11.
 */
static double may_differ(const ct_gemm_plan *j, double right, double factor, double own,
                         double peak, double size)
{
    const int type = j->type->result;
    const int bits = j->desc.type == CT_TYPE_E4M3 ? -12 : -23; /* that sums keep */
    const double alpha = fabs(factor), sum = ldexp(2 * (double)j->k * peak + 16 * size, bits);
    const double factors = j->desc.tf32 ? ldexp(size, -9) * 1.01 : 0,
                 tiny = 2 * FLT_MIN * (double)j->k;
    const double result = type == CT_TYPE_HALF       ? ldexp(fabs(right), -11) + ldexp(1, -25)
                          : type == CT_TYPE_BFLOAT16 ? ldexp(fabs(right), -8) + FLT_MIN
                                                     : ldexp(fabs(right), -24) + FLT_MIN;
    const double before = alpha * (sum + factors + tiny) + ldexp(2 * fabs(own), -23);
    const int is_bent = j->desc.activation > CT_ACTIVATION_RELU;
    const double operand = alpha * peak + fabs(own), steep = is_bent ? 1.2 : 1;
    const double bent = is_bent ? ldexp(operand, type == CT_TYPE_FLOAT ? -20 : -11) : 0;
    const double may = steep * before + bent + result;
    return (alpha + 1) * size > (double)FLT_MAX ? INFINITY : may; /* infinite on the way */
}

/* From where on a result is rounded to infinity. */
static double largest_of(int32_t type)
{
    switch (type) {
        case CT_TYPE_HALF: return 65520;
        case CT_TYPE_BFLOAT16: return ldexp(511, 119);
        default: return (double)FLT_MAX;
    }
}

static expectation expect(const comparison *c, const int64_t *at)
{
    const ct_gemm_plan *const j = c->plan;
    const ct_layout *const A = &j->desc.a, *const B = &j->desc.b;
    const int64_t a = at[0] * A->stride[0], b = at[1] * B->stride[0];
    expectation e = {0, 0, largest_of(j->type->result)};
    double sum = 0, peak = 0, size = 0;
    for (int64_t k = 0; k < j->k; ++k) {
        const double x = ct_gemm_value(c->on->a, a + k * A->stride[1], j->desc.type) *
                         ct_gemm_value(c->on->b, b + k * B->stride[1], j->desc.type);
        sum += x;
        peak = fabs(sum) > peak ? fabs(sum) : peak;
        size += fabs(x);
    }
    if (j->desc.type == CT_TYPE_INT8) { /* a double holds the sum exactly */
        e.right = ct_gemm_integer(j, c->on, at, (uint32_t)(int64_t)sum);
        return e;
    }
    const double factor = ct_gemm_factor(j, c->on, at), own = ct_gemm_addend(j, c->on, at);
    e.right = ct_gemm_activated(j->desc.activation, factor * sum + own);
    e.may = may_differ(j, e.right, factor, own, peak, size);
    return e;
}

/* Whether an element is right. It may be infinite where rounding may lead so far. */
static int is_right(const expectation *e, double found)
{
    if (isnan(e->right)) return isnan(found);
    if (isinf(e->right) || found == e->right) return found == e->right;
    if (isinf(found) && fabs(e->right) + e->may >= e->largest)
        return signbit(found) == signbit(e->right) || isinf(e->may);
    return isinf(e->may) || fabs(found - e->right) <= e->may;
}

static int is_before(const int64_t *a, const int64_t *b)
{
    return a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]);
}

/* Adds what was found elsewhere. */
static void merge(ct_gemm_check *all, const ct_gemm_check *one)
{
    const int first = one->wrong && (!all->wrong || is_before(one->at, all->at));
    if (first) {
        memcpy(all->at, one->at, sizeof all->at);
        all->found = one->found;
        all->right = one->right;
    }
    all->checked += one->checked;
    all->wrong += one->wrong;
    if (one->largest > all->largest) all->largest = one->largest;
}

static void check_element(const comparison *c, const int64_t *at, ct_gemm_check *all)
{
    const ct_layout *const D = &c->plan->desc.d;
    const expectation e = expect(c, at);
    const double found =
        ct_gemm_value(c->on->d, at[0] * D->stride[0] + at[1] * D->stride[1], c->plan->type->result);
    const double difference = fabs(found - e.right);
    ct_gemm_check one = {1, !is_right(&e, found), {at[0], at[1]}, found, e.right, 0};
    if (difference > 0 && isfinite(difference)) one.largest = difference;
    merge(all, &one);
}

static void do_task(void *user, int64_t task)
{
    comparison *const c = user;
    const int64_t end = ct_min(c->count, (task + 1) * TASK);
    ct_gemm_check here = {0};
    for (int64_t i = task * TASK; i < end; ++i) {
        int64_t at[2];
        place_of(c, i, at);
        check_element(c, at, &here);
    }
    pthread_mutex_lock(&c->lock);
    merge(c->check, &here);
    pthread_mutex_unlock(&c->lock);
}

void ct_gemm_compare(const ct_gemm_plan *plan, const ct_gemm_operands *on, ct_gemm_check *check)
{
    comparison c = {plan, on, check, PTHREAD_MUTEX_INITIALIZER, count_of(plan)};
    memset(check, 0, sizeof *check);
    ct_pool_run(ct_pool_threads(), ct_ceil_div_int(c.count, TASK), do_task, &c);
}
