/* The traffic of a thread-value layout of any size. */
#ifndef CUTLET_SRC_MODEL_TRAFFIC_CLASSES_H
#define CUTLET_SRC_MODEL_TRAFFIC_CLASSES_H

#include <cutlet/host/traffic.h>

/* As ct_traffic_of_tv, but of accesses that cost the same the visitor sees the first alone. */
ct_status ct_traffic_of_classes(ct_layout tv, const ct_traffic_side *side, int32_t bits,
                                const ct_access_rules *rules, ct_traffic_visit *visit, void *user,
                                ct_traffic *sum, char message[CT_MESSAGE_BYTES]);

#endif
