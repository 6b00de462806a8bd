/* cutlet gemm: a product compared with one in double, of the elements as the files have them. */
#include <float.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "base/pool.h"
#include <cutlet/device/element/element.h>
#include "gemm.h"

/* Products of more multiply-adds than MOST are compared at places: some in every tile of TILE. */
#define MOST ((int64_t)1 << 26)
enum { TILE = 128, TASK = 256 };

typedef struct comparison {
    const ct_gemm_job *job;
    ct_gemm_check *check;
    pthread_mutex_t lock; /* of check */
    int64_t count;        /* elements that are compared: all, or places */
} comparison;

/* What an element should be, how far from it a right one may be, where infinity begins. */
typedef struct expectation {
    double right, may, largest;
} expectation;

double ct_gemm_value(const void *at, int64_t i, int32_t type)
{
    switch (type) {
        case CT_TYPE_HALF: return (double)ct_float_of_half(((const uint16_t *)at)[i]);
        case CT_TYPE_BFLOAT16: return (double)ct_float_of_bfloat16(((const uint16_t *)at)[i]);
        case CT_TYPE_INT8: return (double)((const int8_t *)at)[i];
        default: return (double)((const float *)at)[i];
    }
}

/* A number that looks random; the same for the same n. */
static uint64_t mixed(uint64_t n)
{
    n += 0x9e3779b97f4a7c15u;
    n = (n ^ n >> 30) * 0xbf58476d1ce4e5b9u;
    n = (n ^ n >> 27) * 0x94d049bb133111ebu;
    return n ^ n >> 31;
}

static int64_t tiles_of(const ct_gemm_job *j)
{
    return ct_ceil_div_int(j->m, TILE) * ct_ceil_div_int(j->n, TILE);
}

static int64_t count_of(const ct_gemm_job *j)
{
    const int64_t all = j->m * j->n;
    return ct_min(all, ct_max(MOST / j->k, tiles_of(j)));
}

/* Element number `i` of those that are compared. */
static void place_of(const comparison *c, int64_t i, int64_t at[2])
{
    const ct_gemm_job *const j = c->job;
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
static double may_differ(const ct_gemm_job *j, double right, double factor, double own, double peak,
                         double size)
{
    const int type = j->type->type;
    const double alpha = fabs(factor), sum = ldexp(2 * (double)j->k * peak + 16 * size, -23);
    const double factors = j->tf32 ? ldexp(size, -9) * 1.01 : 0, tiny = 2 * FLT_MIN * (double)j->k;
    const double result = type == CT_TYPE_HALF       ? ldexp(fabs(right), -11) + ldexp(1, -25)
                          : type == CT_TYPE_BFLOAT16 ? ldexp(fabs(right), -8) + FLT_MIN
                                                     : ldexp(fabs(right), -24) + FLT_MIN;
    const double before = alpha * (sum + factors + tiny) + ldexp(2 * fabs(own), -23);
    const int is_bent = j->activation > GEMM_RELU;
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

static expectation expect(const ct_gemm_job *j, const int64_t *at)
{
    const ct_layout *const A = &j->a.layout, *const B = &j->b.layout;
    const int64_t a = at[0] * A->stride[0], b = at[1] * B->stride[0];
    expectation e = {0, 0, largest_of(j->type->type)};
    double sum = 0, peak = 0, size = 0;
    for (int64_t k = 0; k < j->k; ++k) {
        const double x = ct_gemm_value(j->a.file.data, a + k * A->stride[1], j->type->type) *
                         ct_gemm_value(j->b.file.data, b + k * B->stride[1], j->type->type);
        sum += x;
        peak = fabs(sum) > peak ? fabs(sum) : peak;
        size += fabs(x);
    }
    if (j->type->type == CT_TYPE_INT8) { /* a double holds the sum exactly */
        e.right = ct_gemm_integer(j, at, (uint32_t)(int64_t)sum);
        return e;
    }
    const double factor = ct_gemm_factor(j, at), own = ct_gemm_addend(j, at);
    e.right = ct_gemm_activated(j->activation, factor * sum + own);
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

static double found_at(const ct_gemm_job *j, const int64_t *at)
{
    const int64_t i = at[0] * j->n + at[1];
    if (j->type->type == CT_TYPE_INT8) return (double)((const int32_t *)j->d)[i];
    return ct_gemm_value(j->d, i, j->type->type);
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

static void check_element(const ct_gemm_job *j, const int64_t *at, ct_gemm_check *all)
{
    const expectation e = expect(j, at);
    const double found = found_at(j, at), difference = fabs(found - e.right);
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
        check_element(c->job, at, &here);
    }
    pthread_mutex_lock(&c->lock);
    merge(c->check, &here);
    pthread_mutex_unlock(&c->lock);
}

void ct_gemm_compare(const ct_gemm_job *job, ct_gemm_check *check)
{
    comparison c = {job, check, PTHREAD_MUTEX_INITIALIZER, count_of(job)};
    memset(check, 0, sizeof *check);
    ct_pool_run(ct_pool_threads(), ct_ceil_div_int(c.count, TASK), do_task, &c);
}
