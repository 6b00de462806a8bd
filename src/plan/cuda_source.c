/* The source of a kernel that is compiled for one launch: its plan as a constant. */
#include "cuda.h"
#include "lines.h"

static void add_way(ct_lines *t, const ct_box_way *w)
{
    ct_plan_add(t, "{%d,%d,%d,%d,%d,%d,%d,{", w->vector, w->wide, w->by_thread, w->rows, w->active,
        w->accesses, w->modes);
    for (int i = 0; i < w->modes; ++i) ct_plan_add(t, "%d,", w->mode[i]);
    ct_plan_add(t, "}}");
}

static void add_box(ct_lines *t, const ct_box_plan *b)
{
    const int ways = (int)ct_max(ct_max(b->in.modes, b->out.modes), 1);
    ct_plan_add(t, "#define CT_BOX_MODES %d\n#define CT_BOX_WAY %d\n#define CT_BOX_BATCH %d\n",
                 b->modes, ways, b->batch);
    ct_plan_add(t, "#include \"box.h\"\n#include \"static.h\"\n"
           "CT_KERNEL_RESIDENT(ct_own, %d, %d, ct_box_args, args)\n{\n"
           "    CT_STATIC(ct_box_plan, plan, {%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,",
        b->threads, b->resident, b->src_bytes, b->dst_bytes, b->from, b->to, b->has_scale,
        b->staged, b->threads, b->resident, b->batch, b->modes, b->shared_bytes);
    ct_plan_add(t, "%d,%d,\n     {", b->group, b->group_mode);
    for (int k = 0; k < b->modes; ++k)
        ct_plan_add(t, "{%lldll,%lldll,%lldll,%d,%d},", (long long)b->mode[k].extent,
            (long long)b->mode[k].src, (long long)b->mode[k].dst, b->mode[k].tile,
            b->mode[k].shared);
    ct_plan_add(t, "},\n     ");
    add_way(t, &b->in);
    ct_plan_add(t, ",");
    add_way(t, &b->out);
    ct_plan_add(t, "});\n"
           "    CT_SHARED_DYNAMIC(unsigned char, tile);\n"
           "    ct_box(&plan, %d, &args, tile);\n}\n",
        b->batch);
}

static void add_window(ct_lines *t, const ct_window_plan *w)
{
    ct_plan_add(t, "#define CT_WINDOW_MODES %d\n", (int)ct_max(w->modes, 1));
    ct_plan_add(t, "#include \"window.h\"\n#include \"static.h\"\n"
           "CT_KERNEL_THREADS(ct_own, %d, ct_window_args, args)\n{\n"
           "    CT_STATIC(ct_window_plan, plan, {%d,%d,%d,%d,%d,%d,%d,%d,%d,\n     {",
        w->threads, w->unit, w->bytes, w->threads, w->each, w->row_bytes, w->nest, w->modes,
        w->nest_bytes, w->blocks);
    for (int k = 0; k < w->modes; ++k)
        ct_plan_add(t, "{%lldll,%lldll,%lldll},", (long long)w->mode[k].extent,
               (long long)w->mode[k].src, (long long)w->mode[k].dst);
    ct_plan_add(t, "}});\n    ct_window(&plan, &args);\n}\n");
}

static void add_side(ct_lines *t, const ct_index_side *s)
{
    ct_plan_add(t, "{%lldll,%lldll,%d,%d,%d,{", (long long)s->offset, (long long)s->mask, s->shift,
        s->bytes, s->modes);
    for (int k = 0; k < s->modes; ++k) ct_plan_add(t, "%lldll,", (long long)s->extent[k]);
    ct_plan_add(t, "},{");
    for (int k = 0; k < s->modes; ++k) ct_plan_add(t, "%lldll,", (long long)s->step[k]);
    ct_plan_add(t, "}}");
}

static void add_index(ct_lines *t, const ct_index_plan *x)
{
    ct_plan_add(t, "#define CT_INDEX_MODES %d\n", (int)ct_max(x->src.modes, x->dst.modes));
    ct_plan_add(t, "#include \"index_copy.h\"\n#include \"static.h\"\n"
           "CT_KERNEL_THREADS(ct_own, %d, ct_index_args, args)\n{\n"
           "    CT_STATIC(ct_index_plan, plan, {%lldll,%d,%d,%d,%d,%d,\n     ",
        x->threads, (long long)x->size, x->from, x->to, x->has_scale, x->threads, x->batch);
    add_side(t, &x->src);
    ct_plan_add(t, ",\n     ");
    add_side(t, &x->dst);
    ct_plan_add(t, "});\n    ct_index_copy(&plan, &args);\n}\n");
}

int ct_cuda_source(const ct_gpu_launch *launch, char *buf, size_t size)
{
    ct_lines t = {buf, size, 0};
    if (size > 0) buf[0] = 0;
    if (launch->kind == CT_GPU_BOXES) add_box(&t, &launch->box);
    else if (launch->kind == CT_GPU_WINDOWS) add_window(&t, &launch->window);
    else if (launch->kind == CT_GPU_INDICES) add_index(&t, &launch->index);
    return (int)t.length;
}
