/* Copy plans: made of layouts, run on arrays; and copies of arrays at once. */
#include "arrays.h"

#include <stddef.h>
#include <string.h>

static PyTypeObject *plan_type, *info_type;

enum { DEVICES = 64 };

typedef struct plan {
    PyObject_HEAD ct_plan *plan;
    ct_plan_side side[2]; /* source and destination, as they were planned */
    core_span span[2];
    ct_plan_desc desc;
    int effort;
    ct_plan *on[DEVICES]; /* the plan on each CUDA device, NULL: not asked for yet */
} plan;

static PyStructSequence_Field info_fields[] = {
    {"form", "the kind of copy"},
    {"backend", "what moves the elements"},
    {"threads", "that a run uses at most"},
    {"elements", "that are moved"},
    {"bytes_read", "elements times their size"},
    {"bytes_written", "elements times their size"},
    {"src_runs", "runs of neighbouring bytes of the source"},
    {"dst_runs", "runs of neighbouring bytes of the destination"},
    {"src_sectors", "32-byte sectors that these touch"},
    {"dst_sectors", "32-byte sectors that these touch"},
    {NULL, NULL},
};
static PyStructSequence_Desc info_desc = {"pycutlet.PlanInfo", "What a plan will do.", info_fields,
                                          10};

static const char *const backends[CT_BACKEND_COUNT] = {"auto", "cpu", "grid", "cuda"};
static const char *const types[CT_TYPE_COUNT] = {"raw",   "half",   "bfloat16",
                                                 "float", "double", "int8"};

/* The place of a word in a list; -1 and an exception for another. */
static int choice(const char *word, const char *const *list, int count, const char *what)
{
    for (int k = 0; k < count; ++k) {
        if (strcmp(list[k], word) == 0) return k;
    }
    PyErr_Format(PyExc_ValueError, "there is no %s `%.40s`", what, word);
    return -1;
}

/* A scale, or None. */
static int read_scale(PyObject *o, ct_plan_desc *d)
{
    d->has_scale = o && o != Py_None;
    d->scale = d->has_scale ? PyFloat_AsDouble(o) : 0;
    return d->has_scale && d->scale == -1 && PyErr_Occurred() ? -1 : 0;
}

static int read_effort(const char *word)
{
    static const char *const efforts[] = {"estimate", "measure"};
    return choice(word, efforts, 2, "effort");
}

/* A side of raw elements of this many bytes, or of elements of a type. */
static int read_side(PyObject *layout, const char *type, int bytes, ct_plan_side *side)
{
    ct_tensor t;
    const int kind = choice(type, types, CT_TYPE_COUNT, "type of elements that is converted,");
    if (kind < 0 || core_to_tensor(layout, &t)) return -1;
    memset(side, 0, sizeof *side);
    side->memory = t;
    side->type = kind;
    side->elem_bytes = kind == CT_TYPE_RAW ? bytes : 0;
    return 0;
}

static ct_status create(const ct_plan_desc *d, int effort, ct_plan **made, char *message)
{
    ct_status bad;
    Py_BEGIN_ALLOW_THREADS bad = ct_plan_create(d, effort, made, message);
    Py_END_ALLOW_THREADS return bad;
}

/* plan_of(src, src_type, src_bytes, dst, dst_type, dst_bytes, scale, backend, effort) -> plan */
static PyObject *plan_of(PyObject *self, PyObject *args)
{
    PyObject *src, *dst, *scale;
    const char *src_type, *dst_type, *backend, *effort;
    int src_bytes, dst_bytes;
    ct_plan_desc d;
    char message[CT_MESSAGE_BYTES];
    (void)self;
    memset(&d, 0, sizeof d);
    if (!PyArg_ParseTuple(args, "OsiOsiOss", &src, &src_type, &src_bytes, &dst, &dst_type,
                          &dst_bytes, &scale, &backend, &effort) ||
        read_side(src, src_type, src_bytes, &d.src) ||
        read_side(dst, dst_type, dst_bytes, &d.dst) || read_scale(scale, &d))
        return NULL;
    const int how = read_effort(effort);
    d.backend = choice(backend, backends, CT_BACKEND_COUNT, "backend");
    if (how < 0 || d.backend < 0) return NULL;
    plan *const p = (plan *)PyType_GenericAlloc(plan_type, 0);
    if (!p) return NULL;
    p->side[0] = d.src;
    p->side[1] = d.dst;
    p->desc = d;
    p->effort = how;
    if (d.backend == CT_BACKEND_AUTO)
        d.backend = CT_BACKEND_CPU; /* a device's plan is made when arrays are there */
    const ct_status bad = create(&d, how, &p->plan, message);
    for (int k = 0; k < 2 && !bad; ++k) p->span[k] = core_span_of(&p->side[k].memory);
    if (!bad) return (PyObject *)p;
    Py_DECREF(p);
    return core_raise(bad, message, NULL, NULL);
}

static void dealloc(PyObject *self)
{
    ct_plan_destroy(((plan *)self)->plan);
    for (int k = 0; k < DEVICES; ++k) ct_plan_destroy(((plan *)self)->on[k]);
    core_free(self);
}

static PyObject *describe(PyObject *self)
{
    char text[4096];
    ct_plan_describe(((plan *)self)->plan, text, sizeof text);
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

static PyObject *plan_info(PyObject *self, void *unused)
{
    static const char *const forms[] = {"nothing", "contiguous", "rows",    "tiles",
                                        "strided", "indexed",    "exchange"};
    ct_plan_info i;
    (void)unused;
    ct_plan_info_of(((plan *)self)->plan, &i);
    const char *const word[] = {forms[i.form], backends[i.backend]};
    const int64_t item[] = {i.threads,  i.elements, i.bytes_read,  i.bytes_written,
                            i.src_runs, i.dst_runs, i.src_sectors, i.dst_sectors};
    return core_struct(info_type, word, 2, item, 8);
}

/* The CUDA stream that an integer stands for: 0 and None the default one. */
static int read_stream(PyObject *o, void **stream)
{
    *stream = o == Py_None ? NULL : PyLong_AsVoidPtr(o);
    if (!*stream && PyErr_Occurred()) return -1;
    if ((intptr_t)*stream < 0)
        return PyErr_Format(PyExc_ValueError, "%S is not a stream of CUDA", o), -1;
    if (*stream == (void *)1) *stream = NULL; /* as DLPack calls the default one */
    return 0;
}

/* The end of a side that was planned, in an array that has to be of its elements. */
static int place(const plan *p, int k, const core_array *a, core_end *e)
{
    const ct_plan_side *const planned = &p->side[k];
    static const int32_t known[CT_TYPE_COUNT] = {0, 2, 2, 4, 8, 1};
    const int32_t wanted =
        planned->type == CT_TYPE_RAW ? planned->elem_bytes : known[planned->type];
    if (core_array_layout_end(a, &planned->memory, p->span[k], e)) return -1;
    if (e->side.elem_bytes == wanted &&
        (planned->type == CT_TYPE_RAW || planned->type == e->side.type)) {
        e->side.type = planned->type;
        return 0;
    }
    PyErr_Format(
        PyExc_TypeError, "the %s has elements of %d bytes, %.100s; planned were %d bytes, %s",
        k ? "destination" : "source", e->side.elem_bytes, a->type, wanted, types[planned->type]);
    return -1;
}

/* A backend that was asked for, and arrays that it does not reach. */
static int reaches(int backend, int device)
{
    if (backend == CT_BACKEND_AUTO || (device > 0) == (backend == CT_BACKEND_CUDA)) return 1;
    PyErr_Format(PyExc_ValueError, "the arrays are %s; the backend %s does not reach them",
                 device ? "on a device" : "in memory of the host", backends[backend]);
    return 0;
}

/* The plan for arrays of a device, by its number plus 1, or of the host. Made once. */
static const ct_plan *plan_on(plan *p, int device)
{
    char message[CT_MESSAGE_BYTES];
    if (!reaches(p->desc.backend, device)) return NULL;
    if (device == 0) return p->plan;
    if (device > DEVICES)
        return PyErr_Format(PyExc_ValueError, "CUDA device %d; %d are known", device - 1, DEVICES),
               NULL;
    if (p->on[device - 1]) return p->on[device - 1];
    ct_plan_desc d = p->desc;
    ct_plan *made = NULL;
    d.backend = CT_BACKEND_CUDA;
    d.device = device;
    const ct_status bad = create(&d, p->effort, &made, message);
    if (bad) return core_raise(bad, message, NULL, NULL), NULL;
    if (p->on[device - 1]) ct_plan_destroy(made); /* another thread was faster */
    else p->on[device - 1] = made;
    return p->on[device - 1];
}

/* Runs the plan on two arrays that are open; by a plan of its own where they are not aligned, or of the other byte
   order. */
static PyObject *run_on(plan *p, const core_array *a, const core_array *b, void *stream)
{
    core_end to, from;
    char message[CT_MESSAGE_BYTES];
    const int raw = p->side[0].type == CT_TYPE_RAW, device = core_arrays_device(a, b);
    if (device < 0 || place(p, 1, a, &to) || place(p, 0, b, &from) ||
        (raw && core_types_agree(a, b, 0)))
        return NULL;
    const ct_plan *const chosen = plan_on(p, device);
    if (!chosen) return NULL;
    if (!core_end_is_plain(&to) || !core_end_is_plain(&from)) {
        ct_plan_desc d = p->desc;
        d.backend = device                         ? CT_BACKEND_CUDA
                    : d.backend == CT_BACKEND_AUTO ? CT_BACKEND_CPU
                                                   : d.backend;
        d.device = device;
        const int converts = d.has_scale || p->side[0].type != p->side[1].type;
        return core_move(&to, &from, converts, &d, p->effort, stream) ? NULL : Py_NewRef(Py_None);
    }
    ct_status bad;
    Py_BEGIN_ALLOW_THREADS bad = ct_plan_run(chosen, to.at, from.at, stream, message);
    Py_END_ALLOW_THREADS return bad ? core_raise(bad, message, NULL, NULL) : Py_NewRef(Py_None);
}

static PyObject *run(PyObject *self, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"dst", "src", "stream", NULL};
    PyObject *dst, *src, *queue = Py_None, *done = NULL;
    core_array a, b;
    void *stream;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO|O:run", names, &dst, &src, &queue) ||
        read_stream(queue, &stream) || core_array_open(dst, 1, queue, &a))
        return NULL;
    if (core_array_open(src, 0, queue, &b) == 0) {
        done = run_on((plan *)self, &a, &b, stream);
        core_array_close(&b);
    }
    core_array_close(&a);
    return done;
}

/* An end of an array: by a layout, or by its own. */
static int end_of(const core_array *a, PyObject *layout, core_end *e)
{
    ct_tensor t;
    if (layout == Py_None) return core_array_end(a, e);
    return core_to_tensor(layout, &t) || core_array_layout_end(a, &t, core_span_of(&t), e) ? -1 : 0;
}

/* Plans the copy of two arrays that are open, and runs it. */
static PyObject *move(const core_array *a, PyObject *dst_layout, const core_array *b,
                      PyObject *src_layout, ct_plan_desc *d, int effort, void *stream)
{
    core_end to, from;
    const int converts = core_types_agree(a, b, d->has_scale);
    if (converts < 0 || end_of(a, dst_layout, &to) || end_of(b, src_layout, &from)) return NULL;
    if (!converts) to.side.type = from.side.type = CT_TYPE_RAW;
    const int device = core_arrays_device(a, b);
    if (device < 0 || !reaches(d->backend, device)) return NULL;
    if (d->backend == CT_BACKEND_AUTO) d->backend = device ? CT_BACKEND_CUDA : CT_BACKEND_CPU;
    d->device = device;
    return core_move(&to, &from, converts, d, effort, stream) ? NULL : Py_NewRef(Py_None);
}

/* move(dst, dst_layout, src, src_layout, scale, backend, effort, stream) */
static PyObject *move_arrays(PyObject *self, PyObject *args)
{
    PyObject *dst, *dst_layout, *src, *src_layout, *scale, *queue, *done = NULL;
    const char *backend, *effort;
    core_array a, b;
    ct_plan_desc d;
    void *stream;
    (void)self;
    memset(&d, 0, sizeof d);
    if (!PyArg_ParseTuple(args, "OOOOOssO", &dst, &dst_layout, &src, &src_layout, &scale, &backend,
                          &effort, &queue) ||
        read_scale(scale, &d) || read_stream(queue, &stream))
        return NULL;
    const int how = read_effort(effort);
    d.backend = choice(backend, backends, CT_BACKEND_COUNT, "backend");
    if (how < 0 || d.backend < 0 || core_array_open(dst, 1, queue, &a)) return NULL;
    if (core_array_open(src, 0, queue, &b) == 0) {
        done = move(&a, dst_layout, &b, src_layout, &d, how, stream);
        core_array_close(&b);
    }
    core_array_close(&a);
    return done;
}

static PyGetSetDef members[] = {{"info", plan_info, NULL, "What it will do, in numbers.", NULL},
                                {0}};

static PyMethodDef methods[] = {
    {"run", (PyCFunction)(void (*)(void))run, METH_VARARGS | METH_KEYWORDS,
     "run(dst, src, stream=None)\n--\n\nCopies. Each side's layout is put on the memory of its array, which has "
     "no gaps. stream is\nthe CUDA stream that a copy on a device is queued in, as an integer."},
    {0},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "A copy that was planned, and is run often; plan makes one."},
    {Py_tp_dealloc, dealloc},
    {Py_tp_str, describe},
    {Py_tp_getset, members},
    {Py_tp_methods, methods},
    {0, NULL},
};

static PyType_Spec spec = {"pycutlet.Plan", sizeof(plan), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

static PyMethodDef functions[] = {
    {"_plan_of", plan_of, METH_VARARGS, NULL},
    {"_move", move_arrays, METH_VARARGS, NULL},
    {0},
};

int core_plans_ready(PyObject *module)
{
    plan_type = (PyTypeObject *)PyType_FromSpec(&spec);
    info_type = PyStructSequence_NewType(&info_desc);
    return !plan_type || !info_type || core_views_ready(module) ||
           PyModule_AddObjectRef(module, "Plan", (PyObject *)plan_type) < 0 ||
           PyModule_AddObjectRef(module, "PlanInfo", (PyObject *)info_type) < 0 ||
           PyModule_AddFunctions(module, functions) < 0;
}
