/**
 * The folder of the cache: its path, whether it may be used, and the bytes that it keeps.
 */
#ifndef CUTLET_SRC_DRIVER_NVRTC_CACHE_FOLDER_H
#define CUTLET_SRC_DRIVER_NVRTC_CACHE_FOLDER_H

#include <stdint.h>
#include <sys/stat.h>

/** Room for the name of an entry, or of one that is being written. */
enum { CT_CACHE_NAME_BYTES = 96 };

/** The folder, opened, and made first where `make` is not 0; -1 when it cannot be used. */
int ct_cache_open(int make);

/** Whether the user owns it, and no other user may write to it. */
int ct_cache_is_private(const struct stat *about);

/** The bytes that all entries may take together. */
int64_t ct_cache_limit(void);

/** Writes the name of the entry with that hash. */
void ct_cache_name(uint64_t hash, char name[CT_CACHE_NAME_BYTES]);

/** Writes a name for the time that an entry is being written; another one for each number. */
void ct_cache_part_name(uint64_t hash, int number, char name[CT_CACHE_NAME_BYTES]);

/** Removes the entries that were not used for longest, until the others take no more than the
 *  limit; never the one named `keep`. Also what was left half written an hour ago. */
void ct_cache_trim(int folder, const char *keep);

#endif
