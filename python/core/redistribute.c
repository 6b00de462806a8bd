/* Redistribution of sharded tensors: plans of a rank, engines of processes, and ranks that are threads. */
#include "arrays.h"

#include <string.h>

#include <cutlet/host/engine_cuda.h>
#include <cutlet/host/redistribute.h>

static PyTypeObject *plan_type, *engine_type, *info_type;

typedef struct plan {
    PyObject_HEAD ct_redistribute *plan;
    ct_redistribute_side side[2]; /* source and destination */
    int64_t span[2];              /* the elements of memory that its rank has of each */
    int32_t parts;                /* raw elements of the plan in one of the arrays */
} plan;

typedef struct engine {
    PyObject_HEAD ct_engine host, engine; /* of GPUs, on the host engine; or that alone */
    int kind;
} engine;

enum { PROCESSES, PEER, NCCL, KINDS };

static const char *const kinds[KINDS] = {"processes", "peer", "nccl"};
static const char *const types[CT_TYPE_COUNT] = {"raw",   "half",   "bfloat16",
                                                 "float", "double", "int8"};
static const char *const backends[CT_BACKEND_COUNT] = {"auto", "cpu", "grid", "cuda"};
static const char *const carries[CT_CARRY_COUNT] = {"auto", "messages", "direct", "staged"};

static PyStructSequence_Field info_fields[] = {
    {"ranks", "of both meshes"},
    {"elems_kept", "that stay on the rank"},
    {"elems_sent", "by the rank"},
    {"elems_received", "by the rank"},
    {"bytes_sent", "by the rank"},
    {"bytes_received", "by the rank"},
    {"messages_sent", "by the rank"},
    {"messages_received", "by the rank"},
    {"scratch_bytes", "that a run takes at most"},
    {"all_bytes", "sent by all ranks"},
    {"least_bytes", "that any exchange has to send"},
    {"all_messages", "of all ranks"},
    {"rounds", "of all ranks"},
    {NULL, NULL},
};
static PyStructSequence_Desc info_desc = {"pycutlet.RedistributionInfo",
                                          "What a redistribution does.", info_fields, 13};

/* The place of a word in a list; -1 and an exception for another. */
static int choice(const char *word, const char *const *list, int count, const char *what)
{
    for (int k = 0; k < count; ++k)
        if (strcmp(list[k], word) == 0) return k;
    PyErr_Format(PyExc_ValueError, "there is no %s `%.40s`", what, word);
    return -1;
}

static int read_sharded(const char *text, PyObject *shape, PyObject *mesh, ct_sharded *s)
{
    ct_tuple extents, ranks;
    char message[CT_MESSAGE_BYTES];
    if (core_to_tuple(shape, &extents) || core_to_tuple(mesh, &ranks)) return -1;
    const ct_status bad = ct_parse_sharded(text, extents, ranks, s, message);
    if (bad) core_raise(bad, message, NULL, NULL);
    return bad ? -1 : 0;
}

static PyObject *numbers(const int64_t *n, int count)
{
    PyObject *const tuple = PyTuple_New(count);
    for (int k = 0; tuple && k < count; ++k) {
        PyObject *const item = PyLong_FromLongLong(n[k]);
        if (!item) {
            Py_DECREF(tuple);
            return NULL;
        }
        PyTuple_SET_ITEM(tuple, k, item);
    }
    return tuple;
}

/* sharded(text, shape, mesh, rank) -> (text, ranks, extents, span) */
static PyObject *sharded(PyObject *self, PyObject *args)
{
    PyObject *shape, *mesh;
    const char *text;
    long long rank;
    ct_sharded s;
    char full[1024];
    int64_t extent[CT_SHARDED_MODES];
    (void)self;
    if (!PyArg_ParseTuple(args, "sOOL", &text, &shape, &mesh, &rank) ||
        read_sharded(text, shape, mesh, &s))
        return NULL;
    ct_format_sharded(full, sizeof full, &s);
    ct_sharded_extents(&s, rank, extent);
    PyObject *const extents = numbers(extent, s.modes);
    if (!extents) return NULL;
    return Py_BuildValue("(sLNL)", full, (long long)ct_sharded_ranks(&s), extents,
                         (long long)ct_sharded_span(&s, rank));
}

/* ---- plans ----------------------------------------------------------------------------------- */

/* redistribution(src, dst, shape, mesh, src_type, dst_type, bytes, parts, scale, backend, carry, chunk, scratch,
   limit, rank) -> plan */
static PyObject *redistribution(PyObject *self, PyObject *args)
{
    PyObject *shape, *mesh, *scale;
    const char *src, *dst, *src_type, *dst_type, *backend, *carry;
    long long chunk, scratch, rank;
    int bytes, parts;
    ct_redistribute_desc d;
    char message[CT_MESSAGE_BYTES];
    (void)self;
    memset(&d, 0, sizeof d);
    if (!PyArg_ParseTuple(args, "ssOOssiiOssLLdL", &src, &dst, &shape, &mesh, &src_type, &dst_type,
                          &bytes, &parts, &scale, &backend, &carry, &chunk, &scratch,
                          &d.limit_seconds, &rank) ||
        read_sharded(src, shape, mesh, &d.src.layout) ||
        read_sharded(dst, shape, mesh, &d.dst.layout))
        return NULL;
    d.src.type = choice(src_type, types, CT_TYPE_COUNT, "type of elements that is converted,");
    d.dst.type = choice(dst_type, types, CT_TYPE_COUNT, "type of elements that is converted,");
    d.backend = choice(backend, backends, CT_BACKEND_COUNT, "backend");
    d.carry = choice(carry, carries, CT_CARRY_COUNT, "way to carry elements");
    d.has_scale = scale != Py_None;
    d.scale = d.has_scale ? PyFloat_AsDouble(scale) : 0;
    if (PyErr_Occurred()) return NULL;
    if (d.src.type == CT_TYPE_RAW) d.src.elem_bytes = bytes;
    if (d.dst.type == CT_TYPE_RAW) d.dst.elem_bytes = bytes;
    d.chunk_bytes = chunk;
    d.scratch_bytes = scratch;
    plan *const p = (plan *)PyType_GenericAlloc(plan_type, 0);
    if (!p) return NULL;
    p->side[0] = d.src;
    p->side[1] = d.dst;
    p->parts = parts;
    ct_status bad;
    Py_BEGIN_ALLOW_THREADS bad = ct_redistribute_create(&d, rank, &p->plan, message);
    Py_END_ALLOW_THREADS for (int k = 0; k < 2 && !bad; ++k) p->span[k] =
        ct_sharded_span(&p->side[k].layout, rank);
    if (!bad) return (PyObject *)p;
    Py_DECREF(p);
    return core_raise(bad, message, NULL, NULL);
}

static void drop_plan(PyObject *self)
{
    ct_redistribute_destroy(((plan *)self)->plan);
    core_free(self);
}

static PyObject *describe(PyObject *self)
{
    const ct_redistribute *const p = ((plan *)self)->plan;
    const int length = ct_redistribute_describe(p, 0, NULL, 0);
    char *const text = PyMem_Malloc((size_t)length + 1);
    if (!text) return PyErr_NoMemory();
    ct_redistribute_describe(p, 0, text, (size_t)length + 1);
    PyObject *const o = PyUnicode_DecodeUTF8(text, length, "replace");
    PyMem_Free(text);
    return o;
}

static PyObject *info(PyObject *self, void *unused)
{
    ct_redistribute_info i;
    (void)unused;
    ct_redistribute_info_of(((plan *)self)->plan, &i);
    const int64_t item[] = {i.ranks,         i.elems_kept,     i.elems_sent,    i.elems_received,
                            i.bytes_sent,    i.bytes_received, i.messages_sent, i.messages_received,
                            i.scratch_bytes, i.all_bytes,      i.least_bytes,   i.all_messages,
                            i.rounds};
    return core_struct(info_type, NULL, 0, item, 13);
}

/* ---- memory of a rank ------------------------------------------------------------------------ */

/* An array that is a side of a rank, open or zero; and its memory, or a copy that is aligned and in the machine's byte
   order. */
typedef struct local {
    core_array array;
    void *at, *between;
    int64_t bytes;
} local;

/* Gives the array back; a destination that was written gets its bytes first. */
static void close_local(local *l, int written)
{
    if (l->between && written) {
        if (l->array.swap) core_swap_bytes(l->between, l->bytes, l->array.swap);
        memcpy(l->at, l->between, (size_t)l->bytes);
    }
    free(l->between);
    core_array_close(&l->array);
    memset(l, 0, sizeof *l);
}

static void *memory(const local *l) { return l->between ? l->between : l->at; }

/* The array has the elements of the plan. */
static int check_elements(const ct_redistribute_side *wanted, int32_t parts, const char *name,
                          const core_array *a, int32_t type)
{
    const int raw = wanted->type == CT_TYPE_RAW;
    if (raw ? a->bytes == wanted->elem_bytes * parts : type == wanted->type) return 0;
    if (raw)
        PyErr_Format(PyExc_TypeError, "the %s has elements of %d bytes; planned were %d", name,
                     a->bytes, wanted->elem_bytes * parts);
    else
        PyErr_Format(PyExc_TypeError, "the %s has elements of type %.100s; planned was %s", name,
                     a->type, types[wanted->type]);
    return -1;
}

/* A rank that holds nothing may have any array, and None. */
static int open_local(const plan *p, int k, PyObject *o, PyObject *stream, local *l)
{
    static const char *const names[] = {"source", "destination"};
    core_end e;
    memset(l, 0, sizeof *l);
    if (p->span[k] == 0) return 0;
    const ct_tensor all = ct_make_tensor(ct_layout1(p->span[k] / p->parts, 1));
    if (core_array_open(o, k, stream, &l->array)) {
        memset(l, 0, sizeof *l);
        return -1;
    }
    int bad = core_array_layout_end(&l->array, &all, core_span_of(&all), &e) ||
              check_elements(&p->side[k], p->parts, names[k], &l->array, e.side.type);
    if (!bad) {
        const int32_t unit = l->array.bytes / p->parts;
        l->at = e.at;
        l->bytes = p->span[k] / p->parts * l->array.bytes;
        if (l->array.swap == 0 && (uintptr_t)l->at % (uintptr_t)(unit & -unit) == 0) return 0;
        bad = core_array_on_device(&l->array);
        if (bad)
            PyErr_Format(PyExc_ValueError,
                         "the %s lies on a device where its elements are not aligned", names[k]);
        else bad = !(l->between = malloc((size_t)l->bytes));
        if (bad && !PyErr_Occurred()) PyErr_NoMemory();
    }
    if (bad) return close_local(l, 0), -1;
    memcpy(l->between, l->at, (size_t)l->bytes);
    if (l->array.swap) core_swap_bytes(l->between, l->bytes, l->array.swap);
    return 0;
}

/* A plan that only moves bytes is for elements of one type: those of a, and of b called so. */
static int check_types(const plan *p, const local *a, const local *b, const char *name,
                       Py_ssize_t rank)
{
    if (p->side[0].type != CT_TYPE_RAW || !a->at || !b->at) return 0;
    if (a->array.bytes == b->array.bytes && strcmp(a->array.type, b->array.type) == 0) return 0;
    PyErr_Format(
        PyExc_TypeError,
        "the %s of rank %zd has elements of type %.100s, others of type %.100s: all have one type",
        name, rank, b->array.type, a->array.type);
    return -1;
}

/* Whether two arrays share bytes. They have no gaps. */
static int overlap(const local *a, const local *b)
{
    const uintptr_t x = (uintptr_t)a->at, y = (uintptr_t)b->at;
    return x && y && x < y + (uintptr_t)b->bytes && y < x + (uintptr_t)a->bytes;
}

/* The CUDA stream that an integer stands for: 0, 1 and None the default one, which DLPack calls None. */
static int read_stream(PyObject **o, void **stream)
{
    *stream = *o == Py_None ? NULL : PyLong_AsVoidPtr(*o);
    if (!*stream && PyErr_Occurred()) return -1;
    if (*stream == (void *)1) *stream = NULL;
    if (!*stream) *o = Py_None;
    return 0;
}

/* run(dst, src, engine, stream): of the rank of the engine. */
static PyObject *run(PyObject *self, PyObject *args)
{
    plan *const p = (plan *)self;
    PyObject *dst, *src, *by, *queue, *done = NULL;
    local to, from;
    void *stream;
    char message[CT_MESSAGE_BYTES];
    if (!PyArg_ParseTuple(args, "OOO!O", &dst, &src, engine_type, &by, &queue) ||
        read_stream(&queue, &stream))
        return NULL;
    engine *const e = (engine *)by;
    if (!e->engine.gather) return PyErr_Format(PyExc_ValueError, "the engine is closed");
    if (open_local(p, 1, dst, queue, &to)) return NULL;
    if (open_local(p, 0, src, queue, &from) == 0) {
        ct_status bad = CT_OK;
        int differ = check_types(p, &from, &to, "destination", e->engine.rank);
        if (!differ && overlap(&from, &to))
            differ = -1,
            PyErr_SetString(PyExc_ValueError, "the source and the destination overlap");
        Py_BEGIN_ALLOW_THREADS if (!differ) bad =
            ct_redistribute_run(p->plan, &e->engine, memory(&to), memory(&from), stream, message);
        Py_END_ALLOW_THREADS if (!differ) done =
            bad ? core_raise(bad, message, NULL, NULL) : Py_NewRef(Py_None);
        close_local(&from, 0);
    }
    close_local(&to, done != NULL);
    return done;
}

/* ---- ranks that are threads ------------------------------------------------------------------ */

typedef struct team {
    Py_ssize_t ranks;
    plan **plan;
    local *local; /* source and destination of each rank in turn */
} team;

static ct_status work(void *user, ct_engine *e, char *message)
{
    const team *const t = user;
    const int32_t r = e->rank;
    return ct_redistribute_run(t->plan[r]->plan, e, memory(&t->local[2 * r + 1]),
                               memory(&t->local[2 * r]), NULL, message);
}

/* Opens every array, in the order of the ranks. */
static int open_team(team *t, PyObject *plans, PyObject *dst, PyObject *src)
{
    for (Py_ssize_t r = 0; r < t->ranks; ++r) {
        PyObject *const p = PyList_GET_ITEM(plans, r);
        if (!PyObject_TypeCheck(p, plan_type)) {
            PyErr_SetString(PyExc_TypeError, "a list of plans is expected");
            return -1;
        }
        t->plan[r] = (plan *)p;
        if (open_local(t->plan[r], 0, PyList_GET_ITEM(src, r), NULL, &t->local[2 * r]) ||
            open_local(t->plan[r], 1, PyList_GET_ITEM(dst, r), NULL, &t->local[2 * r + 1]))
            return -1;
    }
    return 0;
}

/* Whether the memory of a destination is that of another array too; and elements of other types. */
static int check_team(const team *t)
{
    static const char *const names[] = {"source", "destination"};
    const local *first = NULL;
    for (Py_ssize_t k = 0; k < 2 * t->ranks; ++k) {
        const local *const l = &t->local[k];
        if (l->at && !first) first = l;
        if (l->at && check_types(t->plan[0], first, l, names[k % 2], k / 2)) return -1;
        for (Py_ssize_t i = 0; i < k; ++i) {
            if ((i % 2 == 0 && k % 2 == 0) || !overlap(l, &t->local[i])) continue;
            PyErr_Format(PyExc_ValueError, "the %s of rank %zd and the %s of rank %zd overlap",
                         names[i % 2], i / 2, names[k % 2], k / 2);
            return -1;
        }
    }
    return 0;
}

static ct_status run_team(team *t, char *message)
{
    ct_thread_group *group = NULL;
    ct_status bad = ct_thread_group_create((int32_t)t->ranks, &group, message);
    if (!bad) bad = ct_thread_group_run(group, work, t, message);
    ct_thread_group_destroy(group);
    return bad;
}

/* run_threads(plans, dst, src): a list of each, one for each rank. */
static PyObject *run_threads(PyObject *self, PyObject *args)
{
    PyObject *plans, *dst, *src, *done = NULL;
    char message[CT_MESSAGE_BYTES];
    (void)self;
    if (!PyArg_ParseTuple(args, "O!O!O!", &PyList_Type, &plans, &PyList_Type, &dst, &PyList_Type,
                          &src))
        return NULL;
    team t = {.ranks = PyList_GET_SIZE(plans)};
    if (PyList_GET_SIZE(dst) != t.ranks || PyList_GET_SIZE(src) != t.ranks || t.ranks > INT32_MAX)
        return PyErr_Format(PyExc_ValueError, "%zd plans, %zd sources and %zd destinations",
                            t.ranks, PyList_GET_SIZE(src), PyList_GET_SIZE(dst));
    t.plan = PyMem_Calloc((size_t)t.ranks + 1, sizeof *t.plan);
    t.local = PyMem_Calloc(2 * (size_t)t.ranks + 1, sizeof *t.local);
    if (!t.plan || !t.local) PyErr_NoMemory();
    else if (open_team(&t, plans, dst, src) == 0 && check_team(&t) == 0) {
        ct_status bad;
        Py_BEGIN_ALLOW_THREADS bad = run_team(&t, message);
        Py_END_ALLOW_THREADS done = bad ? core_raise(bad, message, NULL, NULL) : Py_NewRef(Py_None);
    }
    for (Py_ssize_t k = 0; t.local && k < 2 * t.ranks; ++k) close_local(&t.local[k], done && k % 2);
    PyMem_Free(t.plan);
    PyMem_Free(t.local);
    return done;
}

/* ---- engines --------------------------------------------------------------------------------- */

static void close_engine(engine *e)
{
    Py_BEGIN_ALLOW_THREADS if (e->kind == PEER) ct_peer_engine_close(&e->engine);
    if (e->kind == NCCL) ct_nccl_engine_close(&e->engine);
    memset(&e->engine, 0, sizeof e->engine);
    ct_process_engine_close(&e->host);
    Py_END_ALLOW_THREADS
}

static ct_status open_engine(engine *e, const char *name, int32_t rank, int32_t ranks, void *comm,
                             double limit, char *message)
{
    ct_status bad = CT_OK;
    if (name[0]) bad = ct_process_engine_open(name, rank, ranks, limit, &e->host, message);
    if (bad) return bad;
    const ct_engine *const host = name[0] ? &e->host : NULL;
    if (e->kind == PEER) return ct_peer_engine_open(host, NULL, limit, &e->engine, message);
    if (e->kind == NCCL) return ct_nccl_engine_open(host, comm, limit, &e->engine, message);
    e->engine = e->host;
    return CT_OK;
}

/* engine(kind, name, rank, ranks, comm, limit) -> engine. name: of the host engine, or nothing. */
static PyObject *new_engine(PyObject *self, PyObject *args)
{
    const char *kind, *name;
    int rank, ranks;
    unsigned long long comm;
    double limit;
    char message[CT_MESSAGE_BYTES] = "";
    (void)self;
    if (!PyArg_ParseTuple(args, "ssiiKd", &kind, &name, &rank, &ranks, &comm, &limit)) return NULL;
    const int which = choice(kind, kinds, KINDS, "kind of engine");
    if (which < 0) return NULL;
    if (!name[0] && which != NCCL)
        return PyErr_Format(PyExc_ValueError, "the engine %s needs the name of a group", kind);
    engine *const e = (engine *)PyType_GenericAlloc(engine_type, 0);
    if (!e) return NULL;
    e->kind = which;
    ct_status bad;
    Py_BEGIN_ALLOW_THREADS bad =
        open_engine(e, name, rank, ranks, (void *)(uintptr_t)comm, limit, message);
    Py_END_ALLOW_THREADS if (!bad) return (PyObject *)e;
    Py_DECREF(e);
    return core_raise(bad, message, NULL, NULL);
}

static void drop_engine(PyObject *self)
{
    close_engine((engine *)self);
    core_free(self);
}

static PyObject *close_now(PyObject *self, PyObject *unused)
{
    (void)unused;
    close_engine((engine *)self);
    Py_RETURN_NONE;
}

/* Whether NCCL's communicator was aborted, after which it must not be destroyed. */
static PyObject *has_aborted(PyObject *self, void *unused)
{
    const engine *const e = (engine *)self;
    (void)unused;
    return PyBool_FromLong(e->kind == NCCL && ct_nccl_engine_has_aborted(&e->engine));
}

static PyObject *engine_text(PyObject *self)
{
    const engine *const e = (engine *)self;
    char text[1024];
    if (!e->engine.gather) return PyUnicode_FromString("an engine that is closed");
    if (e->kind != NCCL)
        return PyUnicode_FromFormat("rank %d of %d, %s", e->engine.rank, e->engine.ranks,
                                    kinds[e->kind]);
    const int length = ct_nccl_engine_describe(&e->engine, text, sizeof text);
    return PyUnicode_DecodeUTF8(text, length > 0 ? length - 1 : 0, "replace");
}

static PyObject *number_of(PyObject *self, void *which)
{
    const engine *const e = (engine *)self;
    return PyLong_FromLong(which ? e->engine.ranks : e->engine.rank);
}

/* ---- the module ------------------------------------------------------------------------------ */

static PyGetSetDef plan_members[] = {{"info", info, NULL, "What it does, in numbers.", NULL}, {0}};
static PyMethodDef plan_methods[] = {{"run", run, METH_VARARGS, NULL}, {0}};
static PyType_Slot plan_slots[] = {
    {Py_tp_doc, "A redistribution that was planned for one rank."},
    {Py_tp_dealloc, drop_plan},
    {Py_tp_str, describe},
    {Py_tp_getset, plan_members},
    {Py_tp_methods, plan_methods},
    {0, NULL},
};
static PyType_Spec plan_spec = {"pycutlet._core._Redistribution", sizeof(plan), 0,
                                Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, plan_slots};

static char is_count;
static PyGetSetDef engine_members[] = {
    {"rank", number_of, NULL, "the rank of this process", NULL},
    {"ranks", number_of, NULL, "how many there are", &is_count},
    {"has_aborted", has_aborted, NULL, "whether NCCL's communicator was aborted", NULL},
    {0},
};
static PyMethodDef engine_methods[] = {
    {"close", close_now, METH_NOARGS, "Waits for its work and releases it."}, {0}};
static PyType_Slot engine_slots[] = {
    {Py_tp_doc, "What carries the bytes of a rank."},
    {Py_tp_dealloc, drop_engine},
    {Py_tp_str, engine_text},
    {Py_tp_getset, engine_members},
    {Py_tp_methods, engine_methods},
    {0, NULL},
};
static PyType_Spec engine_spec = {"pycutlet._core._Engine", sizeof(engine), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                  engine_slots};

static PyMethodDef functions[] = {
    {"_sharded", sharded, METH_VARARGS, NULL},
    {"_redistribution", redistribution, METH_VARARGS, NULL},
    {"_run_threads", run_threads, METH_VARARGS, NULL},
    {"_engine", new_engine, METH_VARARGS, NULL},
    {0},
};

int core_redistribute_ready(PyObject *module)
{
    plan_type = (PyTypeObject *)PyType_FromSpec(&plan_spec);
    engine_type = (PyTypeObject *)PyType_FromSpec(&engine_spec);
    info_type = PyStructSequence_NewType(&info_desc);
    return !plan_type || !engine_type || !info_type ||
           PyModule_AddObjectRef(module, "RedistributionInfo", (PyObject *)info_type) < 0 ||
           PyModule_AddFunctions(module, functions) < 0;
}
