/**
 * The constants of a sector-aligned tile (copy_sectors.h): what it stages in shared memory, and where.
 */
#ifndef CUTLET_DEVICE_UNALIGNED_SECTOR_PLAN_H
#define CUTLET_DEVICE_UNALIGNED_SECTOR_PLAN_H

#include <cutlet/algebra/base.h>

#include <cutlet/device/unaligned/line_part.h>

/** A tile of two axes that is copied between the same or different orders. */
typedef struct ct_sector_copy {
    ct_error err;
    int32_t elem_bytes, threads;
    int32_t inner, along; /* the axis that is contiguous in the source, and in the destination */
    int32_t transposed;   /* whether inner and along differ */
    int32_t tile[2];      /* extents */
    int32_t chunk;        /* bytes of an aligned access to the source */
    int32_t rows, chunks; /* staged rows of the source, and chunks of each row */
    int32_t run;          /* rows that a vector of the destination spans */
    int32_t pitch, gap;   /* bytes from a staged row to the next, and after a run of rows */
    int32_t shared_bytes;
} ct_sector_copy;

/** @internal The offset of a staged row in shared memory, in bytes. */
CT_FN int32_t ct_sector_staged(const ct_sector_copy *K, int32_t row)
{
    return row * K->pitch + (K->gap ? row / K->run * K->gap : 0);
}

/** @internal The lines that a warp stores at once, at least eight vectors of each. */
CT_FN int32_t ct_sector_lines(const ct_sector_copy *K)
{
    return K->elem_bytes == 8 && K->tile[1 - K->along] % 4 != 0 ? 2 : 4;
}
/** @internal The distance of these lines: so that they read the four banks of 16 bytes. */
CT_FN int32_t ct_sector_line_distance(const ct_sector_copy *K)
{
    return K->elem_bytes < 4 ? 4 / K->elem_bytes : 1;
}

/** @internal The failed sector: `a` must be a multiple of b. */
CT_FN ct_sector_copy ct_sector_fail(int mode, int64_t a, int64_t b)
{
    ct_sector_copy k = CT_ZERO;
    k.err = ct_make_error(CT_E_ARGUMENT, CT_OP_PARTITION_COPY, CT_WHY_SIZE_DIVIDES, mode, a, b);
    return k;
}

/** @internal The warps of a block that share one group of lines of a turned tile. */
CT_FN int32_t ct_sector_warps(const ct_sector_copy *K)
{
    const int32_t groups = K->tile[1 - K->along] / ct_sector_lines(K), warps = K->threads / 32;
    return warps > groups ? warps / groups : 1;
}

/** @internal Whether the warps and their vectors divide a turned tile. */
CT_FN int ct_sector_warps_fit(const ct_sector_copy *K)
{
    const int32_t each = ct_sector_lines(K), lines = K->tile[1 - K->along];
    const int32_t warps = K->threads / 32, vectors = 32 / each * ct_sector_warps(K);
    return lines >= each && lines % (each * ct_sector_line_distance(K)) == 0 &&
           warps % ct_sector_warps(K) == 0 && K->tile[K->along] % (vectors * K->run) == 0;
}

/**
 * The sector-aligned tile of extents (rows, cols), axes 0 and 1. inner, along: the axis that is contiguous
 * in the source, and in the destination. chunk: bytes of an access to the source.
 *
 * Ensures:  no access to shared memory has a bank conflict.
 * Fails:    .err: CT_E_ARGUMENT for elements of other than 1, 2, 4, 8 or 16 bytes, for a chunk that
 *           is narrower than an element or not of 4, 8 or 16 bytes, and if threads and vectors do
 *           not divide the tile.
 * Cost:     a constant in a kernel.
 * Used by:  tests/copy/test_sectors.c
 */
CT_FN ct_sector_copy ct_make_sector_copy(int32_t elem_bytes, int32_t rows, int32_t cols,
                                         int32_t threads, int32_t inner, int32_t along,
                                         int32_t chunk)
{
    ct_sector_copy k = CT_ZERO;
    if (elem_bytes < 1 || elem_bytes > 16 || (elem_bytes & (elem_bytes - 1)) != 0)
        return ct_sector_fail(0, 16, elem_bytes);
    if ((chunk != 4 && chunk != 8 && chunk != 16) || chunk < elem_bytes)
        return ct_sector_fail(0, chunk, elem_bytes);
    k.elem_bytes = elem_bytes;
    k.threads = threads;
    k.inner = inner;
    k.along = along;
    k.transposed = inner != along;
    k.tile[0] = rows;
    k.tile[1] = cols;
    k.chunk = chunk;
    const int32_t row_bytes = k.tile[inner] * elem_bytes, more = CT_SECTOR_BYTES / elem_bytes - 1;
    if (rows < 1 || cols < 1 || row_bytes % 16 != 0) return ct_sector_fail(inner, row_bytes, 16);
    if (threads < 32 || threads % 32 != 0) return ct_sector_fail(0, threads, 32);
    k.run = k.transposed ? 16 / elem_bytes : 1;
    k.rows = k.tile[1 - inner] + (k.transposed ? more : 0);
    k.chunks = row_bytes / chunk + (chunk > elem_bytes ? 1 : 0);
    k.pitch = k.chunks * chunk;
    if (k.transposed && !ct_sector_warps_fit(&k))
        return ct_sector_fail(along, rows * cols, threads);
    if (!k.transposed && (chunk != 16 || rows * cols * elem_bytes % (16 * threads) != 0))
        return ct_sector_fail(along, rows * cols * elem_bytes, 16 * threads);
    if (k.transposed) k.gap = k.run * k.pitch / 16 % 2 == 0 ? 16 : 0;
    k.shared_bytes = k.rows * k.pitch + (k.rows + k.run - 1) / k.run * k.gap;
    return k;
}

#endif
