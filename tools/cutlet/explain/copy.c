/* cutlet explain copy: why accesses are as wide as they are. */
#include <stdlib.h>
#include <string.h>

#include "../common/commands.h"
#include "../common/copy_options.h"
#include "base/number.h"
#include "../common/operands.h"
#include "copy.h"
#include "io/types.h"
#include <cutlet/algebra/coalesce.h>

enum { MOST_BYTES = 16, MOST_BYTES_SM_100 = 32, UNKNOWNS = 8 };

typedef struct arguments {
    ct_copy_options copy;
    int most_bytes;
    char thr[CT_TEXT_BYTES], val[CT_TEXT_BYTES]; /* proposed, where none were given */
} arguments;

static const struct argp_option options[] = {
    {"thr", CT_KEY_THR, "LAYOUT", 0, "thread layout, (m,n) -> thread: instead of a tiled copy", 0},
    {"val", CT_KEY_VAL, "LAYOUT", 0, "value layout, (m,n) -> value", 0},
    {"tile", 't', "SHAPE", 0, "the tile of a thread-value layout, for which it is required", 0},
    {"src", CT_KEY_SRC, "LAYOUT", 0, "layout of the source in memory (default registers)", 0},
    {"dst", CT_KEY_DST, "LAYOUT", 0, "layout of the destination in memory (default registers)", 0},
    {"type", CT_KEY_TYPE, "TYPE", 0,
     "element type, without an atom (default half); `cutlet help types` lists the types", 0},
    {"src-align", CT_KEY_SRC_ALIGN, "BYTES", 0,
     "alignment of the source's base address (default: the widest access)", 0},
    {"dst-align", CT_KEY_DST_ALIGN, "BYTES", 0, "the same for the destination", 0},
    {"arch", CT_KEY_ARCH, "ARCH", 0,
     "the architecture: accesses of up to 16 bytes, from sm_100 on 32 (default sm_90)", 0},
    {"json", CT_KEY_JSON, NULL, 0, "print JSON", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
        case CT_KEY_ARCH: {
            const char *end;
            int64_t n = 0;
            if (strncmp(arg, "sm_", 3) != 0 || ct_number_begin(arg + 3, 50, 999, &n, &end) != 0 ||
                (*end && strcmp(end, "a") != 0))
                return ct_cli_wrong(state,
                                    "--arch takes an architecture such as sm_90, not "
                                    "`%.40s`",
                                    arg);
            a->most_bytes = n >= 100 ? MOST_BYTES_SM_100 : MOST_BYTES;
            return 0;
        }
        case ARGP_KEY_END:
            if (!a->copy.src && !a->copy.dst)
                return ct_cli_wrong(state,
                                    "a layout is missing, as in: cutlet explain copy --src "
                                    "'(512,512):(512,1)' --thr '(16,8):(8,1)' --val '(1,8)'");
            return 0;
        default: return ct_copy_option(&a->copy, key, arg, state);
    }
}

const struct argp ct_explain_copy_argp = CT_ARGP(
    options, parse, "[TILED_COPY|TV]",
    "Shows how wide the accesses of a copy can be, what limits the width, and which other "
    "layouts would make it wider. It also shows how the width depends on strides and extents "
    "that are known only at run time.\v"
    "  cutlet explain copy --src '(4096,4096):(4096,1)' --dst '(64,64):(64,1)'\n"
    "  cutlet explain copy --src '(512,512):(512,1)' \\\n"
    "      --thr '(8,16):(1,8)' --val '(8,1)'\n"
    "  cutlet explain copy --src '(512,512):(516,1)' --dst '(512,512):(512,1)' \\\n"
    "      --thr '(16,8):(8,1)' --val '(1,8)' --type half --src-align 4\n"
    "  cutlet explain copy --src '(512,512):(?,1)' \\\n"
    "      --thr '(16,8):(8,1)' --val '(1,8)'\n"
    "  cutlet explain copy \\\n"
    "      'tiled_copy(copy_atom(universal128, 16), (16,8):(8,1), (1,8))' \\\n"
    "      --dst 'Sw<3,2,3> o 0 o (64,64):(64,1)'\n"
    "\n"
    "An access moves consecutive values of a thread: they must be contiguous in both layouts, "
    "and every access must be aligned to its width. A side without a layout is in registers. A "
    "stride `?` is known only at run time. Without threads and values, 128 threads are proposed. "
    "Every width is found by enumeration. The width of each suggestion is the first number of its "
    "line.\n"
    "\n"
    "The exit status is 0; 1 when an operation has no result; 2 when the operands cannot be read "
    "or do not fit.");

/* ---- unknown strides ------------------------------------------------------------------------- */

/* The stride that stands for the i-th `?`: a prime above 2^33 and what follows, which no layout has
   by chance, and which times an extent fits in 64 bits. */
static long long stand_in(int i) { return 8589934609LL + 2 * i; }

/* The text with numbers for its question marks, from malloc. NULL: no memory or too many. */
static char *without_marks(const char *text, int *marks)
{
    char *out = calloc(strlen(text) + 20 * UNKNOWNS + 1, 1), *to = out;
    const int given = strstr(text, " with ?") != NULL;
    for (*marks = 0; out && *text; ++text) {
        if (given || *text != '?') *to++ = *text;
        else if (*marks == UNKNOWNS) {
            free(out);
            return NULL;
        } else to += sprintf(to, "%lld", stand_in((*marks)++));
    }
    return out;
}

/* Notes the leaves of the strides, and gives them a harmless number. -1: a `?` is not a stride. */
static int take_unknowns(ct_layout *L, int marks, uint32_t *unknown)
{
    int found = 0;
    for (int i = 0; i < L->profile.leaves; ++i) {
        for (int k = 0; k < marks; ++k) {
            if (L->shape[i] == stand_in(k)) return -1;
            if (L->stride[i] != stand_in(k)) continue;
            *unknown |= 1u << i;
            L->stride[i] = 64;
            ++found;
        }
    }
    return found == marks ? 0 : -1;
}

/* ---- output ---------------------------------------------------------------------------------- */

static void print_wrapped(const char *first, const char *text)
{
    const size_t indent = strlen(first), most = 100;
    size_t column = indent;
    fputs(first, stdout);
    while (*text) {
        const size_t word = strcspn(text, " ");
        if (column > indent && column + 1 + word > most) {
            printf("\n%*s", (int)indent, "");
            column = indent;
        } else if (column > indent) {
            putchar(' ');
            ++column;
        }
        fwrite(text, 1, word, stdout);
        column += word;
        text += word + (text[word] == ' ');
    }
    putchar('\n');
}

static void print(const ct_advice_job *job, const ct_advice *a, int atom_bits)
{
    char width[32];
    printf("%d-bit accesses: %d element%s of %d byte%s at a time%s\n", 8 * (int)a->bytes,
           (int)(a->bytes / job->elem_bytes), a->bytes == job->elem_bytes ? "" : "s",
           (int)job->elem_bytes, job->elem_bytes == 1 ? "" : "s",
           a->next ? "" : ", the widest possible");
    if (atom_bits > 8 * a->bytes)
        printf("  The atom asks for %d bits: these layouts do not allow it.\n", atom_bits);
    else if (atom_bits && atom_bits < 8 * a->bytes)
        printf("  The atom takes %d bits of them.\n", atom_bits);
    if (a->limits) printf("what prevents %d-bit accesses\n", 8 * (int)a->next);
    for (int i = 0; i < a->limits; ++i) print_wrapped("  ", a->limit[i].text);
    if (a->hints) puts("wider alternatives");
    for (int i = 0; i < a->hints; ++i) {
        snprintf(width, sizeof width, "  %3d-bit  ", 8 * (int)a->hint[i].bytes);
        print_wrapped(width, a->hint[i].text);
    }
    if (a->next && !a->hints)
        puts("no alternative that was tried is wider: other threads and values, padded "
             "strides, aligned bases");
    if (a->facts) puts("at run time, all else unchanged");
    for (int i = 0; i < a->facts; ++i) print_wrapped("  ", a->fact[i].text);
    for (int i = 0; i < a->notes; ++i) print_wrapped("", a->note[i]);
}

/* ---- the job --------------------------------------------------------------------------------- */

/* The job of the operands. An exit status. */
static int job_of(const arguments *a, const ct_copy_operands *x, ct_advice_job *job)
{
    char message[CT_MESSAGE_BYTES];
    memset(job, 0, sizeof *job);
    ct_tiled_copy copy = x->copy;
    if (x->has_blocks) {
        const ct_copy_atom atom = ct_copy_atom_universal(x->elem_bits, x->elem_bits);
        copy = ct_make_tiled_copy(atom, x->thr, x->val);
        job->thr = x->thr;
        job->val = x->val;
        job->has_blocks = 1;
    }
    if (!x->has_tv && copy.atom.err.status) {
        ct_error_message(copy.atom.err, message, sizeof message);
        ct_cli_complain(a->copy.command, "%s", message);
        return CT_EXIT_FAILED;
    }
    job->tv = x->has_tv ? x->tv : copy.tv;
    job->tile = x->has_tv ? x->tile : ct_tiled_copy_shape(copy);
    job->elem_bytes = x->elem_bits / 8;
    job->most_bytes = (int32_t)ct_max(a->most_bytes, job->elem_bytes);
    job->memory[0] = x->src;
    job->memory[1] = x->dst;
    job->has[0] = x->has_src;
    job->has[1] = x->has_dst;
    job->align[0] = a->copy.src_align;
    job->align[1] = a->copy.dst_align;
    return CT_EXIT_OK;
}

static int refuse(const arguments *a, const char *why)
{
    ct_cli_complain(a->copy.command, "%s", why);
    return CT_EXIT_BAD;
}

static const char own_widths[] =
    "ldmatrix and stmatrix, and values of less than a byte, have widths of their own; `cutlet "
    "verify` checks their rows";

static int advise(const arguments *a, const ct_copy_operands *x, const int marks[2])
{
    ct_advice_job job;
    ct_advice advice;
    char message[CT_MESSAGE_BYTES];
    if (x->elem_bits % 8 != 0 || (x->is_copy && x->copy.atom.matrices > 0))
        return refuse(a, own_widths);
    const int status = job_of(a, x, &job);
    if (status != CT_EXIT_OK) return status;
    for (int s = 0; s < 2; ++s) {
        if (job.has[s] && take_unknowns(&job.memory[s].layout, marks[s], &job.unknown[s]))
            return refuse(a, "`?` stands for a stride, as in (512,512):(?,1)");
    }
    if (ct_advise(&job, &advice, message)) return refuse(a, message);
    if (!a->copy.json) print(&job, &advice, x->is_copy ? x->copy.atom.bits : 0);
    else if (ct_advice_json(&job, &advice, stdout)) return refuse(a, "out of memory");
    return CT_EXIT_OK;
}

/* Whether the question marks of a text are strides: the text has a value with the numbers for them. What else is
   wrong with it is said in its own words. An exit status. */
static int check_marks(const arguments *a, const char *text, const char *with)
{
    ct_diag diag;
    ct_value v;
    int status = ct_cli_exit_of(ct_evaluate(with, &v, &diag));
    ct_value_free(&v);
    if (status == CT_EXIT_OK) return status;
    char *const ones = strdup(text); /* places are those of the text */
    if (!ones) return refuse(a, "out of memory");
    for (char *c = ones; (c = strchr(c, '?'));) *c = '1';
    status = ct_cli_exit_of(ct_evaluate(ones, &v, &diag));
    ct_value_free(&v);
    free(ones);
    if (status == CT_EXIT_OK) return refuse(a, "`?` stands for a stride, as in (512,512):(?,1)");
    ct_cli_complain_at(a->copy.command, text, &diag);
    return status;
}

/* ---- threads that are proposed --------------------------------------------------------------- */

enum { THREADS = 128, LINE_BYTES = 128 };

static int64_t power_up_to(int64_t n)
{
    int64_t p = 1;
    while (2 * p <= n) p *= 2;
    return p;
}

/* The mode along which a layout is contiguous; -1 for none. */
static int contiguous_mode(ct_layout L)
{
    for (int k = 0; k < ct_layout_rank(L); ++k) {
        const ct_layout mode = ct_coalesce(ct_mode(L, k));
        if (mode.stride[0] == 1 && mode.shape[0] > 1) return k;
    }
    return -1;
}

/* Threads along the contiguous mode of the source, or else of the destination, the widest accesses
 * each, a cache line for neighbours. An exit status. */
static int propose(arguments *a)
{
    ct_tensor side[2];
    const char *const given[2] = {a->copy.src, a->copy.dst};
    int known = -1;
    for (int s = 1; s >= 0; --s) {
        if (!given[s]) continue;
        const int status =
            ct_cli_memory(a->copy.command, s ? "--dst" : "--src", given[s], &side[s]);
        if (status != CT_EXIT_OK) return status;
        if (known < 0 || contiguous_mode(side[s].layout) >= 0) known = s;
    }
    char why[CT_MESSAGE_BYTES];
    ct_named_type type;
    if (known < 0 || ct_packed_type_read(a->copy.type ? a->copy.type : "half", &type, why))
        return CT_EXIT_OK; /* what is missing is said later */
    if (type.bits < 8) return refuse(a, own_widths);
    const ct_layout L = side[known].layout;
    const int rank = ct_layout_rank(L), bytes = type.bits / 8;
    const int along = contiguous_mode(L) >= 0 ? contiguous_mode(L) : rank - 1;
    int other = along == 0 ? 1 : 0; /* the mode of the other threads: one of several elements */
    while (other + 1 < rank && (other == along || ct_size(ct_mode(L, other)) == 1)) ++other;
    const int64_t most = ct_size(ct_mode(L, along));
    const int64_t wide = ct_max(1, ct_min(a->most_bytes / bytes, power_up_to(most)));
    const int64_t line = rank == 1 ? THREADS : ct_max(1, LINE_BYTES / (wide * bytes));
    const int64_t near = ct_min(line, power_up_to(ct_max(1, most / wide)));
    const int64_t far =
        rank == 1 ? 1 : ct_min(THREADS / near, power_up_to(ct_size(ct_mode(L, other))));
    ct_layout thr = ct_make_col_major(ct_shape(L)), val;
    thr.profile = ct_profile_flat(rank);
    for (int k = 0; k < rank; ++k) {
        thr.shape[k] = k == along ? near : k == other ? far : 1;
        thr.stride[k] = k == along ? 1 : k == other ? near : 0;
    }
    val = thr;
    for (int k = 0; k < rank; ++k) val.shape[k] = k == along ? wide : 1;
    ct_format_layout(a->thr, sizeof a->thr, thr);
    ct_format_tuple(a->val, sizeof a->val, ct_shape(val));
    a->copy.thr = a->thr;
    a->copy.val = a->val;
    if (!a->copy.json)
        printf("no threads were given; proposed: --thr '%s' --val '%s'\n", a->thr, a->val);
    return CT_EXIT_OK;
}

/* ---- a buffer for one tile ------------------------------------------------------------------- */

/* The first tile of a tensor, with the extents of a buffer that is reused for each. 1 where it was
 * cut. */
static int cut_to(ct_tensor *whole, const ct_tensor *buffer)
{
    const int rank = ct_layout_rank(buffer->layout);
    ct_tiler tile = ct_tiler0();
    int smaller = 0;
    if (ct_layout_rank(whole->layout) != rank || whole->layout.err.status ||
        buffer->layout.err.status)
        return 0;
    for (int k = 0; k < rank; ++k) {
        const int64_t n = ct_size(ct_mode(buffer->layout, k)),
                      of = ct_size(ct_mode(whole->layout, k));
        if (n > of || of % n != 0) return 0;
        smaller |= n < of;
        tile = ct_tiler_append(tile, ct_layout1(n, 1));
    }
    const ct_layout cut = ct_composition_by(whole->layout, tile);
    if (!smaller || cut.err.status) return 0;
    whole->layout = cut;
    return 1;
}

static void cut_sides(const arguments *a, ct_copy_operands *x)
{
    char extents[CT_TEXT_BYTES];
    if (!x->has_src || !x->has_dst) return;
    const int of_src = cut_to(&x->src, &x->dst), of_dst = !of_src && cut_to(&x->dst, &x->src);
    if ((!of_src && !of_dst) || a->copy.json) return;
    ct_format_tuple(extents, sizeof extents, ct_product_each(ct_shape(x->src.layout)));
    printf("the %s is a buffer for one tile of %s; the %s is that tile\n",
           of_src ? "destination" : "source", extents, of_src ? "source" : "destination");
}

static int run(arguments *a)
{
    ct_copy_operands x;
    int marks[2] = {0, 0}, status = CT_EXIT_BAD;
    char *src = a->copy.src ? without_marks(a->copy.src, &marks[0]) : NULL;
    char *dst = a->copy.dst ? without_marks(a->copy.dst, &marks[1]) : NULL;
    if ((a->copy.src && !src) || (a->copy.dst && !dst)) {
        status = refuse(a, ct_max(marks[0], marks[1]) == UNKNOWNS ? "at most 8 strides are `?`"
                                                                  : "out of memory");
    } else {
        status = marks[0] ? check_marks(a, a->copy.src, src) : CT_EXIT_OK;
        if (status == CT_EXIT_OK && marks[1]) status = check_marks(a, a->copy.dst, dst);
        a->copy.src = src;
        a->copy.dst = dst;
        if (status == CT_EXIT_OK && !a->copy.expression && !a->copy.thr && !a->copy.val)
            status = propose(a);
        if (status == CT_EXIT_OK) status = ct_copy_operands_of(&a->copy, &x);
        if (status == CT_EXIT_OK) {
            cut_sides(a, &x);
            status = advise(a, &x, marks);
        }
    }
    free(src);
    free(dst);
    return status;
}

int ct_cmd_explain_copy(int argc, char **argv)
{
    static char name[] = "explain copy";
    arguments a;
    memset(&a, 0, sizeof a);
    a.most_bytes = MOST_BYTES;
    a.copy.command = argv[0] = name;
    const int parsed = ct_cli_parse(&ct_explain_copy_argp, argc, argv, &a);
    const int status = parsed < 0 ? CT_EXIT_BAD : parsed > 0 ? CT_EXIT_OK : run(&a);
    return ct_cli_finish("explain copy", status);
}
