/* What the accesses of a thread-value layout or a tiled copy cost, and one of them as a picture. */
#include <stdio.h>
#include <string.h>

#include <cutlet/cutlet.h>
#include <cutlet/host/draw_access.h>
#include <cutlet/host/traffic.h>
#include "play.h"

/* As `cutlet access --kind` takes them, by CT_ACCESS_... */
static const char *const kinds[CT_ACCESS_KINDS] = {
    "ldg", "stg", "lds", "sts", "ldgsts", "ldgsts.bypass", "ldmatrix", "stmatrix"};

/* What is asked for. */
typedef struct question {
    const ct_access_rules *rules;
    const char *text, *memory; /* as they were written; memory may be NULL */
    ct_value subject;
    ct_traffic_side side;
    int64_t bits, warp, instruction; /* bits 0: the widest */
    ct_swizzle swizzle;
    int has_swizzle;
} question;

/* What was found: the sums, and the instruction that is looked for. */
typedef struct found {
    const question *q;
    ct_traffic sum;
    ct_access access;
    ct_access_count count;
    int32_t warps, instructions;
    int is_there;
} found;

static int read_kind(const ct_play_request *r, ct_play_answer *a, int32_t *kind)
{
    const char *const name = ct_play_field(r, "kind");
    for (int i = 0; i < CT_ACCESS_KINDS; ++i) {
        if (!name || strcmp(name, kinds[i]) != 0) continue;
        *kind = i;
        return 0;
    }
    ct_play_wrong(a, "kind", "there is no such instruction");
    return -1;
}

/* An empty memory is the elements in order, as many as the layout reaches. */
static int read_memory(const ct_play_request *r, ct_play_answer *a, question *q)
{
    int has;
    if (ct_play_memory(r, a, "memory", &has, &q->side.memory)) return -1;
    if (has) return 0;
    if (q->subject.kind == CT_KIND_TILED_COPY) {
        ct_play_wrong(a, "memory", "a tiled copy needs the layout of its data in memory");
        return -1;
    }
    const int64_t reached = ct_max(1, ct_cosize(q->subject.as.layout));
    q->side.memory = ct_make_tensor(ct_layout1(reached, 1));
    return 0;
}

static int read_swizzle(const ct_play_request *r, ct_play_answer *a, question *q)
{
    ct_value v;
    q->has_swizzle = ct_play_field(r, "swizzle") != NULL;
    if (!q->has_swizzle) return 0;
    if (ct_play_operand(r, a, "swizzle", &v)) return -1;
    const int is_one = v.kind == CT_KIND_SWIZZLE;
    if (is_one) q->swizzle = v.as.swizzle;
    ct_value_free(&v);
    const char *const wrong = !is_one ? "a swizzle is needed, as Sw<3,3,3>"
                              : q->side.memory.swizzle.bits > 0
                                  ? "the memory has a swizzle of its own: leave one of them out"
                              : ct_access_is_global(q->side.kind)
                                  ? "a swizzle is of shared memory: choose one of its instructions"
                                  : NULL;
    if (wrong) ct_play_wrong(a, "swizzle", wrong);
    return wrong ? -1 : 0;
}

static int read_subject(const ct_play_request *r, ct_play_answer *a, question *q)
{
    char message[CT_MESSAGE_BYTES];
    if (ct_play_operand(r, a, "subject", &q->subject)) return -1;
    if (q->subject.kind == CT_KIND_TILED_COPY) {
        q->side.elem_bits = q->subject.as.copy.atom.value_bits;
        q->bits = q->subject.as.copy.atom.bits;
        return 0;
    }
    if (q->subject.kind == CT_KIND_LAYOUT) return ct_play_type(r, a, "type", &q->side.elem_bits);
    snprintf(message, sizeof message, "a tiled copy or a thread-value layout is needed, not %s",
             ct_kind_name(&q->subject));
    ct_play_wrong(a, "subject", message);
    return -1;
}

static int read_question(const ct_play_request *r, ct_play_answer *a, question *q)
{
    memset(q, 0, sizeof *q);
    q->side.elem_bits = 16;
    q->text = ct_play_field(r, "subject");
    q->memory = ct_play_field(r, "memory");
    return ct_play_rules(r, a, &q->rules) || read_kind(r, a, &q->side.kind) ||
           ct_play_number(r, a, "bits", 8, 256, &q->bits) || read_subject(r, a, q) ||
           ct_play_number(r, a, "warp", 0, INT32_MAX, &q->warp) ||
           ct_play_number(r, a, "instruction", 0, INT32_MAX, &q->instruction) ||
           read_memory(r, a, q) || read_swizzle(r, a, q);
}

/* ---- the walk -------------------------------------------------------------------------------- */

static void look(void *user, const ct_traffic_step *step)
{
    found *f = user;
    f->warps = (int32_t)ct_max(f->warps, step->warp + 1);
    f->instructions = (int32_t)ct_max(f->instructions, step->instruction + 1);
    if (f->is_there || step->warp != f->q->warp || step->instruction != f->q->instruction) return;
    f->access = step->access;
    f->count = step->count;
    f->is_there = 1;
}

/* The widest width up to 128 bits that the layout allows. */
static int32_t widest(const question *q, char *message)
{
    ct_traffic sum;
    int32_t bits = 128;
    while (
        bits > q->side.elem_bits && ct_access_has_width(q->side.kind, bits / 2) &&
        ct_traffic_of_tv(q->subject.as.layout, &q->side, bits, q->rules, NULL, NULL, &sum, message))
        bits /= 2;
    return bits;
}

/* The shape of the copy's first tile in the tensor. */
static ct_tuple first_tile(const ct_tiled_copy *copy, ct_tuple whole)
{
    const ct_tuple tile = ct_tiled_copy_shape(*copy), shape = ct_product_each(whole);
    ct_tuple first = ct_tuple0();
    for (int k = 0; k < ct_rank(shape); ++k) {
        const int64_t n = ct_product(ct_get(shape, k));
        const int64_t of_tile = k < ct_rank(tile) ? ct_product(ct_get(tile, k)) : 1;
        first = ct_append(first, ct_int(ct_min(n, of_tile)));
    }
    return first;
}

static int walk_copy(const question *q, const ct_traffic_side *side, found *f, char *message)
{
    const int kind = side->kind;
    const int store = kind == CT_ACCESS_STG || kind == CT_ACCESS_STS || kind == CT_ACCESS_STSM;
    const ct_traffic_side *const src = store ? NULL : side, *const dst = store ? side : NULL;
    const ct_tiled_copy *const copy = &q->subject.as.copy;
    const ct_tuple whole = ct_shape(side->memory.layout);
    ct_traffic none, one;
    return ct_traffic_of_copy(*copy, whole, src, dst, q->rules, NULL, NULL, store ? &none : &f->sum,
                              store ? &f->sum : &none, message) ||
           ct_traffic_of_copy(*copy, first_tile(copy, whole), src, dst, q->rules, look, f,
                              store ? &none : &one, store ? &one : &none, message);
}

static int walk(const question *q, const ct_traffic_side *side, found *f, char *message)
{
    memset(f, 0, sizeof *f);
    f->q = q;
    if (q->subject.kind == CT_KIND_TILED_COPY) return walk_copy(q, side, f, message);
    return ct_traffic_of_tv(q->subject.as.layout, side, (int32_t)q->bits, q->rules, look, f,
                            &f->sum, message);
}

/* ---- the answer ------------------------------------------------------------------------------ */

static void put_counts(ct_play_answer *a, const char *key, const found *f)
{
    const ct_traffic *const s = &f->sum;
    const ct_access_count *const c = &f->count;
    const struct {
        const char *name;
        int64_t all, one;
    } rows[] = {{"instructions", s->instructions, 1},
                {"lanes", s->lanes, c->lanes},
                {"requests", s->requests, c->requests},
                {"sectors", s->sectors, c->sectors},
                {"lines", s->lines, c->lines},
                {"wavefronts", s->wavefronts, c->wavefronts},
                {"ideal", s->ideal, c->ideal},
                {"conflicts", s->conflicts, c->conflicts},
                {"broadcast", s->broadcast, c->broadcast},
                {"bytes_used", s->bytes_used, c->bytes_used},
                {"bytes_moved", s->bytes_moved, c->bytes_moved},
                {"at_least", s->at_least, c->at_least}};
    ct_play_open(a, key, '{');
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        ct_play_open(a, rows[i].name, '[');
        ct_play_int(a, NULL, rows[i].all);
        ct_play_int(a, NULL, rows[i].one);
        ct_play_close(a, ']');
    }
    ct_play_close(a, '}');
}

/* The picture of the instruction, with the same note as of `cutlet draw access`. */
static void note(ct_picture *picture, const question *q)
{
    if (picture && q->memory)
        ct_picture_note(picture, "Instruction %lld of warp %lld of %.160s over %.160s.",
                        (long long)q->instruction, (long long)q->warp, q->text, q->memory);
}

static void put_pictures(ct_play_answer *a, const question *q, const found *before,
                         const found *after)
{
    char why[CT_MESSAGE_BYTES] = "", name[64];
    ct_picture *picture;
    if (q->has_swizzle) {
        snprintf(name, sizeof name, "Sw<%d,%d,%d>", q->swizzle.bits, q->swizzle.base,
                 q->swizzle.shift);
        picture = ct_picture_banks_beside(q->rules, &before->access, "without a swizzle",
                                          &after->access, name, NULL, why);
    } else {
        picture = ct_picture_access(q->rules, &before->access, NULL, why);
    }
    note(picture, q);
    ct_play_picture(a, "svg", picture, why);
    const int is_copy = q->subject.kind == CT_KIND_TILED_COPY;
    const ct_tiled_copy *const copy = &q->subject.as.copy;
    const ct_layout tv =
        is_copy ? ct_tiled_copy_tv(*copy, copy->atom.src_tv) : q->subject.as.layout;
    const ct_tuple tile = is_copy ? ct_tiled_copy_shape(*copy) : ct_shape(q->side.memory.layout);
    picture = ct_picture_threads(tv, tile, 32 * q->warp,
                                 ct_max(1, before->access.bits / q->side.elem_bits), NULL, why);
    ct_play_picture(a, "threads", picture, why);
}

static void answer(ct_play_answer *a, question *q)
{
    char message[CT_MESSAGE_BYTES] = "";
    found before, after;
    ct_traffic_side swizzled = q->side;
    swizzled.memory.swizzle = q->swizzle;
    if (q->bits == 0) q->bits = widest(q, message);
    int bad = walk(q, &q->side, &before, message);
    if (!bad && !before.is_there) {
        snprintf(message, sizeof message,
                 "there is no instruction %lld of warp %lld: warps 0 to %d have instructions 0 to "
                 "%d",
                 (long long)q->instruction, (long long)q->warp, before.warps - 1,
                 before.instructions - 1);
        bad = 1;
    }
    if (bad) {
        ct_play_wrong(a, "subject", message);
        return;
    }
    if (q->has_swizzle && (walk(q, &swizzled, &after, message) || !after.is_there)) {
        ct_play_wrong(a, "swizzle", message);
        return;
    }
    ct_play_text(a, "name", ct_access_name(q->side.kind));
    ct_play_bool(a, "global", ct_access_is_global(q->side.kind));
    ct_play_int(a, "bits", before.access.bits);
    ct_play_int(a, "warps", before.warps);
    ct_play_int(a, "instructions", before.instructions);
    put_counts(a, "before", &before);
    if (q->has_swizzle) put_counts(a, "after", &after);
    put_pictures(a, q, &before, &after);
}

void ct_play_access(const ct_play_request *r, ct_play_answer *a)
{
    question q;
    if (read_question(r, a, &q) == 0) answer(a, &q);
    ct_value_free(&q.subject);
}
