/* The files of assertions, and the examples of headers, without the rest of the command: what planted
 * faults are tried on. */
#include <stdio.h>
#include <string.h>

#include <cutlet/host/check.h>

int main(int argc, char **argv)
{
    ct_check_counts counts = {0, 0, 0};
    char message[CT_MESSAGE_BYTES];
    for (int i = 1; i < argc; ++i) {
        const size_t n = strlen(argv[i]);
        const int header = n > 2 && strcmp(argv[i] + n - 2, ".h") == 0;
        if (ct_check_file(argv[i], header ? CT_CHECK_EXAMPLES : CT_CHECK_LINES, stdout, &counts,
                          message)) {
            fprintf(stderr, "%s\n", message);
            return 2;
        }
    }
    return counts.failed != 0 || counts.passed == 0;
}
