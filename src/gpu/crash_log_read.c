/* SPDX-License-Identifier: MIT */
/*
 * Forms of lines: adreno_gpu.c, a5xx_gpu.c, a6xx_gpu.c and msm_gpu.c of the Linux kernel, and the published sources of
 * KGSL (adreno_dispatch.c, adreno_a6xx.c, adreno_gen7.c, kgsl_iommu.c). The first of each kind counts: what follows a
 * hang is often its consequence.
 */
#include "gpu/crash_log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PC_MAX 0xfffff /* words: no section has more */

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

static bool take_word(struct cursor *cursor, const char *text, char word[CRASH_LOG_WORD_MAX])
{
    if (!find(cursor, text))
        return false;
    while (cursor->at < cursor->end && *cursor->at == ' ')
        cursor->at++;
    size_t count = 0;
    while (cursor->at + count < cursor->end && cursor->at[count] != ' ' && count < CRASH_LOG_WORD_MAX - 1)
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
    if (log->has & CRASH_LOG_POSITION)
        return;
    log->has |= CRASH_LOG_POSITION;
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
    if (log->has & CRASH_LOG_FAULT)
        return;
    log->has |= CRASH_LOG_FAULT;
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
        log->has |= CRASH_LOG_HANG;
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
        log->has |= CRASH_LOG_HANG;
        log->kgsl = true;
    }
    at = line;
    if (!(log->has & CRASH_LOG_FENCES) && take(&at, "completed fence:", 10, &value)) {
        log->has |= CRASH_LOG_FENCES;
        log->completed = value;
    }
    at = line;
    if (!(log->has & CRASH_LOG_SUBMITTED) && take(&at, "submitted fence:", 10, &value)) {
        log->has |= CRASH_LOG_SUBMITTED;
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
    if (!(log->has & CRASH_LOG_OPCODE) && find(&at, "opcode error") && take(&at, "opcode=", 16, &value)) {
        log->has |= CRASH_LOG_OPCODE;
        log->opcode = (uint32_t)value;
    }
    at = line;
    bool protect = find(&at, "rotected mode error");
    if (!(log->has & CRASH_LOG_PROTECT) && protect && take(&at, "addr=", 16, &value)) {
        log->has |= CRASH_LOG_PROTECT;
        log->protect = (uint32_t)value;
        log->protect_read = has(line, "| READ");
    }
    at = line;
    if (!(log->has & CRASH_LOG_HARDWARE) && find(&at, "HW fault") && take(&at, "status=", 16, &value)) {
        log->has |= CRASH_LOG_HARDWARE;
        log->hardware = (uint32_t)value;
    }
    if (has(line, "CP ucode error"))
        log->has |= CRASH_LOG_UCODE;
    if (has(line, "CP illegal instruction") || has(line, "CP Illegal instruction"))
        log->has |= CRASH_LOG_ILLEGAL;
}

static bool is_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* ": 00c5", "=0xc5": a word that is a hexadecimal number, behind a colon or an equals sign. */
static bool take_state_word(struct cursor *cursor, uint32_t *value)
{
    struct cursor at = *cursor;
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
    cursor->at = at.at + count;
    return true;
}

/* State of the SQE: "PC: 00c5", "$01: deadd00d  $11: 00000000". The kernel's own "pc : function+0x..." is no number. */
static void take_state(struct crash_log *log, struct cursor line)
{
    uint32_t value;
    const char *start = line.at;
    for (; line.at < line.end; line.at++) {
        bool begins = line.at == start || !is_word(line.at[-1]);
        size_t left = (size_t)(line.end - line.at);
        struct cursor at = line;
        if (begins && left > 2 && (memcmp(line.at, "PC", 2) == 0 || memcmp(line.at, "pc", 2) == 0)) {
            at.at += 2;
            if (!(log->has & CRASH_LOG_PC) && take_state_word(&at, &value) && value <= PC_MAX) {
                log->has |= CRASH_LOG_PC;
                log->pc = value;
            }
        } else if (left > 3 && *line.at == '$' && is_word(line.at[1]) && is_word(line.at[2])) {
            const char digits[] = {line.at[1], line.at[2], 0};
            char *end;
            unsigned long number = strtoul(digits, &end, 16);
            at.at += 3;
            if (*end || number > 31 || log->registers >> number & 1 || !take_state_word(&at, &value))
                continue;
            log->registers |= 1u << number;
            log->value[number] = value;
        }
    }
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
    take_state(log, line);
    if (!(log->has & CRASH_LOG_FAULT))
        return;
    /* KGSL has these in lines of their own, behind that with the address */
    if (!*log->source)
        take_word(&line, "FAULTING BLOCK:", log->source);
    if (!*log->direction && (has(line, "(write ") || has(line, "(read ")))
        snprintf(log->direction, sizeof log->direction, has(line, "(write ") ? "WRITE" : "READ");
    if (!*log->type && (has(line, " translation fault)") || has(line, " permission fault)")))
        snprintf(log->type, sizeof log->type, has(line, " translation") ? "TRANSLATION" : "PERMISSION");
}

void crash_log_read(struct crash_log *log, const char *text, size_t length)
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
    crash_log_read(&log, text, length);
    return log.has & (CRASH_LOG_POSITION | CRASH_LOG_FAULT | CRASH_LOG_HANG | CRASH_LOG_OPCODE | CRASH_LOG_PROTECT |
                      CRASH_LOG_UCODE | CRASH_LOG_ILLEGAL | CRASH_LOG_PC);
}
