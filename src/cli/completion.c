/* SPDX-License-Identifier: MIT */
/* Names that completion offers behind options and as operands, from the library's tables. */
#include "cli/help.h"

#include "front/command.h"
#include "kit/kit.h"

#include <gpucode/insn.h>
#include <gpucode/machine.h>
#include <gpucode/names.h>
#include <gpucode/packet.h>
#include <string.h>

/* The first target of each set, number `index` of them; null after the last. */
static const struct gpucode_target *set_at(unsigned index)
{
    const struct gpucode_target *target, *before = NULL;
    for (unsigned i = 0; (target = gpucode_target_at(i)); before = target, i++)
        if ((!before || strcmp(gpucode_target_isa(before), gpucode_target_isa(target)) != 0) && index-- == 0)
            return target;
    return NULL;
}

/* completion_names.c: words with blanks between them. */
static void completion_write_sets(FILE *out)
{
    const struct gpucode_target *target;
    for (unsigned i = 0; (target = set_at(i)); i++)
        fprintf(out, "%s%s", i ? " " : "", gpucode_target_isa(target));
}

static bool is_mnemonic_before(const struct gpucode_target *target, unsigned row, const char *mnemonic)
{
    struct gpucode_row other;
    for (unsigned i = 0; i < row; i++)
        if (gpucode_row(target, i, &other) && strcmp(other.mnemonic, mnemonic) == 0)
            return true;
    return false;
}

/*
 * The mnemonics of set number `index` as an arm of a shell's case: `before`, the set's name and ')', `after`, and a
 * blank in front of each. False after the last set.
 */
static bool completion_write_mnemonics(FILE *out, unsigned index, const char *before, const char *after)
{
    struct gpucode_row row;
    const struct gpucode_target *target = set_at(index);
    if (!target)
        return false;
    fprintf(out, "%s%s)%s", before, gpucode_target_isa(target), after);
    for (unsigned i = 0; i < gpucode_row_count(target); i++)
        if (gpucode_row(target, i, &row) && *row.mnemonic && !is_mnemonic_before(target, i, row.mnemonic))
            fprintf(out, " %s", row.mnemonic);
    return true;
}

static void completion_write_policies(FILE *out)
{
    struct gpucode_policy policy;
    const struct gpucode_target *target;
    for (unsigned i = 0; (target = set_at(i)); i++)
        for (unsigned k = 0; gpucode_policy_at(target, k, &policy); k++)
            fprintf(out, " %s=", policy.name);
}

/* Has a target in front of number `index` the same name for the packet? */
static bool is_packet_before(unsigned index, uint32_t packet, const char *name)
{
    char other[GPUCODE_NAME_MAX];
    for (unsigned i = 0; i < index; i++)
        if (gpucode_name_of(gpucode_target_at(i), NULL, GPUCODE_SPACE_PACKET, packet, other, sizeof other) &&
            strcmp(name, other) == 0)
            return true;
    return false;
}

static void completion_write_packets(FILE *out)
{
    char name[GPUCODE_NAME_MAX];
    const struct gpucode_target *target;
    for (uint32_t packet = 0; packet <= GPUCODE_PACKET_OPCODE_MAX; packet++)
        for (unsigned i = 0; (target = gpucode_target_at(i)); i++)
            if (gpucode_name_of(target, NULL, GPUCODE_SPACE_PACKET, packet, name, sizeof name) &&
                !is_packet_before(i, packet, name))
                fprintf(out, " %s", name);
}

/* Completion scripts, written from the command table so that they can never lag behind it. */

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

static void write_words(FILE *out, unsigned option, const char *(*word_at)(enum option_id option, unsigned index))
{
    const char *word;
    for (unsigned i = 0; (word = word_at(option, i)); i++)
        fprintf(out, "%s%s", i ? " " : "", word);
}

static void write_command_names(FILE *out)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        fprintf(out, "%s%s", i ? " " : "", command_table[i].name);
}

/* "-t|--target)" */
static void write_case(FILE *out, unsigned option, const char *indent)
{
    const char letter[] = {'-', option_table[option].letter, '|', 0};
    fprintf(out, "%s%s--%s)", indent, letter[1] ? letter : "", option_table[option].name);
}

/* Has an earlier row the same name? */
static bool is_named_before(unsigned option)
{
    for (unsigned i = 0; i < option; i++)
        if (option_is_same(i, option))
            return true;
    return false;
}

/* What completes the word behind an option, which is its argument. */
static void write_bash_argument(FILE *out, unsigned option)
{
    const char *name = option_table[option].name;
    write_case(out, option, "    ");
    bool is_policy = strcmp(name, "policy") == 0, is_packet = strcmp(name, "packet") == 0;
    bool has_words = is_policy || is_packet || option == OPTION_TARGET || option_choice(option, 0);
    fprintf(out, "%s\n        COMPREPLY=($(compgen%s%s", has_words ? "" : "\n        compopt -o filenames 2>/dev/null",
            has_words ? "" : " -f", has_words || option_part(option, 0) ? " -W \"" : "");
    if (is_policy)
        completion_write_policies(out);
    else if (is_packet)
        completion_write_packets(out);
    else if (option == OPTION_TARGET) /* names hold colons, which bash takes for word breaks: after the last one */
        fprintf(out, "$(gpucode targets 2>/dev/null | cut -d' ' -f1)");
    else
        write_words(out, option, has_words ? option_choice : option_part);
    fprintf(out, "%s -- \"$word\"))\n        return;;\n", has_words || option_part(option, 0) ? "\"" : "");
}

/* "-t --target" and so on: the options of a command. */
static void write_bash_options(FILE *out, const struct command *command)
{
    const char *space = "";
    fprintf(out, "        %s)\n            COMPREPLY=($(compgen -W \"", command->name);
    for (unsigned i = 0; i < OPTION_COUNT; i++) {
        if (!command_has_first(command, i))
            continue;
        if (option_table[i].letter)
            fprintf(out, "%s-%c", space, option_table[i].letter), space = " ";
        fprintf(out, "%s--%s", space, option_table[i].name);
        space = " ";
    }
    fputs("\" -- \"$word\"));;\n", out);
}

/* The other names of the program, which tell their options themselves. */
static void write_bash_links(FILE *out)
{
    const struct kit *kit;
    fputs("_gpucode_link()\n{\n    local word=${COMP_WORDS[COMP_CWORD]}\n"
          "    if [[ $word == -* ]]; then\n"
          "        COMPREPLY=($(compgen -W \"$(\"$1\" --help 2>/dev/null | grep -oE -- '(^|[ ,|[])--?[a-z][a-z-]*' |\n"
          "            tr -d ' ,|[')\" -- \"$word\"))\n"
          "    else\n        compopt -o filenames 2>/dev/null\n"
          "        COMPREPLY=($(compgen -f -- \"$word\"))\n    fi\n}\n",
          out);
    for (unsigned i = 0; (kit = kit_at(i)); i++)
        for (const struct kit_link *link = kit->links; link && link->name; link++)
            fprintf(out, "complete -F _gpucode_link %s\n", link->name);
}

static void write_bash(FILE *out)
{
    fputs("# bash completion for gpucode; made by `gpucode help --completion bash`\n"
          "_gpucode()\n{\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    COMPREPLY=()\n"
          "    if ((COMP_CWORD == 1)); then\n"
          "        COMPREPLY=($(compgen -W \"",
          out);
    write_command_names(out);
    fputs(" --help --version\" -- \"$word\"))\n        return\n    fi\n    case $previous in\n", out);
    for (unsigned i = 0; i < OPTION_COUNT; i++)
        if (option_table[i].argument && !is_named_before(i))
            write_bash_argument(out, i);
    fputs("    esac\n"
          "    if [[ $previous == : && ${COMP_WORDS[COMP_CWORD-3]} =~ ^(-t|--target)$ ]]; then\n"
          "        COMPREPLY=($(compgen -W \"$(gpucode targets 2>/dev/null | cut -d' ' -f1 |\n"
          "            sed -n \"s/^${COMP_WORDS[COMP_CWORD-2]}://p\")\" -- \"$word\"))\n"
          "        return\n"
          "    fi\n"
          "    if [[ $word == -* ]]; then\n        case ${COMP_WORDS[1]} in\n",
          out);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        write_bash_options(out, &command_table[i]);
    fputs("        esac\n        return\n    fi\n"
          "    if [[ ${COMP_WORDS[1]} == help ]]; then\n        COMPREPLY=($(compgen -W \"",
          out);
    write_command_names(out);
    fputs("\" -- \"$word\"))\n"
          "    elif [[ ${COMP_WORDS[1]} == explain ]]; then\n"
          "        COMPREPLY=($(compgen -W \"$(gpucode explain 2>/dev/null | cut -d' ' -f1)\" -- \"$word\"))\n"
          "    elif [[ ${COMP_WORDS[1]} == manual && $COMP_CWORD == 2 ]]; then\n        COMPREPLY=($(compgen -W \"",
          out);
    completion_write_sets(out);
    fputs("\" -- \"$word\"))\n"
          "    elif [[ ${COMP_WORDS[1]} == manual ]]; then\n        case ${COMP_WORDS[2]} in\n",
          out);
    for (unsigned i = 0; completion_write_mnemonics(out, i, "        ", "\n            COMPREPLY=($(compgen -W \"");
         i++)
        fputs("\" -- \"$word\"));;\n", out);
    fputs("        esac\n"
          "    else\n"
          "        compopt -o filenames 2>/dev/null\n"
          "        COMPREPLY=($(compgen -f -- \"$word\"))\n    fi\n}\n"
          "complete -F _gpucode gpucode\n",
          out);
    write_bash_links(out);
}

/* Text inside single quotes of an _arguments specification. */
static void write_zsh_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", out);
        else if (strchr("[]:\\", *text))
            fprintf(out, "\\%c", *text);
        else
            fputc(*text, out);
    }
}

static void write_zsh_option(FILE *out, const struct command *command, unsigned option)
{
    char help[OPTION_HELP_MAX];
    const struct option *row = &option_table[option];
    fputs(" \\\n            ", out);
    if (row->letter)
        fprintf(out, "'(-%c --%s)'{-%c,--%s%s}", row->letter, row->name, row->letter, row->name,
                row->argument ? "=" : "");
    else
        fprintf(out, "'%s--%s%s'", option_repeats(option) ? "*" : "", row->name, row->argument ? "=" : "");
    fputs("'[", out);
    option_help(row, command, help);
    write_zsh_text(out, help);
    fputc(']', out);
    if (row->argument) {
        if (option_is_bare(row))
            fprintf(out, "::%.*s:", (int)strlen(row->argument) - 2, row->argument + 1);
        else
            fprintf(out, ":%s:", row->argument);
        if (option == OPTION_TARGET) {
            fputs("_gpucode_targets", out);
        } else if (option_choice(option, 0)) {
            fputc('(', out);
            write_words(out, option, option_choice);
            fputc(')', out);
        } else if (option_part(option, 0)) {
            fputs("_values -s , kind ", out);
            write_words(out, option, option_part);
        } else {
            fputs("_files", out);
        }
    }
    fputc('\'', out);
}

static void write_zsh(FILE *out)
{
    fputs("#compdef gpucode\n# zsh completion for gpucode; made by `gpucode help --completion zsh`\n"
          "_gpucode_targets()\n{\n    local -a targets\n"
          "    targets=(${(f)\"$(gpucode targets 2>/dev/null | cut -d' ' -f1)\"})\n"
          "    compadd -a targets\n}\n"
          "_gpucode_sets()\n{\n    compadd $(gpucode targets 2>/dev/null | cut -d' ' -f1 | cut -d: -f1 | sort -u)\n}\n"
          "_gpucode_codes()\n{\n    local -a codes\n"
          "    codes=(${(f)\"$(gpucode explain 2>/dev/null | cut -d' ' -f1)\"})\n"
          "    compadd -a codes\n}\n"
          "_gpucode_commands()\n{\n    local -a names\n    names=(\n",
          out);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        fprintf(out, "        '%s:", command_table[i].name);
        write_zsh_text(out, command_table[i].summary);
        fputs("'\n", out);
    }
    fputs("    )\n    _describe command names\n}\n"
          "_gpucode()\n{\n    if ((CURRENT == 2)); then\n        _gpucode_commands\n        return\n    fi\n"
          "    local command=$words[2]\n    shift words\n    ((CURRENT--))\n    case $command in\n",
          out);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        fprintf(out, "    %s)\n        _arguments -s", command_table[i].name);
        for (unsigned j = 0; j < OPTION_COUNT; j++)
            if (command_has_first(&command_table[i], j))
                write_zsh_option(out, &command_table[i], j);
        const char *operand = i == COMMAND_help      ? "_gpucode_commands"
                              : i == COMMAND_explain ? "_gpucode_codes"
                              : i == COMMAND_manual  ? "_gpucode_sets"
                                                     : "_files";
        fprintf(out, " \\\n            '%s:operand:%s';;\n", command_table[i].most < 0 ? "*" : "1", operand);
    }
    fputs("    esac\n}\n_gpucode \"$@\"\n", out);
}

void completion_write(FILE *out, const char *kind)
{
    if (strcmp(kind, "bash") == 0)
        write_bash(out);
    else if (strcmp(kind, "zsh") == 0)
        write_zsh(out);
    else
        write_table(out);
}
