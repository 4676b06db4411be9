/* SPDX-License-Identifier: MIT */
/*
 * gpucode manual: the chapters that stand with an instruction set, and its instructions, made from the rows. All of it
 * is made as Markdown; terminals and man pages get it from that. docs/manual/ and docs/gpucode-SET.7 hold it; tests
 * compare.
 */
#include "cli/help.h"
#include "front/arguments.h"
#include "front/chapters.h"
#include "front/code.h"
#include "front/output.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool find_generations(struct manual *manual)
{
    const struct gpucode_target *target;
    for (unsigned i = 0; (target = gpucode_target_at(i)); i++) {
        if (strcasecmp(gpucode_target_isa(target), manual->isa) != 0)
            continue;
        manual->isa = gpucode_target_isa(target);
        unsigned known = 0;
        while (known < manual->generation_count &&
               strcmp(gpucode_target_generation(manual->generations[known]), gpucode_target_generation(target)) != 0)
            known++;
        if (known == manual->generation_count && known < MANUAL_GENERATIONS_MAX)
            manual->generations[manual->generation_count++] = target;
        manual->any = manual->generations[0];
    }
    manual->chapters = manual->any ? gpucode_target_manual(manual->any) : NULL;
    return manual->any != NULL;
}

static void print_title(const struct manual *manual, FILE *out)
{
    char name[32];
    snprintf(name, sizeof name, "%s", manual->isa);
    for (char *c = name; *c; c++)
        *c = (char)toupper((unsigned char)*c);
    if (manual->chapters) {
        fprintf(out,
                "# %s manual\n\nPrinted by `gpucode manual %s`, from the set's manual.md and the rows that decode and\n"
                "encode; do not edit. `gpucode manual %s NAME` looks a name up: an instruction, a register, a flag, a\n"
                "packet, a heading.\n\n",
                name, manual->isa, manual->isa);
        chapters_print(manual->chapters, strlen(manual->chapters), out);
        putc('\n', out);
    }
    fprintf(out, "# %s instructions\n\n", name);
    fprintf(out,
            "Made by `gpucode manual %s` from the rows that decode and encode; do not edit. Bits are written most\n"
            "significant first%s: 0 and 1 decide, letters are operand fields, `-` is ignored by the processor.\n"
            "Evidence: *manual* where a public description says it, *observed* where existing tools or code show it,\n"
            "*inferred* where it was concluded and nobody has confirmed it.\n",
            manual->isa,
            gpucode_target_facts(manual->any)->fixed_size ? "" : " in each byte, bytes in the order of the code");
}

/* Another name of an instruction set ("qrisc") is known by its targets ("qrisc:a630"). */
static const char *isa_of_alias(const char *alias)
{
    const struct gpucode_target *target;
    for (unsigned i = 0; (target = gpucode_target_at(i)); i++) {
        char name[128];
        const char *colon = strchr(gpucode_target_name(target), ':');
        snprintf(name, sizeof name, "%s%s", alias, colon ? colon : "");
        if ((target = gpucode_target_find(name)))
            return gpucode_target_isa(target);
    }
    return NULL;
}

static void print_part(void *user, const struct chapters_part *part)
{
    FILE *out = user;
    putc('\n', out);
    if (part->columns) {
        fprintf(out, "%.*s\n|", (int)part->columns_length, part->columns);
        for (size_t i = 1; i < part->columns_length; i++)
            fputs(part->columns[i] == '|' ? "---|" : "", out);
        putc('\n', out);
    }
    chapters_print(part->text, part->length, out);
}

/* All that there is about a word; returns how much. */
static unsigned print_topic(const struct manual *manual, const char *topic, FILE *out)
{
    struct gpucode_row row;
    unsigned count = 0;
    char mnemonic[MANUAL_WORD_MAX];
    bool known = manual_mnemonic(manual, topic, mnemonic);
    for (unsigned i = 0; known && i < gpucode_row_count(manual->any); i++)
        count += manual_row(manual, i, mnemonic, &row);
    if (count)
        manual_print_rows(manual, mnemonic, out);
    else if (known) /* an instruction that the target does not have */
        return 0;
    count += chapters_find(manual->chapters, topic, print_part, out);
    count += manual_print_names(manual, topic, out);
    return count + manual_print_meanings(manual, topic, out);
}

/* A name that is spelt otherwise than in the manual, by its case alone. */
struct respelling {
    const char *wanted;
    size_t length; /* in front of a '=' */
    char found[GPUCODE_NAME_MAX];
};

static void respell(void *user, const char *word)
{
    struct respelling *respelling = user;
    size_t length = strlen(word), mark = *word && strchr("@%|", *word) && !strchr("@%|", *respelling->wanted);
    if (!respelling->found[0] && length - mark == respelling->length && length < sizeof respelling->found &&
        strncasecmp(word + mark, respelling->wanted, respelling->length) == 0)
        memcpy(respelling->found, word, length + 1);
}

static void offer_all(const struct manual *manual, void (*offer_word)(void *user, const char *word), void *user)
{
    struct gpucode_row row;
    for (unsigned i = 0; i < gpucode_row_count(manual->any); i++)
        if (manual_row(manual, i, NULL, &row))
            offer_word(user, row.mnemonic);
    chapters_words(manual->chapters, offer_word, user);
    manual_offer_names(manual, offer_word, user);
}

/* The same where the word has another case than the manual's. */
static unsigned print_respelt(const struct manual *manual, const char *topic, FILE *out)
{
    char text[2 * GPUCODE_NAME_MAX];
    struct respelling respelling = {.wanted = topic, .length = strcspn(topic, "=")};
    offer_all(manual, respell, &respelling);
    snprintf(text, sizeof text, "%s%.*s", respelling.found, GPUCODE_NAME_MAX - 1, topic + respelling.length);
    return respelling.found[0] && strcmp(text, topic) != 0 ? print_topic(manual, text, out) : 0;
}

/* Words are as different as they are without the marks in front of them. */
static void offer(void *user, const char *word)
{
    spelling_offer(user, word);
}

/* Names that have the word in them. */
struct containing {
    const char *wanted;
    char text[160];
    unsigned count;
    bool left; /* there are more */
};

static void note_containing(void *user, const char *word)
{
    struct containing *containing = user;
    size_t used = strlen(containing->text);
    char quoted[GPUCODE_NAME_MAX + 4];
    snprintf(quoted, sizeof quoted, " %s,", word);
    if (!strcasestr(word, containing->wanted) || strstr(containing->text, quoted) || strchr(word, ' '))
        return;
    containing->count++;
    if (used + strlen(quoted) < sizeof containing->text)
        memcpy(containing->text + used, quoted, strlen(quoted) + 1);
    else
        containing->left = true;
}

static int no_topic(struct session *session, const struct manual *manual, const char *topic)
{
    char word[GPUCODE_NAME_MAX], hint[320];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(topic, "="), topic);
    struct spelling spelling = spelling_begin(word);
    struct containing containing = {.wanted = word};
    offer_all(manual, offer, &spelling);
    if (!spelling.best[0]) { /* packets and registers are in capitals */
        for (char *at = word; *at; at++)
            *at = (char)toupper((unsigned char)*at);
        spelling = spelling_begin(word);
        offer_all(manual, offer, &spelling);
    }
    if (strlen(word) > 2)
        offer_all(manual, note_containing, &containing);
    if (containing.count) {
        containing.text[strlen(containing.text) - 1] = 0;
        snprintf(hint, sizeof hint, "names with that in them:%s%s", containing.text, containing.left ? " ..." : "");
    } else {
        snprintf(hint, sizeof hint, spelling.best[0] ? "did you mean '%s'?" : "`gpucode manual %s` has all there is",
                 spelling.best[0] ? spelling.best : manual->isa);
    }
    return complain(&session->diagnostics, CLI_MNEMONIC, NULL, hint,
                    manual->narrow ? gpucode_target_name(manual->narrow) : manual->isa, topic);
}

static void show(const struct session *session, const struct manual *manual, const char *text, size_t length)
{
    const struct arguments *arguments = &session->arguments;
    if (arguments_have(arguments, OPTION_MAN)) {
        printf(".\\\" SPDX-License-Identifier: MIT\n.TH GPUCODE\\-%s 7\n.SH NAME\ngpucode\\-%s \\- manual of the "
               "instruction set %s\n",
               manual->isa, manual->isa, manual->isa);
        chapters_print_man(text, length, stdout);
    } else if (arguments_have(arguments, OPTION_MARKDOWN) || !session->on_terminal) {
        /* one heading of its own begins the text */
        const char *start = text + strspn(text, "\n");
        bool whole = strncmp(start, "# ", 2) == 0;
        chapters_print_markdown(whole ? start : text, length - (size_t)(whole ? start - text : 0), stdout);
    } else {
        chapters_print_plain(text, length, session->color, stdout);
    }
}

/* Makes the text in memory, then shows it as it is wanted. */
static int print_manual(struct session *session, const struct manual *manual, const char *topic)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = text_stream_open(&text, &length);
    if (!out)
        return code_status(session, NULL, GPUCODE_ERROR_MEMORY);
    unsigned found = 1;
    if (topic) {
        found =
            strcmp(topic, "policies") == 0 ? manual_print_policies(manual->isa, out) : print_topic(manual, topic, out);
        if (!found)
            found = print_respelt(manual, topic, out);
    } else {
        print_title(manual, out);
        manual_print_rows(manual, NULL, out);
    }
    if (!text_stream_close(out)) {
        free(text);
        return code_status(session, NULL, GPUCODE_ERROR_MEMORY);
    }
    int code = EXIT_DONE;
    char mnemonic[MANUAL_WORD_MAX];
    if (found && session->json)
        code = manual_tell(session, manual, topic && manual_mnemonic(manual, topic, mnemonic) ? mnemonic : topic, text);
    else if (found)
        show(session, manual, text, length);
    free(text);
    return found ? code : no_topic(session, manual, topic);
}

int manual_policies(struct session *session, const char *isa)
{
    char *text = NULL;
    size_t length = 0;
    const struct manual manual = {.isa = isa ? isa : "policies"};
    FILE *out = text_stream_open(&text, &length);
    if (!out)
        return out_of_memory(&session->diagnostics);
    unsigned found = manual_print_policies(isa, out);
    int code = EXIT_DONE;
    if (!text_stream_close(out))
        code = out_of_memory(&session->diagnostics);
    else if (!found)
        code = complain(&session->diagnostics, CLI_NO_POLICIES, NULL, NULL, isa);
    else if (session->json)
        code = manual_tell(session, &manual, "", text);
    else
        show(session, &manual, text, length);
    free(text);
    return code;
}

int command_manual(struct session *session)
{
    const struct arguments *arguments = &session->arguments;
    const char *topic = arguments->operand_count > 1 ? arguments->operands[1] : NULL;
    struct manual manual = {.isa = arguments->operands[0]};
    int code = code_target(session, &manual.narrow);
    if (code)
        return code;
    if (strcmp(manual.isa, "policies") == 0 && !topic)
        return manual_policies(session, manual.narrow ? gpucode_target_isa(manual.narrow) : NULL);
    if (!find_generations(&manual)) {
        const char *isa = isa_of_alias(manual.isa);
        if (!isa)
            return complain(&session->diagnostics, CLI_ISA, NULL, "`gpucode targets` shows them, before the colon",
                            manual.isa);
        manual.isa = isa;
        find_generations(&manual);
    }
    if (manual.narrow && strcmp(gpucode_target_isa(manual.narrow), manual.isa) != 0)
        return complain(&session->diagnostics, CLI_ISA_TARGET, NULL, NULL, gpucode_target_name(manual.narrow),
                        manual.isa);
    return print_manual(session, &manual, topic);
}
