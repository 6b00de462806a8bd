/**
 * Read before anything else of each file of the command that the playground has: what the command
 * prints goes to streams in memory.
 */
#ifndef CUTLET_TOOLS_PLAYGROUND_STREAMS_H
#define CUTLET_TOOLS_PLAYGROUND_STREAMS_H

#include <stdio.h>

extern FILE *ct_play_out, *ct_play_err;

#undef stdout
#undef stderr
#define stdout ct_play_out
#define stderr ct_play_err
#define printf(...) fprintf(ct_play_out, __VA_ARGS__)
#define puts(text) fprintf(ct_play_out, "%s\n", text)
#define putchar(c) fputc(c, ct_play_out)

#endif
