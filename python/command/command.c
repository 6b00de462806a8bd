/* The command inside the package: `python -m pycutlet`, and the functions that ask it. */
#define _GNU_SOURCE
#include "../core/core.h"

#include <stdlib.h>
#include <string.h>

#include "tools/cutlet/common/cli.h"

/* Whether `cutlet` at a place of a text is the command, with one of its sub-commands or a word for one. */
static int is_command(const char *text, const char *at)
{
    char word[32];
    const char *const next = at + strlen("cutlet");
    const size_t blank = strspn(next, " \n"),
                 length = strspn(next + blank, "abcdefghijklmnopqrstuvwxyzCOMAND-");
    if (at > text && !strchr(" \n`(", at[-1])) return 0;
    if (!blank || length >= sizeof word) return 0;
    memcpy(word, next + blank, length);
    word[length] = 0;
    return ct_command_named(word) || strcmp(word, "COMMAND") == 0 || strcmp(word, "--version") == 0;
}

#define MESON "the Meson option capacity (macro CT_MAX_LEAVES)"

char *core_advised(const char *text)
{
    char *all = NULL;
    size_t size = 0;
    FILE *const stream = open_memstream(&all, &size);
    if (!stream) return NULL;
    for (const char *at; (at = strstr(text, "cutlet")); text = at + strlen("cutlet")) {
        const int is = is_command(text, at);
        fprintf(stream, "%.*s%s", (int)(at - text), text, is ? ct_program : "cutlet");
    }
    const char *const option = strstr(text, MESON);
    if (option) {
        fprintf(stream, "%.*s%s", (int)(option - text), text,
                "`pip install --config-settings=setup-args=-Dcapacity=32 .` in the sources");
        text = option + strlen(MESON);
    }
    fputs(text, stream);
    return fclose(stream) == 0 ? all : NULL;
}

/* What the command tells on the standard error goes on as it comes, with this command's name. */
static ssize_t tell(void *to, const char *text, size_t length)
{
    char *const copy = strndup(text, length), *const told = copy ? core_advised(copy) : NULL;
    const int bad = !told || fputs(told, to) < 0;
    free(told);
    free(copy);
    return bad ? 0 : (ssize_t)length;
}

/* A stream that was taken the place of: into memory, or on to the old one. */
typedef struct taken {
    FILE **place, *old;
    char *text;
    size_t size;
} taken;

static void take(taken *t, FILE **place, int into_memory)
{
    *t = (taken){place, *place, NULL, 0};
    FILE *const own = into_memory
                          ? open_memstream(&t->text, &t->size)
                          : fopencookie(*place, "w", (cookie_io_functions_t){.write = tell});
    if (!own) return;
    if (!into_memory) setvbuf(own, NULL, _IONBF, 0);
    *place = own;
}

/* Gives it back; the text that was written, "" where it went on. */
static PyObject *give(taken *t)
{
    if (*t->place != t->old) fclose(*t->place);
    *t->place = t->old;
    char *const told = t->text ? core_advised(t->text) : NULL;
    PyObject *const text =
        PyUnicode_DecodeUTF8(told ? told : "", told ? (Py_ssize_t)strlen(told) : 0, "replace");
    free(told);
    free(t->text);
    return text;
}

/* Calls the command with arguments, which are its to change; its exit status. */
static int run(int argc, char *const *given)
{
    char **const argv = calloc((size_t)argc + 1, sizeof *argv);
    if (!argv) return CT_EXIT_BAD;
    memcpy(argv, given, (size_t)argc * sizeof *argv);
    const int status = ct_cli_main(argc, argv);
    fflush(stdout);
    free(argv);
    return status;
}

/* command(arguments, out, err) -> (exit status, text, text): what is true of out and err is kept as text. */
static PyObject *command(PyObject *self, PyObject *args)
{
    PyObject *list, *texts[2] = {NULL, NULL};
    int out, err, status = CT_EXIT_BAD;
    taken streams[2];
    (void)self;
    if (!PyArg_ParseTuple(args, "O!pp", &PyList_Type, &list, &out, &err)) return NULL;
    const int argc = (int)PyList_Size(list) + 1;
    char **const argv = calloc((size_t)argc, sizeof *argv);
    if (!argv) return PyErr_NoMemory();
    for (int k = 0; k < argc && !PyErr_Occurred(); ++k) {
        const char *const text = k ? PyUnicode_AsUTF8(PyList_GetItem(list, k - 1)) : ct_program;
        argv[k] = text ? strdup(text) : NULL;
        if (text && !argv[k]) PyErr_NoMemory();
    }
    if (!PyErr_Occurred()) {
        fflush(stdout);
        if (out) take(&streams[0], &stdout, 1);
        take(&streams[1], &stderr, err);
        status = run(argc, argv);
        texts[1] = give(&streams[1]);
        texts[0] = out ? give(&streams[0]) : PyUnicode_FromString("");
    }
    for (int k = 0; k < argc; ++k) free(argv[k]);
    free(argv);
    return PyErr_Occurred() ? NULL : Py_BuildValue("(iNN)", status, texts[0], texts[1]);
}

PyMethodDef core_command_methods[] = {{"_command", command, METH_VARARGS, NULL}, {0}};
