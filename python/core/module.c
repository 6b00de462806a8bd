/* The module: what it holds. */
#include "core.h"

#include <cutlet/host/capacity.h>

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    "pycutlet._core",
    "The compiled core of pycutlet.",
    -1,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
};

PyMODINIT_FUNC PyInit__core(void)
{
    PyMethodDef *const methods[] = {core_text_methods,    core_draw_methods,
                                    core_model_methods,   core_suggest_methods,
                                    core_command_methods, core_pycute_methods};
    PyObject *const module = PyModule_Create(&definition);
    int bad = !module;
    for (size_t k = 0; !bad && k < sizeof methods / sizeof *methods; ++k)
        bad = PyModule_AddFunctions(module, methods[k]) < 0;
    bad = bad || core_errors_ready(module) || core_basis_ready(module) ||
          core_values_ready(module) || core_operations_ready(module) || core_model_ready(module) ||
          core_plans_ready(module) ||
#ifndef CT_WITHOUT_REDISTRIBUTE
          core_redistribute_ready(module) ||
#endif
          PyModule_AddStringConstant(module, "__version__", CT_VERSION_STRING) < 0 ||
          PyModule_AddIntConstant(module, "MAX_LEAVES", CT_MAX_LEAVES) < 0;
    if (!bad) return module;
    Py_XDECREF(module);
    return NULL;
}
