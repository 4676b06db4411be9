/* SPDX-License-Identifier: MIT */
/*
 * Runs programs on the machine and tells of every step, for tests that run them elsewhere too. Commands, a line each:
 *
 *     raw TARGET HEX      a machine of these bytes, all of them code; `image`: of a whole file
 *     set SPACE NUMBER VALUE
 *     run LIMIT           without telling
 *     feed WORD...
 *     trace LIMIT         tells the state, then a line for each step
 *     text TARGET WORD... what listings have of each word (hexadecimal), after a "="
 *     uses TARGET WORD... what each word reads and writes, after a "=": USE KIND SPACE FIRST COUNT MASK KNOWN MAYBE,
 * separated by ";" (gpucode_insn_effects())
 *
 * Answers: "set SPACE NUMBER VALUE" for what is not zero; "step PC", then what it did: "write SPACE NUMBER VALUE",
 * "memory ADDRESS VALUE", "look SPACE NUMBER VALUE" where it read a register, "read NUMBER VALUE" of a queue, "packet";
 * "end REASON PC".
 */
#include <gpucode/a3xx.h>
#include <gpucode/gpucode.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of one step; with more the trace ends in front of it. */
#define EVENTS_MAX 1000

/* Spaces with more registers are memory, which is zero at first. */
#define STATE_MAX (1u << 20)

static struct gpucode_image *image;
static struct gpucode_machine *machine;
static const struct gpucode_target *target;
static unsigned char bytes[1 << 20];

static const unsigned spaces[] = {GPUCODE_SPACE_GENERAL, GPUCODE_SPACE_CONTROL, GPUCODE_SPACE_SQE, GPUCODE_SPACE_PIPE,
                                  GPUCODE_SPACE_GPU};

static void open_machine(const char *name, const char *hex, bool raw)
{
    size_t size = 0;
    for (; hex[2 * size] && hex[2 * size + 1] && size < sizeof bytes; size++)
        sscanf(hex + 2 * size, "%2hhx", &bytes[size]);
    gpucode_machine_free(machine);
    gpucode_image_free(image);
    machine = NULL;
    image = NULL;
    target = gpucode_target_find(name);
    const struct gpucode_image_options options = {.target = target, .raw = raw};
    if (gpucode_image_open(bytes, size, &options, &image) != GPUCODE_OK ||
        gpucode_machine_create(image, NULL, &machine) != GPUCODE_OK) {
        fprintf(stderr, "steps: no machine of %s\n", name);
        exit(2);
    }
}

/* Of shaders, too; a state has those of `spaces` alone. */
static unsigned space_of_halves(void)
{
    return strcmp(gpucode_space_name(target, GPUCODE_A3XX_HALF), "half") == 0 ? GPUCODE_A3XX_HALF : 0;
}

static const char *space_name(unsigned space)
{
    return gpucode_space_name(target, space);
}

static unsigned space_of(const char *name)
{
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (strcmp(space_name(spaces[i]), name) == 0)
            return spaces[i];
    if (strcmp(name, "half") == 0 && space_of_halves())
        return space_of_halves();
    exit(2);
}

static bool tell(void *user, struct gpucode_machine *from, const struct gpucode_event *event)
{
    unsigned *told = user;
    (void)from;
    if (++*told > EVENTS_MAX) /* a long (rep): this is not what is looked for */
        return true;
    switch (event->kind) {
    case GPUCODE_EVENT_WRITE:
        printf("write %s %" PRIu64 " %" PRIu64 "\n", space_name(event->space), event->address, event->value);
        break;
    case GPUCODE_EVENT_MEM_WRITE:
        printf("memory %" PRIu64 " %" PRIu64 "\n", event->address, event->value);
        break;
    case GPUCODE_EVENT_READ:
        printf("look %s %" PRIu64 " %" PRIu64 "\n", space_name(event->space), event->address, event->value);
        break;
    case GPUCODE_EVENT_USE:
        printf("read %" PRIu64 " %" PRIu64 "\n", event->address, event->value);
        break;
    default:
        printf("packet\n");
    }
    return false;
}

static void tell_state(void)
{
    struct gpucode_space_info info;
    uint32_t value;
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        for (uint32_t number = 0;
             gpucode_machine_space(machine, spaces[i], &info) && number < info.count && info.count <= STATE_MAX;
             number++)
            if (gpucode_machine_read(machine, 0, spaces[i], number, &value) == GPUCODE_OK && value &&
                !(spaces[i] == GPUCODE_SPACE_GENERAL && number > 31))
                printf("set %s %u %u\n", space_name(spaces[i]), number, value);
}

static void trace(unsigned long limit)
{
    struct gpucode_stop stop = {0};
    unsigned told = 0;
    tell_state();
    gpucode_machine_hook(machine,
                         GPUCODE_EVENT_WRITE | GPUCODE_EVENT_READ | GPUCODE_EVENT_MEM_WRITE | GPUCODE_EVENT_USE |
                             GPUCODE_EVENT_PACKET,
                         tell, &told);
    gpucode_machine_run(machine, 0, &stop);
    for (unsigned long i = 0; i < limit; i++) {
        printf("step %" PRIu64 "\n", stop.pc);
        told = 0;
        gpucode_machine_run(machine, 1, &stop);
        if (told > EVENTS_MAX)
            stop.reason = GPUCODE_STOP_HOOK;
        if (stop.reason != GPUCODE_STOP_LIMIT)
            break;
    }
    printf("end %d %" PRIu64 "\n", stop.reason, stop.pc);
    gpucode_machine_hook(machine, 0, NULL, NULL);
    fflush(stdout);
}

static void tell_text(const struct gpucode_insn *insn)
{
    char text[GPUCODE_TEXT_MAX];
    gpucode_format(insn, NULL, text, sizeof text, NULL);
    printf("%s", text);
}

static void tell_uses(const struct gpucode_insn *insn)
{
    struct gpucode_effect effects[GPUCODE_EFFECTS_MAX];
    const struct gpucode_target *set = insn->target;
    unsigned count = gpucode_insn_effects(insn, effects, GPUCODE_EFFECTS_MAX);
    for (const struct gpucode_effect *e = effects; e < effects + count; e++)
        printf("%u %u %s %u %u %u %d %d;", e->use, e->kind,
               e->kind == GPUCODE_EFFECT_MEMORY ? "memory" : gpucode_space_name(set, e->space), e->number, e->count,
               e->mask, e->known, e->maybe);
}

/* What there is to tell of each word, on its own at address 0; an empty line: it is no instruction. */
static void tell_words(const char *name, char *words, void (*tell_one)(const struct gpucode_insn *insn))
{
    const struct gpucode_target *set = gpucode_target_find(name);
    char *word;
    while (set && (word = strsep(&words, " \n")) && *word) {
        uint64_t bits = strtoull(word, NULL, 16);
        unsigned char code[8];
        struct gpucode_insn insn;
        for (unsigned i = 0; i < sizeof code; i++)
            code[i] = (unsigned char)(bits >> 8 * i);
        putchar('=');
        if (gpucode_decode(set, code, sizeof code, 0, &insn) == GPUCODE_OK)
            tell_one(&insn);
        putchar('\n');
    }
    puts("end");
    fflush(stdout);
}

int main(void)
{
    char *line = NULL;
    size_t room = 0;
    struct gpucode_stop stop;
    while (getline(&line, &room, stdin) > 0) {
        char *rest = line, *command = strsep(&rest, " \n"), *word;
        if (strcmp(command, "raw") == 0 || strcmp(command, "image") == 0) {
            const char *name = strsep(&rest, " \n");
            open_machine(name, strsep(&rest, " \n"), *command == 'r');
        } else if (strcmp(command, "set") == 0) {
            unsigned space = space_of(strsep(&rest, " \n"));
            uint32_t number = (uint32_t)strtoul(strsep(&rest, " \n"), NULL, 0);
            gpucode_machine_write(machine, 0, space, number, (uint32_t)strtoul(strsep(&rest, " \n"), NULL, 0));
        } else if (strcmp(command, "feed") == 0) {
            while ((word = strsep(&rest, " \n")) && *word) {
                uint32_t value = (uint32_t)strtoul(word, NULL, 0);
                gpucode_machine_feed(machine, 0, &value, 1);
            }
        } else if (strcmp(command, "run") == 0) {
            gpucode_machine_run(machine, strtoul(rest, NULL, 0), &stop);
        } else if (strcmp(command, "text") == 0) {
            const char *name = strsep(&rest, " \n");
            tell_words(name, rest, tell_text);
        } else if (strcmp(command, "uses") == 0) {
            const char *name = strsep(&rest, " \n");
            tell_words(name, rest, tell_uses);
        } else if (strcmp(command, "trace") == 0) {
            trace(strtoul(rest, NULL, 0));
        }
    }
    free(line);
    gpucode_machine_free(machine);
    gpucode_image_free(image);
    return 0;
}
