/* SPDX-License-Identifier: MIT */
/* Reads one rules-ng file into a collection of names and one of meanings. */
#ifndef XML_READER_H
#define XML_READER_H

#include "base/diagnostics.h"
#include "xml/collection.h"

/* A file, and what its names are for, which messages say. */
struct reader_file {
    const char *bytes;
    size_t size;
    const char *name, *target;
};

/* Rows may have been added even when the status is not GPUCODE_OK. */
enum gpucode_status xml_read(const struct reader_file *file, const struct isa_name_domain *domains,
                             const struct gpucode_diagnostic_handler *on_diagnostic, struct collection *collection,
                             struct meaning *meaning);

#endif
