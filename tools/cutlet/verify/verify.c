/* cutlet verify TILED_COPY|TV|TILED_MMA */
#include <cutlet/host/verify.h>

#include <jansson.h>
#include <string.h>

#include "../common/commands.h"
#include "../common/copy_options.h"
#include "../common/json.h"
#include "../common/progress.h"
#include "mma.h"

static const struct argp_option options[] = {
    {"tile", 't', "SHAPE", 0,
     "the tile of a thread-value layout (required there), or the tile that --thr and --val "
     "repeat over",
     0},
    {"thr", CT_KEY_THR, "LAYOUT", 0, "thread layout, (m,n) -> thread, instead of a tiled copy", 0},
    {"val", CT_KEY_VAL, "LAYOUT", 0, "value layout, (m,n) -> value", 0},
    {"src", CT_KEY_SRC, "LAYOUT", 0, "layout of the source in memory", 0},
    {"dst", CT_KEY_DST, "LAYOUT", 0, "layout of the destination in memory", 0},
    {"shared", CT_KEY_SHARED, "LAYOUT", 0, "layout in shared memory, swizzled or not", 0},
    {"shared-bytes", CT_KEY_SHARED_BYTES, "N", 0, "the size of shared memory", 0},
    {"shared-a", CT_KEY_SHARED_A, "LAYOUT", 0, "tiled MMA: layout of A in shared memory", 0},
    {"shared-b", CT_KEY_SHARED_B, "LAYOUT", 0, "the same for B", 0},
    {"arch", CT_KEY_ARCH, "ARCH", 0, "tiled MMA: count by the rules of ARCH (default sm_90)", 0},
    {"src-align", CT_KEY_SRC_ALIGN, "BYTES", 0,
     "alignment of the source's base address "
     "(default: the widest access)",
     0},
    {"dst-align", CT_KEY_DST_ALIGN, "BYTES", 0, "the same for the destination", 0},
    {"type", CT_KEY_TYPE, "TYPE", 0,
     "element type, without an atom (default half); `cutlet help types` lists the types", 0},
    {"bits", CT_KEY_BITS, "N", 0, "bits per access, without an atom (default one element)", 0},
    {"json", CT_KEY_JSON, NULL, 0, "print JSON", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    ct_copy_options *o = state->input;
    if (key == CT_KEY_ARCH) {
        o->arch = arg;
        return 0;
    }
    if (key != ARGP_KEY_END) return ct_copy_option(o, key, arg, state);
    if (o->expression || o->thr || o->val) return 0;
    return ct_cli_wrong(state, "a tiled copy is missing, as in: cutlet verify 'tiled_copy("
                               "copy_atom(universal64, 16), (16,8), (1,4))'");
}

const struct argp ct_verify_argp = CT_ARGP(
    options, parse, "TILED_COPY|TV|TILED_MMA",
    "Proves by enumeration that a tiled copy is correct, or prints threads, values, coordinates "
    "and offsets that show an error. For a tiled MMA it checks which threads hold A, B and C, "
    "and which ldmatrix or matrix descriptor can read A and B.\v"
    "  cutlet verify 'tiled_copy(copy_atom(universal128, 16), (16,8):(8,1), (1,8))' \\\n"
    "      --src '(512,512):(512,1)'\n"
    "  cutlet verify '(32,4):(1,32)' --tile '(8,16)'\n"
    "  cutlet verify --thr '(16,8):(8,1)' --val '(1,8)' --tile '(64,64)' --bits 128 \\\n"
    "      --shared 'Sw<3,3,3> o 0 o (64,64):(64,1)' --shared-bytes 8192\n"
    "  cutlet verify 'tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), <32,32,16>)' \\\n"
    "      --shared-a 'Sw<3,3,3> o 0 o (64,64):(64,1)'\n"
    "\n"
    "TV is any layout (thread, value) -> index in the tile, the first mode of the tile fastest. "
    "--thr and --val may also be layouts that tiled_copy rejects. The properties:\n"
    "\n"
    "  cover      each element of the tile is held by one value of one thread,\n"
    "             and each value holds one element\n"
    "  writes     no two values are written to one element of --dst, or of the tile;\n"
    "             registers are each thread's own\n"
    "  idle       each thread holds an element that no other thread holds\n"
    "  doubled    no two threads hold the same elements\n"
    "             For cover, idle and doubled, several threads of a copy of an operand\n"
    "             (tiled_copy_a, ...) hold each element, as the tiled MMA needs it\n"
    "  shared     no two elements of --shared have one offset, and all are\n"
    "             "
    "within --shared-bytes\n"
    "  .. access  each access of the atom, or of --bits, is contiguous "
    "in\n"
    "             that layout, and aligned to its width\n"
    "\n"
    "For a tiled MMA, or an MMA atom alone:\n"
    "\n"
    "  cover A    each element of A is held by as many threads as there are atoms along n,\n"
    "  "
    "           of B along m, of C along k; E, the sparse metadata, is given once\n"
    "  feed A   "
    "  the widest ldmatrix that reads the fragments of A from --shared-a, or\n"
    "             "
    "the matrix descriptor; otherwise the reason and the nearest readable layout\n"
    "  conflicts  the bank conflicts of that ldmatrix\n"
    "\n"
    "--src, --dst and --shared are whole tensors, covered by repeating the tile; elements out of "
    "bounds are skipped. The exit status is 0; 1 when something does not hold or an "
    "operation has no result; 2 when the operands cannot be read or do not fit.");

static ct_verify_job job_of(const ct_copy_options *o, const ct_copy_operands *x)
{
    ct_verify_job job = x->is_copy  ? ct_verify_of_copy(&x->copy)
                        : x->has_tv ? ct_verify_of_tv(x->tv, x->tile, x->elem_bits)
                                    : ct_verify_of_blocks(x->thr, x->val, x->tile, x->elem_bits);
    if (o->bits) job.access_bits = (int32_t)ct_min(o->bits, INT32_MAX);
    job.src = x->has_src ? &x->src : NULL;
    job.dst = x->has_dst ? &x->dst : NULL;
    job.shared = x->has_shared ? &x->shared : NULL;
    job.src_align = o->src_align;
    job.dst_align = o->dst_align;
    job.shared_bytes = o->shared_bytes;
    return job;
}

static void print(const ct_verify_job *job, const ct_verify_report *r)
{
    char tile[CT_TEXT_BYTES];
    ct_format_tuple(tile, sizeof tile, job->tile);
    printf("%lld threads with %lld values each over a tile of %s, %lld elements of %d bits\n",
           (long long)r->threads, (long long)r->values, tile, (long long)r->elements,
           (int)job->elem_bits);
    for (int p = 0; p < CT_VERIFY_PROPERTIES; ++p) {
        const ct_verify_finding *f = &r->of[p];
        if (f->state == CT_VERIFY_SKIPPED) continue;
        printf("  %-18s %-6s %s\n", ct_verify_name(p), f->state == CT_VERIFY_OK ? "ok" : "FAILS",
               f->text);
    }
}

/* Two numbers, without those that a fault does not have, which are `none`. */
static json_t *numbers_json(const int64_t n[2], int64_t none)
{
    json_t *a = json_array();
    for (int k = 0; k < 2; ++k) {
        if (n[k] != none) json_array_append_new(a, json_integer(n[k]));
    }
    return a;
}

static json_t *finding_json(int property, const ct_verify_finding *f)
{
    json_t *o = json_pack("{s:s, s:b, s:s, s:I, s:I}", "property", ct_verify_name(property), "ok",
                          f->state == CT_VERIFY_OK, "text", f->text, "count", (json_int_t)f->count,
                          "bad", (json_int_t)f->bad);
    if (!o || f->state == CT_VERIFY_OK) return o;
    json_t *coords = json_array();
    for (int k = 0; k < 2; ++k) {
        if (f->coord[k].profile.leaves > 0)
            json_array_append_new(coords, ct_json_tuple(f->coord[k]));
    }
    json_object_set_new(o, "threads", numbers_json(f->thread, -1));
    json_object_set_new(o, "values", numbers_json(f->value, -1));
    json_object_set_new(o, "offsets", numbers_json(f->offset, CT_INVALID));
    json_object_set_new(o, "coordinates", coords);
    return o;
}

static int print_json(const ct_verify_job *job, const ct_verify_report *r)
{
    json_t *all = json_array();
    for (int p = 0; p < CT_VERIFY_PROPERTIES; ++p) {
        if (r->of[p].state != CT_VERIFY_SKIPPED)
            json_array_append_new(all, finding_json(p, &r->of[p]));
    }
    json_t *root = json_pack(
        "{s:I, s:I, s:o, s:i, s:i, s:b, s:o}", "threads", (json_int_t)r->threads, "values",
        (json_int_t)r->values, "tile", ct_json_tuple(job->tile), "elem_bits", (int)job->elem_bits,
        "access_bits", (int)job->access_bits, "ok", r->failed == 0, "properties", all);
    const int bad = ct_json_write(stdout, root, JSON_INDENT(2));
    json_decref(root);
    return bad;
}

static int run(const ct_copy_options *o)
{
    ct_copy_operands x;
    ct_verify_report report;
    char message[CT_MESSAGE_BYTES];
    const int status = ct_copy_operands_of(o, &x);
    if (status != CT_EXIT_OK) return status;
    if (x.is_mma) return ct_cmd_verify_mma(o, &x);
    const ct_verify_job job = job_of(o, &x);
    ct_cli_progress_begin("verify", "proving");
    const ct_status bad = ct_verify(&job, &report, message);
    ct_cli_progress_end();
    if (bad) {
        ct_cli_complain("verify", "%s", message);
        return CT_EXIT_BAD;
    }
    if (!o->json) print(&job, &report);
    else if (print_json(&job, &report)) {
        ct_cli_complain("verify", "out of memory");
        return CT_EXIT_BAD;
    }
    return report.failed ? CT_EXIT_FAILED : CT_EXIT_OK;
}

int ct_cmd_verify(int argc, char **argv)
{
    ct_copy_options o;
    memset(&o, 0, sizeof o);
    o.command = "verify";
    o.takes_mma = 1;
    const int parsed = ct_cli_parse(&ct_verify_argp, argc, argv, &o);
    const int status = parsed < 0 ? CT_EXIT_BAD : parsed > 0 ? CT_EXIT_OK : run(&o);
    return ct_cli_finish("verify", status);
}
