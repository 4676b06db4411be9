/* SPDX-License-Identifier: MIT */
/*
 * Completion in shells. The scripts ask `gpucode help --complete -- WORD...`, which prints what may stand in place of
 * the last word, one a line, with a tab and what it means where there is something to say. The line ":files" stands for
 * names of files.
 */
#include "cli/help.h"

#include "front/command.h"
#include "front/grow.h"
#include "kit/kit.h"

#include <gpucode/insn.h>
#include <gpucode/machine.h>
#include <gpucode/names.h>
#include <stdlib.h>
#include <string.h>

#define MEANING_MAX 70 /* columns of what an option means */

struct offers {
    const char *word;   /* the part of the last word that is to be completed */
    const char *before; /* what stands in front of it and stays */
    size_t before_length;
    const char *target; /* of -t, or null */
    char **lines;
    size_t count, room;
    bool lacked_memory;
};

/* --- collecting --------------------------------------------------------------------------------------------------- */

/* A name with an ending, and what it means, which may be null; when it begins as the word does. */
static void offer_with(struct offers *offers, const char *name, const char *ending, const char *meaning)
{
    char *line;
    if (strncmp(name, offers->word, strlen(offers->word)) != 0 || offers->lacked_memory)
        return;
    bool grown = grow(&offers->lines, offers->count, &offers->room, sizeof *offers->lines);
    if (!grown || asprintf(&line, "%.*s%s%s%s%s", (int)offers->before_length, offers->before, name, ending,
                           meaning ? "\t" : "", meaning ? meaning : "") < 0)
        offers->lacked_memory = true;
    else
        offers->lines[offers->count++] = line;
}

static void offer(void *user, const char *name)
{
    offer_with(user, name, "", NULL);
}

/* The option's name or letter, with the beginning of its help. */
static void offer_option(struct offers *offers, const struct command *command, unsigned option)
{
    char name[64], help[OPTION_HELP_MAX];
    const struct option *row = &option_table[option];
    option_help(row, command, help);
    size_t length = strcspn(help, ";");
    help[length] = 0;
    if (length > MEANING_MAX) {
        for (length = MEANING_MAX - 3; help[length] != ' '; length--)
            ;
        while (strchr(",:(", help[length - 1]))
            length--;
        strcpy(help + length, "...");
    }
    snprintf(name, sizeof name, "--%s", row->name);
    offer_with(offers, name, "", help);
    if (row->letter && offers->word[1] != '-') {
        snprintf(name, sizeof name, "-%c", row->letter);
        offer_with(offers, name, "", help);
    }
}

static void offer_commands(struct offers *offers)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        offer_with(offers, command_table[i].name, "", command_table[i].summary);
}

static void offer_files(struct offers *offers)
{
    const struct offers all = *offers;
    offers->word = "";
    offers->before_length = 0;
    offer_with(offers, ":files", "", NULL);
    offers->word = all.word;
    offers->before_length = all.before_length;
}

/* --- names of the library's tables -------------------------------------------------------------------------------- */

/* Target number `index` of those that -t allows; null after the last. */
static const struct gpucode_target *allowed_target(const struct offers *offers, unsigned index)
{
    const struct gpucode_target *target;
    for (unsigned i = 0; (target = gpucode_target_at(i)); i++) {
        bool allowed = !offers->target || strcmp(gpucode_target_name(target), offers->target) == 0 ||
                       strcmp(gpucode_target_isa(target), offers->target) == 0;
        if (allowed && index-- == 0)
            return target;
    }
    return NULL;
}

/* All names of a space, `mark` in front of them. */
static void offer_space(struct offers *offers, enum gpucode_space space, const char *mark, const char *ending)
{
    char name[GPUCODE_NAME_MAX + 1];
    const struct gpucode_target *target;
    for (unsigned i = 0; (target = allowed_target(offers, i)); i++)
        for (uint32_t number = 0; gpucode_name_next(target, space, &number); number++) {
            size_t length = strlen(mark);
            memcpy(name, mark, length);
            if (gpucode_name_of(target, NULL, space, number, name + length, GPUCODE_NAME_MAX))
                offer_with(offers, name, ending, NULL);
            if (number == UINT32_MAX)
                break;
        }
}

static void offer_packets(struct offers *offers)
{
    offer_space(offers, GPUCODE_SPACE_PACKET, "", "");
}

static void offer_registers(struct offers *offers, const char *ending)
{
    offer_space(offers, GPUCODE_SPACE_CONTROL, "@", ending);
    offer_space(offers, GPUCODE_SPACE_SQE, "%", ending);
    offer_space(offers, GPUCODE_SPACE_GPU, "", ending);
}

static void offer_targets(struct offers *offers)
{
    const struct gpucode_target *target;
    for (unsigned i = 0; (target = gpucode_target_at(i)); i++)
        offer(offers, gpucode_target_name(target));
}

static void offer_sets(struct offers *offers)
{
    const struct gpucode_target *target;
    for (unsigned i = 0; (target = gpucode_target_at(i)); i++)
        offer(offers, gpucode_target_isa(target));
}

static void offer_policies(struct offers *offers)
{
    struct gpucode_policy policy;
    const struct gpucode_target *target;
    for (unsigned i = 0; (target = allowed_target(offers, i)); i++)
        for (unsigned k = 0; gpucode_policy_at(target, k, &policy); k++)
            offer_with(offers, policy.name, "=", policy.doc);
}

/* What `gpucode manual SET` knows. */
static void offer_manual(struct offers *offers, const char *set)
{
    struct gpucode_row row;
    const struct gpucode_target *target;
    offers->target = set;
    for (unsigned i = 0; (target = allowed_target(offers, i)); i++)
        for (unsigned k = 0; k < gpucode_row_count(target); k++)
            if (gpucode_row(target, k, &row) && *row.mnemonic)
                offer(offers, row.mnemonic);
    offer_registers(offers, "");
    offer_space(offers, GPUCODE_SPACE_PIPE, "|", "");
    offer_space(offers, GPUCODE_SPACE_FLAG, "", "");
    offer_space(offers, GPUCODE_SPACE_EVENT, "", "");
    offer_packets(offers);
}

static void offer_codes(struct offers *offers)
{
    const char *code;
    for (unsigned i = 0; (code = cli_diagnostic_code(i)); i++)
        offer(offers, code);
    for (unsigned i = 0; (code = gpucode_diagnostic_code(i)); i++)
        offer(offers, code);
}

/* --- what stands where -------------------------------------------------------------------------------------------- */

/* Is it the name of something that is read or written? */
static bool is_file(const char *argument)
{
    static const char *const words[] = {"FILE", "FOLDER", "OUT", "PREFIX", "STREAM", "SOURCE", "OLD", "NEW"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(argument, words[i]))
            return true;
    return false;
}

static void offer_words(struct offers *offers, unsigned option,
                        const char *(*word_at)(enum option_id option, unsigned index))
{
    const char *word;
    for (unsigned i = 0; (word = word_at(option, i)); i++)
        offer(offers, word);
}

/* The argument of an option. */
static void offer_argument(struct offers *offers, unsigned option)
{
    const struct option *row = &option_table[option];
    const char *comma = strrchr(offers->word, ',');
    if (option_part(option, 0) && comma) {
        offers->before_length += (size_t)(comma + 1 - offers->word);
        offers->word = comma + 1;
    }
    offer_words(offers, option, option_choice);
    offer_words(offers, option, option_part);
    if (strcmp(row->name, "target") == 0)
        offer_targets(offers);
    else if (strcmp(row->name, "policy") == 0)
        offer_policies(offers);
    else if (strcmp(row->name, "packet") == 0 && *offers->word == '@')
        offer_space(offers, GPUCODE_SPACE_GPU, "@", "");
    else if (strcmp(row->name, "packet") == 0 || strcmp(row->name, "reachable-from") == 0)
        offer_packets(offers);
    else if (strcmp(row->name, "reg") == 0)
        offer_registers(offers, "=");
    else if (strcmp(row->name, "query") == 0)
        offer_space(offers, GPUCODE_SPACE_GPU, "", "");
    else if (strcmp(row->name, "ignore") == 0)
        offer_codes(offers);
    else if (is_file(row->argument))
        offer_files(offers);
}

/* Operand number `index`; `first` is the first one, or null. */
static void offer_operand(struct offers *offers, const struct command *command, unsigned index, const char *first)
{
    switch ((enum command_id)(command - command_table)) {
    case COMMAND_help:
        offer_commands(offers);
        break;
    case COMMAND_explain:
        offer_codes(offers);
        offer_files(offers);
        break;
    case COMMAND_manual:
        if (index)
            offer_manual(offers, first);
        else
            offer_sets(offers);
        break;
    case COMMAND_xref:
        if (index) {
            offer_registers(offers, "");
            offer_packets(offers);
            break;
        }
        /* fall through */
    default:
        if (*command->operands)
            offer_files(offers);
    }
}

/* The option whose argument comes after the word; negative: none. */
static int awaits_argument(const struct command *command, const char *word)
{
    int option = -1;
    if (strncmp(word, "--", 2) == 0)
        option = command_option(command, word + 2, strlen(word + 2));
    else if (word[0] == '-' && word[1] && !word[2])
        for (unsigned i = 0; option < 0 && i < OPTION_COUNT; i++)
            option = command_has(command, i) && option_table[i].letter == word[1] ? (int)i : -1;
    return option >= 0 && option_table[option].argument ? option : -1;
}

/* What stands in front of the last word: -t, and operands. */
static unsigned read_before(struct offers *offers, const struct command *command, const char *const *words, int count,
                            const char **first)
{
    unsigned operands = 0;
    for (int i = 1; i < count - 1; i++) {
        int option = awaits_argument(command, words[i]);
        if (option >= 0 && !option_is_bare(&option_table[option])) {
            offers->target = option == OPTION_TARGET ? words[i + 1] : offers->target;
            i++;
        } else if (words[i][0] != '-' || !words[i][1]) {
            *first = operands++ ? *first : words[i];
        }
    }
    return operands;
}

static void offer_all(struct offers *offers, const struct command *command, const char *const *words, int count)
{
    const char *first = NULL, *word = words[count - 1], *equals = strchr(word, '=');
    unsigned operands = read_before(offers, command, words, count, &first);
    int option = count > 2 ? awaits_argument(command, words[count - 2]) : -1;
    bool bare = option >= 0 && option_is_bare(&option_table[option]);
    if (word[0] == '-' && word[1] == '-' && equals) {
        option = command_option(command, word + 2, (size_t)(equals - word) - 2);
        offers->before_length = (size_t)(equals + 1 - word);
        offers->word = equals + 1;
        if (option >= 0 && option_table[option].argument)
            offer_argument(offers, (unsigned)option);
    } else if (option >= 0 && !bare) {
        offer_argument(offers, (unsigned)option);
    } else if (word[0] == '-') {
        for (unsigned i = 0; i < OPTION_COUNT; i++)
            if (command_has_first(command, i))
                offer_option(offers, command, i);
    } else {
        if (bare)
            offer_argument(offers, (unsigned)option);
        offer_operand(offers, command, operands, first);
    }
}

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int completion_offer(struct session *session)
{
    const char *const *words = session->arguments.operands;
    int count = session->arguments.operand_count;
    const struct command *command = count > 1 ? command_find(words[0]) : NULL;
    struct offers offers = {.word = count ? words[count - 1] : "", .before = count ? words[count - 1] : ""};
    if (count <= 1) {
        offer_commands(&offers);
        offer(&offers, "--help");
        offer(&offers, "--version");
    } else if (command) {
        offer_all(&offers, command, words, count);
    }
    if (offers.count)
        qsort(offers.lines, offers.count, sizeof *offers.lines, compare_lines);
    for (size_t i = 0; i < offers.count; i++)
        if (!i || strcmp(offers.lines[i], offers.lines[i - 1]) != 0)
            puts(offers.lines[i]);
    for (size_t i = 0; i < offers.count; i++)
        free(offers.lines[i]);
    free(offers.lines);
    return offers.lacked_memory ? out_of_memory(&session->diagnostics) : EXIT_DONE;
}

/* --- scripts ------------------------------------------------------------------------------------------------------ */

static void write_table(FILE *out)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        fprintf(out, "command\t%s\n", command_table[i].name);
        for (unsigned j = 0; j < OPTION_COUNT; j++) {
            if (!command_has_first(&command_table[i], j))
                continue;
            fprintf(out, "option\t%s\t--%s\n", command_table[i].name, option_table[j].name);
            if (option_table[j].letter)
                fprintf(out, "option\t%s\t-%c\n", command_table[i].name, option_table[j].letter);
        }
    }
}

/* bash takes ':' and '=' for words of their own, and wants only what comes after the last of them. */
static const char bash_script[] =
    "# bash completion for gpucode; made by `gpucode help --completion bash`\n"
    "_gpucode()\n{\n"
    "    local words=() word= part line i glued=1\n"
    "    for ((i = 1; i <= COMP_CWORD; i++)); do\n"
    "        part=${COMP_WORDS[i]}\n"
    "        if [[ $part == [:=] || $glued == 1 ]]; then word+=$part; else words+=(\"$word\"); word=$part; fi\n"
    "        if [[ $part == [:=] ]]; then glued=1; else glued=0; fi\n"
    "    done\n"
    "    part=${COMP_WORDS[COMP_CWORD]}\n"
    "    [[ $part == [:=] ]] && part=\n"
    "    local before=${word%\"$part\"}\n"
    "    before=${before#[\\'\\\"]}\n"
    "    word=${word#[\\'\\\"]}\n"
    "    COMPREPLY=()\n"
    "    while IFS= read -r line; do\n"
    "        if [[ $line == :files ]]; then\n"
    "            compopt -o filenames 2>/dev/null\n"
    "            COMPREPLY+=($(compgen -f -- \"${part#[\\'\\\"]}\"))\n"
    "        else\n"
    "            line=${line%%$'\\t'*}\n"
    "            [[ $line == *= ]] && compopt -o nospace 2>/dev/null\n"
    "            COMPREPLY+=(\"${line#\"$before\"}\")\n"
    "        fi\n"
    "    done < <(gpucode help --complete -- \"${words[@]}\" \"$word\" 2>/dev/null)\n"
    "}\n"
    "complete -F _gpucode gpucode\n"
    "_gpucode_link()\n{\n"
    "    local word=${COMP_WORDS[COMP_CWORD]}\n"
    "    if [[ $word == -* ]]; then\n"
    "        COMPREPLY=($(compgen -W \"$(\"$1\" --help 2>/dev/null | grep -oE -- '(^|[ ,|[])--?[a-z][a-z-]*' |\n"
    "            tr -d ' ,|[')\" -- \"$word\"))\n"
    "    else\n"
    "        compopt -o filenames 2>/dev/null\n"
    "        COMPREPLY=($(compgen -f -- \"$word\"))\n"
    "    fi\n}\n";

static const char zsh_script[] =
    "#compdef gpucode\n# zsh completion for gpucode; made by `gpucode help --completion zsh`\n"
    "_gpucode()\n{\n"
    "    local -a offers unfinished\n"
    "    local line files=\n"
    "    for line in \"${(@f)$(gpucode help --complete -- \"${(@Q)words[2,CURRENT]}\" 2>/dev/null)}\"; do\n"
    "        if [[ $line == :files ]]; then\n"
    "            files=1\n"
    "        elif [[ ${line%%$'\\t'*} == *= ]]; then\n"
    "            unfinished+=(\"${${line//:/\\\\:}/$'\\t'/:}\")\n"
    "        elif [[ -n $line ]]; then\n"
    "            offers+=(\"${${line//:/\\\\:}/$'\\t'/:}\")\n"
    "        fi\n"
    "    done\n"
    "    ((${#unfinished})) && _describe -V gpucode unfinished -S ''\n"
    "    ((${#offers})) && _describe -V gpucode offers\n"
    "    [[ -n $files ]] && _files\n"
    "}\n"
    "_gpucode \"$@\"\n";

static const char fish_script[] = "# fish completion for gpucode; made by `gpucode help --completion fish`\n"
                                  "function __gpucode_complete\n"
                                  "    set -l words (commandline -opc)\n"
                                  "    set -l word (commandline -ct | string replace -r '^[\\'\"]' '')\n"
                                  "    for line in (gpucode help --complete -- $words[2..-1] $word 2>/dev/null)\n"
                                  "        if test \"$line\" = :files\n"
                                  "            __fish_complete_path $word\n"
                                  "        else\n"
                                  "            echo $line\n"
                                  "        end\n"
                                  "    end\n"
                                  "end\n"
                                  "complete -c gpucode -f -a '(__gpucode_complete)'\n";

void completion_write(FILE *out, const char *kind)
{
    const struct kit *kit;
    if (strcmp(kind, "table") == 0)
        write_table(out);
    else
        fputs(strcmp(kind, "bash") == 0 ? bash_script : strcmp(kind, "zsh") == 0 ? zsh_script : fish_script, out);
    for (unsigned i = 0; strcmp(kind, "bash") == 0 && (kit = kit_at(i)); i++)
        for (const struct kit_link *link = kit->links; link && link->name; link++)
            fprintf(out, "complete -F _gpucode_link %s\n", link->name);
}
