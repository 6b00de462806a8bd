/* The boxes of a copy: which tile of each mode a block takes, and how its threads go through it. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "gpu.h"

enum { SECTOR = 32, MOST_SHARED = 48 * 1024, MOST_ACCESS = 16 };

/* Each name is a choice by measurements on an H200, of all variants over the cases of bench/plan. */
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

/* A form while it is divided into boxes. Pairs are of the source and of the destination. */
typedef struct builder {
    const ct_gpu_variant *variant;
    ct_box_mode mode[CT_BOX_MODES];
    int modes, group; /* consecutive blocks take `group` tiles along the source's first mode */
    int64_t base[2], align[2];
    int bytes[2], vector[2];    /* of an element; elements of an access */
    int order[2][CT_BOX_MODES]; /* the modes by their steps */
    int divisor[CT_BOX_MODES];  /* of the tile of a mode, for accesses of several elements */
    int in_order, axes;         /* the most modes that a box may have a tile of */
} builder;

static int64_t step_of(const ct_box_mode *m, int side) { return ct_abs(side ? m->dst : m->src); }

/* Sorts the modes by the steps of a side; modes with stride 0 there come last. */
static void sort_modes(builder *b, int side)
{
    int *const order = b->order[side];
    for (int i = 0; i < b->modes; ++i) {
        const uint64_t step = (uint64_t)step_of(&b->mode[i], side) - 1; /* of 0: the largest */
        int k = i;
        for (; k > 0 && (uint64_t)step_of(&b->mode[order[k - 1]], side) - 1 > step; --k)
            order[k] = order[k - 1];
        order[k] = i;
    }
}

/* The most elements of an access along the first mode of a side, at most `most` bytes. */
static int vector_of(const builder *b, int side, int64_t most)
{
    const int64_t bytes = b->bytes[side];
    const ct_box_mode *const first = &b->mode[b->order[side][0]];
    int64_t all = ct_gcd(first->extent * bytes, ct_gcd(b->base[side], b->align[side]));
    if ((side ? first->dst : first->src) != bytes) return 1;
    for (int k = 0; k < b->modes; ++k)
        if (&b->mode[k] != first) all = ct_gcd(all, step_of(&b->mode[k], side));
    return (int)ct_max(1, ct_power_of_two(all, ct_max(most, bytes)) / bytes);
}

/* A tile of about `want` elements: the full mode, or pieces of about one size. */
static void take(builder *b, int k, int64_t want, int side)
{
    ct_box_mode *const m = &b->mode[k];
    const int64_t step = step_of(m, side);
    int64_t tile = ct_max(want, 1);
    if (tile < m->extent) {
        tile = ct_ceil_div_int(m->extent, ct_ceil_div_int(m->extent, tile));
        const int64_t whole = step > 0 && step < SECTOR ? SECTOR / step : 1; /* of a sector */
        tile = ct_gpu_round_up(tile, ct_max(whole, b->divisor[k]));
    }
    m->tile = (int32_t)ct_max(m->tile, ct_min(tile, m->extent));
}

/* Takes modes in the order of a side until it has the variant's number of contiguous bytes. */
static void take_piece(builder *b, int side)
{
    int64_t run = b->bytes[side];
    for (int i = 0; i < b->modes; ++i) {
        const int k = b->order[side][i];
        const ct_box_mode *const m = &b->mode[k];
        const int64_t step = step_of(m, side);
        if (step == 0 || step > 4 * run || run >= b->variant->piece) return;
        take(b, k, ct_ceil_div_int(b->variant->piece, step), side);
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
        n *= k == b->order[0][0] ? ct_gpu_round_up(tiles, b->group) : tiles;
    }
    return n;
}

/* The first mode, in the order of a side, of which a box holds only a part; -1 without one. */
static int first_part(const builder *b, int side)
{
    for (int i = 0; i < b->modes; ++i) {
        const int k = b->order[side][i];
        const ct_box_mode *const m = &b->mode[k];
        if (m->tile < m->extent && (step_of(m, side) > 0 || i + 1 == b->modes)) return k;
    }
    return -1;
}

/* Makes boxes larger, along the destination and the source alternately, until they have the variant's
 * number of bytes. */
static void grow(builder *b)
{
    const int64_t bytes = b->variant->bytes;
    for (int turn = 0;; ++turn) {
        const int side = b->in_order || turn % 2 == 0;
        const int k = first_part(b, side);
        const int64_t now = elements(b) * ct_max(b->bytes[0], b->bytes[1]);
        if (k < 0) return;
        const int32_t before = b->mode[k].tile;
        const int is_last = now * 2 > bytes + bytes / 4;
        const int64_t want = is_last ? before * bytes / now : 2 * (int64_t)before;
        if (is_last && want <= before + before / 8) return;
        take(b, k, want, side);
        if (is_last || b->mode[k].tile == before) return;
    }
}

/* Whether both sides have the modes in one order, or a transpose would make no elements of either
 * side contiguous. */
static int is_in_order(const builder *b)
{
    for (int side = 0; side < 2; ++side)
        if (step_of(&b->mode[b->order[side][0]], side) >= SECTOR) return 1;
    for (int i = 0, k = 0; i < b->modes; ++i) {
        const ct_box_mode *const m = &b->mode[b->order[0][i]];
        if (m->tile == 1 || m->src == 0) continue;
        while (b->mode[b->order[1][k]].tile == 1 || b->mode[b->order[1][k]].src == 0) ++k;
        if (b->order[0][i] != b->order[1][k++]) return 0;
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
        const int k = b->order[1][i];
        ct_box_mode *const m = &b->mode[k];
        if (m->tile > 1 && b->divisor[k] == 1 && ++taken > b->axes) m->tile = 1;
    }
}

/* Makes boxes smaller until they fit in shared memory. */
static void shrink(builder *b, int64_t most)
{
    while (elements(b) * b->bytes[1] > most) {
        int largest = -1;
        for (int k = 0; k < b->modes; ++k)
            if (b->mode[k].tile > b->divisor[k] &&
                (largest < 0 || b->mode[k].tile > b->mode[largest].tile))
                largest = k;
        if (largest < 0) return;
        ct_box_mode *const m = &b->mode[largest];
        m->tile = (int32_t)ct_gpu_round_up(m->tile / 2, b->divisor[largest]);
    }
}

static void choose_tiles(builder *b)
{
    for (int k = 0; k < b->modes; ++k) b->divisor[k] = 1;
    for (int side = 0; side < 2; ++side) {
        int *const divisor = &b->divisor[b->order[side][0]];
        *divisor = (int)ct_max(*divisor, b->vector[side]);
    }
    for (int k = 0; k < b->modes; ++k) b->mode[k].tile = b->divisor[k];
    for (int side = 0; side < 2; ++side) take_piece(b, side);
    b->in_order = is_in_order(b);
}

/* The modes of a form. A row becomes units as wide as the addresses allow. */
static void modes_of(builder *b, const ct_plan_form *f, int converts)
{
    b->bytes[0] = f->src_bytes;
    b->bytes[1] = f->dst_bytes;
    for (int k = 0; k < f->modes; ++k) ct_gpu_add_mode(b->mode, &b->modes, &f->mode[k]);
    if (converts || f->mode[0].src != f->src_bytes || f->mode[0].dst != f->dst_bytes) return;
    int64_t all = ct_gcd(ct_gcd(f->src_base, f->dst_base), f->mode[0].extent * f->src_bytes);
    for (int k = 1; k < f->modes; ++k) all = ct_gcd(all, ct_gcd(f->mode[k].src, f->mode[k].dst));
    const int64_t align = ct_min(b->align[0], b->align[1]);
    const int unit = (int)ct_power_of_two(all, ct_min(align, MOST_ACCESS));
    b->mode[0].extent = f->mode[0].extent * f->src_bytes / unit;
    b->mode[0].src = b->mode[0].dst = b->bytes[0] = b->bytes[1] = unit;
    if (b->mode[0].extent == 1 && b->modes > 1)
        memmove(b->mode, b->mode + 1, sizeof *b->mode * (size_t)--b->modes);
}

/* The tiles of a box, for accesses of b->vector elements. Without a transpose an access has one
 * element, unless elements are converted. */
static void cut(builder *b, int64_t most)
{
    choose_tiles(b);
    if (b->in_order) {
        const int64_t each = MOST_ACCESS / ct_max(b->bytes[0], b->bytes[1]);
        const int is_far = step_of(&b->mode[b->order[1][0]], 1) >= SECTOR;
        if (is_far) memcpy(b->order[1], b->order[0], sizeof b->order[1]); /* the source leads */
        b->vector[0] = b->vector[1] = b->order[0][0] != b->order[1][0]
                                          ? 1
                                          : (int)ct_min(vector_of(b, 0, each * b->bytes[0]),
                                                        vector_of(b, 1, each * b->bytes[1]));
        choose_tiles(b);
        b->in_order = 1;
    }
    limit_modes(b);
    grow(b);
    if (!b->in_order) shrink(b, most);
    limit_modes(b);
}

/* Numbers the axes of the box, and sets the order in which each partition takes them. */
static void number_axes(builder *b, ct_box *box, ct_gpu_walk walk[2])
{
    int axes = 0;
    for (int k = 0; k < b->modes; ++k) b->mode[k].axis = b->mode[k].tile > 1 ? axes++ : -1;
    if (axes == 0) b->mode[b->order[1][0]].axis = axes++;
    for (int side = 0; side < 2; ++side) {
        ct_gpu_walk *const w = &walk[side];
        for (int i = 0; i < b->modes; ++i) {
            const int32_t axis = b->mode[b->order[b->in_order || side][i]].axis;
            if (axis >= 0) w->order[w->axes++] = axis;
        }
        for (int a = 0; a < axes; ++a) w->val[a] = 1;
        w->val[w->order[0]] = b->vector[side];
    }
    for (int k = 0; k < b->modes; ++k)
        if (b->mode[k].axis >= 0) box->axis[b->mode[k].axis] = b->mode[k];
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
static void order_tiles(builder *b, ct_box *box)
{
    const ct_box_mode *const first = &b->mode[b->order[0][0]];
    const int64_t tiles = ct_ceil_div_int(first->extent, first->tile);
    const int is_grouped = !b->in_order && first->axis >= 0 && b->modes < CT_BOX_MODES;
    b->group = is_grouped ? (int)ct_min(b->variant->group, tiles) : 1;
    box->modes = 0;
    box->past = tiles % b->group != 0 ? first->axis : -1;
    add_mode(box, first, b->group, 1);
    for (int k = 0; k < b->modes; ++k) {
        const ct_box_mode *const m = &b->mode[k];
        const int each = m == first ? b->group : 1;
        add_mode(box, m, ct_ceil_div_int(m->extent, (int64_t)m->tile * each), each);
    }
}

static int make_box(builder *b, int64_t most, ct_gpu_launch *launch)
{
    ct_gpu_walk walk[2] = {{0}, {0}};
    b->group = 1;
    for (int side = 0; side < 2; ++side) {
        sort_modes(b, side);
        b->vector[side] = vector_of(b, side, side ? b->variant->out : b->variant->in);
    }
    cut(b, most - 1024);
    while (blocks(b) > INT32_MAX) {
        const int k = first_part(b, 1);
        if (k < 0 || !b->in_order) return -1;
        take(b, k, 2 * (int64_t)b->mode[k].tile, 1);
        limit_modes(b);
    }
    launch->box.staged = !b->in_order;
    number_axes(b, &launch->box, walk);
    order_tiles(b, &launch->box);
    launch->grid[0] = (uint32_t)blocks(b);
    launch->modes = launch->box.modes;
    return ct_gpu_divide(launch, &walk[0], &walk[1], b->variant, 8 * b->bytes[0], 8 * b->bytes[1]);
}

/* ---- the arguments of the kernel for all boxes ------------------------------------------------- */

_Static_assert(sizeof(ct_box_args) < 4000, "with room to 4 KiB, which any launch may have");

/* One side of a partition. Digits have steps in coordinates; in shared memory in bytes. It has no room for
 * a digit more: -1. */
static int put_side(ct_box_side *to, const ct_partition *p, const ct_side *s)
{
    to->bits = 8 * ct_access_bytes(p, s);
    to->accesses = s->accesses;
    memcpy(to->left, s->left, sizeof to->left);
    memcpy(to->right, s->right, sizeof to->right);
    memcpy(to->coord, s->coord, sizeof to->coord);
    to->digits.count = s->digits;
    for (int d = 0; d < s->digits && d < CT_BOX_DIGITS; ++d) {
        const ct_digit *const g = &s->digit[d];
        to->digits.digit[d] = (ct_value_digit){g->div, g->mod, g->axis, g->step};
        if (s->space == CT_SPACE_SHARED) to->digits.digit[d].step = g->offset * p->elem_bits / 8;
    }
    return s->digits > CT_BOX_DIGITS ? -1 : 0;
}

/* What that kernel reads of a box; -1: it has no room for all digits. */
static int put_args(ct_box_args *to, const ct_box *b)
{
    const ct_partition *const in = &b->in, *const out = &b->out;
    const int bytes = in->elem_bits / 8;
    ct_box_side read = {0};
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
                        .src_block = in->src_block,
                        .dst_block = in->dst_block,
                        .in_ends = in->ends,
                        .out_ends = out->ends,
                        .reads = out->src_block};
    memcpy(to->mode, b->mode, sizeof to->mode);
    memcpy(to->axis, b->axis, sizeof to->axis);
    memcpy(to->src_offset, b->src_offset, sizeof to->src_offset);
    memcpy(to->dst_offset, b->dst_offset, sizeof to->dst_offset);
    if (put_side(&to->src, in, &in->src) || put_side(&to->kept, in, &in->dst)) return -1;
    to->batch = (int32_t)ct_max(1, in->in_flight / (in->src_block * ct_box_words(to->src.bits)));
    for (int i = 0; in->permuted && i < in->values / in->blocks * bytes; ++i)
        to->turn[i] =
            (uint8_t)ct_turn_byte(&in->src, in->elem_bits, in->turn[i / bytes], i % bytes);
    if (!b->staged) return 0;
    if (put_side(&to->dst, out, &out->dst) || put_side(&read, out, &out->src)) return -1;
    to->read = read.digits;
    to->read_bits = read.bits;
    for (int i = 0; i < CT_ACCESSES; ++i) {
        to->kept_at[i] = (uint16_t)in->dst.add[i];
        to->read_at[i] = (uint16_t)out->src.add[i];
    }
    return 0;
}

/* ---- the engine -------------------------------------------------------------------------------- */

/* A box is smaller where there is no room for all of it, or threads have more accesses than they may. It
 * has fewer axes where a partition would have too many leaves. */
static int make(const ct_plan *plan, const ct_plan_form *form, int nth, ct_gpu_launch *launch)
{
    builder b = {.variant = &variants[nth],
                 .base = {form->src_base, form->dst_base},
                 .align = {launch->src_align, launch->dst_align}};
    modes_of(&b, form, plan->converts);
    memset(&launch->box, 0, sizeof launch->box);
    launch->box.by = ct_plan_conversion(plan);
    for (b.axes = CT_AXES; b.axes > 2; b.axes -= 2)
        for (int64_t most = MOST_SHARED; most >= MOST_SHARED / 16; most /= 2)
            if (make_box(&b, most, launch) == 0 && put_args(&launch->args.box, &launch->box) == 0)
                return 0;
    return -1;
}

/* Boxes without a transpose are faster for rows of bytes. Transposed boxes have accesses of several elements
 * where both sides allow them, of bytes where one side does. Without them, bytes and elements of two bytes
 * have smaller boxes, wider ones groups of boxes. */
static int choose(const ct_plan *plan, const ct_plan_form *form, ct_gpu_launch *launch)
{
    const ct_box *const box = &launch->box;
    if (make(plan, form, IN_ORDER, launch)) return -1;
    if (box->staged && form->kind == CT_FORM_ROWS && box->in.elem_bits == 8) {
        for (int i = 0; i < VARIANTS; ++i)
            if (make(plan, form, i, launch) == 0 && !box->staged) return 0;
        make(plan, form, IN_ORDER, launch);
    }
    const int unit = box->in.elem_bits / 8;
    if (!box->staged)
        return unit == CT_VECTOR_BYTES || plan->converts ? 0 : make(plan, form, SHORT, launch);
    if (unit <= 4 && make(plan, form, VECTORS, launch) == 0) {
        const int in = box->in.src.width, out = box->out.dst.width;
        if (unit == 1 ? ct_max(in, out) > 1 : ct_min(in, out) > 1) return 0;
    }
    return make(plan, form, unit == 1 ? BYTES : unit == 2 ? SMALL : GROUPS, launch);
}

/* ---- its kernel's source ----------------------------------------------------------------------- */

/* The sizes of a kernel's tables, and what the kernel for all boxes leaves open. It permutes where the sides
 * have other orders, or the destination narrower accesses in parts of words. */
static void limit(ct_builder *t, const ct_gpu_launch *launch)
{
    const ct_box *const b = &launch->box;
    int64_t axes = 1, accesses = 1, values = 1, digits = 1, words = 1;
    int widths = 0, ends = 0, permutes = 0;
    for (int k = 0; k <= b->staged; ++k) {
        const ct_partition *const p = k ? &b->out : &b->in;
        const int load = ct_access_bytes(p, &p->src), store = ct_access_bytes(p, &p->dst);
        axes = ct_max(axes, p->axes);
        accesses = ct_max(accesses, ct_max(p->src.accesses, p->dst.accesses));
        digits = ct_max(digits, ct_max(p->src.digits, p->dst.digits));
        if (p->permuted) values = ct_max(values, p->values / p->blocks);
        words = ct_max(words, k ? p->src_block * ct_access_words(p, &p->src)
                                : ct_copy_blocks(p) * p->src_block *
                                      ct_max(1, ct_max(load, ct_bytes_of(p, p->src.width)) / 4));
        widths |= load | store;
        ends |= p->ends;
        permutes |= p->permuted || (p->src.width > p->dst.width && store < 4);
    }
    ct_put(t,
           "#define CT_AXES %d\n#define CT_ACCESSES %d\n#define CT_VALUES %d\n"
           "#define CT_DIGITS %d\n#define CT_HELD_WORDS %d\n"
           "#define CT_CONVERTS %d\n#define CT_WIDTHS %d\n"
           "#define CT_SHARES %d\n#define CT_TESTS %d\n#define CT_PERMUTES %d\n",
           (int)axes, (int)accesses, (int)values, (int)digits, (int)words, b->by.to != CT_TYPE_RAW,
           8 * widths, b->staged, ends, permutes);
}

static const ct_gpu_field digit_fields[] = {CT_GPU_MEMBERS(ct_digit, div, offset), {0}};
static const ct_gpu_field side_fields[] = {CT_GPU_MEMBERS(ct_side, space, digits),
                                           CT_GPU_STRUCTS(ct_side, digit, ct_digit, digit_fields),
                                           CT_GPU_MEMBERS(ct_side, coord, coord),
                                           CT_GPU_MEMBERS(ct_side, left, left),
                                           CT_GPU_MEMBERS(ct_side, right, right),
                                           CT_GPU_MEMBERS(ct_side, is_signed, separate),
                                           CT_GPU_ZEROS(ct_side, fold),
                                           CT_GPU_MEMBERS(ct_side, add, add),
                                           CT_GPU_MEMBERS(ct_side, first, bytes),
                                           {0}};
static const ct_gpu_field partition_fields[] = {
    CT_GPU_ZEROS(ct_partition, err),
    CT_GPU_MEMBERS(ct_partition, atom, atom),
    CT_GPU_MEMBERS(ct_partition, matrices, elem),
    CT_GPU_MEMBERS(ct_partition, elem_bits, inner),
    CT_GPU_MEMBERS(ct_partition, tile, tile),
    CT_GPU_MEMBERS(ct_partition, permuted, src_bits),
    CT_GPU_ZEROS(ct_partition, src_swizzle),
    CT_GPU_ZEROS(ct_partition, dst_swizzle),
    CT_GPU_ZEROS(ct_partition, value),
    CT_GPU_ZEROS(ct_partition, hash),
    CT_GPU_MEMBERS(ct_partition, turn, turn),
    CT_GPU_ZEROS(ct_partition, back),
    CT_GPU_STRUCTS(ct_partition, src, ct_side, side_fields),
    CT_GPU_STRUCTS(ct_partition, dst, ct_side, side_fields),
    {0}};
static const ct_gpu_field fields[] = {
    CT_GPU_STRUCTS(ct_box, by, ct_conversion, ct_gpu_conversion_fields),
    CT_GPU_MEMBERS(ct_box, staged, modes),
    CT_GPU_STRUCTS(ct_box, mode, ct_box_mode, ct_gpu_mode_fields),
    CT_GPU_STRUCTS(ct_box, axis, ct_box_mode, ct_gpu_mode_fields),
    CT_GPU_STRUCTS(ct_box, in, ct_partition, partition_fields),
    CT_GPU_STRUCTS(ct_box, out, ct_partition, partition_fields),
    CT_GPU_MEMBERS(ct_box, src_offset, src_offset),
    CT_GPU_MEMBERS(ct_box, dst_offset, dst_offset),
    {0}};

static int say(const ct_gpu_launch *l, char *buf, size_t size)
{
    const ct_box *const box = &l->box;
    const ct_partition *const last = box->staged ? &box->out : &box->in;
    ct_builder t = ct_builder_fixed(buf, size);
    ct_put(&t, "%u boxes of (", l->grid[0]);
    for (int a = 0; a < box->in.axes; ++a) ct_put(&t, "%s%d", a ? "," : "", box->axis[a].tile);
    ct_put(&t, ") units of %d bytes, %u threads, accesses of %d and %d bytes%s",
           box->in.elem_bits / 8, l->threads, ct_access_bytes(&box->in, &box->in.src),
           last->dst.width * last->elem_bits / 8,
           !box->staged       ? ""
           : box->in.permuted ? ", transposed in registers and shared memory"
                              : ", transposed in shared memory");
    return ct_builder_end(&t);
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
