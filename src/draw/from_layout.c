/* Pictures of layouts: a function of the coordinates, its values in the cells. */
#include <string.h>

#include "base/refuse.h"
#include <cutlet/algebra/coord.h>
#include <cutlet/host/text.h>
#include "excerpt.h"

/* What is drawn: a layout, or any function of the index. */
typedef struct function {
    ct_layout layout;
    int64_t (*offset)(const void *of, int64_t index);
    const void *of;
    int integral; /* the values are integers */
} function;

static int64_t value_at(const function *f, int64_t index)
{
    return f->offset ? f->offset(f->of, index) : ct_eval(f->layout, index);
}

/* The lowest and the highest value of the cells that are drawn, and how many values repeat. */
static void value_range(const function *f, const ct_excerpt *v, int64_t *low, int64_t *high)
{
    int first = 1;
    for (int64_t k = 0; k < v->show_grids; ++k)
        for (int64_t r = 0; r < v->show_rows; ++r)
            for (int64_t c = 0; c < v->show_cols; ++c) {
                const int64_t index = ct_excerpt_index(v, k, r, c);
                if (index < 0) continue;
                const int64_t value = value_at(f, index);
                if (first || value < *low) *low = value;
                if (first || value > *high) *high = value;
                first = 0;
            }
}

/* Paler for lower offsets; or in runs of consecutive offsets, one colour for each in turn. */
static int value_color(int64_t value, int64_t low, int64_t high, int32_t run)
{
    if (run > 0) return (int)(((value / run - (value % run < 0)) % 8 + 8) % 8);
    if (high <= low) return CT_COLOR_RAMP;
    const double part = ((double)value - (double)low) / ((double)high - (double)low);
    return CT_COLOR_RAMP + (int)(part * (CT_DRAW_RAMP - 1) + 0.5);
}

static ct_status fill_cells(ct_picture *p, const ct_excerpt *v, const function *f,
                            const ct_draw_options *o, char *message)
{
    int64_t low = 0, high = 0;
    char label[CT_TEXT_BYTES];
    if (f->integral) value_range(f, v, &low, &high);
    for (int64_t k = 0; k < v->show_grids; ++k)
        for (int64_t r = 0; r < v->show_rows; ++r)
            for (int64_t c = 0; c < v->show_cols; ++c) {
                const int64_t index = ct_excerpt_index(v, k, r, c);
                int color = CT_COLOR_ABSENT;
                if (index >= 0 && f->integral) {
                    const int64_t value = value_at(f, index);
                    snprintf(label, sizeof label, "%lld", (long long)value);
                    color = value_color(value, low, high, o->run);
                } else if (index >= 0) {
                    const ct_tuple value = ct_at(f->layout, ct_int(index));
                    if (value.err.status) return ct_refuse_error(message, value.err);
                    ct_format_tuple(label, sizeof label, value);
                    color = CT_COLOR_NONE;
                }
                ct_panel_cell(p->grid[k], r, c, index < 0 ? NULL : label, NULL, color, -1);
            }
    return 0;
}

static ct_picture *draw_function(ct_tuple shape, const function *f, const char *name,
                                 const ct_draw_options *options, char *message)
{
    const ct_draw_options o = ct_draw_defaults(options);
    ct_excerpt v;
    char title[CT_TEXT_BYTES + 64], words[256];
    if (ct_excerpt_make(&v, shape, &o, message)) return NULL;
    snprintf(title, sizeof title, "%s", name);
    snprintf(words, sizeof words, "%lld coordinate%s; each cell holds %s.", (long long)v.size,
             v.size == 1 ? "" : "s", f->integral ? "its offset" : "what it maps to");
    ct_picture *p = ct_picture_new(title, words);
    if (!p || ct_excerpt_grids(p, &v)) {
        ct_picture_free(p);
        ct_refuse(message, CT_E_MEMORY, "not enough memory for the picture");
        return NULL;
    }
    if (fill_cells(p, &v, f, &o, message)) {
        ct_picture_free(p);
        return NULL;
    }
    if (o.run > 0 && f->integral)
        ct_picture_note(p, "A colour for each %d consecutive offsets, 8 colours in turn.", o.run);
    ct_excerpt_note(p, &v, &o);
    return p;
}

ct_picture *ct_picture_layout(ct_layout L, const ct_draw_options *options,
                              char message[CT_MESSAGE_BYTES])
{
    char name[CT_TEXT_BYTES];
    const function f = {L, NULL, NULL, ct_is_integral(L)};
    if (L.err.status) {
        ct_refuse_error(message, L.err);
        return NULL;
    }
    ct_format_layout(name, sizeof name, L);
    return draw_function(ct_shape(L), &f, name, options, message);
}

static int64_t tensor_offset(const void *of, int64_t index) { return ct_tensor_offset(of, index); }

ct_picture *ct_picture_tensor(ct_tensor t, const ct_draw_options *options,
                              char message[CT_MESSAGE_BYTES])
{
    char name[CT_TEXT_BYTES];
    const ct_error bad = ct_tensor_check(&t);
    if (bad.status) {
        ct_refuse_error(message, bad);
        return NULL;
    }
    if (!ct_offset_is_integer(&t.offset) || !ct_is_integral(t.layout)) {
        ct_refuse(message, CT_E_ARGUMENT,
                  "a tensor is drawn where its offsets are integers; draw its layout");
        return NULL;
    }
    ct_draw_options o = ct_draw_defaults(options);
    if (o.run <= 0 && t.swizzle.bits > 0 && t.swizzle.base < 31) o.run = 1 << t.swizzle.base;
    ct_format_tensor(name, sizeof name, t);
    return ct_picture_function(ct_shape(t.layout), tensor_offset, &t, name, &o, message);
}

ct_picture *ct_picture_function(ct_tuple shape, int64_t (*offset)(const void *of, int64_t index),
                                const void *of, const char *name, const ct_draw_options *options,
                                char message[CT_MESSAGE_BYTES])
{
    function f;
    memset(&f, 0, sizeof f);
    f.offset = offset;
    f.of = of;
    f.integral = 1;
    if (shape.err.status) {
        ct_refuse_error(message, shape.err);
        return NULL;
    }
    return draw_function(shape, &f, name, options, message);
}
