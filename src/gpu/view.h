/* SPDX-License-Identifier: MIT */
/* One run of `gpucode decode`: what is shown, and where it is in the recording. */
#ifndef GPU_VIEW_H
#define GPU_VIEW_H

#include "front/json.h"
#include "front/output.h"
#include "front/terminal.h"
#include "front/writer.h"
#include "gpu/recording.h"
#include "gpu/state.h"
#include <gpucode/packet.h>
#include <stdio.h>

struct session;
struct view;
struct query;
struct draw_list;

/* A register write, two words joined where they are one register's. */
struct view_write {
    struct gpucode_packet_event event; /* of the first word */
    uint64_t value;
    unsigned words;
};

/* A form of output. */
struct view_form {
    void (*submit)(struct view *view, const struct gpucode_submit *submit);
    void (*stream)(struct view *view, const struct gpucode_stream_command *command);
    void (*event)(struct view *view, const struct gpucode_packet_event *event); /* all but WRITE and DRAW */
    void (*write)(struct view *view, const struct view_write *write);
    void (*draw)(struct view *view, const struct gpucode_packet_event *event);
    void (*end)(struct view *view); /* of a stream */
    void (*load)(struct view *view, const struct gpucode_packet_event *event, const uint32_t *words);
};

/* Contents that are shown. */
enum { LOAD_TEXTURES = 1, LOAD_CONSTANTS = 2, LOAD_SHADERS = 4, LOAD_BINDLESS = 8, LOAD_VERTICES = 16 };

/* What is asked of a register's number again and again. */
struct view_number {
    uint32_t name;  /* in view.name_text; 0: not asked yet */
    uint8_t length; /* of the name */
    bool address;   /* its value is one */
    bool pointer;   /* of descriptors or code */
};

/* Where a draw's indices stand, as its packet says. */
struct view_indices {
    uint64_t address, first;
    unsigned bytes; /* of one */
    bool used;      /* the draw takes its indices from memory */
};

struct view {
    struct session *session;
    const struct recording *recording;
    const struct gpucode_names *names;
    const struct gpucode_meanings *meanings; /* ahead of the built-in ones, or null */
    const struct view_form *form;
    FILE *out;
    struct writer writer; /* to `out`; empty while others write there */
    struct json json;     /* used with --json */
    struct view_place {
        size_t submit, command, stream;
        char text[128]; /* members that say so */
        size_t length;  /* 0: none yet */
    } place;
    struct view_indices indices;
    struct view_number *numbers;
    char *name_text;
    size_t name_length, name_room;
    struct state state;
    struct query *query;    /* null: none */
    struct draw_list *list; /* null: draws are not collected */
    struct progress progress;
    unsigned loads;      /* LOAD_... shown */
    const char *extract; /* the names that shaders are written to begin so; null: they are not */
    unsigned extracted;
    struct outputs outputs;         /* they, until view_commit() */
    int code;                       /* why the run ended early; EXIT_DONE: it did not */
    size_t submit, command, stream; /* command: in the submit; stream: in the file */
    uint64_t first_stream, last_stream, only_draw;
    bool one_draw;                    /* show only_draw */
    bool packets, writes, draws, all; /* what is shown */
    bool once;
    bool open;        /* the packet's line or object is not ended yet */
    unsigned element; /* of a repeated layout, in the open line */
    bool in_array;    /* and the array of its fields */
    bool trouble;     /* something that is no packet was found */
    bool later;       /* in a buffer for a switch of contexts */
    unsigned group;   /* at work, STATE_NO_GROUP: none */
    unsigned mode;
    struct view_write pending; /* words 0: nothing is kept back */
    struct seen {
        uint64_t address;
        unsigned modes;
    } * seen; /* buffers shown, for --once; by address */
    size_t seen_count, seen_room;
    unsigned hidden; /* depth of the buffer that --once leaves out, plus 1; 0: none */
};

/* Writes what was extracted, unless `code` says that all of it is in vain; returns an exit code. */
int view_commit(struct view *view, int code);

extern const struct view_form view_text, view_json, view_html;

/* A register's name, or its number. */
const char *view_register(const struct view *view, uint32_t number, char name[GPUCODE_NAME_MAX]);
/* Fields of a value as text; longer than anything. */
#define VIEW_TEXT_MAX 8192
const char *view_value(const struct view *view, uint32_t number, uint64_t value, char text[VIEW_TEXT_MAX]);
/* A register's name by what is kept of the number, of `length` characters; it stays until another one is asked. */
const char *view_name(struct view *view, uint32_t number, size_t *length, char name[GPUCODE_NAME_MAX]);
/* Name and value into the view's writer. */
void view_write_name(struct view *view, uint32_t number);
void view_write_value(struct view *view, uint32_t number, uint64_t value);
/* Does the register hold the address of descriptors or code? */
bool view_is_pointer(struct view *view, uint32_t number);
/* The same by name, of `words` registers together, and a field of it. */
bool view_value_named(const struct view *view, const char *name, unsigned words, uint64_t *value);
bool view_field_named(const struct view *view, const char *name, const char *field, struct gpucode_field_value *out);
/* Frees what is kept of numbers. */
void view_forget_numbers(struct view *view);
/* The recorded buffer that an address lies in; false: none. */
bool view_buffer(const struct view *view, uint64_t address, struct gpucode_stream_buffer *buffer);
/* " (0x1000+0x10)": the buffer that an address lies in, into the writer; nothing if it lies in none. */
void view_write_place(struct view *view, uint64_t address);
/* "BINNING", "GMEM", "SYSMEM" */
const char *view_mode(unsigned mode);
const char *view_trouble(enum gpucode_packet_event_kind kind);
/* May it be shown, by --from, --to, --draw and the like? */
bool view_shows(const struct view *view);

/* What a packet loads: reads it, shows it, writes shaders to files. False: a file cannot be written. */
bool load_take(struct view *view, const struct gpucode_packet_event *event);
/* At a draw: contents that registers written since the last one point to. False: as load_take(). */
bool pointed_show(struct view *view, const struct gpucode_packet_event *draw);
/* A packet begins, or has a field: notes where indices are. */
void vertices_note(struct view *view, const struct gpucode_packet_event *event);
/* At a draw: its indices and vertices. False: no memory. */
bool vertices_show(struct view *view, const struct gpucode_packet_event *draw);
/* The text of a shader, malloc'ed; null: the set of its GPU is not known here. */
char *load_disassemble(unsigned family, const uint32_t *words, size_t count);
void load_print_text(struct view *view, const struct gpucode_packet_event *event, const uint32_t *words);
void load_print_json(struct view *view, const struct gpucode_packet_event *event, const uint32_t *words);

/* Decodes the whole recording. Returns an exit code. */
int view_run(struct view *view);

/* Takes --query and --when apart. Returns an exit code. */
int query_create(struct session *session, const struct view *view, struct query **query);
void query_free(struct query *query);
void query_write(struct view *view, const struct view_write *write);
void query_draw(struct view *view, const struct gpucode_packet_event *event);

/* Draws of one recording, collected. */
struct draw_list *draw_list_create(void);
void draw_list_free(struct draw_list *list);
void draw_list_add(struct view *view, const struct gpucode_packet_event *event);
/* Shows what differs. Returns an exit code. */
int draw_list_compare(struct view *first, struct view *second);

#endif
