/* Answers the playground's requests without a browser. Each comes on standard input as its length
   in bytes, on a line, and its bytes; its answer is a line of standard output. */
#include <stdio.h>
#include <stdlib.h>

#include "tools/playground/play.h"

int main(void)
{
    long bytes;
    while (scanf("%ld", &bytes) == 1 && getchar() == '\n') {
        char *const request = malloc((size_t)bytes + 1);
        if (!request || fread(request, 1, (size_t)bytes, stdin) != (size_t)bytes) return 1;
        request[bytes] = '\0';
        puts(ct_play(request));
        free(request);
        if (fflush(stdout)) return 1;
    }
    return 0;
}
