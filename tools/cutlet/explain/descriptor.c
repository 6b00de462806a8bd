/* cutlet explain descriptor: the matrix descriptor of an operand, field by field. */
#include "descriptor.h"

#include <stdlib.h>
#include <string.h>

#include "../common/cli.h"
#include "../common/commands.h"
#include "../common/operands.h"
#include "base/number.h"
#include <cutlet/host/text.h>

enum { KEY_OPERAND = 256, KEY_ATOM, KEY_ADDRESS, KEY_JSON };

typedef struct arguments {
    const char *tile, *atom;
    int operand; /* -1: not given */
    uint32_t address;
    int json;
} arguments;

static const struct argp_option options[] = {
    {"operand", KEY_OPERAND, "a|b", 0, "which operand the tile is (required)", 0},
    {"atom", KEY_ATOM, "ATOM", 0,
     "the instruction: an atom of wgmma or tcgen05.mma (required); `cutlet help atoms` lists "
     "them",
     0},
    {"address", KEY_ADDRESS, "BYTES", 0, "shared-memory address of offset 0 (default 0)", 0},
    {"json", KEY_JSON, NULL, 0, "print JSON", 0},
    {0},
};

static error_t take_address(arguments *a, const char *arg, struct argp_state *state)
{
    int64_t n = 0;
    if (ct_number_read(arg, 0, CT_MMA_DESCRIPTOR_BYTES - 1, &n))
        return ct_cli_wrong(state, "--address is a byte of shared memory, 0 to %d, not `%.40s`",
                            CT_MMA_DESCRIPTOR_BYTES - 1, arg);
    a->address = (uint32_t)n;
    return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
        case KEY_OPERAND:
            a->operand = strcmp(arg, "a") == 0 || strcmp(arg, "A") == 0   ? CT_MMA_A
                         : strcmp(arg, "b") == 0 || strcmp(arg, "B") == 0 ? CT_MMA_B
                                                                          : -1;
            if (a->operand < 0) return ct_cli_wrong(state, "--operand is a or b, not `%.40s`", arg);
            return 0;
        case KEY_ATOM: a->atom = arg; return 0;
        case KEY_ADDRESS: return take_address(a, arg, state);
        case KEY_JSON: a->json = 1; return 0;
        case ARGP_KEY_ARG:
            if (a->tile) return ct_cli_wrong(state, "one layout at a time; is it in quotes?");
            a->tile = arg;
            return 0;
        case ARGP_KEY_END:
            if (!a->tile || !a->atom || a->operand < 0)
                return ct_cli_wrong(state,
                                    "%s is missing, as in: cutlet explain descriptor "
                                    "'Sw<3,3,3> o 0 o (64,64):(64,1)' --operand a --atom "
                                    "SM90_64x128x16_F32F16F16_SS",
                                    !a->tile   ? "a layout"
                                    : !a->atom ? "--atom"
                                               : "--operand");
            return 0;
        default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp ct_explain_descriptor_argp = CT_ARGP(
    options, parse, "LAYOUT",
    "Shows the matrix descriptor by which wgmma or tcgen05.mma reads an operand in shared memory: "
    "each field with its bits, the 64-bit number, and what to add to it for the next instruction.\v"
    "  cutlet explain descriptor 'Sw<3,3,3> o 0 o (64,64):(64,1)' \\\n"
    "      --operand a --atom SM90_64x128x16_F32F16F16_SS\n"
    "  cutlet explain descriptor 'Sw<3,3,3> o 0 o ((64,2),64):((1,4096),64)' \\\n"
    "      --operand b --atom SM90_64x128x16_F32F16F16_SS\n"
    "\n"
    "LAYOUT is the layout of the tile, (m,k) of A or (n,k) of B, in elements of the "
    "instruction's type. Its swizzle counts in elements, too. Elements of 4 and 6 bits take a "
    "byte each. For a two-block instruction, LAYOUT holds the half of the rows that one block "
    "stores.\n"
    "\n"
    "If the hardware cannot read the layout, the violated rule and the nearest readable layout "
    "are printed. The exit status is 0; 1 for such a layout; 2 when the operands cannot be read.");

/* ---- the fields ------------------------------------------------------------------------------ */

static ct_descriptor_field *add(ct_descriptor_job *job, int low, int bits, const char *name)
{
    ct_descriptor_field *f = &job->field[job->fields++];
    f->low = low;
    f->bits = bits;
    f->name = name;
    f->value = ct_mma_descriptor_pack(job->descriptor) >> low & (((uint64_t)1 << bits) - 1);
    return f;
}

/* The name of the mode that is not k. */
static char row_name(const ct_descriptor_job *job) { return job->operand == CT_MMA_A ? 'm' : 'n'; }

/* A byte offset: between which groups of elements, or that it is not read. */
static void say_offset(const ct_descriptor_job *job, ct_descriptor_field *f, int is_leading)
{
    const ct_mma_descriptor *d = &job->descriptor;
    const int k_major = d->major == CT_MMA_K_MAJOR, none = d->swizzle == CT_MMA_SWIZZLE_NONE;
    const int read = is_leading ? ct_mma_reads_leading(d) : ct_mma_reads_stride(d);
    const int bytes = is_leading ? d->leading_bytes : d->stride_bytes;
    const int along_major = is_leading != (!k_major && none); /* they change places */
    const int elems =
        along_major ? 8 * ct_mma_line_bytes(d->swizzle) / d->elem_bits : ct_mma_lines(d->swizzle);
    const char mode = along_major == k_major ? 'k' : row_name(job);
    if (read)
        snprintf(f->means, sizeof f->means, "%d bytes from %d elements of %c to the next %d", bytes,
                 elems, mode, elems);
    else if (is_leading && k_major)
        snprintf(f->means, sizeof f->means, "not read: K-major with a swizzle");
    else
        snprintf(f->means, sizeof f->means,
                 "not read: an instruction has no more than %d elements of %c", elems, mode);
}

static void say_swizzle(const ct_mma_descriptor *d, ct_descriptor_field *f)
{
    if (d->swizzle == CT_MMA_SWIZZLE_NONE) {
        snprintf(f->means, sizeof f->means, "no swizzle");
        return;
    }
    const ct_swizzle bytes = ct_mma_swizzle_of(d->swizzle, 8);
    const ct_swizzle elems = ct_mma_swizzle_of(d->swizzle, d->elem_bits);
    const int n = snprintf(
        f->means, sizeof f->means, "rows of %d bytes, chunks of %d: Sw<%d,%d,%d> of bytes",
        (int)ct_mma_line_bytes(d->swizzle), d->swizzle == CT_MMA_SWIZZLE_128B_32B ? 32 : 16,
        (int)bytes.bits, (int)bytes.base, (int)bytes.shift);
    if (d->elem_bits != 8)
        snprintf(f->means + n, sizeof f->means - (size_t)n, ", Sw<%d,%d,%d> of these elements",
                 (int)elems.bits, (int)elems.base, (int)elems.shift);
}

static void say_base(const ct_mma_descriptor *d, ct_descriptor_field *f, uint32_t address)
{
    const int pattern = ct_mma_pattern_bytes(d->swizzle);
    if (d->swizzle == CT_MMA_SWIZZLE_NONE)
        snprintf(f->means, sizeof f->means, "0 without a swizzle");
    else if (d->base_offset == 0)
        snprintf(f->means, sizeof f->means,
                 "offset 0 lies at a multiple of %d bytes, where the swizzle's pattern begins",
                 pattern);
    else
        snprintf(f->means, sizeof f->means,
                 "offset 0 lies at byte %u, not a multiple of %d: bits 7 to 9 of that address",
                 (unsigned)address, pattern);
}

static void fill_fields(ct_descriptor_job *job, uint32_t address)
{
    const ct_mma_descriptor *d = &job->descriptor;
    ct_descriptor_field *f = add(job, 0, 14, "start address");
    snprintf(f->means, sizeof f->means, "byte %d, in units of 16", (int)d->start_bytes);
    say_offset(job, add(job, 16, 14, "leading dimension byte offset"), 1);
    say_offset(job, add(job, 32, 14, "stride dimension byte offset"), 0);
    if (d->arch == 100)
        snprintf(add(job, 46, 3, "version")->means, sizeof f->means, "1 for tcgen05");
    say_base(d, add(job, 49, 3, "base offset"), address);
    if (d->arch == 100)
        snprintf(add(job, 52, 1, "leading dimension mode")->means, sizeof f->means,
                 "the leading dimension is an offset, not an address");
    say_swizzle(d,
                d->arch == 100 ? add(job, 61, 3, "swizzle mode") : add(job, 62, 2, "swizzle mode"));
}

/* ---- output ---------------------------------------------------------------------------------- */

static void print(const ct_descriptor_job *job)
{
    const ct_mma_descriptor *d = &job->descriptor;
    const int k_major = d->major == CT_MMA_K_MAJOR;
    const char letter = job->operand == CT_MMA_A ? 'A' : 'B', row = row_name(job);
    char steps[CT_TEXT_BYTES], bits[32];
    ct_format_layout(steps, sizeof steps, d->steps);
    printf("%c of %s: an instruction reads %d x %d elements of %d bits, %s\n", letter, job->name,
           (int)d->mn, (int)d->k, (int)d->elem_bits,
           k_major                    ? "K-major"
           : job->operand == CT_MMA_A ? "M-major"
                                      : "N-major");
    for (int i = 0; i < job->fields; ++i) {
        const ct_descriptor_field *f = &job->field[i];
        if (f->bits == 1) snprintf(bits, sizeof bits, "bit %d", f->low);
        else snprintf(bits, sizeof bits, "bits %d-%d", f->low, f->low + f->bits - 1);
        printf("  %-10s  %-29s  %5llu  %s\n", bits, f->name, (unsigned long long)f->value,
               f->means);
    }
    printf("the number: 0x%016llx\n", (unsigned long long)ct_mma_descriptor_pack(*d));
    printf("the steps: (instructions along %c, along k) -> bytes to add to the start: %s\n", row,
           steps);
    if (d->arch == 90 && d->elem_bits != 16) puts("The instruction reads no other major mode.");
    else if (d->arch == 90)
        printf("The major mode is not a field: imm-trans-%c of the instruction is %d.\n",
               letter - 'A' + 'a', !k_major);
    else
        printf(
            "The major mode is not a field: \"transpose %c\" of the instruction descriptor is %d.\n",
            letter, !k_major);
}

/* The layout that the hardware would read, where there is one. */
static void say_nearest(const ct_descriptor_job *job)
{
    char text[CT_TEXT_BYTES];
    const ct_tensor nearest = ct_mma_descriptor_nearest(job->tile, job->operand, job->atom);
    if (nearest.layout.err.status) return;
    if (nearest.swizzle.bits) ct_format_tensor(text, sizeof text, nearest);
    else ct_format_layout(text, sizeof text, nearest.layout);
    ct_cli_complain(job->command, "the nearest layout that it reads is %s", text);
}

/* ---- the job --------------------------------------------------------------------------------- */

static int explain(ct_descriptor_job *job, const arguments *a)
{
    char message[CT_MESSAGE_BYTES];
    const ct_mma_descriptor d = ct_make_mma_descriptor(job->tile, job->operand, job->atom);
    job->descriptor = ct_mma_descriptor_at(d, a->address);
    if (job->descriptor.err.status == CT_OK) fill_fields(job, a->address);
    if (a->json && ct_descriptor_json(job, stdout)) {
        ct_cli_complain(job->command, "out of memory");
        return CT_EXIT_BAD;
    }
    if (job->descriptor.err.status == CT_OK) {
        if (!a->json) print(job);
        return CT_EXIT_OK;
    }
    if (!a->json) {
        ct_error_message(job->descriptor.err, message, sizeof message);
        ct_cli_complain(job->command, "%s", message);
        if (d.err.status) say_nearest(job);
    }
    return CT_EXIT_FAILED;
}

static int run(const arguments *a, const char *command)
{
    ct_descriptor_job job;
    ct_value v;
    char call[128];
    memset(&job, 0, sizeof job);
    job.command = command;
    job.name = a->atom;
    job.operand = a->operand;
    snprintf(call, sizeof call, "mma_atom(%.100s)", a->atom);
    int status = ct_cli_evaluate(command, call, &v);
    if (status != CT_EXIT_OK) return CT_EXIT_BAD;
    const int is_atom = v.kind == CT_KIND_MMA_ATOM;
    if (is_atom) job.atom = v.as.mma_atom;
    ct_value_free(&v);
    if (!is_atom) {
        ct_cli_complain(command, "--atom takes the name of an MMA atom, not `%.100s`", a->atom);
        return CT_EXIT_BAD;
    }
    status = ct_cli_memory(command, "a descriptor", a->tile, &job.tile);
    return status == CT_EXIT_OK ? explain(&job, a) : status;
}

int ct_cmd_explain_descriptor(int argc, char **argv)
{
    static char name[] = "explain descriptor";
    arguments a = {.operand = -1};
    argv[0] = name;
    const int parsed = ct_cli_parse(&ct_explain_descriptor_argp, argc, argv, &a);
    const int status = parsed < 0 ? CT_EXIT_BAD : parsed > 0 ? CT_EXIT_OK : run(&a, name);
    return ct_cli_finish(name, status);
}
