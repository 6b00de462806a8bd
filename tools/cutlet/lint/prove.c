/* What the algebra proves about the layouts of a file. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <cutlet/algebra/coalesce.h>
#include <cutlet/algebra/swizzle.h>
#include <cutlet/host/advice.h>
#include <cutlet/host/eval.h>
#include <cutlet/host/verify_mma.h>
#include "../access/verdict.h"
#include "../common/operands.h"
#include "base/refuse.h"
#include "lint.h"
#include "plan/front/plan.h"

enum { MOST = 1 << 22, BITS_READ = 128, BYTES_MOST = 16 };

const struct ct_lint_rule ct_lint_rules[CT_LINT_RULES] = {
    [CT_LINT_OVERLAP] = {"overlap", "a destination has two elements at one offset"},
    [CT_LINT_CONFLICTS] = {"conflicts", "a read of shared memory has bank conflicts"},
    [CT_LINT_SWIZZLE] = {"swizzle", "a swizzle moves no offset of its layout"},
    [CT_LINT_NARROW] = {"narrow", "an access is narrower than its layouts allow"},
    [CT_LINT_LDMATRIX] = {"ldmatrix", "no ldmatrix reads the operand of an MMA"},
};

/* The memory of a layout or of a swizzled one; 0 where it is another value. */
static int memory_of(const ct_value *v, ct_tensor *out)
{
    if (v->kind == CT_KIND_LAYOUT) *out = ct_make_tensor(v->as.layout);
    else if (v->kind == CT_KIND_TENSOR) *out = v->as.tensor;
    else return 0;
    return ct_is_integral(out->layout) && ct_offset_is_integer(&out->offset);
}

/* The first two modes: of a buffer of several stages one. */
static ct_tensor tile_of(ct_tensor t)
{
    if (ct_layout_rank(t.layout) > 2)
        t.layout =
            ct_make_layout(ct_take(ct_shape(t.layout), 0, 2), ct_take(ct_stride(t.layout), 0, 2));
    return t;
}

/* A comment asks for what cannot be: says so with the line. */
static ct_status refuse_at(ct_lint_file *f, const ct_lint_layout *l, ct_status bad, const char *why)
{
    int line, column;
    ct_lint_place(f, l->at, &line, &column);
    return ct_refuse(f->message, bad, "%.200s:%d: %.400s", f->path, line, why);
}

/* ---- a destination, and a swizzle ------------------------------------------------------------- */

static ct_status prove_overlap(ct_lint_file *f, const ct_lint_layout *l)
{
    static const char prefix[] = "destination: ";
    char why[CT_MESSAGE_BYTES];
    ct_tensor t;
    const int is_destination = l->note && l->note->destination;
    if (!memory_of(&l->value, &t) || (!is_destination && !l->is_shared)) return CT_OK;
    if (!is_destination) t.layout = ct_filter_zeros(t.layout); /* a broadcast is read */
    if (ct_plan_injective(t.layout, why) != CT_E_ARGUMENT) return CT_OK;
    return ct_lint_report(
        f, CT_LINT_OVERLAP, l->at, l->length, &l->value, "%s",
        why + (strncmp(why, prefix, sizeof prefix - 1) == 0 ? sizeof prefix - 1 : 0));
}

static ct_status prove_swizzle(ct_lint_file *f, const ct_lint_layout *l)
{
    ct_tensor t, plain;
    if (!memory_of(&l->value, &t) || t.swizzle.bits == 0 || !l->is_whole) return CT_OK;
    const int64_t n = ct_size(t.layout);
    plain = t;
    plain.swizzle = ct_swizzle_none();
    if (n > MOST) return CT_OK;
    for (int64_t i = 0; i < n; ++i)
        if (ct_tensor_eval(t, i) != ct_tensor_eval(plain, i)) return CT_OK;
    return ct_lint_report(f, CT_LINT_SWIZZLE, l->at, l->length, &l->value,
                          "Sw<%d,%d,%d> moves none of the %lld offsets, the largest of which is "
                          "%lld; it begins to at %lld",
                          (int)t.swizzle.bits, (int)t.swizzle.base, (int)t.swizzle.shift,
                          (long long)n, (long long)(t.offset.value[0] + ct_cosize(t.layout) - 1),
                          1LL << (t.swizzle.base + ct_max(t.swizzle.shift, 0)));
}

/* ---- what belongs together -------------------------------------------------------------------- */

/* What a name says beside its kind: `a` of SmemLayoutAtomA, sA and copy_a. */
static void key_of(const char *name, char key[CT_LINT_NAME])
{
    static const char *const words[] = {"smem", "gmem", "shared", "layout", "tiled", "copy",
                                        "atom", "s2r",  "g2s",    "r2s",    "_"};
    size_t n = 0;
    if (name[0] == 's' && isupper((unsigned char)name[1])) ++name;
    while (*name) {
        size_t skip = 0;
        for (size_t i = 0; i < sizeof words / sizeof *words && !skip; ++i)
            if (strncasecmp(name, words[i], strlen(words[i])) == 0) skip = strlen(words[i]);
        if (skip == 0) key[n++] = (char)tolower((unsigned char)*name);
        name += skip ? skip : 1;
    }
    key[n] = 0;
}

/* The layout of a kind in the same block whose name says the same; NULL where none or several do. */
static const ct_lint_layout *partner(const ct_lint_file *f, const ct_lint_layout *l, int kind,
                                     int is_shared)
{
    const ct_lint_layout *found = NULL;
    char key[CT_LINT_NAME], other[CT_LINT_NAME];
    key_of(l->name, key);
    for (size_t i = 0; i < f->layouts; ++i) {
        const ct_lint_layout *const p = &f->layout[i];
        const int fits = is_shared ? p->is_shared : p->value.kind == kind;
        if (p == l || !fits || p->block != l->block || !p->name[0]) continue;
        key_of(p->name, other);
        if (strcmp(key, other) != 0 ||
            (!key[0] && !(strstr(l->name, "mem") && strstr(p->name, "mem"))))
            continue;
        if (found && strcmp(found->name, p->name) == 0) return NULL;
        found = p;
    }
    return found;
}

/* ---- reads of shared memory ------------------------------------------------------------------- */

/* How a layout is read, by the comment or by the ldmatrix that has its name; -1 where that is not said. */
static int read_of(const ct_lint_file *f, const ct_lint_layout *l, int *bits)
{
    *bits = l->note && l->note->bits ? l->note->bits : l->bits;
    if (l->note && l->note->read >= 0) return l->note->read;
    if (!l->is_shared) return -1;
    const ct_lint_layout *const p = partner(f, l, CT_KIND_COPY_ATOM, 0);
    if (!p || p->value.kind != CT_KIND_COPY_ATOM) return -1;
    *bits = p->value.as.atom.value_bits;
    return p->value.as.atom.kind == CT_ATOM_LDMATRIX         ? CT_READ_LDMATRIX
           : p->value.as.atom.kind == CT_ATOM_LDMATRIX_TRANS ? CT_READ_LDMATRIX_TRANS
                                                             : -1;
}

/* The sentence about conflicts, with the swizzle that has none. */
static ct_status say_conflicts(ct_lint_file *f, const ct_lint_layout *l, ct_traffic_side *side,
                               int read, int32_t bits, const ct_traffic *sum)
{
    static const char *const words[] = {"rows", "columns", "ldmatrix", "ldmatrix.trans"};
    const ct_access_rules *const rules = ct_cli_rules("lint", NULL);
    char text[CT_LINT_TEXT];
    ct_access_worst worst = {{0}, {0}, {{0}}};
    ct_access_row row = {.side = "", .bits = bits, .sum = *sum};
    row.kind = side->kind = read >= CT_READ_LDMATRIX ? CT_ACCESS_LDSM : CT_ACCESS_LDS;
    const ct_tuple tile = ct_product_each(ct_shape(side->memory.layout));
    const ct_layout tv = ct_read_layout(read, tile, bits / side->elem_bits);
    ct_traffic again;
    ct_traffic_of_tv(tv, side, bits, rules, ct_access_keep_worst, &worst, &again, NULL);
    ct_access_verdict(&row, &worst.step[0], rules, text, sizeof text);
    const size_t n = strlen(text);
    ct_access_propose(side, tv, bits, rules, text + n, sizeof text - n);
    return ct_lint_report(f, CT_LINT_CONFLICTS, l->at, l->length, &l->value,
                          "read by %s of %d bits: %s", words[read], side->elem_bits, text);
}

static ct_status prove_read(ct_lint_file *f, const ct_lint_layout *l)
{
    int elem_bits;
    int32_t bits = 0;
    char why[CT_MESSAGE_BYTES];
    ct_tensor t;
    ct_traffic sum;
    const int read = read_of(f, l, &elem_bits);
    if (read < 0 || !memory_of(&l->value, &t)) return CT_OK;
    ct_traffic_side side = {.kind = CT_ACCESS_LDS, .elem_bits = elem_bits, .memory = tile_of(t)};
    if (ct_layout_rank(side.memory.layout) == 2 && elem_bits >= 8) {
        if (ct_traffic_of_read(&side, read, &bits, NULL, NULL, NULL, &sum, why) == CT_OK)
            return sum.conflicts > 0 ? say_conflicts(f, l, &side, read, bits, &sum) : CT_OK;
        if (read >= CT_READ_LDMATRIX)
            return ct_lint_report(f, CT_LINT_LDMATRIX, l->at, l->length, &l->value,
                                  "ldmatrix does not read it: %.400s", why);
    } else
        snprintf(why, sizeof why, "%s",
                 elem_bits >= 8 ? "a tile has two modes" : "type= is missing");
    return l->note && l->note->read >= 0 ? refuse_at(f, l, CT_E_ARGUMENT, why) : CT_OK;
}

static ct_status prove_operand(ct_lint_file *f, const ct_lint_layout *l)
{
    static const int feed[] = {CT_VERIFY_FEED_A, CT_VERIFY_FEED_B};
    char why[CT_MESSAGE_BYTES];
    ct_tensor t;
    if (!l->note || !l->note->mma[0] || l->note->operand < 0 || !memory_of(&l->value, &t))
        return CT_OK;
    t = tile_of(t);
    ct_verify_mma_report *const r = malloc(sizeof *r);
    ct_verify_mma_job job = {
        ct_make_tiled_mma(ct_make_mma_atom(l->note->mma), ct_layout1(1, 1), ct_tiler0()),
        {NULL, NULL},
        NULL};
    job.shared[l->note->operand] = &t;
    ct_status bad = r ? ct_verify_mma(&job, r, why) : ct_refuse(why, CT_E_MEMORY, "out of memory");
    if (bad) refuse_at(f, l, bad, why);
    for (int k = 0; !bad && k < 2; ++k) { /* whether it is fed, and without conflicts */
        const ct_verify_mma_finding *const found = &r->of[feed[l->note->operand] + k];
        if (found->state == CT_VERIFY_FAILED)
            bad = ct_lint_report(f, k ? CT_LINT_CONFLICTS : CT_LINT_LDMATRIX, l->at, l->length,
                                 &l->value, "%.400s", found->text);
    }
    free(r);
    return bad;
}

/* ---- accesses --------------------------------------------------------------------------------- */

/* The memory of a side that a comment names; 0 where it names none. */
static int side_of(ct_lint_file *f, const ct_lint_layout *l, const char *text, ct_tensor *out,
                   ct_status *bad)
{
    ct_value v;
    ct_diag diag;
    if (!text[0]) return 0;
    *bad = ct_evaluate(text, &v, &diag);
    const int is = *bad == CT_OK && memory_of(&v, out);
    if (!is)
        *bad = refuse_at(f, l, *bad == CT_E_MEMORY ? CT_E_MEMORY : CT_E_TEXT,
                         *bad ? diag.message : "a layout is expected");
    ct_value_free(&v);
    return is;
}

static ct_status prove_width(ct_lint_file *f, const ct_lint_layout *l)
{
    if (l->value.kind != CT_KIND_TILED_COPY) return CT_OK;
    const ct_tiled_copy *const copy = &l->value.as.copy;
    const ct_lint_layout *const shared = partner(f, l, 0, 1);
    const int bits = copy->atom.value_bits;
    ct_status bad = CT_OK;
    char why[CT_MESSAGE_BYTES];
    ct_advice_job job = {.tv = copy->tv,
                         .tile = ct_tiled_copy_shape(*copy),
                         .elem_bytes = bits / 8,
                         .most_bytes = BYTES_MOST};
    if ((copy->atom.kind != CT_ATOM_UNIVERSAL && copy->atom.kind != CT_ATOM_CP_ASYNC_CA) ||
        bits < 8)
        return CT_OK;
    if (l->note) {
        job.has[0] = side_of(f, l, l->note->src, &job.memory[0], &bad);
        if (!bad) job.has[1] = side_of(f, l, l->note->dst, &job.memory[1], &bad);
    } else if (shared && shared->is_whole) {
        job.has[1] = memory_of(&shared->value, &job.memory[1]);
        job.memory[1] = tile_of(job.memory[1]);
    }
    if (bad || (!job.has[0] && !job.has[1])) return bad;
    const int32_t bytes = ct_advice_width(&job, why);
    if (bytes < 0 && l->note) return refuse_at(f, l, CT_E_ARGUMENT, why);
    if (bytes * 8 <= copy->atom.bits) return CT_OK;
    return ct_lint_report(f, CT_LINT_NARROW, l->at, l->length, &l->value,
                          "an access moves %d bits; each thread's values lie together for %d, "
                          "aligned, in %s",
                          (int)copy->atom.bits, (int)bytes * 8,
                          job.has[0] && job.has[1] ? "both layouts"
                          : job.has[0]             ? "the source"
                                                   : "the destination");
}

static int by_place(const void *a, const void *b)
{
    const ct_lint_finding *const x = a, *const y = b;
    return x->at == y->at ? x->rule - y->rule : x->at < y->at ? -1 : 1;
}

ct_status ct_lint_prove(ct_lint_file *f)
{
    static ct_status (*const rules[])(ct_lint_file *, const ct_lint_layout *) = {
        prove_overlap, prove_swizzle, prove_read, prove_operand, prove_width};
    for (size_t i = 0; i < f->layouts; ++i) {
        const ct_lint_layout *const l = &f->layout[i];
        if (l->note && l->note->off) continue;
        for (size_t k = 0; k < sizeof rules / sizeof *rules; ++k) {
            const ct_status bad = rules[k](f, l);
            if (bad) return bad;
        }
    }
    if (f->findings) qsort(f->finding, f->findings, sizeof *f->finding, by_place);
    return CT_OK;
}
