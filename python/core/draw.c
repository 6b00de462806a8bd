/* Pictures, as text in a format. */
#include "core.h"

#include <stdlib.h>
#include <string.h>

#include <cutlet/host/draw.h>

/* What to draw: a value, and the tile that a thread-value layout lies in. */
static ct_picture *build(const ct_value *v, const ct_tuple *tile, const ct_draw_options *options,
                         char *message)
{
    switch (v->kind) {
        case CT_KIND_LAYOUT:
            return tile ? ct_picture_tv(v->as.layout, *tile, options, message)
                        : ct_picture_layout(v->as.layout, options, message);
        case CT_KIND_TUPLE:
            return ct_picture_layout(ct_make_col_major(v->as.tuple), options, message);
        case CT_KIND_TENSOR: return ct_picture_tensor(v->as.tensor, options, message);
        case CT_KIND_TILED_COPY: return ct_picture_tiled_copy(v->as.copy, options, message);
        case CT_KIND_MMA_ATOM: return ct_picture_mma_atom(v->as.mma_atom, options, message);
        case CT_KIND_TILED_MMA: return ct_picture_tiled_mma(v->as.mma, options, message);
        default:
            snprintf(message, CT_MESSAGE_BYTES, "there is no picture of %s", ct_kind_name(v));
            return NULL;
    }
}

/* render(value, tile, format, title, theme, max_cells, truncate, run, columns) -> text */
static PyObject *render(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *value, *tile, *string = NULL;
    int format, theme, truncate, run, columns;
    long long max_cells;
    const char *title;
    ct_tuple of;
    ct_value v;
    char message[CT_MESSAGE_BYTES] = "";
    if (!PyArg_ParseTuple(args, "OOiziLpii", &value, &tile, &format, &title, &theme, &max_cells,
                          &truncate, &run, &columns))
        return NULL;
    if ((tile != Py_None && core_to_tuple(tile, &of)) || core_to_value(value, &v)) return NULL;
    const ct_draw_options options = {title, max_cells, truncate, theme, run, columns};
    ct_picture *const p = build(&v, tile == Py_None ? NULL : &of, &options, message);
    char *const text = p ? ct_picture_render(p, format, &options, message) : NULL;
    if (text) string = PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
    else core_raise(CT_E_ARGUMENT, message, NULL, NULL);
    free(text);
    ct_picture_free(p);
    ct_value_free(&v);
    return string;
}

PyMethodDef core_draw_methods[] = {{"_render", render, METH_VARARGS, NULL}, {0}};
