/* SPDX-License-Identifier: MIT */
/*
 * Lines that the drivers msm and KGSL write into the kernel's log when the GPU hangs or faults: all there is without a
 * dump. The PC and $01 to $1f of the SQE are in no log of theirs, but as lines of Mesa's crashdec, or of one's own
 * reading of these registers, they are taken too: "PC: 00c5", "$01: 70bf8003".
 *
 * Forms of lines: adreno_gpu.c, a5xx_gpu.c, a6xx_gpu.c and msm_gpu.c of the Linux kernel, and the published sources of
 * KGSL (adreno_dispatch.c, adreno_a6xx.c, adreno_gen7.c, kgsl_iommu.c). The first of each kind counts: what follows a
 * hang is often its consequence.
 */
#include "pm4/crash/explain.h"
#include "pm4/crash/walk.h"

#include <gpucode/fields.h>
#include <gpucode/image.h>
#include <gpucode/packet.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD_MAX 64

/* What the lines told: bits of log.has. */
enum {
    HAS_POSITION = 1,
    HAS_RING = 2,
    HAS_FENCES = 4,
    HAS_SUBMITTED = 8,
    HAS_OPCODE = 16,
    HAS_PROTECT = 32,
    HAS_HARDWARE = 64,
    HAS_FAULT = 128,
    HAS_HANG = 256,
    HAS_UCODE = 512,
    HAS_ILLEGAL = 1024,
    HAS_PC = 2048,
};

struct log {
    unsigned has, faults, hangs; /* how many of them there are in all */
    bool kgsl;
    uint32_t gpu_id;
    uint64_t chip_id;
    uint32_t status, rptr, wptr, left[2]; /* of IB1 and IB2, words */
    uint64_t base[2], completed, submitted, iova;
    uint32_t opcode, protect, hardware;
    bool protect_read;      /* the access that was refused; `protect` is the register */
    uint32_t pc, registers; /* of the SQE: `registers` is a bit for each of those that are told */
    uint32_t value[32];
    char ring[WORD_MAX], task[WORD_MAX], direction[WORD_MAX], type[WORD_MAX], source[WORD_MAX];
};

#define PC_MAX 0xfffff /* words: no section has more */

/* A line; `at` moves through it. */
struct cursor {
    const char *at, *end;
};

/* Moves to the end of the next place that has the text. */
static bool find(struct cursor *cursor, const char *text)
{
    const char *found = memmem(cursor->at, (size_t)(cursor->end - cursor->at), text, strlen(text));
    if (found)
        cursor->at = found + strlen(text);
    return found;
}

static bool has(struct cursor cursor, const char *text)
{
    return find(&cursor, text);
}

/* The number after the next place that has the text, blanks and 0x passed over. */
static bool take(struct cursor *cursor, const char *text, unsigned base, uint64_t *value)
{
    char digits[32], *end;
    if (!find(cursor, text))
        return false;
    while (cursor->at < cursor->end && *cursor->at == ' ')
        cursor->at++;
    size_t left = (size_t)(cursor->end - cursor->at), count = left < sizeof digits - 1 ? left : sizeof digits - 1;
    memcpy(digits, cursor->at, count);
    digits[count] = 0;
    *value = strtoull(digits, &end, (int)base);
    cursor->at += end - digits;
    return end > digits && *digits != '-' && *digits != '+';
}

static bool take_word(struct cursor *cursor, const char *text, char word[WORD_MAX])
{
    if (!find(cursor, text))
        return false;
    while (cursor->at < cursor->end && *cursor->at == ' ')
        cursor->at++;
    size_t count = 0;
    while (cursor->at + count < cursor->end && cursor->at[count] != ' ' && count < WORD_MAX - 1)
        count++;
    memcpy(word, cursor->at, count);
    word[count] = 0;
    cursor->at += count;
    return count > 0;
}

/* "status 00800005 rb 04a0/0505 ib1 0000000000000000/0000 ib2 0000000000000000/0000", all hexadecimal */
static void take_position(struct log *log, struct cursor line)
{
    struct cursor ring = line;
    uint64_t status, rptr, wptr, base[2], left[2];
    if (!take(&line, "status", 16, &status) || !take(&line, " rb ", 16, &rptr) || !take(&line, "/", 16, &wptr) ||
        !take(&line, " ib1 ", 16, &base[0]) || !take(&line, "/", 16, &left[0]) || !take(&line, " ib2 ", 16, &base[1]) ||
        !take(&line, "/", 16, &left[1]))
        return;
    log->hangs++;
    log->kgsl |= has(ring, "gpu fault ctx") || has(ring, "]: gpu fault status");
    if (log->has & HAS_POSITION)
        return;
    log->has |= HAS_POSITION;
    log->status = (uint32_t)status;
    log->rptr = (uint32_t)rptr;
    log->wptr = (uint32_t)wptr;
    for (unsigned i = 0; i < 2; i++) {
        log->base[i] = base[i];
        log->left[i] = (uint32_t)left[i];
    }
    take_word(&ring, "gpu fault ring", log->ring);
}

static void take_fault(struct log *log, struct cursor line)
{
    struct cursor rest = line;
    uint64_t iova;
    bool page = has(line, "GPU PAGE FAULT");
    if (!take(&rest, page ? "addr =" : "iova=", 16, &iova))
        return;
    log->kgsl |= page;
    log->faults++;
    if (log->has & HAS_FAULT)
        return;
    log->has |= HAS_FAULT;
    log->iova = iova;
    take_word(&rest, "dir=", log->direction);
    take_word(&rest, "type=", log->type);
    take_word(&rest, "source=", log->source);
}

/* "revision: 506 (5.0.6.0)", "revision: 640 (06040001)", "67.5.10.1: hangcheck detected gpu lockup rb 0!" */
static void take_chip(struct log *log, struct cursor line)
{
    uint64_t id, parts[4] = {0};
    struct cursor at = line;
    if (log->chip_id || !take(&at, "revision:", 10, &id))
        return;
    log->gpu_id = (uint32_t)id;
    struct cursor quad = at;
    if (take(&quad, "(", 10, &parts[0]) && take(&quad, ".", 10, &parts[1]) && take(&quad, ".", 10, &parts[2]) &&
        take(&quad, ".", 10, &parts[3]))
        log->chip_id = (parts[0] & 0xff) << 24 | (parts[1] & 0xff) << 16 | (parts[2] & 0xff) << 8 | (parts[3] & 0xff);
    else if (take(&at, "(", 16, &id))
        log->chip_id = id & UINT32_MAX;
}

static void take_hang(struct log *log, struct cursor line)
{
    uint64_t value, parts[4] = {0};
    struct cursor at = line;
    if (find(&at, "hangcheck detected gpu lockup")) {
        log->has |= HAS_HANG;
        /* before it: the name of the GPU, which newer kernels have as four numbers */
        struct cursor name = {line.at, at.at};
        const char *colon = memmem(line.at, (size_t)(at.at - line.at), ": hangcheck", 11);
        while (colon && colon > name.at && colon[-1] != ' ')
            colon--;
        name.at = colon ? colon : name.end;
        if (!log->chip_id && take(&name, "", 10, &parts[0]) && take(&name, ".", 10, &parts[1]) &&
            take(&name, ".", 10, &parts[2]) && take(&name, ".", 10, &parts[3]))
            log->chip_id =
                (parts[0] & 0xff) << 24 | (parts[1] & 0xff) << 16 | (parts[2] & 0xff) << 8 | (parts[3] & 0xff);
        if (!*log->ring)
            take_word(&at, "rb", log->ring);
        log->ring[strcspn(log->ring, "!")] = 0;
    }
    if (has(line, "MISC: GPU hang detected")) {
        log->has |= HAS_HANG;
        log->kgsl = true;
    }
    at = line;
    if (!(log->has & HAS_FENCES) && take(&at, "completed fence:", 10, &value)) {
        log->has |= HAS_FENCES;
        log->completed = value;
    }
    at = line;
    if (!(log->has & HAS_SUBMITTED) && take(&at, "submitted fence:", 10, &value)) {
        log->has |= HAS_SUBMITTED;
        log->submitted = value;
    }
    if (!*log->task)
        take_word(&line, "offending task:", log->task);
}

/* Errors that the command processor reported. */
static void take_error(struct log *log, struct cursor line)
{
    uint64_t value;
    struct cursor at = line;
    if (!(log->has & HAS_OPCODE) && find(&at, "opcode error") && take(&at, "opcode=", 16, &value)) {
        log->has |= HAS_OPCODE;
        log->opcode = (uint32_t)value;
    }
    at = line;
    bool protect = find(&at, "rotected mode error");
    if (!(log->has & HAS_PROTECT) && protect && take(&at, "addr=", 16, &value)) {
        log->has |= HAS_PROTECT;
        log->protect = (uint32_t)value;
        log->protect_read = has(line, "| READ");
    }
    at = line;
    if (!(log->has & HAS_HARDWARE) && find(&at, "HW fault") && take(&at, "status=", 16, &value)) {
        log->has |= HAS_HARDWARE;
        log->hardware = (uint32_t)value;
    }
    if (has(line, "CP ucode error"))
        log->has |= HAS_UCODE;
    if (has(line, "CP illegal instruction") || has(line, "CP Illegal instruction"))
        log->has |= HAS_ILLEGAL;
}

static bool is_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* ": 00c5", "=0xc5": a word that is a hexadecimal number, after a colon or an equals sign. */
static bool read_state_word(struct cursor at, uint32_t *value)
{
    char digits[12] = "", *end;
    size_t count = 0;
    while (at.at < at.end && (*at.at == ' ' || *at.at == '\t'))
        at.at++;
    if (at.at == at.end || (*at.at != ':' && *at.at != '='))
        return false;
    do
        at.at++;
    while (at.at < at.end && (*at.at == ' ' || *at.at == '\t'));
    while (at.at + count < at.end && is_word(at.at[count]))
        count++;
    if (!count || count >= sizeof digits)
        return false;
    memcpy(digits, at.at, count);
    unsigned long long number = strtoull(digits, &end, 16);
    if (*end || number > UINT32_MAX)
        return false;
    *value = (uint32_t)number;
    return true;
}

/* State of the SQE: "PC: 00c5", "$01: deadd00d  $11: 00000000". The kernel's own "pc : function+0x..." is not a number.
 */
static void take_state(struct log *log, struct cursor line)
{
    uint32_t value;
    const char *start = line.at;
    for (; line.at < line.end; line.at++) {
        bool begins = line.at == start || !is_word(line.at[-1]);
        size_t left = (size_t)(line.end - line.at);
        struct cursor at = line;
        if (begins && left > 2 && (memcmp(line.at, "PC", 2) == 0 || memcmp(line.at, "pc", 2) == 0)) {
            at.at += 2;
            if (!(log->has & HAS_PC) && read_state_word(at, &value) && value <= PC_MAX) {
                log->has |= HAS_PC;
                log->pc = value;
            }
        } else if (left > 3 && *line.at == '$' && is_word(line.at[1]) && is_word(line.at[2])) {
            const char digits[] = {line.at[1], line.at[2], 0};
            char *end;
            unsigned long number = strtoul(digits, &end, 16);
            at.at += 3;
            if (*end || number > 31 || log->registers >> number & 1 || !read_state_word(at, &value))
                continue;
            log->registers |= 1u << number;
            log->value[number] = value;
        }
    }
}

static void read_line(struct log *log, struct cursor line)
{
    if (has(line, "gpu fault") && has(line, " rb "))
        take_position(log, line);
    else if (has(line, "*** gpu fault:") || has(line, "GPU PAGE FAULT"))
        take_fault(log, line);
    take_chip(log, line);
    take_hang(log, line);
    take_error(log, line);
    take_state(log, line);
    if (!(log->has & HAS_FAULT))
        return;
    /* KGSL has these in lines of their own, after that with the address */
    if (!*log->source)
        take_word(&line, "FAULTING BLOCK:", log->source);
    if (!*log->direction && (has(line, "(write ") || has(line, "(read ")))
        snprintf(log->direction, sizeof log->direction, has(line, "(write ") ? "WRITE" : "READ");
    if (!*log->type && (has(line, " translation fault)") || has(line, " permission fault)")))
        snprintf(log->type, sizeof log->type, has(line, " translation") ? "TRANSLATION" : "PERMISSION");
}

/* Reads all lines of a text. */
static void read_lines(struct log *log, const char *text, size_t length)
{
    const char *end = text + length;
    *log = (struct log){0};
    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text)), *stop = newline ? newline : end;
        read_line(log, (struct cursor){text, stop});
        text = stop + 1;
    }
}

bool gpucode_crash_log_recognise(const char *text, size_t length)
{
    struct log log;
    if (!text || memchr(text, 0, length))
        return false;
    read_lines(&log, text, length);
    return log.has &
           (HAS_POSITION | HAS_FAULT | HAS_HANG | HAS_OPCODE | HAS_PROTECT | HAS_UCODE | HAS_ILLEGAL | HAS_PC);
}

/* --- what they mean ----------------------------------------------------------------------------------------------- */

/* The deepest buffer that has words left: 0 the ring, 1 IB1, 2 IB2. */
static unsigned level_of(const struct log *log)
{
    return log->left[1] ? 2 : log->left[0] ? 1 : 0;
}

/* A header, by its packet. */
static void tell_header(const struct explanation *e, struct buffer *text, uint32_t word)
{
    struct gpucode_packet_header parts = gpucode_packet_header(word);
    const char *name = e->family && parts.type == 7 ? gpucode_packet_name(e->family, parts.number) : NULL;
    buffer_format(text, "0x%08" PRIx32 ", %s", word,
                  !walk_packet_words(word) ? "which is not a packet"
                  : parts.type == 4        ? "a register write"
                  : name                   ? name
                                           : "a packet without a known name");
}

/* Where the SQE stood in its code, and what it had in hand. */
static void tell_state(const struct explanation *e, struct buffer *text, const struct log *log)
{
    struct crash_place place;
    if (log->has & HAS_PC) {
        buffer_format(text, "The SQE stood at PC 0x%" PRIx32, log->pc);
        if (crash_code_place(e->code, log->pc, &place)) {
            buffer_text(text, ", ");
            crash_code_tell(&place, text);
        }
        buffer_text(text, log->registers & 2 ? "," : ". ");
    } else if (log->registers & 2) {
        buffer_text(text, "The SQE stood");
    }
    if (log->registers & 2) {
        buffer_text(text, " with ");
        tell_header(e, text, log->value[1]);
        buffer_text(text, ", in hand. ");
    }
}

static void tell_position(const struct explanation *e, struct buffer *text, const struct log *log)
{
    unsigned level = level_of(log);
    tell_state(e, text, log);
    if (!(log->has & HAS_POSITION))
        buffer_text(text, log->has & HAS_PC
                              ? "Where in the command stream that was is not told."
                              : "The GPU hung or reported a fault; the log does not tell where the command processor "
                                "stood.");
    else if (level)
        buffer_format(text,
                      "The command processor read IB%u at 0x%" PRIx64 " and had %" PRIu32
                      " words of it left: with the buffer's size that is the place.",
                      level, log->base[level - 1], log->left[level - 1]);
    else if (log->rptr != log->wptr)
        buffer_format(text,
                      "The command processor stood in the ring, at word 0x%" PRIx32
                      " of what was written up to 0x%" PRIx32 ".",
                      log->rptr, log->wptr);
    else
        buffer_text(text, "The command processor had taken all that was in the ring.");
}

static void tell_opcode(const struct explanation *e, struct buffer *text, uint32_t word)
{
    buffer_text(text, " It was given ");
    tell_header(e, text, word);
    buffer_text(text, !walk_packet_words(word) ? ": the command stream is wrong, or memory was overwritten."
                      : gpucode_packet_header(word).type == 4
                          ? ", and refused it."
                          : ", and refused it: the firmware has no code for it, or its words are wrong.");
}

static void tell_fault(struct buffer *text, const struct log *log)
{
    buffer_format(text, " An SMMU fault was seen: %s%s0x%" PRIx64, log->direction,
                  *log->direction ? " of " : "address ", log->iova);
    if (*log->source)
        buffer_format(text, ", by %s", log->source);
    if (*log->type)
        buffer_format(text, " (%s)", log->type);
    buffer_text(text, ".");
    for (unsigned i = 0; log->has & HAS_POSITION && i < 2; i++)
        if (log->base[i] && log->iova == log->base[i])
            buffer_format(text, " It is the start of IB%u.", i + 1);
        else if (log->base[i] && log->iova - log->base[i] < 0x400000)
            buffer_format(text, " It is 0x%" PRIx64 " after the start of IB%u.", log->iova - log->base[i], i + 1);
}

static void put_log_verdict(const struct explanation *e, const struct log *log)
{
    struct buffer text = {0};
    tell_position(e, &text, log);
    if (log->has & HAS_OPCODE)
        tell_opcode(e, &text, log->opcode);
    if (log->has & HAS_PROTECT)
        explain_refusal(e, &text, !log->protect_read, log->protect);
    if (log->has & HAS_ILLEGAL)
        buffer_text(&text, " It reported an illegal instruction: the firmware's code is wrong, or was not where it "
                           "should be.");
    if (log->has & HAS_UCODE)
        buffer_text(&text, " It reported a ucode error, a fault of the firmware itself.");
    if (log->has & HAS_FAULT)
        tell_fault(&text, log);
    if (!(log->has & (HAS_OPCODE | HAS_PROTECT | HAS_ILLEGAL | HAS_UCODE | HAS_FAULT)) && log->has & ~(unsigned)HAS_PC)
        buffer_text(&text, " No error is flagged: the GPU hung.");
    put_sentences(e, LOG_VERDICT, &text);
}

/* Null where there is nothing. */
static const char *some(const char *text)
{
    return *text ? text : NULL;
}

static void put_log_status(const struct explanation *e, const struct log *log)
{
    static const struct {
        unsigned bit;
        const char *name;
    } errors[] = {{HAS_OPCODE, "opcode error"},
                  {HAS_UCODE, "ucode error"},
                  {HAS_HARDWARE, "hardware fault"},
                  {HAS_PROTECT, "register protection"},
                  {HAS_ILLEGAL, "illegal instruction"}};
    put_begin(e, LOG_STATUS);
    put_begin(e, LOG_INTERRUPT);
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (log->has & errors[i].bit)
            put_text(e, LOG_INTERRUPT_NAME, errors[i].name);
    put_end(e);
    if (log->has & HAS_PROTECT)
        put_refusal(e, LOG_REFUSED, !log->protect_read, log->protect);
    if (log->has & HAS_FAULT) {
        const struct gpucode_crash_fault fault = {log->iova, some(log->type), some(log->direction), some(log->source)};
        put_fault(e, LOG_FAULT, &fault);
    }
    put_end(e);
}

static void put_log_position(const struct explanation *e, const struct log *log)
{
    char text[EXPLAIN_TEXT_MAX];
    unsigned level = level_of(log);
    if (!(log->has & HAS_POSITION))
        return;
    put_begin(e, LOG_POSITION);
    put_text(e, LOG_LEVEL, explain_level((enum gpucode_crash_level)level));
    if (level) {
        put_number(e, LOG_BUFFER, log->base[level - 1]);
        put_number(e, LOG_LEFT, log->left[level - 1]);
    }
    put_number(e, LOG_RBBM, log->status);
    put_text(e, LOG_RBBM_TEXT, explain_busy(e, log->status, text));
    put_number(e, LOG_RPTR, log->rptr);
    put_number(e, LOG_WPTR, log->wptr);
    put_text(e, LOG_RING, some(log->ring));
    put_begin(e, LOG_BUFFERS);
    for (unsigned i = 0; i < 2; i++) {
        put_begin(e, LOG_IB);
        put_text(e, LOG_IB_LEVEL, explain_level((enum gpucode_crash_level)(i + 1)));
        put_number(e, LOG_IB_BUFFER, log->base[i]);
        put_number(e, LOG_IB_LEFT, log->left[i]);
        put_end(e);
    }
    put_end(e);
    put_end(e);
}

/* The registers of the SQE that are told, and the firmware around its PC. */
static void put_log_state(const struct explanation *e, const struct log *log)
{
    char key[8], shown[32];
    unsigned told = 0;
    if (log->has & HAS_PC) {
        put_number(e, LOG_PC, log->pc);
        put_code_place(e, LOG_CODE_HANDLER_OFFSET, log->pc);
    }
    if (log->registers) {
        put_begin(e, LOG_SQE);
        for (unsigned i = 0; i < 32; i++) {
            if (!(log->registers >> i & 1))
                continue;
            snprintf(key, sizeof key, "$%02x", i);
            snprintf(shown, sizeof shown, "%s 0x%08" PRIx32, key, log->value[i]);
            if (told && told % 4 == 0)
                put_text(e, LOG_SQE_END, "");
            told++;
            gpucode_answer_key(e->answer, key);
            put_shown(e, LOG_SQE_VALUE, log->value[i], shown);
        }
        put_text(e, LOG_SQE_END, "");
        put_end(e);
    }
    put_firmware(e, LOG_FIRMWARE - FIRMWARE, log->has & HAS_PC, log->pc);
}

static void put_log_head(const struct explanation *e, const struct log *log, const struct gpucode_chip *chip)
{
    put_text(e, LOG_FORMAT, log->kgsl ? "kgsl-log" : log->has == HAS_PC ? "log" : "msm-log");
    put_text(e, LOG_TITLE, log->kgsl ? "Log of KGSL" : log->has == HAS_PC ? "Log" : "Log of msm");
    put_begin(e, LOG_GPU);
    put_text(e, LOG_GPU_NAME, chip->name);
    if (!chip->name && (log->chip_id || !e->family))
        put_text(e, LOG_GPU_UNKNOWN,
                 log->chip_id ? "unknown" : "not told; -t names it, for registers and packets by name");
    if (log->chip_id)
        put_number(e, LOG_CHIP_ID, log->chip_id);
    put_end(e);
    put_text(e, LOG_COMM, some(log->task));
}

static void put_log(const struct explanation *e, const struct log *log, const struct gpucode_chip *chip)
{
    put_begin(e, LOG);
    put_log_verdict(e, log);
    put_log_head(e, log, chip);
    put_log_status(e, log);
    put_log_position(e, log);
    if (log->has & HAS_HARDWARE)
        put_number(e, LOG_HARDWARE, log->hardware);
    if (log->has & HAS_FENCES)
        put_number(e, LOG_RETIRED, log->completed);
    if (log->has & HAS_SUBMITTED)
        put_number(e, LOG_LAST, log->submitted);
    if (log->has & HAS_FENCES && log->has & HAS_SUBMITTED)
        put_fences(e, LOG_FENCES, false, (uint32_t)log->completed, (uint32_t)log->submitted);
    if (log->has & HAS_OPCODE)
        put_number(e, LOG_HEADER, log->opcode);
    put_number(e, LOG_HANGS, log->hangs);
    put_number(e, LOG_FAULTS, log->faults);
    if (log->hangs > 1 || log->faults > 1)
        put_format(e, LOG_MORE, "%u hangs and %u faults in all; the first of each is told", log->hangs, log->faults);
    put_log_state(e, log);
    put_text(e, LOG_END,
             "Without a dump this is all. /sys/class/devcoredump/devcd*/data (msm) or "
             "/sys/class/kgsl/kgsl-3d0/snapshot/dump (KGSL) has the rest for a few minutes.");
    put_end(e);
}

enum gpucode_status gpucode_crash_explain_log(const char *text, size_t length,
                                              const struct gpucode_crash_explain_options *options,
                                              struct gpucode_answer *answer)
{
    enum gpucode_status status = GPUCODE_OK;
    struct crash_code *code = NULL;
    struct gpucode_chip chip = {0};
    struct explanation e;
    struct log log;
    if (!text)
        return GPUCODE_ERROR_ARGUMENT;
    if (!gpucode_crash_log_recognise(text, length))
        return GPUCODE_ERROR_INPUT;
    read_lines(&log, text, length);
    explain_begin(&e, NULL, options, answer);
    if (gpucode_chip_find(log.gpu_id, log.chip_id, &chip) && !e.target)
        e.family = chip.family;
    if (options && options->firmware && options->firmware->image) {
        if (!e.family)
            e.family = gpucode_target_family(gpucode_image_info(options->firmware->image)->target);
        status = crash_code_open(NULL, options->firmware, &code);
    }
    e.code = code;
    if (status == GPUCODE_OK)
        put_log(&e, &log, &chip);
    crash_code_close(code);
    return status == GPUCODE_OK ? gpucode_answer_status(answer) : status;
}
