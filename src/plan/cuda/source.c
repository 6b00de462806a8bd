/* The source of a kernel that is compiled for one launch: its plan as a constant. */
#include "cuda.h"
#include "base/builder.h"

/* The sizes of a kernel's tables. */
typedef struct capacity {
    int axes, accesses, values, digits;
} capacity;

static void need(capacity *c, const ct_partition *p)
{
    for (int side = 0; side < 2; ++side) {
        const ct_side *const s = side == 0 ? &p->src : &p->dst;
        c->accesses = (int)ct_max(c->accesses, s->accesses);
        c->digits = (int)ct_max(c->digits, s->digits);
    }
    c->axes = (int)ct_max(c->axes, p->axes);
}

static void add_numbers(ct_builder *t, const int32_t *n, int count)
{
    ct_put(t, "{");
    for (int i = 0; i < count; ++i) ct_put(t, "%d,", n[i]);
    ct_put(t, "},");
}

static void add_bytes(ct_builder *t, const int64_t *n, int count)
{
    ct_put(t, "{");
    for (int i = 0; i < count; ++i) ct_put(t, "%lldll,", (long long)n[i]);
    ct_put(t, "},");
}

static void add_values(ct_builder *t, const uint8_t *n, int count)
{
    ct_put(t, "{");
    for (int i = 0; i < count; ++i) ct_put(t, "%d,", n[i]);
    ct_put(t, "},");
}

/* Only what is read of it: coordinates of accesses that are tested, and places in shared memory. */
static void add_side(ct_builder *t, const ct_side *s, const capacity *c, int tested)
{
    ct_put(t, " {%d,%d,%d,%d,%d,{", s->space, s->axis, s->width, s->accesses, s->digits);
    for (int i = 0; i < s->digits; ++i)
        ct_put(t, "{%d,%d,%d,%d,%d},", s->digit[i].div, s->digit[i].mod, s->digit[i].axis,
               s->digit[i].step, s->digit[i].offset);
    ct_put(t, "},{");
    for (int i = 0; i < s->accesses && tested; ++i) ct_put(t, "%uu,", s->coord[i]);
    ct_put(t, "},");
    add_values(t, s->left, c->axes);
    add_values(t, s->right, c->axes);
    ct_put(t, "%d,%d,{0},", s->is_signed, s->separate);
    add_numbers(t, s->add, s->space == CT_SPACE_SHARED ? s->accesses : 1);
    ct_put(t, "%d,%d}", s->first, s->bytes);
}

static void add_partition(ct_builder *t, const ct_partition *p, const capacity *c)
{
    const int values = p->permuted ? c->values : 1;
    const int by_src = ct_copy_decides(&p->src, p->src_block);
    const int by_dst = !by_src && ct_copy_decides(&p->dst, p->dst_block);
    ct_put(t, "{{0},%d,%d,%d,%d,%d,%d,%d,%d,", p->atom, p->matrices, p->elem, p->elem_bits,
           p->threads, p->values, p->axes, p->inner);
    add_numbers(t, p->tile, p->axes);
    ct_put(t, "%d,%d,%d,%d,%d,%d,%d,%d,%d,{{0}},{{0}},{0,{{0}}},0,\n", p->permuted, p->blocks,
           p->src_block, p->dst_block, p->in_flight, p->is_unaligned, p->unchecked, p->ends,
           p->src_bits);
    add_values(t, p->turn, values);
    ct_put(t, "{0},\n");
    add_side(t, &p->src, c, p->ends && !by_dst);
    ct_put(t, ",\n");
    add_side(t, &p->dst, c, p->ends && !by_src);
    ct_put(t, "},\n");
}

/* Whether the sides have other orders, or the destination narrower accesses in parts of words. */
static int turns(const ct_partition *p)
{
    return p->permuted || (p->src.width > p->dst.width && ct_access_bytes(p, &p->dst) < 4);
}

/* What the kernel for all boxes leaves open. */
static void add_names(ct_builder *t, const ct_box *b, const capacity *c)
{
    const ct_partition *const in = &b->in, *const last = b->staged ? &b->out : in;
    const int load = ct_access_bytes(in, &in->src), kept = ct_bytes_of(in, in->src.width);
    const int words = ct_copy_blocks(in) * in->src_block * (int)ct_max(1, ct_max(load, kept) / 4);
    const int gathered = b->staged ? last->src_block * ct_access_words(last, &last->src) : 1;
    const int widths = load | ct_access_bytes(in, &in->dst) | ct_access_bytes(last, &last->src) |
                       ct_access_bytes(last, &last->dst);
    ct_put(
        t,
        "#define CT_OF_PLAN 1\n#define CT_AXES %d\n#define CT_ACCESSES %d\n"
        "#define CT_VALUES %d\n#define CT_DIGITS %d\n#define CT_BOX_MODES %d\n"
        "#define CT_HELD_WORDS %d\n#define CT_CONVERTS %d\n#define CT_WIDTHS %d\n"
        "#define CT_BOX_STAGED %d\n#define CT_SHARES %d\n#define CT_TESTS %d\n#define CT_PERMUTES %d\n",
        c->axes, c->accesses, c->values, c->digits, (int)ct_max(1, b->modes),
        (int)ct_max(words, gathered), b->by.to != CT_TYPE_RAW, 8 * widths, b->staged, b->staged,
        in->ends | last->ends, turns(in) || turns(last));
}

static void add_modes(ct_builder *t, const ct_box_mode *mode, int modes)
{
    ct_put(t, "{");
    for (int k = 0; k < modes; ++k)
        ct_put(t, "{%lldll,%lldll,%lldll,%d,%d},", (long long)mode[k].extent,
               (long long)mode[k].src, (long long)mode[k].dst, mode[k].tile, mode[k].axis);
    ct_put(t, "},\n");
}

static void add_box(ct_builder *t, const ct_gpu_launch *l)
{
    const ct_box *const b = &l->box;
    const ct_partition *const last = b->staged ? &b->out : &b->in;
    capacity c = {1, 1, b->in.permuted ? b->in.values / b->in.blocks : 1, 1};
    if (last->permuted) c.values = (int)ct_max(c.values, last->values / last->blocks);
    need(&c, &b->in);
    need(&c, last);
    add_names(t, b, &c);
    ct_put(t,
           "#include <plan/kernels/box.h>\n"
           "CT_KERNEL_RESIDENT(ct_own, %u, %d, ct_plan_args, args)\n{\n"
           "static const ct_box box = {{%d,%d,%d},%d,%d,%d,%d,\n",
           l->threads, l->resident, b->by.from, b->by.to, b->by.has_scale, b->staged, b->threads,
           b->past, b->modes);
    add_modes(t, b->mode, b->modes);
    add_modes(t, b->axis, b->in.axes);
    add_partition(t, &b->in, &c);
    if (b->staged) add_partition(t, &b->out, &c);
    else ct_put(t, "{{0}},\n");
    add_bytes(t, b->src_offset, b->in.src.accesses);
    add_bytes(t, b->dst_offset, last->dst.accesses);
    ct_put(t, "};\nCT_SHARED_DYNAMIC(unsigned char, memory);\n"
              "ct_box_move(&box, &args, memory);\n}\n");
}

static void add_window(ct_builder *t, const ct_window *w)
{
    ct_put(t, "#define CT_BOX_MODES %d\n", (int)ct_max(w->modes, 1));
    ct_put(t,
           "#include <plan/kernels/window.h>\n"
           "CT_KERNEL_THREADS(ct_own, %d, ct_plan_args, args)\n{\n"
           "    static const ct_window plan = {%d,%d,%d,%d,%d,%d,%d,%d,\n",
           w->threads, w->bytes, w->threads, w->each, w->row_bytes, w->nest, w->modes,
           w->nest_bytes, w->blocks);
    add_modes(t, w->mode, w->modes);
    ct_put(t, "};\n    ct_window_move(&plan, &args);\n}\n");
}

static void add_index_side(ct_builder *t, const ct_index_side *s)
{
    ct_put(t, "{%lldll,{{0},%d,%d,%d},%d,%d,%d}", (long long)s->offset, s->swizzle.bits,
           s->swizzle.base, s->swizzle.shift, s->bytes, s->begin, s->end);
}

static void add_index(ct_builder *t, const ct_indexed *x)
{
    const int modes = (int)ct_max(x->src.end, x->dst.end);
    ct_put(t, "#define CT_BOX_MODES %d\n", (int)ct_max(1, (modes + 1) / 2));
    ct_put(t,
           "#include <plan/kernels/index_copy.h>\n"
           "CT_KERNEL_THREADS(ct_own, %d, ct_plan_args, args)\n{\n"
           "    static const ct_indexed plan = {%lldll,{%d,%d,%d},%d,%d,\n     ",
           x->threads, (long long)x->size, x->by.from, x->by.to, x->by.has_scale, x->threads,
           x->batch);
    add_index_side(t, &x->src);
    ct_put(t, ",\n     ");
    add_index_side(t, &x->dst);
    ct_put(t, ",\n     ");
    add_modes(t, x->mode, modes);
    ct_put(t, "};\n    ct_index_move(&plan, &args);\n}\n");
}

static void add_misaligned(ct_builder *t, const ct_gpu_launch *l)
{
    const ct_misaligned *const m = &l->misaligned;
    ct_put(t, "#define CT_BOX_MODES %d\n", m->modes);
    ct_put(
        t,
        "#include <plan/kernels/misaligned.h>\n"
        "CT_KERNEL_RESIDENT(ct_own, %u, %d, ct_plan_args, args)\n{\n"
        "static const ct_misaligned plan = {%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,"
        "%d,%d,%lldll,\n",
        l->threads, l->resident, m->transposed, m->merged, m->threads, m->rows, m->row_bytes,
        m->line_bytes, m->line_step, m->run_bytes, m->lines, m->all_lines, m->window, m->tiles,
        m->windows, m->chunks, m->pitch, m->line_pitch, m->offsets_at, m->rows_at, m->lines_at,
        m->shared_bytes, m->row_modes, m->modes, (long long)m->dst_step);
    add_modes(t, m->mode, m->modes);
    ct_put(t, "};\nCT_SHARED_DYNAMIC(unsigned char, memory);\n"
              "ct_misaligned_move(&plan, &args, memory);\n}\n");
}

int ct_cuda_source(const ct_gpu_launch *launch, char *buf, size_t size)
{
    ct_builder t = ct_builder_fixed(buf, size);
    if (size > 0) buf[0] = 0;
    if (launch->kind == CT_GPU_BOXES) add_box(&t, launch);
    else if (launch->kind == CT_GPU_WINDOWS) add_window(&t, &launch->window);
    else if (launch->kind == CT_GPU_INDICES) add_index(&t, &launch->index);
    else if (launch->kind == CT_GPU_MISALIGNED) add_misaligned(&t, launch);
    return (int)t.length;
}
