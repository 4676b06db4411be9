/* SPDX-License-Identifier: MIT */
/*
 * Forms of lines: adreno_gpu.c, a5xx_gpu.c, a6xx_gpu.c and msm_gpu.c of the Linux kernel, and the published sources of
 * KGSL (adreno_dispatch.c, adreno_a6xx.c, adreno_gen7.c, kgsl_iommu.c). The first of each kind counts: what follows a
 * hang is often its consequence.
 */
#include "kit/pm4/crash_log.h"

#include "front/code.h"
#include "front/excerpt.h"
#include "front/json.h"
#include "front/registers.h"
#include "front/session.h"
#include "kit/pm4/crash_file.h"

#include <gpucode/fields.h>
#include <gpucode/packet.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD_MAX 64

/* Bits of crash_log.has. */
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
};

struct crash_log {
    unsigned has, faults, hangs; /* how many of them there are in all */
    bool kgsl;
    uint32_t gpu_id;
    uint64_t chip_id;
    uint32_t status, rptr, wptr, left[2]; /* of IB1 and IB2, words */
    uint64_t base[2], completed, submitted, iova;
    uint32_t opcode, protect, hardware;
    char ring[WORD_MAX], task[WORD_MAX], direction[WORD_MAX], type[WORD_MAX], source[WORD_MAX];
};

/* --- lines ------------------------------------------------------------------------------------------------------- */

/* A line; `at` moves through it. */
struct cursor {
    const char *at, *end;
};

/* Moves behind the next place that has the text. */
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

/* The number behind the next place that has the text, blanks and 0x passed over. */
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
static void take_position(struct crash_log *log, struct cursor line)
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

static void take_fault(struct crash_log *log, struct cursor line)
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
static void take_chip(struct crash_log *log, struct cursor line)
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

static void take_hang(struct crash_log *log, struct cursor line)
{
    uint64_t value, parts[4] = {0};
    struct cursor at = line;
    if (find(&at, "hangcheck detected gpu lockup")) {
        log->has |= HAS_HANG;
        /* in front of it: the name of the GPU, which newer kernels have as four numbers */
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
static void take_error(struct crash_log *log, struct cursor line)
{
    uint64_t value;
    struct cursor at = line;
    if (!(log->has & HAS_OPCODE) && find(&at, "opcode error") && take(&at, "opcode=", 16, &value)) {
        log->has |= HAS_OPCODE;
        log->opcode = (uint32_t)value;
    }
    at = line;
    bool protect = find(&at, "rotected mode error");
    if (!(log->has & HAS_PROTECT) && protect && take(&at, "status=", 16, &value)) {
        log->has |= HAS_PROTECT;
        log->protect = (uint32_t)value;
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

static void read_line(struct crash_log *log, struct cursor line)
{
    if (has(line, "gpu fault") && has(line, " rb "))
        take_position(log, line);
    else if (has(line, "*** gpu fault:") || has(line, "GPU PAGE FAULT"))
        take_fault(log, line);
    take_chip(log, line);
    take_hang(log, line);
    take_error(log, line);
    if (!(log->has & HAS_FAULT))
        return;
    /* KGSL has these in lines of their own, behind that with the address */
    if (!*log->source)
        take_word(&line, "FAULTING BLOCK:", log->source);
    if (!*log->direction && (has(line, "(write ") || has(line, "(read ")))
        snprintf(log->direction, sizeof log->direction, has(line, "(write ") ? "WRITE" : "READ");
    if (!*log->type && (has(line, " translation fault)") || has(line, " permission fault)")))
        snprintf(log->type, sizeof log->type, has(line, " translation") ? "TRANSLATION" : "PERMISSION");
}

static void read_log(struct crash_log *log, const char *text, size_t length)
{
    const char *end = text + length;
    *log = (struct crash_log){0};
    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text)), *stop = newline ? newline : end;
        read_line(log, (struct cursor){text, stop});
        text = stop + 1;
    }
}

bool crash_log_recognise(const char *text, size_t length)
{
    struct crash_log log;
    if (memchr(text, 0, length))
        return false;
    read_log(&log, text, length);
    return log.has & (HAS_POSITION | HAS_FAULT | HAS_HANG | HAS_OPCODE | HAS_PROTECT | HAS_UCODE | HAS_ILLEGAL);
}

/* --- what it means ----------------------------------------------------------------------------------------------- */

struct explanation {
    struct session *session;
    struct crash_log log;
    struct gpucode_chip chip;
    unsigned family; /* 0: not known */
    const struct gpucode_target *target;
    const struct gpucode_meanings *meanings;
};

static void put_text(const char *text)
{
    excerpt_text(stdout, text, strlen(text));
}

/* What RBBM_STATUS says is busy. */
static const char *status_text(const struct explanation *explanation, char text[CRASH_TEXT_MAX])
{
    static const char name[] = "RBBM_STATUS";
    uint32_t number;
    *text = 0;
    if (explanation->family && gpucode_register_find(explanation->family, name, sizeof name - 1, &number))
        gpucode_meanings_text(explanation->meanings, explanation->family, number, explanation->log.status, text,
                              CRASH_TEXT_MAX);
    return text;
}

/* The deepest buffer that has words left: 0 the ring, 1 IB1, 2 IB2. */
static unsigned level_of(const struct crash_log *log)
{
    return log->left[1] ? 2 : log->left[0] ? 1 : 0;
}

static void print_position(const struct explanation *explanation)
{
    const struct crash_log *log = &explanation->log;
    unsigned level = level_of(log);
    if (!(log->has & HAS_POSITION)) {
        fputs("The GPU hung or reported a fault; the log does not tell where the command processor stood.", stdout);
        return;
    }
    if (level)
        printf("The command processor read IB%u at 0x%" PRIx64 " and had %" PRIu32
               " words of it left: with the buffer's size that is the place.",
               level, log->base[level - 1], log->left[level - 1]);
    else if (log->rptr != log->wptr)
        printf("The command processor stood in the ring, at word %" PRIu32 " of what was written up to %" PRIu32 ".",
               log->rptr, log->wptr);
    else
        fputs("The command processor had taken all that was in the ring.", stdout);
}

static void print_opcode(const struct explanation *explanation)
{
    uint32_t word = explanation->log.opcode;
    struct gpucode_packet_header parts = gpucode_packet_header(word);
    const char *name =
        explanation->family && parts.type == 7 ? gpucode_packet_name(explanation->family, parts.number) : NULL;
    printf(" It was given 0x%08" PRIx32 ", ", word);
    if (!crash_is_header(word))
        fputs("which is no packet: the command stream is wrong, or memory was overwritten.", stdout);
    else if (parts.type == 4)
        fputs("a register write, and refused it.", stdout);
    else
        printf("%s, and refused it: the firmware has no code for it, or its words are wrong.",
               name ? name : "a packet without a known name");
}

static void print_protect(const struct explanation *explanation)
{
    char name[GPUCODE_NAME_MAX];
    uint32_t number = explanation->log.protect & 0x3ffff;
    bool known = explanation->family && gpucode_register_name(explanation->family, number, name, sizeof name);
    printf(" A %s of the protected register %s%s0x%" PRIx32 "%s was refused.",
           explanation->log.protect >> 20 & 1 ? "read" : "write", known ? name : "", known ? " (" : "", number,
           known ? ")" : "");
}

static void print_fault(const struct crash_log *log)
{
    printf(" An SMMU fault was seen: %s%s0x%" PRIx64, log->direction, *log->direction ? " of " : "address ", log->iova);
    if (*log->source) {
        fputs(", by ", stdout);
        put_text(log->source);
    }
    if (*log->type) {
        fputs(" (", stdout);
        put_text(log->type);
        putchar(')');
    }
    putchar('.');
    if (log->has & HAS_POSITION)
        for (unsigned i = 0; i < 2; i++)
            if (log->base[i] && log->iova - log->base[i] < 0x400000)
                printf(" It is 0x%" PRIx64 " behind the start of IB%u.", log->iova - log->base[i], i + 1);
}

static void print_pair(const char *key, const char *text)
{
    if (!*text)
        return;
    printf("  %-14s ", key);
    put_text(text);
    putchar('\n');
}

static void print_evidence(const struct explanation *explanation)
{
    const struct crash_log *log = &explanation->log;
    char text[CRASH_TEXT_MAX];
    printf("\n%s\n", log->kgsl ? "Log of KGSL" : "Log of msm");
    if (explanation->chip.name || log->chip_id)
        printf("  %-14s %s, chip id 0x%08" PRIx64 "\n", "GPU",
               explanation->chip.name ? explanation->chip.name : "unknown", log->chip_id);
    else if (!explanation->family)
        printf("  %-14s not told; -t names it, for registers and packets by name\n", "GPU");
    print_pair("process", log->task);
    if (log->has & HAS_POSITION) {
        printf("  %-14s 0x%08" PRIx32 " %s\n", "RBBM_STATUS", log->status, status_text(explanation, text));
        printf("  %-14s read %" PRIu32 ", written %" PRIu32 " words%s%s\n", "ring", log->rptr, log->wptr,
               *log->ring ? ", number " : "", log->ring);
        for (unsigned i = 0; i < 2; i++)
            printf("  IB%u            at 0x%" PRIx64 ", %" PRIu32 " words left\n", i + 1, log->base[i], log->left[i]);
    }
    if (log->has & HAS_HARDWARE)
        printf("  %-14s 0x%08" PRIx32 "\n", "hardware fault", log->hardware);
    if (log->has & HAS_FENCES && log->has & HAS_SUBMITTED)
        printf("  %-14s %" PRIu64 " to %" PRIu64 " in flight\n", "fences", log->completed + 1, log->submitted);
    if (log->hangs > 1 || log->faults > 1)
        printf("  %-14s %u hangs and %u faults in all; the first of each is told\n", "more", log->hangs, log->faults);
    puts("\nWithout a dump this is all. /sys/class/devcoredump/devcd*/data (msm) or\n"
         "/sys/class/kgsl/kgsl-3d0/snapshot/dump (KGSL) has the rest for a few minutes.");
}

static void print_text(const struct explanation *explanation)
{
    const struct crash_log *log = &explanation->log;
    print_position(explanation);
    if (log->has & HAS_OPCODE)
        print_opcode(explanation);
    if (log->has & HAS_PROTECT)
        print_protect(explanation);
    if (log->has & HAS_ILLEGAL)
        fputs(" It reported an illegal instruction: the firmware's code is wrong, or was not where it should be.",
              stdout);
    if (log->has & HAS_UCODE)
        fputs(" It reported a ucode error, a fault of the firmware itself.", stdout);
    if (log->has & HAS_FAULT)
        print_fault(log);
    if (!(log->has & (HAS_OPCODE | HAS_PROTECT | HAS_ILLEGAL | HAS_UCODE | HAS_FAULT)))
        fputs(" No error is flagged: the GPU hung.", stdout);
    putchar('\n');
    print_evidence(explanation);
}

static void put_hex(struct json *json, const char *key, uint64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "0x%" PRIx64, value);
    json_string(json, key, text);
}

static void put_fault(const struct crash_log *log, struct json *json)
{
    json_object(json, "fault");
    put_hex(json, "iova", log->iova);
    json_string(json, "type", *log->type ? log->type : NULL);
    json_string(json, "dir", *log->direction ? log->direction : NULL);
    json_string(json, "source", *log->source ? log->source : NULL);
    json_end(json);
}

static void put_status(const struct explanation *explanation, struct json *json)
{
    const struct crash_log *log = &explanation->log;
    json_object(json, "status");
    json_array(json, "interrupt");
    if (log->has & HAS_OPCODE)
        json_string(json, NULL, "opcode error");
    if (log->has & HAS_UCODE)
        json_string(json, NULL, "ucode error");
    if (log->has & HAS_HARDWARE)
        json_string(json, NULL, "hardware fault");
    if (log->has & HAS_PROTECT)
        json_string(json, NULL, "register protection");
    if (log->has & HAS_ILLEGAL)
        json_string(json, NULL, "illegal instruction");
    json_end(json);
    if (log->has & HAS_PROTECT) {
        char name[GPUCODE_NAME_MAX];
        uint32_t number = log->protect & 0x3ffff;
        json_object(json, "protect");
        put_hex(json, "address", number);
        json_string(json, "access", log->protect >> 20 & 1 ? "read" : "write");
        if (explanation->family && gpucode_register_name(explanation->family, number, name, sizeof name))
            json_string(json, "register", name);
        json_end(json);
    }
    if (log->has & HAS_FAULT)
        put_fault(log, json);
    json_end(json);
}

static void print_json(const struct explanation *explanation)
{
    static const char *const levels[] = {"RB", "IB1", "IB2"};
    const struct crash_log *log = &explanation->log;
    struct json json = {.out = stdout, .indent = true};
    char text[CRASH_TEXT_MAX];
    json_object(&json, NULL);
    json_string(&json, "format", log->kgsl ? "kgsl-log" : "msm-log");
    json_object(&json, "gpu");
    if (log->chip_id)
        put_hex(&json, "chip_id", log->chip_id);
    json_string(&json, "name", explanation->chip.name);
    json_end(&json);
    json_string(&json, "comm", *log->task ? log->task : NULL);
    if (log->has & HAS_FENCES)
        json_number(&json, "retired_fence", log->completed);
    if (log->has & HAS_SUBMITTED)
        json_number(&json, "last_fence", log->submitted);
    put_status(explanation, &json);
    if (log->has & HAS_POSITION) {
        unsigned level = level_of(log);
        json_object(&json, "position");
        json_string(&json, "level", levels[level]);
        if (level) {
            put_hex(&json, "buffer", log->base[level - 1]);
            json_number(&json, "left_words", log->left[level - 1]);
        }
        json_number(&json, "rptr_words", log->rptr);
        json_number(&json, "wptr_words", log->wptr);
        put_hex(&json, "rbbm_status", log->status);
        json_string(&json, "rbbm_text", status_text(explanation, text));
        json_end(&json);
    }
    if (log->has & HAS_OPCODE)
        put_hex(&json, "header", log->opcode);
    json_number(&json, "hangs", log->hangs);
    json_number(&json, "faults", log->faults);
    json_end(&json);
}

int crash_log_explain(struct session *session, const struct file *file)
{
    struct explanation explanation = {.session = session};
    struct registers *registers;
    read_log(&explanation.log, file->bytes, file->size);
    int code = code_target(session, &explanation.target);
    if (gpucode_chip_find(explanation.log.gpu_id, explanation.log.chip_id, &explanation.chip))
        explanation.family = explanation.chip.family;
    if (explanation.target)
        explanation.family = gpucode_target_family(explanation.target);
    if (!code)
        code = registers_load(session, explanation.target, &registers);
    if (code)
        return code;
    explanation.meanings = registers_meanings(registers);
    if (session->json)
        print_json(&explanation);
    else
        print_text(&explanation);
    registers_free(registers);
    return EXIT_DONE;
}
