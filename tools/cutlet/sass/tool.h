/**
 * Programs of the CUDA toolkit: found, and run without a shell.
 */
#ifndef CUTLET_TOOLS_SASS_TOOL_H
#define CUTLET_TOOLS_SASS_TOOL_H

#include <stddef.h>

#include <cutlet/host/message.h>

enum { CT_TOOL_PATH_BYTES = 4096 };

/** Where ct_tool_find looks, for messages. */
#define CT_TOOL_PLACES "PATH, $CUDA_HOME/bin, $CUDA_PATH/bin, /usr/local/cuda/bin"

/** What is left without them, for messages: PTX and dumps are text. */
#define CT_TOOL_WAY_OUT "CUTLET_CUOBJDUMP may name one; without, `nvcc -ptx` makes a text to read"

/** Finds a program by name in CT_TOOL_PLACES, in that order. 1 and its path, or 0. */
int ct_tool_find(const char *name, char path[CT_TOOL_PATH_BYTES]);

/**
 * Runs a program and gives each line that it prints to take, with the newline. argv[0] is its path,
 * NULL ends argv. Open files without FD_CLOEXEC stay open in it.
 *
 * Fails where it does not end with status 0: CT_E_FAILED, with the first line that it printed to
 * standard error.
 */
int ct_tool_run(const char *const *argv, void (*take)(void *user, const char *line), void *user,
                char message[CT_MESSAGE_BYTES]);

#endif
