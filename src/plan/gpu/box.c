/* The boxes of a copy: which tile of each mode a block takes, and how its threads go through it. */
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

static int make_box(builder *b, int64_t src_align, int64_t dst_align, int64_t most,
                    ct_gpu_launch *launch)
{
    const ct_gpu_variant *const variant = b->variant;
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
    return ct_gpu_divide(launch, &in, &out, variant, 8 * b->src_bytes, 8 * b->dst_bytes);
}

int ct_gpu_boxes(const ct_plan *plan, const ct_plan_form *form, int64_t src_align,
                 int64_t dst_align, const ct_gpu_variant *variant, ct_gpu_launch *launch)
{
    ct_box *const box = &launch->box;
    builder b = {.variant = variant, .form = form, .box = box};
    memset(box, 0, sizeof *box);
    if (modes_of(&b, plan->converts, ct_min(src_align, dst_align))) return -1;
    box->by = ct_plan_conversion(plan);
    launch->kind = CT_GPU_BOXES;
    launch->src_base = form->src_base;
    launch->dst_base = form->dst_base;
    launch->grid[1] = launch->grid[2] = 1;
    /* smaller, where there is no room for all of it, or threads have more accesses than they may; of
     * fewer axes, where a partition would have too many leaves */
    for (b.axes = CT_AXES; b.axes > 2; b.axes -= 2)
        for (int64_t most = MOST_SHARED; most >= MOST_SHARED / 16; most /= 2)
            if (make_box(&b, src_align, dst_align, most, launch) == 0) return 0;
    return -1;
}
