/* What reads an operand of an MMA from shared memory: ldmatrix, or the instruction by a descriptor.
 */
#include <stdio.h>
#include <string.h>

#include <cutlet/mma/mma_descriptor_bits.h>
#include "base/refuse.h"
#include "mma.h"

/* ---- ldmatrix ------------------------------------------------------------------------------- */

/* The bits of an element in shared memory. */
static int32_t bits_of(const ct_tiled_mma *t, int operand)
{
    return ct_mma_bits_held(t->atom.op, ct_mma_operand_type(t->atom.op, operand));
}

/* Tries one ldmatrix. 1 where it reads the layout; 0, and why not; -1 without memory. */
static int try_matrix(const ct_verify_mma_job *job, int operand, const ct_tensor *L, int trans,
                      int matrices, ct_mma_feed *feed, char why[CT_MESSAGE_BYTES])
{
    const int32_t bits = bits_of(&job->mma, operand);
    const ct_copy_atom atom =
        ct_copy_atom_matrix(trans ? CT_ATOM_LDMATRIX_TRANS : CT_ATOM_LDMATRIX, matrices, bits);
    const ct_tiled_copy copy = ct_make_tiled_copy_mma(atom, job->mma, operand);
    ct_verify_report report;
    if (copy.atom.err.status) {
        ct_error_message(copy.atom.err, why, CT_MESSAGE_BYTES);
        return 0;
    }
    ct_verify_job access = ct_verify_of_copy(&copy);
    access.src = L;
    const ct_status bad = ct_verify(&access, &report, why);
    if (bad) return bad == CT_E_MEMORY ? -1 : 0;
    const ct_verify_finding *const f = &report.of[CT_VERIFY_SRC_ACCESS];
    if (f->state != CT_VERIFY_OK) {
        snprintf(why, CT_MESSAGE_BYTES, "%s", f->text);
        return 0;
    }
    feed->by = CT_FEED_LDMATRIX;
    feed->copy = copy;
    memset(&feed->traffic, 0, sizeof feed->traffic);
    const ct_traffic_side side = {CT_ACCESS_LDSM, bits, 0, *L};
    ct_traffic none;
    return bits < 8 || ct_traffic_of_copy(copy, ct_product_each(ct_shape(L->layout)), &side, NULL,
                                          job->rules, NULL, NULL, &feed->traffic, &none, why) == 0;
}

/* The widest ldmatrix that reads the layout: 1. Where none does 0, and why the one along its
 * contiguous mode does not; -1 without memory. */
static int try_all(const ct_verify_mma_job *job, int operand, const ct_tensor *L, ct_mma_feed *feed,
                   char why[CT_MESSAGE_BYTES])
{
    char reason[CT_MESSAGE_BYTES];
    const int along_rows = ct_mma_nearest_major(L->layout) == CT_MMA_MN_MAJOR;
    const int can_turn = bits_of(&job->mma, operand) == 16;
    feed->by = CT_FEED_NONE;
    for (int transposed = 0; transposed < 2; ++transposed) {
        const int trans = can_turn ? along_rows != transposed : 0;
        for (int matrices = 4; matrices >= 1; matrices /= 2) {
            const int reads = try_matrix(job, operand, L, trans, matrices, feed, reason);
            if (reads) return reads;
            feed->by = CT_FEED_NONE;
            if (transposed == 0) memcpy(why, reason, sizeof reason);
        }
    }
    return 0;
}

/* A layout of the same shape as L: lines of a swizzle along a mode, eight of them together. */
static ct_tensor lines_of(const ct_tensor *L, int32_t major, int32_t mode, int32_t bits)
{
    const int64_t rows = ct_size(ct_mode(L->layout, 0)), k = ct_size(ct_mode(L->layout, 1));
    const int64_t line = 8 * ct_mma_line_bytes(mode) / bits,
                  along = major == CT_MMA_K_MAJOR ? k : rows;
    if (along % line != 0)
        return ct_tensor_fail(
            ct_make_error(CT_E_NO_LAYOUT, CT_OP_NONE, CT_WHY_TILE_DIVIDES, 0, line, along));
    const ct_layout block =
        major == CT_MMA_K_MAJOR ? ct_layout2(8, line, line, 1) : ct_layout2(line, 8, 1, line);
    const ct_layout all = ct_tile_to_shape(block, ct_tuple2(rows, k), ct_tuple2(0, 1));
    return ct_make_swizzled(ct_mma_swizzle_of(mode, bits), 0, ct_coalesce_by(all, ct_tuple2(1, 1)));
}

/* The nearest layout that ldmatrix reads without conflicts: of the same shape, the same mode
 * contiguous where that can be, the longest lines. CT_E_MEMORY where that runs out. */
static ct_tensor nearest_of(const ct_verify_mma_job *job, int operand, const ct_tensor *L)
{
    const int32_t bits = bits_of(&job->mma, operand), major = ct_mma_nearest_major(L->layout);
    char why[CT_MESSAGE_BYTES];
    for (int transposed = 0; transposed < 2; ++transposed) {
        for (int32_t mode = CT_MMA_SWIZZLE_128B; mode >= CT_MMA_SWIZZLE_NONE; --mode) {
            const ct_tensor t = lines_of(L, transposed ? 1 - major : major, mode, bits);
            ct_mma_feed feed;
            const int reads = t.layout.err.status ? 0 : try_all(job, operand, &t, &feed, why);
            if (reads < 0)
                return ct_tensor_fail(ct_make_error(CT_E_MEMORY, CT_OP_NONE, CT_WHY_NONE, 0, 0, 0));
            if (!reads) continue;
            if (feed.traffic.conflicts == 0) return t;
        }
    }
    return ct_tensor_fail(ct_make_error(CT_E_NO_LAYOUT, CT_OP_NONE, CT_WHY_NONE, 0, 0, 0));
}

static void name_matrix(const ct_copy_atom *a, char name[24])
{
    snprintf(name, 24, "ldmatrix_x%d%s", (int)a->matrices,
             a->kind == CT_ATOM_LDMATRIX_TRANS ? "_trans" : "");
}

/* The sentence about bank conflicts. */
static void say_conflicts(const ct_mma_feed *feed, ct_verify_mma_finding *f)
{
    const ct_traffic *const t = &feed->traffic;
    const char *const take = t->instructions == 1 ? " takes" : "s take";
    if (t->instructions == 0) return;
    if (t->conflicts == 0)
        ct_mma_finding_say(f, 1, "%lld instruction%s %lld wavefronts, none of them for a conflict",
                           (long long)t->instructions, take, (long long)t->wavefronts);
    else
        ct_mma_finding_say(f, 0,
                           "%lld instruction%s %lld wavefronts where %lld would do: %lld conflicts",
                           (long long)t->instructions, take, (long long)t->wavefronts,
                           (long long)(t->wavefronts - t->conflicts), (long long)t->conflicts);
}

static ct_status feed_by_matrix(const ct_verify_mma_job *job, int operand, ct_mma_feed *feed,
                                ct_verify_mma_finding *can, ct_verify_mma_finding *conflicts,
                                char *message)
{
    const ct_tensor *const L = job->shared[operand];
    const char letter = ct_operand_letter(operand);
    char why[CT_MESSAGE_BYTES], name[24], words[CT_MESSAGE_BYTES];
    if (bits_of(&job->mma, operand) > 32) {
        ct_mma_finding_say(can, 0,
                           "ldmatrix moves elements of at most 32 bits, and those of %c have %d",
                           letter, (int)bits_of(&job->mma, operand));
        return CT_OK;
    }
    const int reads = try_all(job, operand, L, feed, why);
    if (reads < 0) return ct_refuse(message, CT_E_MEMORY, "out of memory");
    if (reads) {
        name_matrix(&feed->copy.atom, name);
        say_conflicts(feed, conflicts);
        ct_mma_finding_say(can, 1, "%s reads the fragments of %c in rows of %d elements", name,
                           letter, 128 / (int)bits_of(&job->mma, operand));
    } else {
        snprintf(words, sizeof words, "ldmatrix does not read %c: ", letter);
        const size_t n = strlen(words);
        snprintf(words + n, sizeof words - n, "%.*s", (int)(sizeof words - n - 1), why);
        ct_mma_finding_say(can, 0, "%s", words);
    }
    if (can->state == CT_VERIFY_FAILED || conflicts->state == CT_VERIFY_FAILED)
        feed->nearest = nearest_of(job, operand, L);
    return feed->nearest.layout.err.status == CT_E_MEMORY
               ? ct_refuse(message, CT_E_MEMORY, "out of memory")
               : CT_OK;
}

/* ---- descriptors ---------------------------------------------------------------------------- */

static void feed_by_descriptor(const ct_verify_mma_job *job, int operand, ct_mma_feed *feed,
                               ct_verify_mma_finding *can)
{
    const ct_mma_descriptor d =
        ct_make_mma_descriptor(*job->shared[operand], operand, job->mma.atom);
    const char letter = ct_operand_letter(operand);
    char why[CT_MESSAGE_BYTES];
    feed->descriptor = d;
    if (d.err.status) {
        ct_error_message(d.err, why, sizeof why);
        feed->nearest = ct_mma_descriptor_nearest(*job->shared[operand], operand, job->mma.atom);
        ct_mma_finding_say(can, 0, "%.*s", (int)sizeof why - 1, why);
        return;
    }
    feed->by = CT_FEED_DESCRIPTOR;
    ct_mma_finding_say(
        can, 1,
        "the descriptor 0x%016llx reads %c, %s, rows of %d bytes; %lld instruction%s read%s "
        "%d x %d elements each",
        (unsigned long long)ct_mma_descriptor_pack(d), letter,
        d.major == CT_MMA_K_MAJOR ? "K-major"
        : operand == CT_MMA_A     ? "M-major"
                                  : "N-major",
        (int)ct_mma_line_bytes(d.swizzle), (long long)ct_size(d.steps),
        ct_size(d.steps) == 1 ? "" : "s", ct_size(d.steps) == 1 ? "s" : "", (int)d.mn, (int)d.k);
}

/* ---- either --------------------------------------------------------------------------------- */

/* Refuses a layout that is not one of full tiles. */
static ct_status check_shape(const ct_verify_mma_job *job, int operand, char *message)
{
    const ct_tensor *const L = job->shared[operand];
    const char letter = ct_operand_letter(operand);
    const ct_tuple tile = ct_tiled_mma_tile(job->mma, operand);
    const int rank = ct_layout_rank(L->layout);
    if (L->layout.err.status) return ct_refuse_error(message, L->layout.err);
    for (int k = 0; k < 2 && rank == 2; ++k) {
        const int64_t n = ct_size(ct_mode(L->layout, k));
        if (n % tile.value[k] == 0) continue;
        return ct_refuse(message, CT_E_ARGUMENT,
                         "mode %d of %c has %lld elements, not a multiple of the tile's %lld", k,
                         letter, (long long)n, (long long)tile.value[k]);
    }
    if (rank == 2) return CT_OK;
    return ct_refuse(message, CT_E_ARGUMENT, "%c has rank %d, and an operand has rank 2: %c and k",
                     letter, rank, operand == CT_MMA_A ? 'm' : 'n');
}

ct_status ct_verify_feed(const ct_verify_mma_job *job, int operand, ct_mma_feed *feed,
                         ct_verify_mma_finding *can, ct_verify_mma_finding *conflicts,
                         char *message)
{
    const ct_mma_op op = job->mma.atom.op;
    if (op.kind == CT_MMA_NO_KIND)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "the atom is made of layouts and has no types, by which %c could be read "
                         "from shared memory; name an instruction",
                         ct_operand_letter(operand));
    const int from = ct_mma_from(op, operand);
    feed->nearest = ct_tensor_fail(ct_make_error(CT_E_NO_LAYOUT, CT_OP_NONE, CT_WHY_NONE, 0, 0, 0));
    /* The descriptor's error names the problem of a shape. */
    const ct_status bad = from == CT_MMA_SHARED ? CT_OK : check_shape(job, operand, message);
    if (bad) return bad;
    if (from == CT_MMA_SHARED) {
        feed_by_descriptor(job, operand, feed, can);
    } else if (from == CT_MMA_TENSOR_MEMORY) {
        ct_mma_finding_say(can, 0, "%c is read from tensor memory, not from shared memory",
                           ct_operand_letter(operand));
    } else if (op.kind == CT_MMA_THREAD || op.kind == CT_MMA_QUAD_PAIR) {
        ct_mma_finding_say(can, 0, "ldmatrix feeds fragments of a warp, and this atom is one of %s",
                           op.kind == CT_MMA_THREAD ? "a thread" : "a quad pair");
    } else {
        return feed_by_matrix(job, operand, feed, can, conflicts, message);
    }
    return 0;
}
