/* SPDX-License-Identifier: MIT */
/* One run of decoding: what is shown, where it is in the recording, and what the GPU's registers hold. */
#ifndef PM4_STREAM_DECODE_H
#define PM4_STREAM_DECODE_H

#include "base/arena.h"
#include <gpucode/packet.h>
#include <gpucode/stream_decode.h>
#include <inttypes.h>

/* --- state: the registers that a stream has written, and what changed from draw to draw --- */

#define STATE_REGISTERS (GPUCODE_PACKET_REGISTER_MAX + 1)
#define STATE_NO_GROUP 0xff

struct state_register {
    uint64_t address; /* where the value stands */
    uint32_t value, last;
    uint32_t unknown; /* bits of the value that nothing tells */
    uint8_t flags;
    uint8_t group; /* of draw state, STATE_NO_GROUP: none */
};
enum { STATE_WRITTEN = 1, STATE_REWRITTEN = 2, STATE_KNOWN = 4, STATE_SEEN = 8 };

struct state {
    unsigned family;
    const struct gpucode_meanings *meanings; /* ahead of the built-in ones, or null */
    struct state_register *registers;
    uint32_t *rewritten; /* numbers written since the last draw */
    uint32_t rewritten_count, all_count;
    uint32_t *all; /* numbers that were ever written */
    uint64_t draws;
};

/* A register as a draw sees it. */
struct state_entry {
    uint32_t number;
    unsigned words;          /* 2: 64 bits */
    uint64_t value, unknown; /* its bits that nothing tells */
    bool known;              /* there are none */
    bool changed;            /* since the last draw that it was shown at */
    bool rewritten;          /* since the last draw */
    uint64_t address;
    unsigned group;
};

/* False: no memory. */
bool state_create(struct state *state, unsigned family, const struct gpucode_meanings *meanings);
void state_free(struct state *state);
/* A write of one word; `group` of draw state, or STATE_NO_GROUP. */
void state_write(struct state *state, const struct gpucode_packet_event *event, unsigned group);
/*
 * Gives the registers written since the last draw, or all that ever were, by number; then the draw is over. `take` may
 * be null.
 */
void state_visit(struct state *state, bool all, void (*take)(void *user, const struct state_entry *entry), void *user);

/* --- descriptors as state --- */

#define LOADED_WORDS_MAX 16
#define LOADED_STAGE_MAX 48
#define LOADED_ADDRESSES "TEX_MIPADDR" /* of family 3: "addresses of mip levels" */

/* A descriptor that the GPU has. */
struct loaded_unit {
    const char *kind;                                      /* constant: "A6XX_TEX_CONST" */
    char stage[LOADED_STAGE_MAX], block[LOADED_STAGE_MAX]; /* "FS"; "SB6_FS_TEX", or the register that points to it */
    uint32_t index, count;                                 /* count: words */
    uint32_t words[LOADED_WORDS_MAX], last[LOADED_WORDS_MAX];
    uint64_t address;
    bool rewritten, seen; /* loaded since the last draw; `last` is what a draw showed */
    bool gone;            /* the table has become shorter */
};

/* A field of it; the halves of an address are one. */
struct loaded_field {
    char name[48], text[GPUCODE_FIELD_TEXT_MAX];
    uint64_t value;
    bool address;
};

struct loaded {
    struct loaded_unit *units;
    uint32_t *slots; /* by hash, of twice the room: unit plus 1 */
    size_t count, room;
};

/* Does a LOAD event give descriptors or addresses, which loaded_take() takes? */
bool loaded_is_unit(const struct gpucode_packet_event *event);
/* Takes the units of a LOAD event of descriptors. False: no memory. */
bool loaded_take(struct loaded *loaded, const struct gpucode_packet_event *event, const uint32_t *words);
void loaded_free(struct loaded *loaded);
/* The stage of the shader in the name of a block or register: "FS"; the name itself where there is none. */
const char *loaded_stage(const char *block, char stage[LOADED_STAGE_MAX]);
/* "TEX_CONST[0]" */
void loaded_name(const struct loaded_unit *unit, char name[GPUCODE_NAME_MAX]);
/* Its fields, GPUCODE_FIELD_VALUES_MAX at most; returns how many there are. */
size_t loaded_fields(unsigned family, const struct loaded_unit *unit, struct loaded_field *fields);

/* --- marks --- */

enum mark_kind { MARK_NONE, MARK_MESSAGE, MARK_BEGIN, MARK_END, MARK_TEXT };
#define MARK_STRING_MAX 1024 /* with its final zero; longer ones are cut off */
#define MARK_DEPTH_MAX 64    /* deeper ones have no count of draws */

/* A mark that has begun. */
struct mark_begun {
    uint64_t draws, address; /* that were shown before it; of its packet */
    size_t stream;           /* that it is in */
    bool waiting;            /* it is shown as soon as something in it is */
    char string[MARK_STRING_MAX];
};

/* Debug marks of a submit, and draws of one kind one after another. */
struct marks {
    enum mark_kind kind;                                      /* of the packet at hand */
    const char *name;                                         /* of the kind, in data */
    char string[MARK_STRING_MAX], says[MARK_STRING_MAX + 32]; /* the mark as text: ">>> #1: shadows" */
    unsigned level, open; /* that the mark is in, and those that are open after it */
    uint64_t draws;       /* that were shown */
    struct mark_begun *begun;           /* MARK_DEPTH_MAX of them, with an outline; else null */
    uint64_t first, last, run, indices; /* the run, of so many draws; 0: there is none */
    size_t stream;                      /* that it is in */
    char packet[GPUCODE_NAME_MAX], primitive[GPUCODE_FIELD_TEXT_MAX];
    unsigned mode;
};

/* --- the binning and the draw pass of a draw --- */

/* The rectangle that a draw reaches, where that is known. */
struct query_area {
    bool known;
    uint64_t sides[4]; /* x1, y1, x2, y2 */
};

struct pass_draw {
    uint64_t address, number; /* of its packet, and in the file */
    const char *primitive;
    uint32_t count;
    unsigned mode;
    struct query_area area;
    size_t first, end; /* answers */
    bool shown, paired;
};

struct passes {
    struct arena arena;      /* texts of the submit */
    struct list draws;       /* binning passes of the submit, struct pass_draw */
    struct list answers;     /* at them, struct pass_answer */
    struct pass_draw *other; /* the binning pass of the draw at hand; null: it has none, or is one */
    struct pass_draw here;   /* the draw at hand */
    size_t next;             /* draw that is looked at first */
};

/* --- the run --- */

/* A register write, two words joined where they are one register's. */
struct decode_write {
    struct gpucode_packet_event event; /* of the first word */
    uint64_t value;
    unsigned words;
};

/* What is asked of a register's number again and again. */
struct decode_number {
    uint32_t name;  /* in name_text; 0: not asked yet */
    uint8_t length; /* of the name */
    bool address;   /* its value is one */
    bool pointer;   /* of descriptors or code */
    bool wide;      /* its register has 64 bits */
};

/* Where a draw's indices stand, as its packet says. */
struct decode_indices {
    uint64_t address, first;
    unsigned bytes; /* of one */
    bool used;      /* the draw takes its indices from memory */
};

/* Of a crash dump: the packets that lead to the one in hand, and how far they were followed. */
#define DECODE_PLACE_MAX 4

struct decode_place {
    uint64_t packets[DECODE_PLACE_MAX];
    size_t count, reached;
    bool told;           /* its place among the draws was shown */
    bool here;           /* what is decoded now is the packet in hand, and not marked yet */
    bool passed;         /* it was decoded: */
    uint64_t address;    /* where it stands */
    uint64_t draw;       /* the draws before it */
    size_t submit;       /* in this submit, */
    bool closed;         /* which has ended */
    bool is_draw;        /* it is a draw itself, */
    bool has_next;       /* or a draw comes after it */
    bool begun;          /* work that had not finished was decoded, */
    uint64_t first_draw; /* from this draw on */
};

struct decode {
    const struct gpucode_stream *stream;
    const struct gpucode_stream_decode_options *options;
    struct gpucode_answer *answer;
    unsigned family, shown;
    bool text, data;                /* the answer is for text or HTML; it is for JSON. A kept one is for both */
    size_t submit, command, number; /* number: of the command stream in the file */
    const char *process;            /* the last command line */
    uint64_t left_out;              /* submits of other processes */
    struct state state;
    struct query *query;   /* null: none */
    struct passes *passes; /* null: their answers are not put side by side */
    struct loaded loaded;
    struct marks marks;
    struct shaders *shaders; /* null: nobody asks */
    /*
     * What takes things in place of the answer: draws, all contents with their words, all other events, register
     * writes. Null: nobody does. The ones for contents and events are called whatever is shown.
     */
    void (*take_draw)(struct decode *decode, const struct gpucode_packet_event *event);
    void (*take_contents)(struct decode *decode, const struct gpucode_packet_event *event, const uint32_t *words);
    void (*take_event)(struct decode *decode, const struct gpucode_packet_event *event);
    void (*take_write)(struct decode *decode, const struct decode_write *write);
    void *taker;                /* theirs */
    bool no_fields, no_records; /* take_event wants no fields of packets; nothing but the taker's is put */
    enum gpucode_status status; /* why the run ended early */
    bool ended;                 /* as in struct gpucode_stream_decoded, */
    uint64_t wrong_places, wrong_words, first_wrong; /* and these */
    bool open, in_fields;                            /* a packet's record is not ended yet, or the list in it */
    unsigned element;                                /* of a repeated layout, in the open record */
    bool later;                                      /* in a buffer for a switch of contexts */
    unsigned group;                                  /* at work, STATE_NO_GROUP: none */
    struct decode_write pending;                     /* words 0: nothing is kept back */
    struct decode_indices indices;
    struct decode_place place;
    struct decode_seen {
        uint64_t address;
        unsigned modes;
    } * seen; /* buffers of the submit that were shown, for ONCE */
    size_t seen_count, seen_room;
    unsigned hidden; /* depth of the buffer that ONCE leaves out, plus 1; 0: none */
    struct decode_number *numbers;
    char *name_text;
    size_t name_length, name_room;
};

/* No value of a register is longer as text. */
#define DECODE_TEXT_MAX 8192

extern const struct gpucode_answer_field *const decode_fields;
/* The value of a flag's field: text shows that it is set by its name alone. */
extern const struct gpucode_answer_field decode_flag;

/* May it be shown, by the streams and the draw that are asked for? */
bool decode_shows(const struct decode *decode);
/* May a submit be, by how far the GPU came with it? */
bool decode_shows_state(const struct decode *decode, size_t submit);
/* A run from beginning to end. */
enum gpucode_status decode_run(struct decode *decode);
/* What there was; `decoded` may be null. */
void decode_told(const struct decode *decode, struct gpucode_stream_decoded *decoded);
/* With what it found; the answer stays. */
void decode_free(struct decode *decode);

/* --- work of a crash dump --- */

/* Of a recording: is work of a process with that command line left out? Null: nothing tells whose it is. */
bool work_leaves_out(const struct decode *decode, const char *text);
/* Counts what is left out, and the record that tells it, where anything is. */
void work_put_left_out(struct decode *decode);
/* The events of what is left out: its draws are numbered. */
bool work_count_draws(void *user, const struct gpucode_packet_event *event);
/* The record that tells what there is of finished and other work; nothing of recordings. */
void work_put(struct decode *decode);
/* A submit begins; an event, and a draw, in their order; the end, with the command to type next. */
void work_begin(struct decode *decode);
void work_event(struct decode *decode, const struct gpucode_packet_event *event);
void work_draw(struct decode *decode, const struct gpucode_packet_event *event);
void work_end(struct decode *decode);
/* Where draws stand for their packets: a line for the packet in hand, once, before what comes after it. */
void work_put_place(struct decode *decode);
/* Is what comes next the packet in hand? It is said once. */
static inline bool work_in_hand(struct decode *decode)
{
    bool here = decode->place.here;
    decode->place.here = false;
    return here;
}

/* --- debug marks --- */

/* A packet begins: is it a mark? What it is stands in decode->marks. */
void marks_note(struct decode *decode, const struct gpucode_packet_event *event);
/* For the outline: a draw; the end of a run of draws. */
void marks_draw(struct decode *decode, const struct gpucode_packet_event *event);
void marks_end_run(struct decode *decode);
/* A submit begins. */
void marks_reset(struct decode *decode);

/* --- names and values --- */

/* The next register from `*number` on that has a name; false: there is none. */
bool decode_next_register(const struct gpucode_stream_decode_options *options, unsigned family, uint32_t *number,
                          char name[GPUCODE_NAME_MAX]);
/* A register's name, or its number. */
const char *decode_register(const struct gpucode_stream_decode_options *options, unsigned family, uint32_t number,
                            char name[GPUCODE_NAME_MAX]);
/* What is kept of a number; null: nothing, as there is no memory. */
const struct decode_number *decode_number(struct decode *decode, uint32_t number);
/* The name by what is kept of the number, of `length` characters. */
const char *decode_name(struct decode *decode, uint32_t number, size_t *length, char name[GPUCODE_NAME_MAX]);
/* Bits as text shows them: "0xff00". */
const char *decode_bits(uint64_t bits, char text[24]);
const char *decode_value(const struct decode *decode, uint32_t number, uint64_t value, char text[DECODE_TEXT_MAX]);
/* The recorded buffer that an address lies in; false: none. */
bool decode_buffer(const struct decode *decode, uint64_t address, struct gpucode_stream_buffer *buffer);
/* "BINNING", "GMEM", "SYSMEM" */
const char *decode_mode(unsigned mode);
/* The value that was written last; false: it is not known. */
bool decode_value_of(const struct decode *decode, uint32_t number, uint64_t *value);
/* The same by name, of `words` registers together, and a field of it. */
bool decode_value_named(const struct decode *decode, const char *name, unsigned words, uint64_t *value);
bool decode_field_named(const struct decode *decode, const char *name, const char *field,
                        struct gpucode_field_value *out);

/* --- records --- */

/* Ends the record that is open. */
void decode_end_record(struct decode *decode);
/* Submit, stream and number of it: what all records of a stream begin with. */
void decode_put_stream(struct decode *decode);
/* "buffer_address", "buffer_offset" of an address, where it lies in a recorded buffer. */
void decode_put_buffer(struct decode *decode, uint64_t address, unsigned buffer_field, unsigned offset_field);
void decode_put_submit(struct decode *decode, const struct gpucode_submit *submit);
void decode_put_command(struct decode *decode, const struct gpucode_stream_command *command);
void decode_put_event(struct decode *decode, const struct gpucode_packet_event *event); /* all but WRITE and DRAW */
/* What is wrong, of an event that tells it. */
const char *decode_trouble(const struct decode *decode, const struct gpucode_packet_event *event);
void decode_put_write(struct decode *decode, const struct decode_write *write);
void decode_put_draw(struct decode *decode, const struct gpucode_packet_event *event);

/* --- contents --- */

/* What a packet loads: reads it, shows it, hands over shaders. False: decoding ends. */
bool contents_take(struct decode *decode, const struct gpucode_packet_event *event);
/* At a draw: contents that registers written since the last one point to. False: decoding ends. */
bool contents_pointed(struct decode *decode, const struct gpucode_packet_event *draw);
/* A packet begins, or has a field: notes where indices are. */
void vertices_note(struct decode *decode, const struct gpucode_packet_event *event);
/*
 * Attribute `index` as the registers have it: its name, and its buffer, place and format as text. False: there are no
 * more.
 */
bool vertices_attribute(const struct decode *decode, unsigned index, char name[GPUCODE_NAME_MAX], char *text,
                        size_t size);
/* Is any attribute taken from that buffer? */
bool vertices_fetch(const struct decode *decode, unsigned index);
/* Buffer `index` of them: address 0 where nothing was set, size 0 where none is known. False: there are no more. */
bool vertices_buffer(const struct decode *decode, unsigned index, char name[GPUCODE_NAME_MAX], uint64_t *address,
                     uint64_t *size);
/* At a draw: its indices and vertices. False: no memory. */
bool vertices_show(struct decode *decode, const struct gpucode_packet_event *draw);

/* Words as lines of text, eight each. */
void decode_put_words(struct decode *decode, uint64_t address, const uint32_t *words, uint32_t count);
/* The text of code, or its words where its set is not known, as part of a record. */
void decode_put_code(struct decode *decode, uint64_t address, const uint32_t *words, uint32_t count,
                     unsigned text_field);

/* --- shaders --- */

enum { SHADER_VS, SHADER_HS, SHADER_DS, SHADER_GS, SHADER_FS, SHADER_CS, SHADER_STAGES };

/* False: no memory. */
bool shaders_create(struct decode *decode);
void shaders_free(struct shaders *shaders);
/* A LOAD event of a shader. */
void shaders_take(struct decode *decode, const struct gpucode_packet_event *event, const uint32_t *words);
/* A draw uses the shaders that are set. */
void shaders_draw(struct decode *decode, const struct gpucode_packet_event *draw);
/* The stages that a draw or dispatch runs, a bit each; none of a blit. */
unsigned shaders_stages(const struct decode *decode, const struct gpucode_packet_event *draw);
/* "FS" */
const char *shaders_stage_name(unsigned stage);
/* A shader that is set for a stage. */
struct shader_at {
    const char *name; /* the stage's */
    uint64_t address, hash;
    const uint32_t *words;
    uint32_t count, used; /* words; used: without the zeros at the end */
};
/* False: nothing is set. */
bool shaders_current(const struct decode *decode, unsigned stage, struct shader_at *at);
/* At the end of the run: shows them and hands them over. */
void shaders_end(struct decode *decode);

/* --- queries --- */

/* What answers. */
struct query_answer {
    const char *name, *text, *block;
    const char *aliases[2]; /* other names that a question may have for it, or null */
    uint64_t value, unknown, address;
    uint32_t number; /* of a register; UINT32_MAX: none */
    bool changed, rewritten;
};

#define QUERY_HEAD_MAX (GPUCODE_FIELD_TEXT_MAX + 96)
/* "DI_PT_TRISTRIP(0,0-255,255):4", the beginning of a line. */
void query_head(const char *primitive, uint32_t count, const struct query_area *area, char *text, size_t size);
/* The record of a rectangle, of which `field` is that of the object. */
void query_put_area(struct decode *decode, unsigned field, const struct query_area *area);

/* PASSES: a draw of either pass begins; answers at it; the end of a submit or of the run. */
void passes_draw(struct decode *decode, const struct gpucode_packet_event *draw, const struct query_area *area);
void passes_take(struct decode *decode, const struct query_answer *what);
void passes_end(struct decode *decode);
void passes_free(struct passes *passes);

/* Does the text match? A star stands for any characters. */
bool query_matches(const char *pattern, const char *text);
/* Where there are any, they take all that they ask for. */
enum gpucode_status query_create(struct decode *decode);
void query_free(struct query *query);

#endif
