/**
 * What took long to make, kept on disk for the next process: values by keys, both any bytes.
 *
 * A cache only saves time. Any failure (no folder, no space, no permission) means no entry and no
 * message. An entry that is damaged, of another key or not the user's own is not found, and the
 * next put replaces it. Any number of threads and processes may use the cache at the same time.
 *
 * The folder is $CUTLET_CACHE; if that is empty or 0 nothing is kept. Otherwise it is
 * $XDG_CACHE_HOME/cutlet, or else $HOME/.cache/cutlet. It and the folder around it are made, with
 * the rights 0700, when the first entry comes. A folder that is not the user's own, or that others
 * may write to, is not used. It holds $CUTLET_CACHE_BYTES at most, or 64 MiB: the entries that were
 * used last stay.
 */
#ifndef CUTLET_SRC_DRIVER_NVRTC_CACHE_H
#define CUTLET_SRC_DRIVER_NVRTC_CACHE_H

#include <stddef.h>

/** Finds the value of a key: 0 and *value, which the caller frees; or -1 and NULL. */
int ct_cache_get(const void *key, size_t key_bytes, void **value, size_t *value_bytes);

/** Keeps a value, in place of an older one of this key. */
void ct_cache_put(const void *key, size_t key_bytes, const void *value, size_t value_bytes);

#endif
