/* MMA atoms by name: writing them, listing them, and finding the nearest. */
#include "mma_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evaluate.h"

static const ct_mma_family *families(int *count)
{
#define ROW(sparse, kind, arch, blocks, m, n0, n1, step, k, d, a, b, mixed, forms)                 \
    {CT_MMA_##kind, arch, blocks, m, n0, n1, step, k, d, a, b, mixed, forms, sparse},
    static const ct_mma_family rows[] = {
#define CT_MMA_FAMILY(...) ROW(0, __VA_ARGS__)
#include <cutlet/mma/mma_families.h>
#define CT_MMA_FAMILY(...) ROW(1, __VA_ARGS__)
#include <cutlet/mma/mma_families_sparse.h>
    };
    *count = (int)(sizeof rows / sizeof *rows);
    return rows;
}

static const char *form_name(int32_t form)
{
    switch (form) {
        case CT_MMA_SATURATE: return "_SATURATE";
        case CT_MMA_XORPOPC: return "_XORPOPC";
        case CT_MMA_ANDPOPC: return "_ANDPOPC";
        case CT_MMA_SCALED: return "_VS";
        case CT_MMA_SCALED_16: return "_VS16";
        case CT_MMA_WS: return "_WS";
        default: return "";
    }
}

static const char *major_name(int32_t major)
{
    switch (major) {
        case CT_MMA_NT: return "_NT";
        case CT_MMA_NN: return "_NN";
        case CT_MMA_TT: return "_TT";
        default: return "_TN";
    }
}

/* The part after the types of wgmma and tcgen05.mma. */
static void name_memory(char *buf, size_t size, ct_mma_op op)
{
    const int block = op.kind == CT_MMA_BLOCK;
    snprintf(buf, size, "%s_%s%s%s", op.blocks == 2 ? "_2x1SM" : "",
             op.a_from == CT_MMA_SHARED ? "SS"
             : block                    ? "TS"
                                        : "RS",
             !block && ct_mma_only_tn(op.a) ? "_TN" : "", form_name(op.form));
}

void ct_mma_op_name(char buf[CT_MMA_NAME_BYTES], ct_mma_op op)
{
    char end[24];
    if (op.kind == CT_MMA_THREAD) {
        snprintf(buf, CT_MMA_NAME_BYTES, "%s",
                 op.k == 1   ? "universal_fma"
                 : op.k == 2 ? "SM61_DP2A"
                             : "SM61_DP4A");
        return;
    }
    const int sync = op.kind == CT_MMA_WARP || op.kind == CT_MMA_QUAD_PAIR;
    if (sync) snprintf(end, sizeof end, "%s%s", major_name(op.major), form_name(op.form));
    else name_memory(end, sizeof end, op);
    snprintf(buf, CT_MMA_NAME_BYTES, "SM%d_%s%dx%dx%d_%s%s%s%s%s", (int)op.arch,
             op.sparse ? "SPARSE_" : "", (int)op.m, (int)op.n, (int)op.k, ct_mma_type_name(op.d),
             ct_mma_type_name(op.a), ct_mma_type_name(op.b), sync ? ct_mma_type_name(op.c) : "",
             end);
}

/* The instructions of given types: each n, place of A, and order of the modes. */
static int each_operand(const ct_mma_family *f, ct_mma_op op, int (*visit)(void *, ct_mma_op),
                        void *context)
{
    const int memory = f->kind == CT_MMA_WARPGROUP || f->kind == CT_MMA_BLOCK;
    op.b_from = memory ? CT_MMA_SHARED : CT_MMA_REGISTERS;
    op.c_from = f->kind == CT_MMA_BLOCK ? CT_MMA_TENSOR_MEMORY : CT_MMA_REGISTERS;
    for (op.n = f->first_n; op.n <= f->last_n; op.n += f->step_n) {
        for (int place = 0; place <= memory; ++place) {
            op.a_from = place == 0 ? op.b_from : op.c_from;
            const int majors = f->kind == CT_MMA_QUAD_PAIR ? CT_MMA_TT : CT_MMA_TN;
            for (op.major = CT_MMA_TN; op.major <= majors; ++op.major) {
                const int stop = visit(context, op);
                if (stop) return stop;
            }
        }
    }
    return 0;
}

/* The types and forms of a family; `at` counts the combinations. */
static int types_of(const ct_mma_family *f, int at, ct_mma_op *op)
{
    const int t = CT_MMA_TYPE_COUNT;
    op->form = at % 8;
    op->d = op->c = at / 8 % t;
    op->a = at / 8 / t % t;
    op->b = at / 8 / t / t;
    return ct_mma_types_fit(*op, f->d, f->a, f->b, f->mixed, f->forms);
}

/* Those of one architecture; 0: of all. */
static int each_of(int arch, int (*visit)(void *context, ct_mma_op op), void *context)
{
    int count = 0;
    const int combinations = 8 * CT_MMA_TYPE_COUNT * CT_MMA_TYPE_COUNT * CT_MMA_TYPE_COUNT;
    const ct_mma_family *const rows = families(&count);
    for (const ct_mma_family *f = rows; f < rows + count; ++f) {
        ct_mma_op op = {0};
        if (arch != 0 && f->arch != arch) continue;
        op.kind = f->kind;
        op.arch = f->arch;
        op.blocks = f->blocks;
        op.m = f->m;
        op.k = f->k;
        op.sparse = f->sparse;
        for (int at = 0; at < combinations; ++at) {
            const int each_a = 8 * CT_MMA_TYPE_COUNT; /* combinations with one type of A and of B */
            if (((uint32_t)f->a >> at / each_a % CT_MMA_TYPE_COUNT & 1) == 0) {
                at += each_a - 1; /* none of them fits */
                continue;
            }
            const int stop = types_of(f, at, &op) ? each_operand(f, op, visit, context) : 0;
            if (stop) return stop;
        }
    }
    return 0;
}

int ct_mma_each(int (*visit)(void *context, ct_mma_op op), void *context)
{
    return each_of(0, visit, context);
}

int ct_mma_looks_named(const char *word)
{
    return word[0] == 'S' && word[1] == 'M' && word[2] >= '0' && word[2] <= '9';
}

/* The names nearest to a word so far. */
enum { NEAREST = 3 };
typedef struct nearest {
    const char *word;
    int count, distance[NEAREST];
    char name[NEAREST][CT_MMA_NAME_BYTES];
} nearest;

static int compare_name(void *context, ct_mma_op op)
{
    nearest *const best = context;
    char name[CT_MMA_NAME_BYTES];
    ct_mma_op_name(name, op);
    const int worse = best->count == NEAREST ? best->distance[NEAREST - 1] : 10;
    const int n = (int)strlen(best->word), longer = n - (int)strlen(name);
    if (longer >= worse || -longer >= worse) return 0; /* no distance is less than that */
    const int d = ct_word_distance(best->word, (size_t)n, name);
    if (d >= worse) return 0;
    int at = best->count < NEAREST ? best->count++ : NEAREST - 1;
    for (; at > 0 && best->distance[at - 1] > d; --at) {
        best->distance[at] = best->distance[at - 1];
        memcpy(best->name[at], best->name[at - 1], sizeof best->name[at]);
    }
    best->distance[at] = d;
    memcpy(best->name[at], name, sizeof name);
    return 0;
}

void ct_mma_nearest(const char *word, char *buf, size_t size)
{
    nearest best = {.word = word};
    size_t n = 0;
    const int arch = ct_mma_looks_named(word) ? atoi(word + 2) : 0;
    if (arch > 0) each_of(arch, compare_name, &best);
    buf[0] = '\0';
    for (int i = 0; i < best.count && n < size; ++i) {
        const char *between = i == 0 ? "" : i + 1 == best.count ? " or " : ", ";
        n += (size_t)snprintf(buf + n, size - n, "%s%s", between, best.name[i]);
    }
}
