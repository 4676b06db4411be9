/* SPDX-License-Identifier: MIT */
/* What symbols are inside the library. */
#ifndef SYMBOLS_SYMBOLS_H
#define SYMBOLS_SYMBOLS_H

#include "base/arena.h"
#include "base/diagnostics.h"
#include <gpucode/symbols.h>

struct source_line {
    uint32_t unit;    /* first unit of the image */
    const char *file; /* null: from here on nothing is known */
    unsigned line;
    bool from_macro;
    bool given;         /* by a file, which knows better than the program */
    unsigned use_count; /* of macros, from first_use on */
    size_t first_use;
};

/* A macro's use that a line comes from. */
struct source_use {
    const char *macro, *file;
    unsigned line;
};

/* A file that was read, kept for messages about what stands in it. */
struct symbol_text {
    const char *file, *text;
    size_t length;
};

/* "; image 0x0123456789abcdef": what a file says its names are about. */
struct symbol_image {
    uint64_t hash;
    const struct symbol_text *text;
    const char *at;
};

struct symbol {
    struct gpucode_label label;
    const struct symbol_text *text; /* null: a program's own */
    uint32_t unit;                  /* of a program's own code: from the start of the image */
    const char *at;                 /* its line's name column there */
};

/* Where a code symbol stands in the image that the symbols are bound to. */
struct symbol_place {
    uint32_t section, unit;
    uint32_t symbol; /* index; SYMBOL_HANDLER + number: the handler of a packet */
    bool of_file;    /* from a symbol file, whose names come after those of the source */
};
#define SYMBOL_HANDLER UINT32_C(0x80000000)

struct gpucode_symbols {
    const struct gpucode_target *target;
    const struct gpucode_names *behind;
    struct gpucode_names names;
    struct arena arena; /* strings */
    struct symbol *symbols;
    size_t symbol_count, symbol_room;
    uint32_t *registers; /* which of them are names for names.h: there are tens, among perhaps thousands */
    size_t register_count, register_room;
    struct source_line *lines; /* by unit */
    size_t line_count, line_room;
    struct source_use *uses;
    size_t use_count, use_room;
    struct symbol_place *places;   /* by section, unit, the source's first, and order of reading */
    struct symbol_place *handlers; /* of one packet each, by section and unit */
    size_t place_count, handler_count;
    struct symbol_image *images; /* of files that say so */
    uint64_t whole;              /* hash of the whole program of which a section was added; 0: it is all of it */
    size_t image_count, image_room;
    bool failed; /* out of memory */
};

/* Is `name`, which need not be ended by a zero, that text? */
bool symbols_same(const char *text, const char *name, size_t length);
/* Both copy the strings; false when out of memory. `text` and `at` may be null. */
bool symbols_add_label(struct gpucode_symbols *symbols, const struct gpucode_label *label, size_t name_length,
                       size_t extra_length, const struct symbol_text *text, const char *at);
/* Keeps the image that a comment tells, where it tells one. False when out of memory. */
bool symbols_add_image(struct gpucode_symbols *symbols, const struct symbol_text *text, const char *comment,
                       const char *end);
/* `file` null: nothing is known from `unit` on. */
bool symbols_add_line(struct gpucode_symbols *symbols, uint32_t unit, const char *file, size_t length, unsigned line,
                      bool from_macro, bool given);
/* A use of a macro that the line added last comes from. */
bool symbols_add_use(struct gpucode_symbols *symbols, const char *macro, size_t macro_length, const char *file,
                     size_t length, unsigned line);
/* Sorts the lines after some were added. */
void symbols_sort(struct gpucode_symbols *symbols);
/* Reports at the name of a symbol from a file. */
void symbols_report(const struct symbol *symbol, const struct gpucode_diagnostic_handler *on_diagnostic,
                    message_id message, const char *hint, ...);

#endif
