/* cutlet explain tma: the descriptor of a TMA copy, field by field, and the boxes of a tile. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../common/cli.h"
#include "../common/commands.h"
#include "../common/json.h"
#include "../common/operands.h"
#include "../common/options.h"
#include "base/number.h"
#include <cutlet/host/text.h>
#include <cutlet/host/tma.h>
#include "io/types.h"

enum { KEY_BOX = 256, KEY_TYPE, KEY_SWIZZLE, KEY_ADDRESS, KEY_PADDED, KEY_JSON };
enum {
    BOX_ELEMS = 256,
    BOX_ALIGNMENT = 128
}; /* the most along a dimension; bytes of shared memory */

typedef struct arguments {
    const char *layout, *box, *type;
    int swizzle, padded, json;
    int64_t address;
} arguments;

static const struct argp_option options[] = {
    {"box", KEY_BOX, "SHAPE", 0, "the tile that is copied, such as 128x64 (required)", 0},
    {"type", KEY_TYPE, "TYPE", 0, "the elements (default half); `cutlet help types` lists them", 0},
    {"swizzle", KEY_SWIZZLE, "0|32|64|128", 0, "bytes of the swizzle in shared memory (default 0)",
     0},
    {"address", KEY_ADDRESS, "BYTES", 0, "global address of offset 0 (default 0)", 0},
    {"padded", KEY_PADDED, NULL, 0,
     "elements of 4 bits: 16 of them take 16 bytes of shared memory, the last 8 unused, as those of "
     "6 bits do (default: 8 bytes)",
     0},
    {"json", KEY_JSON, NULL, 0, "print JSON", 0},
    {0},
};

static const int spans[] = {0, 32, 64, 128}; /* by CT_TMA_SWIZZLE_... */

static error_t parse(int key, char *arg, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
        case KEY_BOX: a->box = arg; return 0;
        case KEY_TYPE: a->type = arg; return 0;
        case KEY_SWIZZLE:
            a->swizzle = ct_cli_choice(state, key, arg);
            return a->swizzle < 0 ? EINVAL : 0;
        case KEY_ADDRESS:
            if (ct_number_read(arg, 0, INT64_MAX, &a->address) == 0) return 0;
            return ct_cli_wrong(state, "--address is a byte, 0 or more, not `%.40s`", arg);
        case KEY_PADDED: a->padded = 1; return 0;
        case KEY_JSON: a->json = 1; return 0;
        case ARGP_KEY_ARG:
            if (a->layout) return ct_cli_wrong(state, "one layout at a time; is it in quotes?");
            a->layout = arg;
            return 0;
        case ARGP_KEY_END:
            if (a->layout && a->box) return 0;
            return ct_cli_wrong(state,
                                "%s is missing, as in: cutlet explain tma "
                                "'(4096,4096):(4096,1)' --box 128x64",
                                a->layout ? "--box" : "a layout");
        default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp ct_explain_tma_argp = CT_ARGP(
    options, parse, "LAYOUT",
    "Shows the descriptor by which TMA copies a tile of a tensor: each argument of "
    "cuTensorMapEncodeTiled, and the layout of the tile in shared memory.\v"
    "  cutlet explain tma '(4096,4096):(4096,1)' --box 128x64 --type half --swizzle 128\n"
    "  cutlet explain tma '(4096,4096):(1,4096)' --box 64x64 --type float --json\n"
    "  cutlet explain tma '(4096,4096):(4096,1)' --box 128x128 --type e3m2 --swizzle 128\n"
    "\n"
    "LAYOUT is that of the whole tensor in global memory, with one stride for each mode, of which "
    "one is 1. A box has up to 256 elements along a dimension, and its rows fit the swizzle. A "
    "tile that is larger is several boxes, one after the other in shared memory.\n"
    "\n"
    "If there is no descriptor, the violated rule is printed. The exit status is 0; 1 for such a "
    "copy; 2 when the operands cannot be read.");

/* ---- the descriptor -------------------------------------------------------------------------- */

static const struct {
    const char *type, *name;
    int32_t elem;
} elems[] = {
    {"half", "FLOAT16", CT_ELEM_F16},   {"bfloat16", "BFLOAT16", CT_ELEM_BF16},
    {"float", "FLOAT32", CT_ELEM_F32},  {"tf32", "TFLOAT32", CT_ELEM_TF32},
    {"double", "FLOAT64", CT_ELEM_F64}, {"int32", "INT32", CT_ELEM_S32},
    {"int64", "INT64", CT_ELEM_S64},    {"", "UINT8", CT_ELEM_U8},
    {"", "UINT16", CT_ELEM_U16},        {"", "UINT32", CT_ELEM_U32},
    {"", "UINT64", CT_ELEM_U64},
};

/* Packed elements, of which TMA copies 16 at a time: a descriptor of bytes is checked and scaled. */
typedef struct packed {
    const char *name;
    int bits, padded, per_byte; /* of shared memory: elements */
} packed;

static const packed packs[] = {
    {"16U4_ALIGN8B", 4, 0, 2}, {"16U4_ALIGN16B", 4, 1, 1}, {"16U6_ALIGN16B", 6, 1, 1}};
#define EXTENT_MOST ((int64_t)1 << 32)
enum { PADDED_BOX = 128, PADDED_ALIGNMENT = 32, ALIGNMENT = 16, GROUP = 16 };

typedef struct tma_job {
    const arguments *a;
    ct_tma_desc desc;     /* of a box */
    int elem, bits;       /* of elems; of an element */
    const packed *pack;   /* NULL: elements of whole bytes */
    int64_t count, bytes; /* boxes, and the shared memory of each */
    ct_tuple boxes;       /* of each mode */
    ct_tensor shared;     /* the tile */
} tma_job;

/* The type by its name, or one of as many bits that are only copied; -1: there is none. */
static int elem_of(const ct_named_type *type)
{
    for (int i = 0; i < (int)(sizeof elems / sizeof *elems); ++i) {
        const int named = strcmp(elems[i].type, type->name) == 0;
        if (named || (!elems[i].type[0] && type->bits == 8 * ct_elem_bytes(elems[i].elem)))
            return i;
    }
    return -1;
}

static int per_byte(const tma_job *job) { return job->pack ? job->pack->per_byte : 1; }

/* The part of a mode of the tile that a box has: the most that the swizzle and the hardware allow. */
static int64_t part_of(const tma_job *job, ct_layout tensor, int mode, int64_t extent)
{
    const int span = spans[job->a->swizzle], bytes = ct_elem_bytes(elems[job->elem].elem);
    const int inner = mode == ct_tma_unit_mode(tensor);
    const int64_t most = inner && job->pack && job->pack->padded ? PADDED_BOX
                         : inner && span > 0                     ? span / bytes
                                             : BOX_ELEMS / (inner ? per_byte(job) : 1);
    return extent > most && extent % most == 0 ? most : extent;
}

/* The tile in shared memory: its boxes one after the other, those along the contiguous mode first. */
static ct_tensor tile_of(const tma_job *job)
{
    const ct_tensor box = ct_tma_shared(&job->desc);
    int64_t next = job->bytes / job->desc.stride[0];
    ct_layout rest[CT_TMA_RANK], all = box.layout;
    for (int i = 0; i < job->desc.rank; ++i) {
        const int m = job->desc.mode[i];
        rest[m] = ct_layout1(job->boxes.value[m], next);
        next *= job->boxes.value[m];
    }
    for (int m = 0; m < job->desc.rank; ++m) {
        ct_layout mode = ct_mode(box.layout, m);
        if (job->boxes.value[m] > 1) mode = ct_layout_append(mode, rest[m]);
        all = m == 0 ? ct_layout_wrap(mode) : ct_layout_append(all, mode);
    }
    return ct_make_swizzled(box.swizzle, 0, all);
}

static int refuse(const char *format, ...)
{
    char text[CT_MESSAGE_BYTES];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    ct_cli_complain("explain tma", "%s", text);
    return CT_EXIT_FAILED;
}

/* A tensor and a tile of packed elements with bytes in their place, as they lie in shared memory along
 * the contiguous mode. What breaks a rule of every descriptor stays as it is. */
static int in_bytes(const tma_job *job, ct_layout *tensor, ct_tuple *tile)
{
    const int unit = ct_tma_unit_mode(*tensor), modes = ct_layout_rank(*tensor);
    const char *const name = job->pack->name;
    ct_layout all = *tensor;
    for (int k = 0; k < modes && unit >= 0 && tile->profile.leaves == modes; ++k) {
        ct_layout leaf = ct_coalesce(ct_mode(*tensor, k));
        if (leaf.profile.leaves != 1 || !ct_is_integral(leaf)) return CT_EXIT_OK;
        const int64_t units = job->pack->padded ? PADDED_BOX : per_byte(job);
        if (k == unit && leaf.shape[0] % units != 0)
            return refuse("dimension 0 has extent %lld, and %s takes a multiple of %lld",
                          (long long)leaf.shape[0], name, (long long)units);
        if (k == unit && tile->value[k] % units != 0)
            return refuse("the box has %lld elements along dimension 0, and %s takes %s%lld",
                          (long long)tile->value[k], name,
                          job->pack->padded ? "" : "a multiple of ", (long long)units);
        const int64_t most = INT64_MAX / job->bits / 256 * 256; /* far beyond what TMA takes */
        const int64_t bits = ct_max(-most, ct_min(leaf.stride[0], most)) * job->bits;
        const int64_t whole = 8 * (job->pack->padded ? PADDED_ALIGNMENT : ALIGNMENT);
        if (k != unit && leaf.shape[0] > 1 && bits % whole != 0)
            return refuse("mode %d has a stride of %lld elements of %d bits, and %s takes a "
                          "multiple of %lld bytes",
                          k, (long long)leaf.stride[0], job->bits, name, (long long)whole / 8);
        if (k == unit && leaf.shape[0] > EXTENT_MOST) return CT_EXIT_OK;
        if (k == unit) leaf.shape[0] /= per_byte(job);
        else leaf.stride[0] = bits / 8;
        all = k == 0 ? ct_layout_wrap(leaf) : ct_layout_append(all, leaf);
    }
    if (unit >= 0 && tile->profile.leaves == modes) tile->value[unit] /= per_byte(job);
    if (job->pack->padded && job->a->address % PADDED_ALIGNMENT != 0)
        return refuse("address %lld is not a multiple of %d bytes, as %s needs",
                      (long long)job->a->address, PADDED_ALIGNMENT, name);
    *tensor = all;
    return CT_EXIT_OK;
}

/* The descriptor and the tile in elements again: the tile of padded ones in bits. */
static int in_elements(tma_job *job)
{
    const int unit = job->desc.mode[0], padded = job->pack->padded;
    job->desc.extent[0] *= per_byte(job);
    job->desc.box[0] *= per_byte(job);
    if (!padded) {
        job->shared = ct_tensor_recast(job->shared, 8, job->bits);
        return CT_EXIT_OK;
    }
    ct_layout all = job->shared.layout;
    for (int k = 0; k < job->desc.rank; ++k) {
        ct_layout mode = ct_mode(job->shared.layout, k);
        ct_layout bits = ct_make_layout2(ct_layout1(GROUP, job->bits),
                                         ct_layout1(PADDED_BOX / GROUP, GROUP * 8));
        for (int i = 0; i < mode.profile.leaves; ++i) mode.stride[i] *= 8;
        if (k == unit && mode.profile.leaves > 1)
            bits = ct_layout_append(bits, ct_layout1(mode.shape[1], mode.stride[1]));
        if (k == unit) mode = bits;
        all = k == 0 ? ct_layout_wrap(mode) : ct_layout_append(all, mode);
    }
    job->shared = ct_make_swizzled(ct_swizzle_downcast(job->shared.swizzle, 8), 0, all);
    job->bits = 1;
    return CT_EXIT_OK;
}

static int make(tma_job *job, ct_layout tensor, ct_tuple tile)
{
    char message[CT_MESSAGE_BYTES];
    int status = job->pack ? in_bytes(job, &tensor, &tile) : CT_EXIT_OK;
    ct_tuple part = tile;
    if (status != CT_EXIT_OK) return status;
    job->boxes = tile;
    job->count = 1;
    for (int m = 0; m < tile.profile.leaves; ++m) {
        part.value[m] = part_of(job, tensor, m, tile.value[m]);
        job->boxes.value[m] = tile.value[m] / ct_max(1, part.value[m]);
        job->count *= job->boxes.value[m];
    }
    job->desc = ct_make_tma_desc(tensor, part, elems[job->elem].elem, job->a->swizzle,
                                 (uint64_t)job->a->address);
    if (job->desc.rule != CT_TMA_OK) {
        ct_cli_complain("explain tma", "%s", ct_tma_explain(&job->desc, message));
        return CT_EXIT_FAILED;
    }
    job->bytes = ct_tma_shared_bytes(&job->desc);
    if (job->count > 1 && job->bytes % BOX_ALIGNMENT != 0) {
        ct_cli_complain("explain tma",
                        "%lld boxes of %lld bytes do not each begin at a multiple of %d bytes",
                        (long long)job->count, (long long)job->bytes, BOX_ALIGNMENT);
        return CT_EXIT_FAILED;
    }
    job->shared = tile_of(job);
    return job->pack ? in_elements(job) : CT_EXIT_OK;
}

/* ---- output ---------------------------------------------------------------------------------- */

static const char *const swizzles[] = {"NONE", "32B", "64B", "128B"};

static json_t *list_json(const int64_t *list, int first, int rank)
{
    json_t *all = json_array();
    for (int i = first; i < rank; ++i) json_array_append_new(all, json_integer(list[i]));
    return all;
}

/* The arguments of cuTensorMapEncodeTiled by their names, and the boxes of the tile. */
static int print_json(const tma_job *job, const char *shared)
{
    const ct_tma_desc *d = &job->desc;
    json_t *const o = json_pack(
        "{s:s, s:i, s:I, s:o, s:o, s:o, s:o, s:s, s:s, s:s, s:s, s:o, s:I, s:s, s:i}",
        "tensorDataType", job->pack ? job->pack->name : elems[job->elem].name, "tensorRank",
        (int)d->rank, "globalAddress", (json_int_t)d->address, "globalDim",
        list_json(d->extent, 0, d->rank), "globalStrides", list_json(d->stride, 1, d->rank),
        "boxDim", list_json(d->box, 0, d->rank), "elementStrides", list_json(d->step, 0, d->rank),
        "interleave", "NONE", "swizzle", swizzles[d->swizzle], "l2Promotion", "NONE", "oobFill",
        "NONE", "boxes", list_json(job->boxes.value, 0, job->boxes.profile.leaves), "box_bytes",
        (json_int_t)job->bytes, "shared", shared, "shared_unit_bits", job->bits);
    const int bad = ct_json_write(stdout, o, JSON_INDENT(2));
    json_decref(o);
    if (bad) ct_cli_complain("explain tma", "out of memory");
    return bad ? CT_EXIT_BAD : CT_EXIT_OK;
}

static void print_list(const char *name, const int64_t *list, int first, int rank)
{
    printf("%-15s [", name);
    for (int i = first; i < rank; ++i) printf("%s%lld", i > first ? ", " : "", (long long)list[i]);
    puts("]");
}

static int print(const tma_job *job)
{
    const ct_tma_desc *d = &job->desc;
    char shared[CT_TEXT_BYTES];
    if (job->shared.swizzle.bits) ct_format_tensor(shared, sizeof shared, job->shared);
    else ct_format_layout(shared, sizeof shared, job->shared.layout);
    if (job->a->json) return print_json(job, shared);
    printf("tensorDataType  %s\ntensorRank      %d\nglobalAddress   %lld\n",
           job->pack ? job->pack->name : elems[job->elem].name, (int)d->rank,
           (long long)d->address);
    print_list("globalDim", d->extent, 0, d->rank);
    print_list("globalStrides", d->stride, 1, d->rank);
    print_list("boxDim", d->box, 0, d->rank);
    print_list("elementStrides", d->step, 0, d->rank);
    printf("interleave      NONE\nswizzle         %s\nl2Promotion     NONE\noobFill         NONE\n",
           swizzles[d->swizzle]);
    print_list("boxes", job->boxes.value, 0, job->boxes.profile.leaves);
    printf("box_bytes       %lld\nshared          %s%s\n", (long long)job->bytes, shared,
           job->bits == 1 ? ", in bits" : "");
    return CT_EXIT_OK;
}

static int run(const arguments *a)
{
    tma_job job = {.a = a};
    ct_tensor tensor;
    ct_tuple tile;
    ct_named_type type;
    char why[CT_MESSAGE_BYTES];
    int status = ct_cli_memory("explain tma", "a descriptor", a->layout, &tensor);
    if (status != CT_EXIT_OK) return status;
    if (ct_cli_tuple("explain tma", "--box", a->box, &tile)) return CT_EXIT_BAD;
    if (ct_packed_type_read(a->type, &type, why)) {
        ct_cli_complain("explain tma", "--type: %s", why);
        return CT_EXIT_BAD;
    }
    job.bits = type.bits;
    for (size_t i = 0; i < sizeof packs / sizeof *packs; ++i)
        if (packs[i].bits == type.bits && (packs[i].padded == a->padded || type.bits == 6))
            job.pack = &packs[i];
    if (a->padded && !job.pack) {
        ct_cli_complain("explain tma", "--padded is for elements of 4 and 6 bits, not of %d",
                        (int)type.bits);
        return CT_EXIT_BAD;
    }
    if (job.pack) type = (ct_named_type){.name = "uint8", .bits = 8};
    job.elem = elem_of(&type);
    if (tensor.swizzle.bits || job.elem < 0) {
        ct_cli_complain("explain tma",
                        job.elem < 0 ? "TMA has no elements of %d bits"
                                     : "the tensor in global memory has a swizzle of %d bits; that "
                                       "of the tile is --swizzle",
                        job.elem < 0 ? (int)type.bits : tensor.swizzle.bits);
        return CT_EXIT_FAILED;
    }
    status = make(&job, tensor.layout, tile);
    return status == CT_EXIT_OK ? print(&job) : status;
}

int ct_cmd_explain_tma(int argc, char **argv)
{
    static char name[] = "explain tma";
    arguments a = {.type = "half"};
    argv[0] = name;
    const int parsed = ct_cli_parse(&ct_explain_tma_argp, argc, argv, &a);
    const int status = parsed < 0 ? CT_EXIT_BAD : parsed > 0 ? CT_EXIT_OK : run(&a);
    return ct_cli_finish(name, status);
}
