/* SPDX-License-Identifier: MIT */
/*
 * gpucode export names: what an image's outline knows, for programs that have the same file open.
 *
 *   names.c           the image, gone through once for each form
 *   names_forms.c     the forms: scripts for Ghidra and IDA, commands of rizin
 */
#ifndef EXPORT_NAMES_H
#define EXPORT_NAMES_H

#include "export/export.h"
#include "front/input.h"

#define NAMES_TEXT_MAX 1024

/* Units of one kind and, but for code, of one size, that follow one another. */
struct names_range {
    uint64_t offset, length; /* in the file, bytes */
    enum gpucode_unit_kind kind;
    unsigned size; /* of a unit in bytes; code: of the first */
};

/* One form. What lists do not need is null; `text` is the name or the comment. */
struct names_form {
    const char *path;
    void (*begin)(FILE *out, const struct input *input);
    /* between lists */
    void (*begin_list)(FILE *out, const char *name);
    void (*range)(FILE *out, const struct names_range *range);
    /* `routine`: code begins here that is called or handles packets */
    void (*name)(FILE *out, uint64_t offset, const char *text, bool routine);
    void (*comment)(FILE *out, uint64_t offset, const char *text);
    void (*end_list)(FILE *out);
    void (*end)(FILE *out);
};

/* Behind the last one the path is null. */
extern const struct names_form names_forms[];

#endif
