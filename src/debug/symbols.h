/* SPDX-License-Identifier: MIT */
/* What symbols are inside the library. */
#ifndef DEBUG_SYMBOLS_H
#define DEBUG_SYMBOLS_H

#include "base/arena.h"
#include <gpucode/symbols.h>

struct source_line {
    uint32_t unit;    /* first unit of the image */
    const char *file; /* null: from here on nothing is known */
    unsigned line;
    bool from_macro;
    unsigned use_count; /* of macros, from first_use on */
    size_t first_use;
};

/* A macro's use that a line comes from. */
struct source_use {
    const char *macro, *file;
    unsigned line;
};

struct gpucode_symbols {
    const struct gpucode_target *target;
    const struct gpucode_names *behind;
    struct gpucode_names names;
    struct arena arena; /* strings */
    struct gpucode_label *labels;
    size_t label_count, label_room;
    struct source_line *lines; /* by unit */
    size_t line_count, line_room;
    struct source_use *uses;
    size_t use_count, use_room;
    bool failed; /* out of memory */
};

/* Both copy the strings; false when out of memory. */
bool symbols_add_label(struct gpucode_symbols *symbols, const struct gpucode_label *label, size_t name_length,
                       size_t extra_length);
/* `file` null: nothing is known from `unit` on. */
bool symbols_add_line(struct gpucode_symbols *symbols, uint32_t unit, const char *file, size_t length, unsigned line,
                      bool from_macro);
/* A use of a macro that the line added last comes from. */
bool symbols_add_use(struct gpucode_symbols *symbols, const char *macro, size_t macro_length, const char *file,
                     size_t length, unsigned line);
/* Sorts the lines after some were added. */
void symbols_sort(struct gpucode_symbols *symbols);

#endif
