/* SPDX-License-Identifier: MIT */
/* Calls of the library whose allocations fail, and what they are made with. */
#ifndef TESTS_MEMORY_CALLS_H
#define TESTS_MEMORY_CALLS_H

#include <gpucode/report.h>
#include <gpucode/symbols.h>

#include <stdbool.h>
#include <stddef.h>

/* A call answers with tell(), frees all that it got, and returns what the library said last. */
struct call {
    const char *name;
    enum gpucode_status (*call)(void);
};
/* Ended by one without a name. */
extern const struct call running_calls[], reading_calls[];

/* Texts of sources, and files as they are. */
struct inputs {
    char *firmware, *changed, *shader, *other_shader, *script, *macros, *lines, *log;
    void *dump, *work, *recording, *xml;
    size_t dump_size, work_size, recording_size, log_size, xml_size;
};
extern struct inputs inputs;

/* Code with all that is known of it. What failed is null, and the rest is freed by close_code() too. */
struct code {
    struct gpucode_program *program;
    struct gpucode_image *image;
    struct gpucode_analysis *analysis;
    struct gpucode_outline *outline;
    struct gpucode_symbols *symbols;
    struct gpucode_subject subject;
};

enum gpucode_status open_code(const char *text, const char *target, struct code *code);
void close_code(struct code *code);

/* Takes a part of the answer. It allocates nothing. */
bool tell(void *user, const char *text, size_t length);
void tell_number(unsigned long long number);
/* Renders and frees an answer that was made with a status. */
enum gpucode_status show(struct gpucode_answer *answer, enum gpucode_status status);

#endif
