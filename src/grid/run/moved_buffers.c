/* Buffers that the grid moves for the launch. Adjacent ones: one begins where another ends, as arrays
 * of one allocation do; after the move an access past the end of the earlier one is in a gap. Skewed
 * ones: a kernel looks at its addresses, so they must have the skew. Pointers in the kernel's
 * argument are moved too, and tensors have the alignment of their new addresses. */
#define _GNU_SOURCE
#include "run.h"

#include <string.h>
#include <sys/mman.h>

#include <cutlet/device/tensor/tile.h>

/* An adjacent buffer keeps its address modulo a page. No access is wider than WIDEST bytes. */
enum { GAP_BYTES = 64 * 1024, PLACE = 4096, WIDEST = 32 };

static size_t mapped_bytes(const ct_memory *m) { return m->bytes + 2 * GAP_BYTES + PLACE; }

/* Whether the address of a buffer is not what its skew says. */
static int is_elsewhere(const ct_grid_buffer *b)
{
    return b->skew && ((uintptr_t)b->base - (uintptr_t)b->skew) % WIDEST != 0;
}

/* Whether a buffer ends where this one begins. */
static int has_before(const ct_grid_options *options, const ct_grid_buffer *b)
{
    for (int i = 0; i < options->buffer_count; ++i) {
        const ct_grid_buffer *const other = &options->buffers[i];
        if (other->bytes == 0) continue;
        if ((uintptr_t)other->base + other->bytes == (uintptr_t)b->base) return 1;
    }
    return 0;
}

static int is_moved(const ct_grid_state *r, int i)
{
    return r->memories[i].base != r->options->buffers[i].base;
}

static int move(ct_memory *m, const ct_grid_buffer *b)
{
    unsigned char *const from = m->base;
    unsigned char *const map = mmap(NULL, mapped_bytes(m), PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map == MAP_FAILED) return 0;
    m->base = map + GAP_BYTES + (is_elsewhere(b) ? (uintptr_t)b->skew : (uintptr_t)from % PLACE);
    memcpy(m->base, from, m->bytes);
    return 1;
}

/* A word of the argument after the buffers are moved. An address that is the end of one buffer and
 * the beginning of another counts as the beginning. */
static uint64_t word_moved(const ct_grid_state *r, uint64_t word)
{
    uint64_t end = word;
    for (int i = 0; i < r->options->buffer_count; ++i) {
        const ct_memory *const m = &r->memories[i];
        const uint64_t origin = (uintptr_t)r->options->buffers[i].base, offset = word - origin;
        const uint64_t moved = (uintptr_t)m->base + offset;
        if (m->bytes > 0 && offset < m->bytes) return moved;
        if (m->bytes > 0 && offset == m->bytes) end = moved;
    }
    return end;
}

/* The alignment of a ct_global whose pointer is a word of the argument, which was `from`; NULL if the
 * word cannot be in one. */
static int32_t *align_of_tensor(const ct_grid_state *r, size_t word, uint64_t from)
{
    const size_t at = word * sizeof(uint64_t), before = offsetof(ct_global, at);
    if (at < before || r->kernel->args_bytes - (at - before) < sizeof(ct_global)) return NULL;
    ct_global *const g = (ct_global *)(void *)((unsigned char *)r->args + (at - before));
    if (g->err.status || g->axes < 1 || g->axes > CT_AXES) return NULL;
    if (g->axis < -1 || g->axis >= g->axes) return NULL;
    if (g->elem_bits < 1 || g->elem_bits > 128 || (g->elem_bits & (g->elem_bits - 1))) return NULL;
    for (int a = 0; a < g->axes; ++a)
        if (a != g->axis && g->extent[a] != 1)
            from |= (uint64_t)(g->elem_bits < 8 ? g->step[a] / 8 : g->step[a]);
    return g->align == ct_align_of(from) ? &g->align : NULL;
}

/* Moves the pointers of the argument. */
static void move_words(const ct_grid_state *r)
{
    uint64_t *const words = r->args;
    for (size_t i = 0; i < r->kernel->args_bytes / sizeof *words; ++i) {
        const uint64_t from = words[i], to = word_moved(r, from);
        int32_t *const align = to == from ? NULL : align_of_tensor(r, i, from);
        words[i] = to;
        if (align) *align = (int32_t)ct_min(*align, ct_align_of(to));
    }
}

int ct_grid_is_moved(const ct_grid_options *options, int i)
{
    const ct_grid_buffer *const b = &options->buffers[i];
    return !options->buffers_touch && b->bytes > 0 && (is_elsewhere(b) || has_before(options, b));
}

int ct_grid_guards_begin(ct_grid_state *r)
{
    int moved = 0;
    for (int i = 0; i < r->options->buffer_count; ++i) {
        if (!ct_grid_is_moved(r->options, i)) continue;
        if (!move(&r->memories[i], &r->options->buffers[i])) return 0;
        moved = 1;
    }
    if (moved) move_words(r);
    return 1;
}

void ct_grid_guards_end(ct_grid_state *r)
{
    const int count =
        r->memory_count < r->options->buffer_count ? r->memory_count : r->options->buffer_count;
    for (int i = 0; i < count; ++i) {
        const ct_memory *const m = &r->memories[i];
        unsigned char *const origin = r->options->buffers[i].base;
        if (!is_moved(r, i)) continue;
        if (m->writable) memcpy(origin, m->base, m->bytes);
        munmap(m->base - GAP_BYTES - (uintptr_t)m->base % PLACE, mapped_bytes(m));
    }
}

const ct_grid_buffer *ct_grid_guards_from(const ct_grid_state *r, uintptr_t p)
{
    for (int i = 0; i < r->options->buffer_count; ++i) {
        const ct_grid_buffer *const b = &r->options->buffers[i];
        if (is_moved(r, i) && p - (uintptr_t)b->base < b->bytes) return b;
    }
    return NULL;
}
