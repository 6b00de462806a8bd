/* A fake run-time compiler: its "cubin" is the text of the names of its headers and of its
 * options. It counts what it compiled. FAKE_NVRTC names the call that fails;
 * FAKE_NVRTC_VERSION is 1204 for 12.4. With FAKE_NVRTC_MEET each compilation waits for another
 * one, a minute at most. With FAKE_NVRTC_CC, a command that makes a shared object for the
 * CPU grid of the C that it reads, to which `-o FILE` is added, the "cubin" is the name of
 * that, in FAKE_NVRTC_FOLDER. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { OK = 0, FAILED = 5 };

int fake_nvrtc_compiled; /* programs, without an error */
int fake_nvrtc_together; /* the most that were compiled at the same time */

typedef struct fake_program {
    char made[2000];
    char *source;
    const char *log;
} fake_program;

static int fails(const char *call)
{
    const char *const which = getenv("FAKE_NVRTC");
    return which && strcmp(which, call) == 0 ? FAILED : OK;
}

const char *nvrtcGetErrorString(int result)
{
    return result == FAILED ? "FAKE_FAILURE" : "FAKE_OTHER";
}

int nvrtcVersion(int *major, int *minor)
{
    const char *const number = getenv("FAKE_NVRTC_VERSION");
    const int version = number ? atoi(number) : 1300;
    *major = version / 100;
    *minor = version % 100;
    return fails("version");
}

static void append(fake_program *program, const char *text)
{
    const size_t n = strlen(program->made);
    snprintf(program->made + n, sizeof program->made - n, "%s ", text);
}

int nvrtcCreateProgram(void **out, const char *source, const char *name, int headers,
                       const char *const *texts, const char *const *names)
{
    if (fails("create")) return FAILED;
    fake_program *const program = calloc(1, sizeof *program);
    if (!program) return 1;
    append(program, name);
    for (int i = 0; i < headers; ++i) append(program, texts[i][0] ? names[i] : "(empty)");
    append(program, source[0] ? "|" : "nothing |");
    program->source = strdup(source);
    *out = program;
    return OK;
}

int nvrtcDestroyProgram(void **program)
{
    free(((fake_program *)*program)->source);
    free(*program);
    *program = NULL;
    return OK;
}

/* By the host's compiler, to a file of its own. */
static int compile_for_grid(fake_program *program, const char *cc)
{
    static int number;
    char command[3000];
    const int mine = __atomic_add_fetch(&number, 1, __ATOMIC_RELAXED);
    snprintf(program->made, sizeof program->made, "plan.cu %s/%d.so", getenv("FAKE_NVRTC_FOLDER"),
             mine);
    snprintf(command, sizeof command, "%s -o %s", cc, program->made + strlen("plan.cu "));
    FILE *const in = popen(command, "w");
    if (!in || fputs(program->source, in) < 0 || pclose(in)) {
        program->log = "the host's compiler refuses it: error\n";
        return FAILED;
    }
    __atomic_add_fetch(&fake_nvrtc_compiled, 1, __ATOMIC_RELAXED);
    return OK;
}

/* Waits until two were compiled at the same time, or for a minute: machines are busy. */
static void meet_another(void)
{
    static int inside;
    const struct timespec moment = {0, 1000000};
    const int now = __atomic_add_fetch(&inside, 1, __ATOMIC_SEQ_CST);
    int most = __atomic_load_n(&fake_nvrtc_together, __ATOMIC_SEQ_CST);
    while (now > most && !__atomic_compare_exchange_n(&fake_nvrtc_together, &most, now, 0,
                                                      __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        continue;
    for (int i = 0; i < 60000 && __atomic_load_n(&fake_nvrtc_together, __ATOMIC_SEQ_CST) < 2; ++i)
        nanosleep(&moment, NULL);
    __atomic_sub_fetch(&inside, 1, __ATOMIC_SEQ_CST);
}

int nvrtcCompileProgram(void *handle, int count, const char *const *options)
{
    fake_program *const program = handle;
    const char *const cc = getenv("FAKE_NVRTC_CC");
    if (cc) return compile_for_grid(program, cc);
    for (int i = 0; i < count; ++i) append(program, options[i]);
    if (getenv("FAKE_NVRTC_MEET")) meet_another();
    if (!fails("compile") && !fails("compile silently")) {
        __atomic_add_fetch(&fake_nvrtc_compiled, 1, __ATOMIC_RELAXED);
        return OK;
    }
    program->log = fails("compile") ? "\nRemark: of no interest\nx.h(7): error: first\t\x01\n"
                                      "x.h(8): error: second\n"
                                    : "";
    return FAILED;
}

int nvrtcGetProgramLogSize(void *handle, size_t *bytes)
{
    const fake_program *const program = handle;
    *bytes = strlen(program->log) + 1;
    return OK;
}

int nvrtcGetProgramLog(void *handle, char *text)
{
    const fake_program *const program = handle;
    strcpy(text, program->log);
    return OK;
}

int nvrtcGetCUBINSize(void *handle, size_t *bytes)
{
    const fake_program *const program = handle;
    *bytes = strlen(program->made) + 1;
    return fails("cubin size");
}

int nvrtcGetCUBIN(void *handle, char *cubin)
{
    const fake_program *const program = handle;
    if (fails("cubin")) return FAILED;
    strcpy(cubin, program->made);
    return OK;
}
