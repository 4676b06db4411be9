/* SPDX-License-Identifier: MIT */
/* What the server's files share. */
#ifndef DAP_SERVER_H
#define DAP_SERVER_H

#include "console/console.h"
#include "dap/dap.h"
#include "wire/wire.h"
#include <gpucode/gpucode.h>
#include <jansson.h>
#include <pthread.h>
#include <stdatomic.h>

/* Code as memory: editors want one number for a place. Program memory lies below; JavaScript's numbers reach that far.
 */
#define CODE_BASE (UINT64_C(1) << 52)
#define OWNED_MAX 4096
#define MESSAGE_MAX (4u << 20)
#define SPACES 64 /* of one processor in a variables reference */

/* Which request made a breakpoint: setting a list anew removes those that the same list has made. */
enum owner { OWNER_SOURCE, OWNER_FUNCTION, OWNER_INSTRUCTION, OWNER_DATA, OWNER_EXCEPTION };

struct owned {
    unsigned number, shown;
    enum owner owner;
    char *source; /* SOURCE: its path, or "#N" */
    char *log;    /* a log point's message; null: it stops */
};

struct dap {
    FILE *out;
    dap_kits *kits;                             /* what the program has for each set; null: nothing */
    const struct launch_recordings *recordings; /* or null */
    struct launch_recorded *recorded;           /* what the image is of; null: of a file */
    bool (*wants_interrupt)(void *user); /* gpucode_debug_options.wants_interrupt, where no thread reads; or null */
    int64_t sequence;
    char *bytes; /* of the program's file */
    char *path;
    struct gpucode_program *program;
    const struct gpucode_image *image; /* `own_image`, or that of `recorded` */
    struct gpucode_image *own_image;
    struct gpucode_symbols *symbols;
    struct gpucode_machine *machine;
    struct gpucode_debug *debug;             /* null before launch */
    unsigned first_processor;                /* which one the user looks at first */
    _Atomic(struct gpucode_debug *) running; /* for the thread that reads */
    atomic_uint halts;                       /* requests read but not handled that end a movement */
    struct gpucode_debug_stop paused;        /* sent after the response to `pause` */
    bool has_paused;
    pthread_mutex_t sending; /* of what is sent, and of `threads` */
    json_t *threads;         /* the answer to that request while something runs, else null */
    struct console *console;
    struct owned owned[OWNED_MAX];
    size_t owned_count;
    bool stop_on_entry, lines_from_0, columns_from_0, knows_invalidated, done;
    struct gpucode_debug_stop stop; /* that the client knows of */
    char *text;                     /* what the console wrote, and the library's messages */
    size_t text_length;
};

/* A request's answer: `body` is taken over and may be null; failed answers have an `error` instead. */
struct answer {
    json_t *body;
    char error[512];
    bool failed;
    /* sent after the response */
    bool initialized, stopped, terminated, invalidated;
    const char *reason; /* of the stop; null: found from it */
    void (*move)(struct gpucode_debug *debug, bool back, struct gpucode_debug_stop *stop); /* and then `stopped` */
    bool back;
    struct gpucode_debug_stop stop;
};

void dap_init(struct dap *dap, FILE *out, dap_kits *kits);
void dap_free(struct dap *dap);

/* Frees the program and all that was made for it, as far as its launch came. */
void dap_close(struct dap *dap);
/* Handles one message. */
void dap_handle(struct dap *dap, const json_t *message);
/* The next message of a stream. Null: *wrong says what is wrong with it, or is null at the end of the stream. */
json_t *dap_read(struct wire *wire, const char **wrong);
void dap_event(struct dap *dap, const char *event, json_t *body);
void dap_output(struct dap *dap, const char *category, const char *text);
/* Notes why a request fails. */
void refuse(struct answer *answer, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What was written since the last call, at most once; empty: nothing. */
const char *dap_take_text(struct dap *dap);
void dap_write(void *user, const char *text, size_t length);
struct gpucode_diagnostic_handler dap_diagnostic_handler(struct dap *dap);

/* stream.c: an editor can pause only threads that it knows, and asks for them while the machine runs. */
json_t *thread_cache_make(struct dap *dap);
void thread_cache_begin(struct dap *dap);
void thread_cache_end(struct dap *dap);
/* From the thread that reads: answers a request while something runs; false: it has to wait. */
bool thread_cache_answer(struct dap *dap, const json_t *message);
/* The same for a caller that does not. */
void dap_lock_and_send(struct dap *dap, json_t *message);

/* movement.c: does the movement that an answer names. */
void dap_move(struct dap *dap, struct answer *answer);
/* Around anything that may run for long, so that `pause` can end it; one that waits already does so at once. */
void dap_run_begins(struct dap *dap);
void dap_run_ends(struct dap *dap);
/* Tells the client of answer->stop: after this response, or after that to a `pause` that waits. */
void dap_ended(struct dap *dap, struct answer *answer);
/* Does the request end a movement? */
bool dap_halts(const json_t *message);

/* breakpoints.c: the reason of a stop at a breakpoint, or null */
const char *breakpoints_reason(const struct dap *dap, unsigned number);
/*
 * The number that the client knows a breakpoint by: a breakpoint on a macro's line has breakpoints where the macro is
 * used.
 */
unsigned breakpoints_shown(const struct dap *dap, unsigned number);
/* The place of a line; with `later`, failing that, of the nearest one after it that has code. */
bool breakpoints_line(struct dap *dap, const char *path, int64_t reference, int64_t line, bool later, uint32_t from,
                      struct gpucode_breakpoint *breakpoint);

/*
 * recorded.c: opens the shader that `from` of a launch request names, and later makes its machine, and looks at the
 * thread that is asked for. What is wrong was told.
 */
enum gpucode_status recorded_open(struct dap *dap, const json_t *arguments);
enum gpucode_status recorded_machine(struct dap *dap);
enum gpucode_status recorded_begin(struct dap *dap);
void recorded_free(struct dap *dap);

/* code.c: a value as text, with `hex` in hexadecimal alone */
#define VALUE_TEXT (GPUCODE_NAME_MAX + 64)
void value_text(const struct dap *dap, const struct gpucode_value *value, bool hex, char text[VALUE_TEXT]);

/* code.c: numbers for places in code */
uint64_t code_address(const struct dap *dap, unsigned section, uint64_t pc);
bool code_place(const struct dap *dap, uint64_t address, unsigned *section, uint64_t *pc);
bool take_reference(const json_t *arguments, const char *key, uint64_t *address);
/* {source, line} of a place, added to an object. */
void add_source(struct dap *dap, json_t *object, unsigned section, uint64_t pc);
/* The place of a line of the listing that stands for a section's source; false: it has none. */
bool listing_place(struct dap *dap, unsigned section, int64_t line, uint64_t *pc);

typedef void request_function(struct dap *dap, const json_t *arguments, struct answer *answer);
#define REQUEST(name, ...) request_function request_##name;
#include "dap/request.def"
#undef REQUEST

#endif
