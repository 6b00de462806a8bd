/* Operands of wgmma in shared memory: the fields of a descriptor, and the addresses that the
 * instruction reads. They follow the PTX ISA ("Asynchronous Warpgroup Level Matrix Shared Memory
 * Layout" and "Matrix Descriptor Format"), not mma_descriptor.h. So a wrong descriptor reads the
 * same bytes as on a GPU. */
#include "wgmma.h"

#include <string.h>

#include <cutlet/mma/mma_atom.h>
#include "mma_values.h"

/* Memory is read in pieces of 16 bytes; 8 rows are consecutive. */
enum { PIECE_BYTES = 16, ROWS = 8, PATTERN_SHIFT = 7 };

/* The fields of a descriptor, in bytes. row_pieces: of a swizzle row; 1 without a swizzle. */
typedef struct fields {
    int64_t start, leading, stride;
    int base_offset, row_pieces;
} fields;

static fields fields_of(ct_thread *group, const ct_operation *op, uint64_t bits)
{
    static const int row_pieces[] = {1, 8, 4, 2};
    const uint64_t without_meaning = 0x3ff1c000c000c000u;
    const fields f = {(int64_t)(bits & 0x3fff) * 16, (int64_t)(bits >> 16 & 0x3fff) * 16,
                      (int64_t)(bits >> 32 & 0x3fff) * 16, (int)(bits >> 49 & 7),
                      row_pieces[bits >> 62]};
    if (bits & without_meaning)
        ct_grid_fail_at(group, op, CT_GRID_E_ATOM,
                        "descriptor 0x%016llx sets bits that have no meaning",
                        (unsigned long long)bits);
    return f;
}

/* The address of a piece: `piece` along the contiguous mode, and `across` along the other. */
static int64_t address_of(const fields *f, int is_mn_major, int piece, int across)
{
    const int row = across % ROWS, next = across / ROWS;
    int64_t at = f->start + (int64_t)row * f->row_pieces * PIECE_BYTES;
    if (f->row_pieces == 1 && is_mn_major) at += piece * f->stride + next * f->leading;
    else if (f->row_pieces == 1) at += piece * f->leading + next * f->stride;
    else if (is_mn_major)
        at += piece / f->row_pieces * f->leading + piece % f->row_pieces * PIECE_BYTES +
              next * f->stride;
    else at += piece * PIECE_BYTES + next * f->stride;
    const int64_t line = ((at >> PATTERN_SHIFT) - f->base_offset) & (f->row_pieces - 1);
    return at ^ line * PIECE_BYTES; /* the swizzle */
}

static const unsigned char *memory_at(ct_thread *group, const ct_operation *op, int64_t address)
{
    const ct_grid_state *r = group->grid;
    if (address + PIECE_BYTES > (int64_t)r->arena_bytes) /* it would be in another block's memory */
        ct_grid_fail_at(group, op, CT_GRID_E_BOUNDS,
                        "byte %lld of shared memory, which ends before", (long long)address);
    return r->arena + (size_t)group->rank * r->arena_bytes + address;
}

void ct_grid_wgmma_read(ct_thread *group, const ct_operation *op, const ct_mma_op *mma, int operand,
                        uint64_t descriptor, double *to, int mn_stride, int k_stride)
{
    const int is_a = operand == CT_MMA_A, major = mma->major;
    const int is_mn_major =
        is_a ? major == CT_MMA_NN || major == CT_MMA_NT : major == CT_MMA_NT || major == CT_MMA_TT;
    const int32_t type = is_a ? mma->a : mma->b;
    const int mn = is_a ? mma->m : mma->n, elems = PIECE_BYTES * 8 / ct_mma_bits(type);
    const int depth = is_a ? ct_mma_a_columns(*mma) : mma->k;
    const int along = is_mn_major ? mn : depth, others = is_mn_major ? depth : mn;
    const int along_stride = is_mn_major ? mn_stride : k_stride,
              other_stride = is_mn_major ? k_stride : mn_stride;
    const fields f = fields_of(group, op, descriptor);
    ct_group_read memo = {0};
    for (int i = 0; i < others; ++i)
        for (int piece = 0; piece < along / elems; ++piece) {
            const unsigned char *const p =
                memory_at(group, op, address_of(&f, is_mn_major, piece, i));
            const ct_memory *const m = ct_grid_find_memory(group, op, p);
            ct_grid_note_group_read(group, op, m, (size_t)(p - m->base), &memo);
            for (int e = 0; e < elems; ++e)
                to[i * other_stride + (piece * elems + e) * along_stride] =
                    ct_mma_value(type, p, e);
        }
}
