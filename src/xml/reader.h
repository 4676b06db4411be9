/* SPDX-License-Identifier: MIT */
/* Reads one rules-ng file into a collection of names and one of meanings. */
#ifndef XML_READER_H
#define XML_READER_H

#include "base/diagnostics.h"
#include "xml/collection.h"
#include "xml/meaning.h"

/* Rows may have been added even when the status is not GPUCODE_OK. */
enum gpucode_status xml_read(const char *bytes, size_t size, const char *file_name, const char *target_name,
                             const struct isa_name_domain *domains,
                             const struct gpucode_diagnostic_handler *on_diagnostic, struct collection *collection,
                             struct meaning *meaning);

#endif
