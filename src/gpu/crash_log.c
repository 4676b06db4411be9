/* SPDX-License-Identifier: MIT */
/* What the lines of a kernel's log mean, as text and as data. */
#include "gpu/crash_log.h"

#include "front/code.h"
#include "front/json.h"
#include "front/names.h"
#include "front/session.h"
#include "front/terminal.h"
#include "gpu/crash_page.h"

#include <gpucode/fields.h>
#include <gpucode/packet.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct explanation {
    struct session *session;
    struct crash_log log;
    struct gpucode_chip chip;
    unsigned family; /* 0: not known */
    const struct gpucode_target *target;
    const struct gpucode_meanings *meanings;
    struct crash_code *code; /* of --firmware, or null */
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

/* A header, by its packet. */
static void print_header(const struct explanation *explanation, uint32_t word)
{
    struct gpucode_packet_header parts = gpucode_packet_header(word);
    const char *name =
        explanation->family && parts.type == 7 ? gpucode_packet_name(explanation->family, parts.number) : NULL;
    printf("0x%08" PRIx32 ", ", word);
    if (!crash_is_header(word))
        fputs("which is no packet", stdout);
    else
        fputs(parts.type == 4 ? "a register write" : name ? name : "a packet without a known name", stdout);
}

/* Where the SQE stood in its code, and what it had in hand. */
static void print_state(const struct explanation *explanation)
{
    const struct crash_log *log = &explanation->log;
    struct crash_place place;
    if (log->has & CRASH_LOG_PC) {
        printf("The SQE stood at PC 0x%" PRIx32, log->pc);
        if (crash_code_place(explanation->code, log->pc, &place)) {
            fputs(", ", stdout);
            crash_print_code_place(&place);
        }
        fputs(log->registers & 2 ? "," : ". ", stdout);
    } else if (log->registers & 2) {
        fputs("The SQE stood", stdout);
    }
    if (log->registers & 2) {
        fputs(" with ", stdout);
        print_header(explanation, log->value[1]);
        fputs(", in hand. ", stdout);
    }
}

static void print_position(const struct explanation *explanation)
{
    const struct crash_log *log = &explanation->log;
    unsigned level = level_of(log);
    print_state(explanation);
    if (!(log->has & CRASH_LOG_POSITION)) {
        fputs(log->has & CRASH_LOG_PC
                  ? "Where in the command stream that was is not told."
                  : "The GPU hung or reported a fault; the log does not tell where the command processor stood.",
              stdout);
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
    fputs(" It was given ", stdout);
    print_header(explanation, word);
    if (!crash_is_header(word))
        fputs(": the command stream is wrong, or memory was overwritten.", stdout);
    else if (gpucode_packet_header(word).type == 4)
        fputs(", and refused it.", stdout);
    else
        fputs(", and refused it: the firmware has no code for it, or its words are wrong.", stdout);
}

static void print_protect(const struct explanation *explanation)
{
    char name[GPUCODE_NAME_MAX];
    uint32_t number = explanation->log.protect;
    bool known = explanation->family && gpucode_register_name(explanation->family, number, name, sizeof name);
    printf(" A %s of the protected register %s%s0x%" PRIx32 "%s was refused.",
           explanation->log.protect_read ? "read" : "write", known ? name : "", known ? " (" : "", number,
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
    if (log->has & CRASH_LOG_POSITION)
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

/* The registers of the SQE that are told, and the firmware around its PC. */
static void print_registers(const struct explanation *explanation)
{
    const struct crash_log *log = &explanation->log;
    struct crash_page page = {.color = explanation->session->color,
                              .code = explanation->code,
                              .located = true,
                              .position = {.has_pc = log->has & CRASH_LOG_PC, .pc = log->pc}};
    unsigned told = 0;
    if (log->registers)
        crash_heading(&page, "SQE");
    for (unsigned i = 0; i < 32; i++)
        if (log->registers >> i & 1)
            printf("%s$%02x 0x%08" PRIx32, told++ % 4 ? "  " : told > 1 ? "\n  " : "  ", i, log->value[i]);
    if (told)
        putchar('\n');
    crash_print_code(&page);
}

static void print_evidence(const struct explanation *explanation)
{
    const struct crash_log *log = &explanation->log;
    char text[CRASH_TEXT_MAX];
    printf("\n%s\n", log->kgsl ? "Log of KGSL" : log->has == CRASH_LOG_PC ? "Log" : "Log of msm");
    if (explanation->chip.name || log->chip_id)
        printf("  %-14s %s, chip id 0x%08" PRIx64 "\n", "GPU",
               explanation->chip.name ? explanation->chip.name : "unknown", log->chip_id);
    else if (!explanation->family)
        printf("  %-14s not told; -t names it, for registers and packets by name\n", "GPU");
    print_pair("process", log->task);
    if (log->has & CRASH_LOG_POSITION) {
        const char *busy = status_text(explanation, text);
        printf("  %-14s 0x%08" PRIx32 "%s%s\n", "RBBM_STATUS", log->status, *busy ? " " : "", busy);
        printf("  %-14s read %" PRIu32 ", written %" PRIu32 " words%s%s\n", "ring", log->rptr, log->wptr,
               *log->ring ? ", number " : "", log->ring);
        for (unsigned i = 0; i < 2; i++)
            printf("  IB%u            at 0x%" PRIx64 ", %" PRIu32 " words left\n", i + 1, log->base[i], log->left[i]);
    }
    if (log->has & CRASH_LOG_HARDWARE)
        printf("  %-14s 0x%08" PRIx32 "\n", "hardware fault", log->hardware);
    if (log->has & CRASH_LOG_FENCES && log->has & CRASH_LOG_SUBMITTED)
        printf("  %-14s %" PRIu64 " to %" PRIu64 " in flight\n", "fences", log->completed + 1, log->submitted);
    if (log->hangs > 1 || log->faults > 1)
        printf("  %-14s %u hangs and %u faults in all; the first of each is told\n", "more", log->hangs, log->faults);
    print_registers(explanation);
    puts("\nWithout a dump this is all. /sys/class/devcoredump/devcd*/data (msm) or\n"
         "/sys/class/kgsl/kgsl-3d0/snapshot/dump (KGSL) has the rest for a few minutes.");
}

static void print_text(const struct explanation *explanation)
{
    const struct crash_log *log = &explanation->log;
    print_position(explanation);
    if (log->has & CRASH_LOG_OPCODE)
        print_opcode(explanation);
    if (log->has & CRASH_LOG_PROTECT)
        print_protect(explanation);
    if (log->has & CRASH_LOG_ILLEGAL)
        fputs(" It reported an illegal instruction: the firmware's code is wrong, or was not where it should be.",
              stdout);
    if (log->has & CRASH_LOG_UCODE)
        fputs(" It reported a ucode error, a fault of the firmware itself.", stdout);
    if (log->has & CRASH_LOG_FAULT)
        print_fault(log);
    if (!(log->has & (CRASH_LOG_OPCODE | CRASH_LOG_PROTECT | CRASH_LOG_ILLEGAL | CRASH_LOG_UCODE | CRASH_LOG_FAULT)) &&
        log->has & ~(unsigned)CRASH_LOG_PC)
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

/* PC, the handler that it is in by --firmware, and registers. */
static void put_state(const struct explanation *explanation, struct json *json)
{
    const struct crash_log *log = &explanation->log;
    char text[8];
    if (log->has & CRASH_LOG_PC) {
        json_number(json, "pc_words", log->pc);
        crash_code_put_place(explanation->code, log->pc, json);
    }
    if (!log->registers)
        return;
    json_object(json, "registers");
    for (unsigned i = 0; i < 32; i++) {
        snprintf(text, sizeof text, "$%02x", i);
        if (log->registers >> i & 1)
            put_hex(json, text, log->value[i]);
    }
    json_end(json);
}

static void put_status(const struct explanation *explanation, struct json *json)
{
    const struct crash_log *log = &explanation->log;
    json_object(json, "status");
    json_array(json, "interrupt");
    if (log->has & CRASH_LOG_OPCODE)
        json_string(json, NULL, "opcode error");
    if (log->has & CRASH_LOG_UCODE)
        json_string(json, NULL, "ucode error");
    if (log->has & CRASH_LOG_HARDWARE)
        json_string(json, NULL, "hardware fault");
    if (log->has & CRASH_LOG_PROTECT)
        json_string(json, NULL, "register protection");
    if (log->has & CRASH_LOG_ILLEGAL)
        json_string(json, NULL, "illegal instruction");
    json_end(json);
    if (log->has & CRASH_LOG_PROTECT) {
        char name[GPUCODE_NAME_MAX];
        uint32_t number = log->protect;
        json_object(json, "protect");
        put_hex(json, "address", number);
        json_string(json, "access", log->protect_read ? "read" : "write");
        if (explanation->family && gpucode_register_name(explanation->family, number, name, sizeof name))
            json_string(json, "register", name);
        json_end(json);
    }
    if (log->has & CRASH_LOG_FAULT)
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
    json_string(&json, "format", log->kgsl ? "kgsl-log" : log->has == CRASH_LOG_PC ? "log" : "msm-log");
    json_object(&json, "gpu");
    if (log->chip_id)
        put_hex(&json, "chip_id", log->chip_id);
    json_string(&json, "name", explanation->chip.name);
    json_end(&json);
    json_string(&json, "comm", *log->task ? log->task : NULL);
    if (log->has & CRASH_LOG_FENCES)
        json_number(&json, "retired_fence", log->completed);
    if (log->has & CRASH_LOG_SUBMITTED)
        json_number(&json, "last_fence", log->submitted);
    put_status(explanation, &json);
    put_state(explanation, &json);
    if (log->has & CRASH_LOG_POSITION) {
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
    if (log->has & CRASH_LOG_OPCODE)
        put_hex(&json, "header", log->opcode);
    json_number(&json, "hangs", log->hangs);
    json_number(&json, "faults", log->faults);
    json_end(&json);
}

int crash_log_explain(struct session *session, const struct file *file)
{
    struct explanation explanation = {.session = session};
    struct registers *registers;
    crash_log_read(&explanation.log, file->bytes, file->size);
    const char *firmware = session->arguments.value[OPTION_GPU_FIRMWARE];
    int code = code_target(session, &explanation.target);
    if (gpucode_chip_find(explanation.log.gpu_id, explanation.log.chip_id, &explanation.chip))
        explanation.family = explanation.chip.family;
    if (!code && firmware)
        code = crash_code_open(session, NULL, firmware, &explanation.code);
    if (!explanation.target && !explanation.family)
        explanation.target = crash_code_target(explanation.code);
    if (explanation.target)
        explanation.family = gpucode_target_family(explanation.target);
    if (!code)
        code = registers_load(session, explanation.target, &registers);
    if (code) {
        crash_code_close(explanation.code);
        return code;
    }
    explanation.meanings = registers_meanings(registers);
    if (session->json)
        print_json(&explanation);
    else
        print_text(&explanation);
    registers_free(registers);
    crash_code_close(explanation.code);
    return EXIT_DONE;
}
