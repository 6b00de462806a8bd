/**
 * The jobs that retell documents, "tutorial" (000) and "article" (002); and "static", the tiled
 * copy with its leading dimension a constant beside the one that is told it at run time.
 */
#ifndef CUTLET_BENCH_GPU_JOBS_DOCUMENTS_H
#define CUTLET_BENCH_GPU_JOBS_DOCUMENTS_H

#include "bench.h"

/** Adds them. Those of "static" only where the setup's matrix of half is the one that they are made
 *  for. */
void bench_add_documents(bench_list *list, const bench_setup *setup);

#endif
