/* What the WebAssembly module exports: room for a request, and its answer. */
#include <stdlib.h>

#include "play.h"

static char *request;

/* Room for a request of this many bytes, whose caller fills it; 0 where memory runs out. */
__attribute__((export_name("play_capacity"))) char *play_capacity(size_t bytes)
{
    free(request);
    request = malloc(bytes);
    return request;
}

/* The answer to the request in the room. */
__attribute__((export_name("play"))) const char *play(void) { return ct_play(request); }
