/* SPDX-License-Identifier: MIT */
/*
 * Inside of the explanation of crashes: what is known while an answer is made, and the parts that make it. The rows of
 * all answers are in crash.answer.def; explain.c has their array.
 */
#ifndef PM4_CRASH_EXPLAIN_H
#define PM4_CRASH_EXPLAIN_H

#include "base/buffer.h"
#include "pm4/crash/draw.h"
#include <gpucode/answer.h>
#include <gpucode/crash.h>

#ifndef EXPLAIN_MAKES_ROWS
#define ANSWER_IDS_ONLY
#endif
#define ANSWER_ROWS "pm4/crash/crash.answer.def"
#include <gpucode/answer_rows.h>

struct crash_code;

struct explanation {
    struct gpucode_answer *answer;
    const struct gpucode_crash *crash; /* null: a log */
    const struct gpucode_crash_head *head;
    const struct gpucode_target *target; /* whose names fit; null before a5xx */
    unsigned family;                     /* 0: not known */
    const struct gpucode_names *names;
    const struct gpucode_meanings *meanings;
    const struct crash_code *code; /* the firmware that was given, or null */
    bool verbose, ucode;
    bool has_states; /* such dumps have states of the processors */
    bool located;
    struct gpucode_crash_position position; /* when `located` */
    struct draw_found found;                /* on the way to that place */
    bool has_fault;
    struct gpucode_crash_fault fault; /* when `has_fault` */
    struct fault_found fault_place;
    const char *dump; /* its name as a shell takes it, or null */
    bool led;         /* by the code the PC is in what the handler leads to, and not in the handler itself */
};

/* --- making the answer; rows are the ids of crash.answer.def ------------------------------------------------------ */

extern const struct gpucode_answer_field *const crash_rows;

static inline void put_begin(const struct explanation *e, unsigned row)
{
    gpucode_answer_begin(e->answer, &crash_rows[row]);
}

static inline void put_end(const struct explanation *e)
{
    gpucode_answer_end(e->answer);
}

/* Null: the row is left out. */
static inline void put_text(const struct explanation *e, unsigned row, const char *text)
{
    gpucode_answer_text(e->answer, &crash_rows[row], text);
}

static inline void put_number(const struct explanation *e, unsigned row, uint64_t number)
{
    gpucode_answer_number(e->answer, &crash_rows[row], number);
}

static inline void put_shown(const struct explanation *e, unsigned row, uint64_t number, const char *shown)
{
    gpucode_answer_shown(e->answer, &crash_rows[row], number, shown);
}

static inline void put_flag(const struct explanation *e, unsigned row, bool flag)
{
    gpucode_answer_flag(e->answer, &crash_rows[row], flag);
}

#define put_format(e, row, ...) gpucode_answer_format((e)->answer, &crash_rows[row], __VA_ARGS__)

/* --- names -------------------------------------------------------------------------------------------------------- */

#define EXPLAIN_TEXT_MAX 1024

/* Name of a register or packet; null: it has none. */
const char *explain_name(const struct explanation *e, enum gpucode_space space, uint32_t number,
                         char name[GPUCODE_NAME_MAX]);
/* The name of a value of one word: of the first word of a register of two not the name of both, but that with _LO or
 * +0. */
const char *explain_word_name(const struct explanation *e, enum gpucode_space space, uint32_t number,
                              char name[GPUCODE_NAME_MAX]);
/* Is the register after this one its second word? */
bool explain_is_wide(const struct explanation *e, enum gpucode_space space, uint32_t number);
/* What the value of a GPU register means, field by field; "" where the GPU is not known. Longer texts are cut. */
const char *explain_value(const struct explanation *e, uint32_t number, uint64_t value, char text[EXPLAIN_TEXT_MAX]);
/* Name of the packet with this header: "PKT4" of those of type 4; null: it is not a header, or has no name. */
const char *explain_packet(const struct explanation *e, uint32_t header, char name[GPUCODE_NAME_MAX]);
/* "RB", "IB1" ... */
const char *explain_level(enum gpucode_crash_level level);
/* The packets of a handler, " and " between them; `names` may be null. */
void explain_handler(const struct gpucode_target *target, const struct gpucode_names *names,
                     const uint32_t handlers[128], const struct gpucode_crash_handler *handler, char *text,
                     size_t size);
/* The same of the handler that the PC is in by the loaded table; false: none is known. */
bool explain_own_handler(const struct explanation *e, char *text, size_t size);
/* What RBBM_STATUS means, field by field; "" where the GPU is not known. */
const char *explain_busy(const struct explanation *e, uint32_t status, char text[EXPLAIN_TEXT_MAX]);
/* "A write of the protected register NAME (0x8c01) was refused." */
void explain_refusal(const struct explanation *e, struct buffer *text, bool write, uint32_t number);
void put_refusal(const struct explanation *e, unsigned row, bool write, uint32_t number);
/* "fences 3 to 5 in flight", "fence 5 finished"; where not `named` without the word. */
void put_fences(const struct explanation *e, unsigned row, bool named, uint32_t retired, uint32_t last);
void put_fault(const struct explanation *e, unsigned row, const struct gpucode_crash_fault *fault);
/* Puts sentences that were gathered as the value of a row, and frees them. */
void put_sentences(const struct explanation *e, unsigned row, struct buffer *text);

/* What is known at the start, of a dump or (null) of a log. */
void explain_begin(struct explanation *e, const struct gpucode_crash *crash,
                   const struct gpucode_crash_explain_options *options, struct gpucode_answer *answer);

/* --- the parts ---------------------------------------------------------------------------------------------------- */

/* The sentences of the verdict, and the position with its signs and the packets around it. */
void put_verdict(const struct explanation *e);
void put_position(const struct explanation *e);
/* The packets around the place in each level of buffers; `shift` goes to all rows. */
void put_packets(const struct explanation *e, unsigned shift);

/* Which blocks RBBM_STATUS says are busy: what the head has, or, where that is 0, the register. False: neither is
 * there. */
bool explain_status(const struct explanation *e, uint32_t *number, uint32_t *status);
/* Sentences about them, the draw in flight, the fault, and what is suspect before the place. */
void tell_busy(const struct explanation *e, struct buffer *text);
void tell_draw(const struct explanation *e, struct buffer *text);
void tell_fault_of_dump(const struct explanation *e, struct buffer *text);
void tell_suspect(const struct explanation *e, struct buffer *text);
/* The same as members, with the command to type next. */
void put_work(const struct explanation *e);
/* Messages of the power management and their queues. */
void put_messages(const struct explanation *e);
/* All registers: of the GPU, of the GMU, and control registers. */
void put_values(const struct explanation *e);
/* The shaders in instruction memories. */
void put_memories(const struct explanation *e);

/* Firmware that may be the one that crashed. Of a crash without a dump (null) there is nothing to tell by. */
enum gpucode_status crash_code_open(const struct gpucode_crash *crash, const struct gpucode_crash_firmware *firmware,
                                    struct crash_code **out);
void crash_code_close(struct crash_code *code);
/* Which code a PC is in. */
struct crash_place {
    uint32_t words;                  /* after its start */
    char function[GPUCODE_NAME_MAX]; /* a routine, "boot" or "preempt", by its name in listings; "": a handler */
    char packets[512];               /* those that it handles, or that lead to it; "" for none */
};
/* By what the code is: false where nobody knows. Of firmware that is not the one that crashed nothing is said. */
bool crash_code_place(const struct crash_code *code, uint32_t pc, struct crash_place *place);
/* "5 words into the code for CP_NOP", "5 words into drain, which CP_NOP and 2 more lead to" */
void crash_code_tell(const struct crash_place *place, struct buffer *text);
/* With the firmware that crashed one knows where a handler leads: the PC may be in a routine that it calls. */
void crash_code_confirm(struct explanation *e);
/* The place as members, none where nobody knows; `row` is the first of CODE_PLACE_ROWS. */
void put_code_place(const struct explanation *e, unsigned row, uint32_t pc);
/* All that the firmware tells, with the listing around the PC; `shift` goes to all rows of FIRMWARE_ROWS. */
void put_firmware(const struct explanation *e, unsigned shift, bool has_pc, uint32_t pc);

#endif
