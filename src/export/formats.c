/* SPDX-License-Identifier: MIT */
#include "export/export.h"

const struct exporter exporters[] = {
    {"json", "rows, registers, packets and manual, as docs/export.schema.json describes them", false, export_json},
    {0}};
