/**
 * Pictures of one memory instruction of one warp: the banks of shared memory that its lanes access,
 * the sectors of global memory that it moves, and the effect of a swizzle on its banks.
 *
 *     char message[CT_MESSAGE_BYTES];
 *     ct_picture *p = ct_picture_banks(NULL, &access, NULL, message);
 *     if (!p || ct_picture_write(p, "banks.svg", NULL, message)) fprintf(stderr, "%s\n", message);
 *     ct_picture_free(p);
 *
 * Cost:     O(lanes * banks).
 * In C:     ct_access load = {.kind = CT_ACCESS_LDS, .bits = 32};
 *           for (int t = 0; t < 32; ++t) load.offset[t] = 128 * (t % 2); // 2 wavefronts
 *           ct_access after = load;
 *           for (int t = 0; t < 32; ++t) after.offset[t] = 4 * t; // 1 wavefront
 *           char message[CT_MESSAGE_BYTES];
 *           ct_picture *p = ct_picture_banks(NULL, &load, NULL, message);
 *           char *text = ct_picture_render(p, CT_DRAW_PLAIN, NULL, message);
 *           assert(strstr(text, "w1  1+15")); // lane 1 and 15 more
 *           free(text);
 *           ct_picture_free(p);
 *           p = ct_picture_banks_beside(NULL, &load, NULL, &after, NULL, NULL, message);
 *           text = ct_picture_render(p, CT_DRAW_PLAIN, NULL, message);
 *           assert(strstr(text, "before") && strstr(text, "after"));
 *           free(text);
 *           ct_picture_free(p);
 *           load.kind = CT_ACCESS_LDG;
 *           p = ct_picture_sectors(NULL, &load, NULL, message);
 *           text = ct_picture_render(p, CT_DRAW_PLAIN, NULL, message);
 *           assert(strstr(text, "LDG.32: sectors of global memory"));
 *           free(text);
 *           ct_picture_free(p);
 *           assert(ct_picture_banks(NULL, &load, NULL, message) == NULL);
 *           p = ct_picture_access(NULL, &load, NULL, message); // the sectors
 *           assert(p);
 *           ct_picture_free(p);
 */
#ifndef CUTLET_HOST_DRAW_ACCESS_H
#define CUTLET_HOST_DRAW_ACCESS_H

#include <cutlet/host/access.h>
#include <cutlet/host/draw.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Lanes by banks, an access to shared memory by the rules (NULL: sm_90). The first grid has a row
 * for each lane and a column for each bank. A cell holds the row of shared memory (of the bytes of
 * all banks) whose word the lane accesses, in the colour of the wavefront that serves the lane.
 * Adjacent lanes that share a word are outlined together; a rule separates the lanes of a group
 * from the next. The second grid has a row for each wavefront: which lane a bank serves, `0+7`
 * being lane 0 and 7 more.
 *
 * Requires: as ct_count_access_by.
 * Fails:    NULL and one line in message: a kind that touches global memory, a width that there is
 *           not, an offset that is negative or not a multiple of the width, no lane that takes
 *           part, no memory.
 */
ct_picture *ct_picture_banks(const ct_access_rules *rules, const ct_access *access,
                             const ct_draw_options *options, char message[CT_MESSAGE_BYTES]);

/**
 * Two accesses as ct_picture_banks draws them, side by side with the wavefronts of each: the same
 * one before and after a swizzle. The names are above them; NULL: `before` and `after`.
 * Requires: as ct_count_access_by, of both.
 * Fails:    as ct_picture_banks, for either.
 */
ct_picture *ct_picture_banks_beside(const ct_access_rules *rules, const ct_access *before,
                                    const char *before_name, const ct_access *after,
                                    const char *after_name, const ct_draw_options *options,
                                    char message[CT_MESSAGE_BYTES]);

/**
 * The sectors of an access to global memory: rows of memory in order, each a line, or a half or a
 * quarter of one for accesses of 16 or 8 bits. Rows without moved sectors are omitted. A cell holds
 * the lane that uses its bytes, in the lane's colour; `0+7` is lane 0 and 7 more. It is grey if the
 * bytes move with their sector but no lane uses them. Sectors that move are outlined. For LDGSTS it
 * draws the global side.
 *
 * Requires: as ct_count_access_by.
 * Fails:    as ct_picture_banks; here for a kind that touches shared memory.
 */
ct_picture *ct_picture_sectors(const ct_access_rules *rules, const ct_access *access,
                               const ct_draw_options *options, char message[CT_MESSAGE_BYTES]);

/**
 * The values of each thread of a warp: a row for each of the threads first to first + 31, a column
 * for each value (the first 32). Cells hold coordinates in the tile. The values of one access,
 * per_access of them, are outlined together.
 * Fails:    as ct_picture_tv; no such thread.
 * Cost:     O(values).
 * In C:     char message[CT_MESSAGE_BYTES];
 *           const ct_layout tv = ct_layout2(32, 2, 2, 1);
 *           ct_picture *p = ct_picture_threads(tv, ct_tuple2(32, 2), 0, 2, NULL, message);
 *           char *text = ct_picture_render(p, CT_DRAW_PLAIN, NULL, message);
 *           assert(strstr(text, "(30,1)") && strstr(text, "(31,1)")); // of thread 31
 *           free(text);
 *           ct_picture_free(p);
 *           assert(ct_picture_threads(tv, ct_tuple2(32, 2), 32, 2, NULL, message) == NULL);
 */
ct_picture *ct_picture_threads(ct_layout tv, ct_tuple tile, int64_t first, int64_t per_access,
                               const ct_draw_options *options, char message[CT_MESSAGE_BYTES]);

/**
 * ct_picture_banks or ct_picture_sectors, by the kind.
 * Requires: as ct_count_access_by.
 * Fails:    as ct_picture_banks, for all kinds.
 */
ct_picture *ct_picture_access(const ct_access_rules *rules, const ct_access *access,
                              const ct_draw_options *options, char message[CT_MESSAGE_BYTES]);

#ifdef __cplusplus
}
#endif

#endif
