/* The source of a kernel that is compiled for one launch: its plan as a constant. */
#include <stddef.h>

#include "gpu.h"

static void put_struct(ct_builder *t, const unsigned char *at, const ct_gpu_field *fields);

static int is_zero(const unsigned char *at, int bytes)
{
    while (bytes > 0 && at[bytes - 1] == 0) --bytes;
    return bytes == 0;
}

/* One number or structure. */
static void put_one(ct_builder *t, const unsigned char *at, const ct_gpu_field *f)
{
    const void *const number = at;
    if (f->inner) put_struct(t, at, f->inner);
    else if (f->kind & CT_GPU_UNSIGNED) ct_put(t, "%uu", *(const uint32_t *)number);
    else if (f->kind % CT_GPU_ARRAY == 1) ct_put(t, "%d", *at);
    else if (f->kind % CT_GPU_ARRAY == 2) ct_put(t, "%d", *(const int16_t *)number);
    else if (f->kind % CT_GPU_ARRAY == 4) ct_put(t, "%d", *(const int32_t *)number);
    else if (f->kind) ct_put(t, "%lldll", (long long)*(const int64_t *)number);
    else ct_put(t, "{0}");
}

/* Members of one type, or an array without the zeros at its end. */
static void put_members(ct_builder *t, const unsigned char *at, const ct_gpu_field *f)
{
    const int each = f->each ? f->each : f->kind % CT_GPU_ARRAY;
    const int is_array = (f->kind & CT_GPU_ARRAY) || (f->inner && each < f->bytes);
    int n = f->bytes / each;
    while (is_array && n > 1 && is_zero(at + (n - 1) * each, each)) --n;
    if (is_array) ct_put(t, "{");
    for (int i = 0; i < n; ++i) {
        if (i > 0) ct_put(t, ",");
        put_one(t, at + i * each, f);
    }
    if (is_array) ct_put(t, "}");
}

/* A structure, without the members at its end that are zero. */
static void put_struct(ct_builder *t, const unsigned char *at, const ct_gpu_field *fields)
{
    int last = 0;
    for (int i = 0; fields[i].bytes > 0; ++i)
        if (!is_zero(at + fields[i].offset, fields[i].bytes)) last = i;
    for (int i = 0; i <= last; ++i) {
        ct_put(t, i == 0 ? "{" : ",");
        put_members(t, at + fields[i].offset, &fields[i]);
    }
    ct_put(t, "}\n");
}

int ct_gpu_source(const ct_gpu_launch *l, char *buf, size_t size)
{
    const ct_gpu_engine *const e = ct_gpu_engines[l->kind];
    const size_t plan_at = e->plan_at ? e->plan_at : offsetof(ct_gpu_launch, args);
    ct_builder t = ct_builder_fixed(buf, size);
    if (size > 0) buf[0] = 0;
    if (!e->name) return 0;
    ct_put(&t, "#define CT_OF_PLAN 1\n#define CT_BOX_MODES %d\n", (int)ct_max(1, l->modes));
    if (e->limit) e->limit(&t, l);
    ct_put(&t,
           "#include <plan/kernels/%s.h>\n"
           "CT_KERNEL_RESIDENT(ct_own, %u, %d, ct_plan_args, args)\n{\n"
           "static const ct_%s plan = ",
           e->name, l->threads, (int)ct_max(1, l->resident), e->name);
    put_struct(&t, (const unsigned char *)l + plan_at, e->fields);
    ct_put(&t,
           ";\nCT_SHARED_DYNAMIC(unsigned char, memory);\nct_%s_move(&plan, &args, memory);\n}\n",
           e->name);
    return (int)t.length;
}
