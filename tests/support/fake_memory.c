/* Memory, streams' copies and contexts of the fake driver; see fake_cuda.h. */
#define _GNU_SOURCE /* memfd_create */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fake_inside.h"

enum { ALIGNMENT = 256, GAP = 4096, DEPTH = 32, MEMORY_TYPE = 2, TYPE_HOST = 1, TYPE_DEVICE = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static fake_block *all;
static int all_count;

/* ---- contexts: a stack for each thread ------------------------------------------------------- */

static __thread void *stack[DEPTH];
static __thread int depth;

FAKE(cuCtxPushCurrent_v2, (void *context))
{
    if (fake_fails_in(__func__, context)) return fake_cuda.result;
    if (!context || depth == DEPTH) return 201;
    stack[depth++] = context;
    fake_count(&fake_cuda.pushed, 1);
    return 0;
}

FAKE(cuCtxPopCurrent_v2, (void **context))
{
    MAY_FAIL();
    if (depth == 0) return 201;
    *context = stack[--depth];
    fake_count(&fake_cuda.pushed, -1);
    return 0;
}

FAKE(cuCtxSetCurrent, (void *context))
{
    MAY_FAIL();
    if (depth == 0) ++depth;
    stack[depth - 1] = context;
    return 0;
}

void *fake_context(void) { return depth ? stack[depth - 1] : NULL; }

void fake_context_begin(void *context)
{
    if (depth == DEPTH) abort();
    stack[depth++] = context;
}

void fake_context_end(void) { --depth; }

/* ---- peers: which contexts reach the memory of which ----------------------------------------- */

enum { PEERS = 64 };

static unsigned char reaches[PEERS][PEERS];

static int number_of_context(const void *context)
{
    const uint64_t n = (uint64_t)(uintptr_t)context - FAKE_CONTEXT - FAKE_DEVICE;
    return n < PEERS ? (int)n : -1;
}

FAKE(cuDeviceCanAccessPeer, (int *can, int device, int peer))
{
    MAY_FAIL();
    *can = device != peer && !fake_cuda.separate;
    return 0;
}

FAKE(cuCtxEnablePeerAccess, (void *peer, unsigned flags))
{
    MAY_FAIL();
    const int from = number_of_context(fake_context()), to = number_of_context(peer);
    if (from < 0 || to < 0 || flags) return 1;
    if (from == to) return 101;
    if (__atomic_exchange_n(&reaches[from][to], 1, __ATOMIC_SEQ_CST)) return 704;
    return 0;
}

FAKE(cuCtxSynchronize, (void))
{
    MAY_FAIL();
    fake_count(&fake_cuda.context_waits, 1);
    return fake_context() ? 0 : 201;
}

FAKE(cuCtxGetCurrent, (void **context))
{
    MAY_FAIL();
    *context = fake_context();
    return 0;
}

FAKE(cuCtxGetDevice, (int *device))
{
    MAY_FAIL();
    if (depth == 0) return 201;
    *device = (int)((uintptr_t)stack[depth - 1] - FAKE_CONTEXT);
    return 0;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Under the lock. */
static int add_block(fake_block b)
{
    fake_block *const grown = realloc(all, ((size_t)all_count + 1) * sizeof *all);
    if (!grown) return 2;
    all = grown;
    all[all_count++] = b;
    return 0;
}

/* No block begins where another ends: the grid moves such blocks while a kernel runs, and what other
 * processes wrote meanwhile would be lost. */
static void *map_file(int file, size_t bytes)
{
    void *const memory = mmap(NULL, bytes + GAP, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* Memory in a file, which other processes of this user may map. */
static void *take_shared(size_t bytes, int *file)
{
    *file = memfd_create("fake", MFD_CLOEXEC);
    if (*file < 0) return NULL;
    void *const memory = ftruncate(*file, (off_t)bytes) ? NULL : map_file(*file, bytes);
    if (!memory) close(*file);
    return memory;
}

static void give_block(fake_block b)
{
    if (!b.is_shared) free(b.base);
    else munmap(b.base, b.bytes + GAP);
    if (b.is_shared && !b.is_foreign && b.owner == getpid()) close(b.file);
}

FAKE(cuMemAlloc_v2, (uint64_t * address, size_t bytes))
{
    MAY_FAIL();
    void *memory = NULL;
    int file = -1;
    if (fake_cuda.shared) memory = take_shared(bytes, &file);
    else if (posix_memalign(&memory, ALIGNMENT, bytes)) memory = NULL;
    if (!memory) return 2;
    memset(memory, 0, bytes);
    const fake_block b = {memory, bytes, fake_context(), fake_cuda.shared, 0, getpid(), file, 0};
    pthread_mutex_lock(&lock);
    const int bad = add_block(b);
    if (!bad) ++fake_cuda.memories;
    pthread_mutex_unlock(&lock);
    if (bad) give_block(b);
    *address = (uint64_t)(uintptr_t)memory;
    return bad;
}

FAKE(cuMemFree_v2, (uint64_t address))
{
    MAY_FAIL();
    int i = 0;
    if (fake_cuda.deferred) fake_streams_settle(); /* as a device waits for its work */
    pthread_mutex_lock(&lock);
    while (i < all_count && all[i].base != fake_pointer(address)) ++i;
    const int found = i < all_count;
    if (found) {
        give_block(all[i]);
        all[i] = all[--all_count];
        --fake_cuda.memories;
    }
    if (all_count == 0) {
        free(all);
        all = NULL;
    }
    pthread_mutex_unlock(&lock);
    return found ? 0 : 1;
}

/* Whether a kernel of the calling thread's context reaches it. Contexts count where streams do. */
static int is_reached(fake_block b)
{
    const int from = number_of_context(fake_context()), to = number_of_context(b.context);
    return !fake_cuda.deferred || b.is_opened || b.context == fake_context() ||
           (from >= 0 && to >= 0 && reaches[from][to]);
}

int fake_blocks(fake_block *blocks, int most)
{
    int n = 0;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < all_count && n < most; ++i)
        if (is_reached(all[i])) blocks[n++] = all[i];
    pthread_mutex_unlock(&lock);
    if (fake_cuda.pinned && n < most)
        blocks[n++] = (fake_block){fake_cuda.pinned, fake_cuda.pinned_bytes, NULL, 0, 0, 0, -1, 0};
    return n;
}

static int holds(fake_block b, uint64_t address)
{
    const uint64_t base = (uint64_t)(uintptr_t)b.base;
    return address >= base && address - base < b.bytes;
}

FAKE(cuPointerGetAttribute, (void *value, int attribute, uint64_t address))
{
    MAY_FAIL();
    unsigned type = 0;
    if (attribute != MEMORY_TYPE) return 1;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < all_count; ++i)
        if (holds(all[i], address)) type = TYPE_DEVICE;
    pthread_mutex_unlock(&lock);
    const fake_block pinned = {fake_cuda.pinned, fake_cuda.pinned_bytes, NULL, 0, 0, 0, -1, 0};
    if (pinned.base && holds(pinned, address)) type = TYPE_HOST;
    if (type == 0) return 1;
    memcpy(value, &type, sizeof type);
    return 0;
}

/* ---- memory of other processes ---------------------------------------------------------------- */

/* That of before the fork is at the same address in all of them, that of later in a file. */
typedef struct handle {
    unsigned char bytes[64];
} handle;

typedef struct inside {
    uint64_t base, bytes;
    int owner, file;
} inside;

FAKE(cuMemGetAddressRange_v2, (uint64_t * base, size_t *bytes, uint64_t address))
{
    MAY_FAIL();
    int found = 0;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < all_count; ++i) {
        if (!holds(all[i], address)) continue;
        *base = (uint64_t)(uintptr_t)all[i].base;
        *bytes = all[i].bytes;
        found = 1;
    }
    pthread_mutex_unlock(&lock);
    return found ? 0 : 1;
}

FAKE(cuIpcGetMemHandle, (handle * h, uint64_t address))
{
    MAY_FAIL();
    inside in = {0};
    memset(h, 0x11, sizeof *h);
    pthread_mutex_lock(&lock);
    for (int i = 0; i < all_count; ++i)
        if (all[i].base == fake_pointer(address))
            in = (inside){address, all[i].bytes, all[i].owner, all[i].file};
    pthread_mutex_unlock(&lock);
    memcpy(h, &in, sizeof in);
    return in.base ? 0 : 1;
}

/* Opens what another process has allocated since the fork. Under the lock. */
static int map_foreign(const inside *in, uint64_t *base)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", in->owner, in->file);
    const int file = open(path, O_RDWR);
    void *const memory = file < 0 ? NULL : map_file(file, in->bytes);
    if (file >= 0) close(file);
    if (!memory) return 1;
    *base = (uint64_t)(uintptr_t)memory;
    return add_block((fake_block){memory, in->bytes, NULL, 1, 1, in->owner, -1, 1});
}

FAKE(cuIpcOpenMemHandle_v2, (uint64_t * base, handle h, unsigned flags))
{
    MAY_FAIL();
    inside in;
    int i = 0, bad = flags != 1;
    memcpy(&in, h.bytes, sizeof in);
    pthread_mutex_lock(&lock);
    while (i < all_count &&
           (all[i].base != fake_pointer(in.base) || all[i].owner != in.owner || all[i].is_foreign))
        ++i;
    if (i == all_count) {
        bad = bad || map_foreign(&in, base);
    } else {
        bad = bad || !all[i].is_shared || all[i].is_opened;
        *base = in.base;
        if (!bad) all[i].is_opened = 1;
    }
    pthread_mutex_unlock(&lock);
    if (!bad) fake_count(&fake_cuda.opened, 1);
    return bad;
}

FAKE(cuIpcCloseMemHandle, (uint64_t base))
{
    MAY_FAIL();
    int i = 0;
    pthread_mutex_lock(&lock);
    while (i < all_count && (all[i].base != fake_pointer(base) || !all[i].is_opened)) ++i;
    const int found = i < all_count;
    if (found && all[i].is_foreign) {
        give_block(all[i]);
        all[i] = all[--all_count];
    } else if (found) {
        all[i].is_opened = 0;
    }
    pthread_mutex_unlock(&lock);
    if (found) fake_count(&fake_cuda.opened, -1);
    return !found;
}

/* A copy or a fill of memory, when its stream comes to it. */
typedef struct move {
    unsigned char *dst;
    const unsigned char *src; /* NULL: a fill */
    size_t bytes;
    void *stream;
    int value, is_inside;
} move;

static int move_now(void *data)
{
    const move *const m = data;
    if (m->src) memmove(m->dst, m->src, m->bytes);
    else memset(m->dst, m->value, m->bytes);
    if (m->is_inside) fake_copied(m->stream);
    return 0;
}

static int put_move(move m) { return fake_stream_put(m.stream, move_now, NULL, &m, sizeof m); }

/* Host memory that is not pinned: the driver has read it when it returns. */
typedef struct upload {
    unsigned char *dst, *kept;
    size_t bytes;
} upload;

static int upload_now(void *data)
{
    const upload *const u = data;
    memcpy(u->dst, u->kept, u->bytes);
    free(u->kept);
    return 0;
}

FAKE(cuMemcpyHtoDAsync_v2, (uint64_t dst, const void *src, size_t bytes, void *stream))
{
    MAY_FAIL();
    const upload u = {fake_pointer(dst), malloc(bytes), bytes};
    if (!u.kept) return 2;
    memcpy(u.kept, src, bytes);
    const int bad = fake_stream_put(stream, upload_now, NULL, &u, sizeof u);
    return bad ? bad : stream ? 0 : 1;
}

FAKE(cuMemcpyDtoHAsync_v2, (void *dst, uint64_t src, size_t bytes, void *stream))
{
    MAY_FAIL();
    const int bad = put_move((move){dst, fake_pointer(src), bytes, stream, 0, 0});
    return bad ? bad : stream ? 0 : 1;
}

FAKE(cuMemcpyDtoDAsync_v2, (uint64_t dst, uint64_t src, size_t bytes, void *stream))
{
    MAY_FAIL();
    if (!fake_context()) return 201;
    return put_move((move){fake_pointer(dst), fake_pointer(src), bytes, stream, 0, 1});
}

FAKE(cuMemsetD8Async, (uint64_t dst, unsigned char value, size_t bytes, void *stream))
{
    MAY_FAIL();
    const int bad = put_move((move){fake_pointer(dst), NULL, bytes, stream, value, 0});
    return bad ? bad : stream ? 0 : 1;
}

/* The parameters of a copy of rows between addresses, as the driver has them. */
typedef struct rows_side {
    size_t first_byte, first_row;
    int type;
    void *host;
    uint64_t address;
    void *array;
    size_t pitch;
} rows_side;

typedef struct rows {
    rows_side src, dst;
    size_t row_bytes, rows;
} rows;

static int move_rows(void *data)
{
    const rows *const r = data;
    for (size_t i = 0; i < r->rows; ++i)
        memmove(fake_pointer(r->dst.address + i * r->dst.pitch),
                fake_pointer(r->src.address + i * r->src.pitch), r->row_bytes);
    fake_count(&fake_cuda.rows, 1);
    return 0;
}

FAKE(cuMemcpy2DAsync_v2, (const rows *r, void *stream))
{
    enum { UNIFIED = 4 };
    MAY_FAIL();
    const int is_plain = r->src.type == UNIFIED && r->dst.type == UNIFIED && !r->src.first_byte &&
                         !r->src.first_row && !r->dst.first_byte && !r->dst.first_row;
    if (!is_plain || r->row_bytes > r->src.pitch || r->row_bytes > r->dst.pitch) return 1;
    return fake_stream_put(stream, move_rows, NULL, r, sizeof *r);
}
