/* SPDX-License-Identifier: MIT */
#include "cli/privileges.h"

#include "front/code.h"
#include "front/session.h"
#include "front/understood.h"

#include <stdlib.h>
#include <string.h>

#define LEVELS_MAX 8
#define PACKETS 128
#define CELL 7 /* columns of a level */

/* What the same packets did when the firmware's own ones led to the level, and when they were put there. */
struct led {
    bool known;
    uint8_t led, put;
};

/* The effects of one firmware; sections by their index. */
struct matrix {
    const struct understood *understood;
    unsigned levels, sections;
    const char *names[LEVELS_MAX];
    uint8_t (*effects)[PACKETS][LEVELS_MAX]; /* of each section: what the code can do */
    uint8_t (*seen)[PACKETS][LEVELS_MAX];    /* and what it did when it ran */
    struct led (*led)[PACKETS][LEVELS_MAX];  /* where the firmware came by itself */
    bool *tabled;                            /* it has a packet table */
    bool *tried;                             /* its handlers ran */
};

static bool keep(void *user, const struct gpucode_privileges *row)
{
    struct matrix *matrix = user;
    if (row->level >= LEVELS_MAX || row->packet >= PACKETS || row->section >= matrix->sections)
        return true;
    matrix->tabled[row->section] = true;
    matrix->tried[row->section] |= row->tried;
    matrix->effects[row->section][row->packet][row->level] = (uint8_t)row->effects;
    matrix->seen[row->section][row->packet][row->level] = (uint8_t)row->seen;
    matrix->led[row->section][row->packet][row->level] =
        (struct led){row->led, (uint8_t)row->led_seen, (uint8_t)row->put_seen};
    matrix->names[row->level] = row->level_name;
    if (row->level >= matrix->levels)
        matrix->levels = row->level + 1;
    return true;
}

static void matrix_free(struct matrix *matrix)
{
    free(matrix->effects);
    free(matrix->seen);
    free(matrix->led);
    free(matrix->tabled);
    free(matrix->tried);
}

/* Returns an exit code; call matrix_free() whatever it is. */
static int matrix_fill(struct session *session, const struct understood *understood, struct matrix *matrix)
{
    *matrix = (struct matrix){.understood = understood, .sections = understood->info->section_count};
    matrix->effects = calloc((size_t)matrix->sections + 1, sizeof *matrix->effects);
    matrix->seen = calloc((size_t)matrix->sections + 1, sizeof *matrix->seen);
    matrix->led = calloc((size_t)matrix->sections + 1, sizeof *matrix->led);
    matrix->tabled = calloc((size_t)matrix->sections + 1, sizeof *matrix->tabled);
    matrix->tried = calloc((size_t)matrix->sections + 1, sizeof *matrix->tried);
    if (!matrix->effects || !matrix->seen || !matrix->led || !matrix->tabled || !matrix->tried)
        return out_of_memory(&session->diagnostics);
    enum gpucode_status status = gpucode_analysis_trials(understood->analysis, keep, matrix);
    if (status == GPUCODE_ERROR_UNSUPPORTED)
        return complain(&session->diagnostics, CLI_NO_LEVELS, understood->input->file.name, NULL,
                        gpucode_target_name(understood->input->target));
    return status == GPUCODE_OK ? EXIT_DONE : code_status(session, understood->input->file.name, status);
}

/* --- JSON --- */

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void put_effects(struct json *json, const char *key, unsigned effects)
{
    const char *names[8];
    unsigned count = 0;
    do {
        names[count++] = gpucode_privilege_name(effects);
        effects &= effects - 1;
    } while (effects);
    qsort(names, count, sizeof *names, compare_names);
    json_array(json, key);
    for (unsigned i = 0; i < count; i++)
        json_string(json, NULL, names[i]);
    json_end(json);
}

static void put_place(struct json *json, const struct matrix *matrix, unsigned section, unsigned packet, unsigned level)
{
    char name[GPUCODE_NAME_MAX], opcode[8];
    gpucode_analysis_packet_name(matrix->understood->analysis, packet, name, sizeof name);
    snprintf(opcode, sizeof opcode, "0x%02x", packet & 0x7f);
    json_string(json, "section", matrix->understood->info->sections[section].name);
    json_string(json, "packet", name);
    json_string(json, "opcode", opcode);
    json_string(json, "level", matrix->names[level]);
}

static void put_json(const struct matrix *matrix)
{
    for (unsigned s = 0; s < matrix->sections; s++)
        for (unsigned p = 0; matrix->tabled[s] && p < PACKETS; p++)
            for (unsigned level = 0; level < matrix->levels; level++) {
                struct json json = {.out = stdout};
                json_object(&json, NULL);
                put_place(&json, matrix, s, p, level);
                put_effects(&json, "effects", matrix->effects[s][p][level]);
                if (matrix->tried[s])
                    put_effects(&json, "seen", matrix->seen[s][p][level]);
                else
                    json_null(&json, "seen");
                if (matrix->led[s][p][level].known)
                    put_effects(&json, "led", matrix->led[s][p][level].led);
                else
                    json_null(&json, "led");
                json_end(&json);
            }
}

/* --- text --- */

/* A letter for each effect. */
static const char letters[] = {'R', 'S', 'r', 'm'};

static unsigned put_letters(char *text, unsigned effects)
{
    unsigned used = 0;
    for (unsigned i = 0; i < sizeof letters; i++)
        if (effects >> i & 1)
            text[used++] = letters[i];
    return used;
}

/* What code can do; in brackets what no run showed, behind '+' what only runs showed. */
static void put_cell(const struct matrix *matrix, unsigned section, unsigned packet, unsigned level)
{
    char text[3 * sizeof letters + 4];
    unsigned used = 0, can = matrix->effects[section][packet][level], did = matrix->seen[section][packet][level];
    if (!matrix->tried[section])
        did = can;
    used += put_letters(text, can & did);
    if (can & ~did) {
        text[used++] = '(';
        used += put_letters(text + used, can & ~did);
        text[used++] = ')';
    }
    if (did & ~can) {
        text[used++] = '+';
        used += put_letters(text + used, did & ~can);
    }
    if (!used)
        text[used++] = '-';
    printf(" %-*.*s", level + 1 < matrix->levels ? CELL : 0, (int)used, text);
}

static void put_head(const struct matrix *matrix)
{
    printf("%-36s", "");
    for (unsigned level = 0; level < matrix->levels; level++)
        printf(" %-*s", level + 1 < matrix->levels ? CELL : 0, matrix->names[level]);
    putchar('\n');
}

static void put_legend(const struct matrix *matrix)
{
    bool tried = false, untried = false;
    for (unsigned s = 0; s < matrix->sections; s++) {
        tried |= matrix->tabled[s] && matrix->tried[s];
        untried |= matrix->tabled[s] && !matrix->tried[s];
    }
    puts("R any register, S page tables, r registers, m memory, - none");
    if (tried)
        puts("(x) code can do it, and no run showed it; +x a run showed it, and the code does not tell");
    for (unsigned s = 0; untried && s < matrix->sections; s++)
        if (matrix->tabled[s] && !matrix->tried[s])
            printf("%s does not boot by itself: nothing was run\n", matrix->understood->info->sections[s].name);
}

/* Packets with one handler stand in one row. */
static bool is_first(const struct matrix *matrix, unsigned section, unsigned packet, unsigned *more)
{
    uint32_t handler = 0, other = 0;
    *more = 0;
    gpucode_image_handler(matrix->understood->input->image, section, packet, &handler);
    for (unsigned i = 0; i < PACKETS; i++) {
        gpucode_image_handler(matrix->understood->input->image, section, i, &other);
        if (other == handler && i < packet)
            return false;
        *more += other == handler && i > packet;
    }
    return true;
}

/*
 * Handlers that do something else where the firmware's own packets have led to a level: it keeps the level in another
 * way than one that is put there has it, or a handler asks for something else.
 */
static void put_led(const struct matrix *matrix, unsigned section)
{
    char name[GPUCODE_NAME_MAX], led[sizeof letters + 1], put[sizeof letters + 1];
    unsigned more, known = 0;
    for (unsigned p = 0; p < PACKETS; p++) {
        unsigned told = 0; /* levels */
        for (unsigned level = 0; level < matrix->levels && is_first(matrix, section, p, &more); level++) {
            const struct led *found = &matrix->led[section][p][level];
            known |= (unsigned)found->known << level;
            if (!found->known || found->led == found->put || told >> level & 1)
                continue;
            gpucode_analysis_packet_name(matrix->understood->analysis, p, name, sizeof name);
            printf("%s at", name);
            for (unsigned i = level, count = 0; i < matrix->levels; i++) {
                const struct led *other = &matrix->led[section][p][i];
                if (!other->known || other->led != found->led || other->put != found->put)
                    continue;
                printf("%s %s", count++ ? "," : "", matrix->names[i]);
                told |= 1u << i;
            }
            led[put_letters(led, found->led)] = put[put_letters(put, found->put)] = 0;
            printf(": %s where the firmware's own packets lead there, %s where it is put there\n", *led ? led : "-",
                   *put ? put : "-");
        }
    }
    if (!known)
        return;
    fputs("the firmware's own packets lead to", stdout);
    for (unsigned level = 0, count = 0; level < matrix->levels; level++)
        if (known >> level & 1)
            printf("%s %s", count++ ? "," : "", matrix->names[level]);
    putchar('\n');
}

static void put_text(const struct matrix *matrix)
{
    char name[GPUCODE_NAME_MAX];
    for (unsigned s = 0; s < matrix->sections; s++) {
        if (!matrix->tabled[s])
            continue;
        printf("%s%s\n", s ? "\n" : "", matrix->understood->info->sections[s].name);
        put_head(matrix);
        for (unsigned p = 0; p < PACKETS; p++) {
            unsigned more;
            if (!is_first(matrix, s, p, &more))
                continue;
            size_t length = gpucode_analysis_packet_name(matrix->understood->analysis, p, name, sizeof name);
            if (more && length + 16 < sizeof name)
                snprintf(name + length, sizeof name - length, " and %u more", more);
            printf("%-36s", name);
            for (unsigned level = 0; level < matrix->levels; level++)
                put_cell(matrix, s, p, level);
            putchar('\n');
        }
        put_led(matrix, s);
    }
    put_legend(matrix);
}

static int tell_privileges(struct session *session, const struct understood *understood)
{
    struct matrix matrix;
    int code = matrix_fill(session, understood, &matrix);
    if (!code && session->json)
        put_json(&matrix);
    else if (!code)
        put_text(&matrix);
    matrix_free(&matrix);
    return code;
}

int privileges_tell(struct session *session)
{
    return understood_first(session, tell_privileges);
}

/* --- two firmwares --- */

/* All that is known of a packet at a level. What no run has shown on one side alone is no difference. */
static unsigned all_of(const struct matrix *matrix, unsigned section, unsigned packet, unsigned level)
{
    return matrix->effects[section][packet][level] | matrix->seen[section][packet][level];
}

static void put_difference(const struct matrix *old, const struct matrix *new, unsigned section, unsigned packet)
{
    char name[GPUCODE_NAME_MAX];
    gpucode_analysis_packet_name(new->understood->analysis, packet, name, sizeof name);
    printf("%-4s %-31s", new->understood->info->sections[section].name, name);
    for (unsigned level = 0; level < new->levels; level++)
        put_cell(old, section, packet, level);
    printf("\n%-36s", "     now");
    for (unsigned level = 0; level < new->levels; level++)
        put_cell(new, section, packet, level);
    putchar('\n');
}

static void put_json_difference(const struct matrix *old, const struct matrix *new, unsigned section, unsigned packet)
{
    for (unsigned level = 0; level < new->levels; level++) {
        unsigned before = old->effects[section][packet][level], now = new->effects[section][packet][level];
        unsigned did = old->seen[section][packet][level], does = new->seen[section][packet][level];
        struct json json = {.out = stdout};
        if (all_of(old, section, packet, level) == all_of(new, section, packet, level))
            continue;
        json_object(&json, NULL);
        put_place(&json, new, section, packet, level);
        put_effects(&json, "old", before);
        put_effects(&json, "new", now);
        put_effects(&json, "old_seen", did);
        put_effects(&json, "new_seen", does);
        json_end(&json);
    }
}

static bool differs(const struct matrix *old, const struct matrix *new, unsigned section, unsigned packet)
{
    for (unsigned level = 0; level < new->levels; level++)
        if (all_of(old, section, packet, level) != all_of(new, section, packet, level))
            return true;
    return false;
}

static unsigned compare(const struct matrix *old, const struct matrix *new, bool json)
{
    unsigned differing = 0, sections = old->sections < new->sections ? old->sections : new->sections;
    for (unsigned s = 0; s < sections; s++)
        for (unsigned p = 0; p < PACKETS; p++) {
            if (!differs(old, new, s, p))
                continue;
            if (!differing++ && !json)
                put_head(new);
            if (json)
                put_json_difference(old, new, s, p);
            else
                put_difference(old, new, s, p);
        }
    if (!json && differing)
        put_legend(new);
    else if (!json)
        puts("no packet can do more or less than before");
    return differing;
}

int privileges_compare(struct session *session, const struct input *first, const struct input *second)
{
    struct understood understood[2] = {{0}};
    struct matrix matrix[2] = {{0}};
    int code = understood_open(session, first, &understood[0]);
    if (!code)
        code = understood_open(session, second, &understood[1]);
    for (unsigned i = 0; !code && i < 2; i++)
        code = matrix_fill(session, &understood[i], &matrix[i]);
    if (!code && matrix[0].levels != matrix[1].levels)
        code = complain(&session->diagnostics, CLI_OTHER_LEVELS, NULL, NULL);
    if (!code)
        code = compare(&matrix[0], &matrix[1], session->json) ? EXIT_FINDINGS : EXIT_DONE;
    for (unsigned i = 0; i < 2; i++) {
        matrix_free(&matrix[i]);
        understood_close(&understood[i]);
    }
    return code;
}
