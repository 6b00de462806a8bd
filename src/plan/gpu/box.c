/* The boxes of a copy: which tile of each mode a block takes, and how its threads go through it. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "gpu.h"

static int64_t round_up(int64_t n, int64_t to) { return ct_ceil_div_int(n, to) * to; }

enum { SECTOR = 32, MOST_SHARED = 48 * 1024, MOST_ACCESS = 16 };

/* A form while it is divided into boxes. */
typedef struct builder {
    const ct_gpu_variant *variant;
    const ct_plan_form *form;
    ct_box *box;
    ct_box_mode mode[CT_BOX_MODES];
    int modes, group, group_mode; /* consecutive blocks take `group` tiles of mode group_mode */
    int src_bytes, dst_bytes;     /* of an element */
    int by_src[CT_BOX_MODES], by_dst[CT_BOX_MODES]; /* modes in the order of their steps */
    int divisor
        [CT_BOX_MODES]; /* what divides the tile of a mode, for accesses of several elements */
    int in_order, axes; /* the most modes that a box may have a tile of */
} builder;

static int64_t step_of(const ct_box_mode *m, int is_dst)
{
    return ct_abs(is_dst ? m->dst : m->src);
}

/* Sorts the modes by the steps of a side; modes with stride 0 there come last. */
static void sort_modes(const builder *b, int *order, int is_dst)
{
    for (int i = 0; i < b->modes; ++i) {
        const int64_t step = step_of(&b->mode[i], is_dst);
        int k = i;
        for (; k > 0; --k) {
            const int64_t before = step_of(&b->mode[order[k - 1]], is_dst);
            if (before != 0 && (step == 0 || before <= step)) break;
            if (before == 0 && step == 0) break;
            order[k] = order[k - 1];
        }
        order[k] = i;
    }
}

/* The most elements of an access along the first mode of a side, at most `most` bytes. */
static int vector_of(const builder *b, int is_dst, int64_t align, int64_t base, int most)
{
    const int first = is_dst ? b->by_dst[0] : b->by_src[0];
    const int64_t bytes = is_dst ? b->dst_bytes : b->src_bytes;
    const ct_box_mode *const m = &b->mode[first];
    if ((is_dst ? m->dst : m->src) != bytes) return 1;
    int64_t all = ct_gcd(m->extent * bytes, ct_gcd(base, align));
    for (int k = 0; k < b->modes; ++k)
        if (k != first) all = ct_gcd(all, step_of(&b->mode[k], is_dst));
    return (int)ct_max(1, ct_power_of_two(all, ct_max(most, bytes)) / bytes);
}

/* A tile of about `want` elements: the full mode, or pieces of about one size. */
static void take(builder *b, int k, int64_t want, int is_dst)
{
    ct_box_mode *const m = &b->mode[k];
    const int64_t step = step_of(m, is_dst);
    int64_t tile = ct_max(want, 1);
    if (tile >= m->extent) {
        tile = m->extent;
    } else {
        tile = ct_ceil_div_int(m->extent, ct_ceil_div_int(m->extent, tile));
        const int64_t whole = step > 0 && step < SECTOR ? SECTOR / step : 1; /* of a sector */
        tile = round_up(tile, ct_max(whole, b->divisor[k]));
    }
    tile = ct_min(tile, m->extent);
    if (tile > m->tile) m->tile = (int32_t)tile;
}

/* Takes modes in the order of a side until it has this number of contiguous bytes. */
static void take_piece(builder *b, const int *order, int is_dst, int64_t piece)
{
    int64_t run = is_dst ? b->dst_bytes : b->src_bytes;
    for (int i = 0; i < b->modes; ++i) {
        const ct_box_mode *const m = &b->mode[order[i]];
        const int64_t step = step_of(m, is_dst);
        if (step == 0 || step > 4 * run || run >= piece) return;
        take(b, order[i], ct_ceil_div_int(piece, step), is_dst);
        if (m->tile < m->extent) return;
        run = step * m->extent;
    }
}

static int64_t elements(const builder *b)
{
    int64_t n = 1;
    for (int k = 0; k < b->modes; ++k) n *= b->mode[k].tile;
    return n;
}

static int64_t blocks(const builder *b)
{
    int64_t n = 1;
    for (int k = 0; k < b->modes; ++k) {
        const int64_t tiles = ct_ceil_div_int(b->mode[k].extent, b->mode[k].tile);
        n *= k == b->group_mode ? round_up(tiles, b->group) : tiles;
    }
    return n;
}

/* The first mode, in an order, of which a box holds only a part; -1 without one. */
static int first_part(const builder *b, const int *order, int is_dst)
{
    for (int i = 0; i < b->modes; ++i) {
        const ct_box_mode *const m = &b->mode[order[i]];
        if (m->tile < m->extent && (step_of(m, is_dst) > 0 || i + 1 == b->modes)) return order[i];
    }
    return -1;
}

/* Makes boxes larger, along the destination and the source alternately, until they have this number
 * of bytes. */
static void grow(builder *b, int64_t bytes)
{
    const int64_t each = ct_max(b->src_bytes, b->dst_bytes);
    for (int turn = 0;; ++turn) {
        const int is_dst = b->in_order || turn % 2 == 0;
        const int k = first_part(b, is_dst ? b->by_dst : b->by_src, is_dst);
        const int64_t now = elements(b);
        if (k < 0 || now * each * 2 > bytes + bytes / 4) {
            if (k < 0 || now * each >= bytes) return;
            const int64_t want = b->mode[k].tile * bytes / (now * each);
            if (want <= b->mode[k].tile + b->mode[k].tile / 8) return;
            take(b, k, want, is_dst);
            return;
        }
        const int before = b->mode[k].tile;
        take(b, k, 2 * (int64_t)before, is_dst);
        if (b->mode[k].tile == before) return;
    }
}

/* Whether both sides have the modes in one order, or a transpose would make no elements of either
 * side contiguous. */
static int is_in_order(const builder *b)
{
    if (step_of(&b->mode[b->by_src[0]], 0) >= SECTOR) return 1;
    if (step_of(&b->mode[b->by_dst[0]], 1) >= SECTOR) return 1;
    for (int i = 0, k = 0; i < b->modes; ++i) {
        const ct_box_mode *const m = &b->mode[b->by_src[i]];
        if (m->tile == 1 || m->src == 0) continue;
        while (b->mode[b->by_dst[k]].tile == 1 || b->mode[b->by_dst[k]].src == 0) ++k;
        if (b->by_src[i] != b->by_dst[k++]) return 0;
    }
    return 1;
}

/* Keeps a box within its number of axes: the modes of the largest steps go to other blocks. Modes
 * along which an access takes several elements stay. */
static void limit_modes(builder *b)
{
    int taken = 0;
    for (int k = 0; k < b->modes; ++k) taken += b->divisor[k] > 1;
    for (int i = 0; i < b->modes; ++i) {
        const int k = b->by_dst[i];
        ct_box_mode *const m = &b->mode[k];
        if (m->tile > 1 && b->divisor[k] == 1 && ++taken > b->axes) m->tile = 1;
    }
}

/* Makes boxes smaller until they fit in shared memory. */
static void shrink(builder *b, int64_t most)
{
    while (elements(b) * b->dst_bytes > most) {
        int largest = -1;
        for (int k = 0; k < b->modes; ++k)
            if (b->mode[k].tile > b->divisor[k] &&
                (largest < 0 || b->mode[k].tile > b->mode[largest].tile))
                largest = k;
        if (largest < 0) return;
        ct_box_mode *const m = &b->mode[largest];
        m->tile = (int32_t)round_up(m->tile / 2, b->divisor[largest]);
    }
}

static void choose_tiles(builder *b, int in, int out)
{
    for (int k = 0; k < b->modes; ++k) b->divisor[k] = b->mode[k].tile = 1;
    b->divisor[b->by_src[0]] = in;
    b->divisor[b->by_dst[0]] = (int)ct_max(b->divisor[b->by_dst[0]], out);
    for (int k = 0; k < b->modes; ++k) b->mode[k].tile = b->divisor[k];
    take_piece(b, b->by_src, 0, b->variant->piece);
    take_piece(b, b->by_dst, 1, b->variant->piece);
    b->in_order = is_in_order(b);
}

/* The modes of a form. A row becomes units as wide as the addresses allow. -1: too many modes. */
static int modes_of(builder *b, int converts, int64_t align)
{
    const ct_plan_form *const f = b->form;
    b->src_bytes = f->src_bytes;
    b->dst_bytes = f->dst_bytes;
    if (f->modes > CT_BOX_MODES) return -1;
    for (int k = 0; k < f->modes; ++k)
        b->mode[k] = (ct_box_mode){f->mode[k].extent, f->mode[k].src, f->mode[k].dst, 1, -1};
    b->modes = f->modes;
    if (converts || f->mode[0].src != f->src_bytes || f->mode[0].dst != f->dst_bytes) return 0;
    int64_t all = ct_gcd(ct_gcd(f->src_base, f->dst_base), f->mode[0].extent * f->src_bytes);
    for (int k = 1; k < f->modes; ++k) all = ct_gcd(all, ct_gcd(f->mode[k].src, f->mode[k].dst));
    const int unit = (int)ct_power_of_two(all, ct_min(align, MOST_ACCESS));
    b->mode[0].extent = f->mode[0].extent * f->src_bytes / unit;
    b->mode[0].src = b->mode[0].dst = b->src_bytes = b->dst_bytes = unit;
    if (b->mode[0].extent == 1 && b->modes > 1)
        memmove(b->mode, b->mode + 1, sizeof *b->mode * (size_t)--b->modes);
    return 0;
}

/* The elements of an access without a transpose: one, unless elements are converted. */
static int in_order_vector(const builder *b, int64_t src_align, int64_t dst_align)
{
    const int bytes = (int)ct_max(b->src_bytes, b->dst_bytes);
    if (b->by_src[0] != b->by_dst[0]) return 1;
    const int in =
        vector_of(b, 0, src_align, b->form->src_base, MOST_ACCESS / bytes * b->src_bytes);
    const int out =
        vector_of(b, 1, dst_align, b->form->dst_base, MOST_ACCESS / bytes * b->dst_bytes);
    return (int)ct_min(in, out);
}

/* The tiles of a box for accesses of this number of elements. */
static void cut(builder *b, int *in, int *out, int64_t src_align, int64_t dst_align, int64_t most)
{
    choose_tiles(b, *in, *out);
    if (b->in_order) {
        const int far = step_of(&b->mode[b->by_dst[0]], 1) >= SECTOR; /* then the source leads */
        if (far) memcpy(b->by_dst, b->by_src, sizeof b->by_dst);
        *in = *out = in_order_vector(b, src_align, dst_align);
        choose_tiles(b, *in, *out);
        b->in_order = 1;
    }
    limit_modes(b);
    grow(b, b->variant->bytes);
    if (!b->in_order) shrink(b, most);
    limit_modes(b);
}

/* Numbers the axes of the box, and sets the order in which each partition takes them. */
static void number_axes(builder *b, ct_gpu_walk *in, ct_gpu_walk *out)
{
    ct_box *const box = b->box;
    int axes = 0;
    for (int k = 0; k < b->modes; ++k) b->mode[k].axis = b->mode[k].tile > 1 ? axes++ : -1;
    if (axes == 0) b->mode[b->by_dst[0]].axis = axes++;
    for (int i = 0; i < b->modes; ++i) {
        const ct_box_mode *const s = &b->mode[b->in_order ? b->by_dst[i] : b->by_src[i]];
        const ct_box_mode *const d = &b->mode[b->by_dst[i]];
        if (s->axis >= 0) in->order[in->axes++] = s->axis;
        if (d->axis >= 0) out->order[out->axes++] = d->axis;
    }
    for (int k = 0; k < b->modes; ++k)
        if (b->mode[k].axis >= 0) box->axis[b->mode[k].axis] = b->mode[k];
    for (int a = 0; a < axes; ++a) in->val[a] = out->val[a] = 1;
}

/* Adds a mode to the order of the blocks: a number of coordinates, of `each` tiles of mode m. */
static void add_mode(ct_box *box, const ct_box_mode *m, int64_t coordinates, int64_t each)
{
    const int64_t n = each * m->tile; /* elements */
    if (coordinates == 1) return;
    box->mode[box->modes++] =
        (ct_box_mode){coordinates, n * m->src, n * m->dst, m->axis < 0 ? 0 : (int32_t)n, m->axis};
}

/* The order in which blocks take the tiles. */
static void order_tiles(builder *b)
{
    ct_box *const box = b->box;
    const ct_box_mode *const first = &b->mode[b->group_mode];
    const int64_t tiles = ct_ceil_div_int(first->extent, first->tile);
    b->group = (int)ct_min(b->variant->group, tiles);
    if (b->in_order || first->axis < 0 || b->modes == CT_BOX_MODES) b->group = 1;
    box->modes = 0;
    box->past = tiles % b->group != 0 ? first->axis : -1;
    add_mode(box, first, b->group, 1);
    for (int k = 0; k < b->modes; ++k) {
        const ct_box_mode *const m = &b->mode[k];
        const int each = k == b->group_mode ? b->group : 1;
        add_mode(box, m, ct_ceil_div_int(m->extent, (int64_t)m->tile * each), each);
    }
}

static int make_box(builder *b, int64_t most, ct_gpu_launch *launch)
{
    const ct_gpu_variant *const variant = b->variant;
    const int64_t src_align = launch->src_align, dst_align = launch->dst_align;
    ct_gpu_walk in = {0}, out = {0};
    b->group = 1;
    sort_modes(b, b->by_src, 0);
    sort_modes(b, b->by_dst, 1);
    int in_vector = vector_of(b, 0, src_align, b->form->src_base, variant->in);
    int out_vector = vector_of(b, 1, dst_align, b->form->dst_base, variant->out);
    cut(b, &in_vector, &out_vector, src_align, dst_align, most - 1024);
    while (blocks(b) > INT32_MAX) {
        const int k = first_part(b, b->by_dst, 1);
        if (k < 0 || !b->in_order) return -1;
        take(b, k, 2 * (int64_t)b->mode[k].tile, 1);
        limit_modes(b);
    }
    b->box->staged = !b->in_order;
    b->group_mode = b->by_src[0];
    number_axes(b, &in, &out);
    order_tiles(b);
    if (in.axes > 0) in.val[in.order[0]] = in_vector;
    if (out.axes > 0) out.val[out.order[0]] = out_vector;
    launch->grid[0] = (uint32_t)blocks(b);
    launch->modes = b->box->modes;
    return ct_gpu_divide(launch, &in, &out, variant, 8 * b->src_bytes, 8 * b->dst_bytes);
}

/* ---- the arguments of the kernel for all boxes ------------------------------------------------- */

_Static_assert(sizeof(ct_box_args) < 4000, "with room to 4 KiB, which any launch may have");

static void put_digits(ct_box_digits *to, const ct_partition *p, const ct_side *s)
{
    const int shared = s->space == CT_SPACE_SHARED;
    to->count = s->digits;
    for (int d = 0; d < s->digits; ++d) {
        const ct_digit *const g = &s->digit[d];
        to->digit[d] = (ct_value_digit){g->div, g->mod, g->axis,
                                        shared ? g->offset * p->elem_bits / 8 : g->step};
    }
}

static void put_side(ct_box_side *to, const ct_partition *p, const ct_side *s)
{
    to->bits = 8 * ct_access_bytes(p, s);
    to->accesses = s->accesses;
    memcpy(to->left, s->left, sizeof to->left);
    memcpy(to->right, s->right, sizeof to->right);
    memcpy(to->coord, s->coord, sizeof to->coord);
    put_digits(&to->digits, p, s);
}

/* Where each byte of a block is in the registers that were loaded. */
static void put_turn(ct_box_args *to, const ct_partition *p)
{
    const int bytes = p->elem_bits / 8;
    for (int i = 0; i < p->values / p->blocks * bytes; ++i)
        to->turn[i] = (uint8_t)ct_turn_byte(&p->src, p->elem_bits, p->turn[i / bytes], i % bytes);
}

/* What that kernel reads of a box; it has no room for a digit more: -1. */
static int put_args(ct_box_args *to, const ct_box *b)
{
    const ct_partition *const in = &b->in, *const out = &b->out;
    const int load = 8 * ct_access_bytes(in, &in->src), words = in->src_block * ct_box_words(load);
    if (ct_max(ct_max(in->src.digits, in->dst.digits), ct_max(out->src.digits, out->dst.digits)) >
        CT_BOX_DIGITS)
        return -1;
    *to = (ct_box_args){.by = b->by,
                        .staged = b->staged,
                        .threads = b->threads,
                        .past = b->past,
                        .modes = b->modes,
                        .axes = in->axes,
                        .in_threads = in->threads,
                        .out_threads = out->threads,
                        .width = in->src.width,
                        .elem_bits = in->elem_bits,
                        .src_bits = in->src_bits,
                        .permuted = in->permuted,
                        .blocks = in->blocks,
                        .batch = in->in_flight < 2 * words ? 1 : in->in_flight / words,
                        .src_block = in->src_block,
                        .dst_block = in->dst_block,
                        .in_ends = in->ends,
                        .out_ends = out->ends,
                        .reads = out->src_block,
                        .read_bits = b->staged ? 8 * ct_access_bytes(out, &out->src) : 0};
    memcpy(to->mode, b->mode, sizeof to->mode);
    memcpy(to->axis, b->axis, sizeof to->axis);
    memcpy(to->src_offset, b->src_offset, sizeof to->src_offset);
    memcpy(to->dst_offset, b->dst_offset, sizeof to->dst_offset);
    put_side(&to->src, in, &in->src);
    put_side(&to->kept, in, &in->dst);
    if (in->permuted) put_turn(to, in);
    if (!b->staged) return 0;
    put_side(&to->dst, out, &out->dst);
    put_digits(&to->read, out, &out->src);
    for (int i = 0; i < CT_ACCESSES; ++i) {
        to->kept_at[i] = (uint16_t)in->dst.add[i];
        to->read_at[i] = (uint16_t)out->src.add[i];
    }
    return 0;
}

static int by_variant(const ct_plan *plan, const ct_plan_form *form, const ct_gpu_variant *variant,
                      ct_gpu_launch *launch)
{
    ct_box *const box = &launch->box;
    builder b = {.variant = variant, .form = form, .box = box};
    memset(box, 0, sizeof *box);
    if (modes_of(&b, plan->converts, ct_min(launch->src_align, launch->dst_align))) return -1;
    box->by = ct_plan_conversion(plan);
    /* smaller, where there is no room for all of it, or threads have more accesses than they may; of
     * fewer axes, where a partition would have too many leaves */
    for (b.axes = CT_AXES; b.axes > 2; b.axes -= 2)
        for (int64_t most = MOST_SHARED; most >= MOST_SHARED / 16; most /= 2)
            if (make_box(&b, most, launch) == 0 && put_args(&launch->args.box, box) == 0) return 0;
    return -1;
}

/* ---- the engine -------------------------------------------------------------------------------- */

/* The variants of boxes. Each name is a choice by measurements on an H200, of all variants over the
 * cases of bench/plan. */
enum { IN_ORDER, VECTORS, GROUPS, BYTES, SHORT, SMALL };
static const ct_gpu_variant variants[] = {
    /* piece, bytes, threads, resident, batch, in, out, group */
    [IN_ORDER] = {256, 4096, 256, 8, 4, 4, 4, 1},
    [VECTORS] = {256, 4096, 256, 6, 8, 16, 16, 1},
    [GROUPS] = {256, 16384, 512, 4, 4, 4, 4, 4},
    [BYTES] = {128, 8192, 256, 8, 8, 4, 4, 1},
    [SHORT] = {256, 4096, 256, 6, 8, 4, 4, 1},
    [SMALL] = {64, 4096, 128, 16, 4, 4, 4, 1},
    {256, 4096, 256, 8, 4, 16, 16, 1},
    {256, 4096, 512, 4, 4, 4, 4, 1},
    {128, 4096, 256, 8, 4, 4, 4, 1},
    {512, 4096, 256, 6, 8, 4, 4, 1},
    {512, 4096, 512, 3, 8, 16, 16, 1},
    {512, 4096, 512, 4, 4, 4, 4, 8},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

static int make(const ct_plan *plan, const ct_plan_form *form, int nth, ct_gpu_launch *launch)
{
    return by_variant(plan, form, &variants[nth], launch);
}

/* The variant for boxes that are turned: accesses of several elements where both sides allow them, of bytes
 * where one side does. Without them, bytes and elements of two bytes have smaller boxes, wider ones
 * groups of boxes. */
static int choose_transposed(const ct_plan *plan, const ct_plan_form *form, ct_gpu_launch *launch)
{
    const ct_box *const box = &launch->box;
    const int unit = box->in.elem_bits / 8;
    if (unit <= 4 && make(plan, form, VECTORS, launch) == 0) {
        const int in = box->in.src.width, out = box->out.dst.width;
        if (unit == 1 ? ct_max(in, out) > 1 : ct_min(in, out) > 1) return 0;
    }
    return make(plan, form, unit == 1 ? BYTES : unit == 2 ? SMALL : GROUPS, launch);
}

/* Boxes without a transpose are faster for rows of bytes. */
static int choose(const ct_plan *plan, const ct_plan_form *form, ct_gpu_launch *launch)
{
    const ct_box *const box = &launch->box;
    if (make(plan, form, IN_ORDER, launch)) return -1;
    if (box->staged && plan->form.kind == CT_FORM_ROWS && box->in.elem_bits == 8) {
        for (int i = 0; i < VARIANTS; ++i)
            if (make(plan, form, i, launch) == 0 && !box->staged) return 0;
        make(plan, form, IN_ORDER, launch);
    }
    if (box->staged) return choose_transposed(plan, form, launch);
    if (box->in.elem_bits == 8 * CT_VECTOR_BYTES || plan->converts) return 0;
    return make(plan, form, SHORT, launch);
}

/* ---- its kernel's source ----------------------------------------------------------------------- */

/* The sizes of a kernel's tables. */
typedef struct capacity {
    int axes, accesses, values, digits;
} capacity;

/* Whether the sides have other orders, or the destination narrower accesses in parts of words. */
static int turns(const ct_partition *p)
{
    return p->permuted || (p->src.width > p->dst.width && ct_access_bytes(p, &p->dst) < 4);
}

static void need(capacity *c, const ct_partition *p)
{
    c->accesses = (int)ct_max(c->accesses, ct_max(p->src.accesses, p->dst.accesses));
    c->digits = (int)ct_max(c->digits, ct_max(p->src.digits, p->dst.digits));
    c->axes = (int)ct_max(c->axes, p->axes);
    if (p->permuted) c->values = (int)ct_max(c->values, p->values / p->blocks);
}

/* What the kernel for all boxes leaves open. */
static void limit(ct_builder *t, const ct_gpu_launch *launch)
{
    const ct_box *const b = &launch->box;
    const ct_partition *const in = &b->in, *const last = b->staged ? &b->out : in;
    const int load = ct_access_bytes(in, &in->src), kept = ct_bytes_of(in, in->src.width);
    const int words = ct_copy_blocks(in) * in->src_block * (int)ct_max(1, ct_max(load, kept) / 4);
    const int gathered = b->staged ? last->src_block * ct_access_words(last, &last->src) : 1;
    const int widths = load | ct_access_bytes(in, &in->dst) | ct_access_bytes(last, &last->src) |
                       ct_access_bytes(last, &last->dst);
    capacity c = {1, 1, 1, 1};
    need(&c, in);
    need(&c, last);
    ct_put(t,
           "#define CT_AXES %d\n#define CT_ACCESSES %d\n#define CT_VALUES %d\n"
           "#define CT_DIGITS %d\n#define CT_HELD_WORDS %d\n"
           "#define CT_CONVERTS %d\n#define CT_WIDTHS %d\n"
           "#define CT_SHARES %d\n#define CT_TESTS %d\n#define CT_PERMUTES %d\n",
           c.axes, c.accesses, c.values, c.digits, (int)ct_max(words, gathered),
           b->by.to != CT_TYPE_RAW, 8 * widths, b->staged, in->ends | last->ends,
           turns(in) || turns(last));
}

static const ct_gpu_field digit_fields[] = {CT_GPU_NUMBERS(ct_digit, div, offset), {0}};
static const ct_gpu_field side_fields[] = {CT_GPU_NUMBERS(ct_side, space, digits),
                                           CT_GPU_STRUCTS(ct_side, digit, ct_digit, digit_fields),
                                           CT_GPU_ARRAY(ct_side, coord),
                                           CT_GPU_ARRAY(ct_side, left),
                                           CT_GPU_ARRAY(ct_side, right),
                                           CT_GPU_NUMBERS(ct_side, is_signed, separate),
                                           CT_GPU_ZEROS(ct_side, fold),
                                           CT_GPU_ARRAY(ct_side, add),
                                           CT_GPU_NUMBERS(ct_side, first, bytes),
                                           {0}};
static const ct_gpu_field partition_fields[] = {
    CT_GPU_ZEROS(ct_partition, err),
    CT_GPU_NUMBERS(ct_partition, atom, atom),
    CT_GPU_NUMBERS(ct_partition, matrices, elem),
    CT_GPU_NUMBERS(ct_partition, elem_bits, inner),
    CT_GPU_ARRAY(ct_partition, tile),
    CT_GPU_NUMBERS(ct_partition, permuted, src_bits),
    CT_GPU_ZEROS(ct_partition, src_swizzle),
    CT_GPU_ZEROS(ct_partition, dst_swizzle),
    CT_GPU_ZEROS(ct_partition, value),
    CT_GPU_ZEROS(ct_partition, hash),
    CT_GPU_ARRAY(ct_partition, turn),
    CT_GPU_ZEROS(ct_partition, back),
    CT_GPU_STRUCTS(ct_partition, src, ct_side, side_fields),
    CT_GPU_STRUCTS(ct_partition, dst, ct_side, side_fields),
    {0}};
static const ct_gpu_field fields[] = {
    CT_GPU_STRUCTS(ct_box, by, ct_conversion, ct_gpu_conversion_fields),
    CT_GPU_NUMBERS(ct_box, staged, modes),
    CT_GPU_STRUCTS(ct_box, mode, ct_box_mode, ct_gpu_mode_fields),
    CT_GPU_STRUCTS(ct_box, axis, ct_box_mode, ct_gpu_mode_fields),
    CT_GPU_STRUCTS(ct_box, in, ct_partition, partition_fields),
    CT_GPU_STRUCTS(ct_box, out, ct_partition, partition_fields),
    CT_GPU_ARRAY(ct_box, src_offset),
    CT_GPU_ARRAY(ct_box, dst_offset),
    {0}};

static int say(const ct_gpu_launch *l, char *buf, size_t size)
{
    const ct_box *const box = &l->box;
    const ct_partition *const last = box->staged ? &box->out : &box->in;
    char tile[256];
    size_t n = 0;
    tile[0] = 0;
    for (int a = 0; a < box->in.axes && n < sizeof tile - 16; ++a)
        n += (size_t)snprintf(tile + n, sizeof tile - n, "%s%d", a ? "," : "", box->axis[a].tile);
    return snprintf(buf, size,
                    "%u boxes of (%s) units of %d bytes, %u threads, accesses of %d and %d bytes%s",
                    l->grid[0], tile, box->in.elem_bits / 8, l->threads,
                    ct_access_bytes(&box->in, &box->in.src), last->dst.width * last->elem_bits / 8,
                    !box->staged       ? ""
                    : box->in.permuted ? ", transposed in registers and shared memory"
                                       : ", transposed in shared memory");
}

const ct_gpu_engine ct_gpu_box = {.name = "box",
                                  .inside = "ct_box_any",
                                  .choose = choose,
                                  .make = make,
                                  .variants = VARIANTS,
                                  .table = variants,
                                  .table_bytes = sizeof variants,
                                  .args_bytes = sizeof(ct_box_args),
                                  .plan_at = offsetof(ct_gpu_launch, box),
                                  .limit = limit,
                                  .fields = fields,
                                  .say = say};
