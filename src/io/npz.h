/**
 * Members of a `.npz` file, which is a ZIP archive of NumPy files: `arrays.npz:weights`.
 * Source: PKWARE, APPNOTE 6.3.10 (ZIP); NumPy, numpy.lib.format and numpy.savez.
 */
#ifndef CUTLET_SRC_IO_NPZ_H
#define CUTLET_SRC_IO_NPZ_H

#include <stdint.h>
#include <stdio.h>

#include <cutlet/host/message.h>

/** Opens the file that a name means: `FILE.npz:MEMBER` is a member of the archive FILE.npz, with or
 * without its ending .npy. Every other name, and one of an existing file, is a file. *stream is at
 * its first byte and *end is the byte after its last, or -1 for a file. If several members have one
 * name it is the last. A member that is compressed or encrypted is refused, and so is one whose
 * bytes do not have the checksum that the archive says. On a failure, CT_E_FILE or _E_MEMORY, there
 * is no stream. */
ct_status ct_npz_open(const char *name, FILE **stream, int64_t *end, char *message);

#endif
