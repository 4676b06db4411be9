#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Calls every public function with null for all pointers and 1 for all numbers, and then with null for one pointer alone,
while the others point to zeros; none may crash, and each says that it was given nothing: GPUCODE_ERROR_ARGUMENT, false,
null or 0, unless OTHERS says what else it answers.

usage: nulls.py ROOT CC... -- LIBRARY...

A program is made of all headers' functions, and run."""
import os
import re
import subprocess
import sys
import tempfile


def declarations(root):
    folder = os.path.join(root, "include", "gpucode")
    for header in sorted(os.listdir(folder)):
        text = open(os.path.join(folder, header), encoding="utf-8").read()
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
        text = re.sub(r"^\s*#.*$", "", text, flags=re.M)
        for found in re.finditer(r"GPUCODE_API\s+([^;{]+?);", text):
            yield header, re.sub(r"\s+", " ", found[1])


def parameters(text):
    """Cuts at the commas that are not in brackets: callbacks have some."""
    depth, part = 0, ""
    for character in text + ",":
        depth += (character in "([") - (character in ")]")
        if character == "," and depth == 0:
            if part.strip() not in ("", "void", "..."):
                yield part.strip()
            part = ""
        else:
            part += character


def argument(parameter):
    if "*" in parameter or "[" in parameter:
        return "0"
    struct = re.match(r"struct \w+", parameter)
    return f"({struct[0]}){{0}}" if struct else "1"


# What functions say that take no pointer, or for which null stands for something.
OTHERS = {
    # names by a number, and the first of a list
    **dict.fromkeys(("gpucode_edge_name", "gpucode_function_kind_name", "gpucode_reference_kind_name", "gpucode_privilege_name",
                     "gpucode_change_name", "gpucode_shader_differs_name", "gpucode_diagnostic_code", "gpucode_status_text",
                     "gpucode_version", "gpucode_target_at"), "1"),
    # an answer that there was no memory for
    "gpucode_answer_create": "1",
    **dict.fromkeys(("gpucode_answer_status", "gpucode_answer_finish", "gpucode_answer_render", "gpucode_answer_print",
                     "gpucode_time_line_end"), "GPUCODE_ERROR_MEMORY"),
    **dict.fromkeys(("gpucode_analysis_owner", "gpucode_subject_function", "gpucode_source_word_at"), "GPUCODE_NONE"),
    # constants that stand for nothing: facts of no image, names without the user's
    "gpucode_image_info": "1", "gpucode_symbols_names": "1",
    "gpucode_crash_table": "0", "gpucode_include_open": "-1", "gpucode_register_words": "1", "gpucode_meanings_words": "1",
    "gpucode_hwsq_wait_units": "1",
    "gpucode_shader_hash": "(long)0xcbf29ce484222325",  # that of no words
}


def one_null(name, inside):
    """Calls with null for one pointer alone, and zeros for what the others point to."""
    pointers = [k for k, parameter in enumerate(inside) if argument(parameter) == "0"]
    for null in pointers if len(pointers) > 1 else ():
        word = re.search(r"\(\*(\w+)\)|(\w+)(?:\[\w*\])?$", inside[null])
        word = word[1] or word[2]
        if word not in OPTIONAL.get(name, ()):
            given = [argument(p) if k == null or argument(p) != "0" else "(void *)nothing" if "(*" in p else "(void *)zeros"
                     for k, p in enumerate(inside)]
            yield word, ", ".join(given)


# Functions with those of their pointers that may be null, or that are asked for only where the others point to a real object.
OPTIONAL = {f"gpucode_{words[0]}": words[1:] for words in map(str.split, """
    a3xx_usage_tell answer; a3xx_cycles_open policies; a3xx_cycles_see event; a3xx_cycles_latency slots;
    row_action count; place_action count; analyse options; analyse_places names complete; analysis_references user;
    analysis_register text; analysis_privileges user; analysis_trials user; answer_begin field; answer_text field;
    answer_bytes field; answer_format field; answer_number field; answer_numbers first numbers;
    answer_shown field shown; answer_signed field; answer_real field; answer_flag field; answer_nothing field;
    answer_render options; answer_print options text length; assemble options; assemble_with options folders;
    program_declaration declaration; disassemble options; disassemble_to options user; coverage_find outline section;
    coverage_tell answer; crash_open options; crash_shaders user; crash_explain options answer;
    crash_explain_log options answer; crash_explain_section options answer; debug_condition condition;
    debug_tell tell user; debug_continue stop; debug_step stop; debug_next stop; debug_finish stop; debug_goto stop;
    debug_history history; debug_store bytes; debug_feed words; debug_evaluate text value; debug_assign value;
    debug_section out; debug_insn insn bytes; debug_text text; debug_place place; debug_use place; elf_write source;
    elf_read file on_diagnostic; target_register_fields fields; target_register_text text; form_write target name;
    form_read target file on_diagnostic; fuzz_add kept; fuzz_try edges; fuzz_kinds_text length; fuzz_kinds_read line;
    hwsq_explain file answer; hwsq_extract options count; image_open options; parse options; row_field field;
    ir3_usage_tell answer; lint options count; lint_limit_at doc; policy_at policy; target_with policies on_diagnostic;
    machine_create options; machine_run stop; machine_step stop; machine_counter counter; machine_frame frame;
    machine_call back; machine_pending target; machine_read value; machine_space info;
    machine_find machine space number; machine_name text; machine_load bytes; machine_store bytes; machine_feed words;
    machine_texture texture user; machine_memory access user; machine_covered units; machine_edges map;
    machine_snapshot machine; machine_restore machine; register_of names; outline_create options; outline_insn insn;
    pattern_create names; outline_search user; machine_ran image ran; picture_read options; schedule options;
    shader_usage_tell answer; source_read options; expect names user; directive_at target; stream_open options;
    stream_time_line decoded; stream_source user; stream_encode options; symbols_create names; symbols_read file;
    symbols_near text; symbols_memory text; time_line_put event; xml_load file_name on_diagnostic;
    xml_load_family file_name on_diagnostic""".split(";"))}


def answer(name, arguments, kind):
    """A statement that returns what the function did, as a number; of a structure whether it is all zeros."""
    call = f"{name}({arguments})"
    if kind == "void":
        return f"{call}; return 0;"
    if kind.startswith("struct ") and not kind.endswith("*"):
        return f"{kind} got = {call}, none; memset(&none, 0, sizeof none); return memcmp(&got, &none, sizeof got) != 0;"
    return f"return {call} != 0;" if kind.endswith("*") else f"return (long){call};"


def wanted(name, kind):
    if name.endswith("_table") and name not in OTHERS:
        return "1"
    return OTHERS.get(name, "GPUCODE_ERROR_ARGUMENT" if kind == "enum gpucode_status" else "0")


def main():
    root = sys.argv[1]
    cut = sys.argv.index("--")
    compiler, libraries = sys.argv[2:cut], sys.argv[cut + 1:]
    headers, calls = [], []
    for header, text in declarations(root):
        kind, name, inside = re.match(r"(.*?)(\w+)\((.*)\)$", text).groups()
        headers.append(header)
        inside, kind = list(parameters(inside)), kind.strip()
        calls.append((name, "nothing at all", ", ".join(argument(p) for p in inside), kind))
        calls += [(name, f"{word} alone", arguments, kind) for word, arguments in one_null(name, inside)]
    assert len(calls) > 150, len(calls)
    lines = [f"#include <gpucode/{header}>" for header in sorted(set(headers))]
    lines += ["#include <stdio.h>", "#include <string.h>", "#include <sys/wait.h>", "#include <unistd.h>"]
    lines += ["static _Alignas(64) char zeros[1 << 16];", "static int nothing(void) { return 0; }"]
    lines += [f"static long call_{k}(void) {{ {answer(name, arguments, kind)} }}"
              for k, (name, _, arguments, kind) in enumerate(calls)]
    lines += ["static const struct { const char *name, *null; long (*call)(void); long wanted; } calls[] = {"]
    lines += [f'    {{"{name}", "{null}", call_{k}, {wanted(name, kind)}}},' for k, (name, null, _, kind) in enumerate(calls)]
    lines += ["};", """int main(void)
{
    int wrong = 0;
    for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++) {
        int status = 0;
        pid_t child = fork();
        if (child == 0) {
            alarm(10);
            long got = calls[i].call();
            if (got != calls[i].wanted) {
                printf("%s answers %ld, not %ld, given null for %s\\n", calls[i].name, got, calls[i].wanted, calls[i].null);
                fflush(stdout);
                _exit(1);
            }
            _exit(0);
        }
        if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) {
            printf("%s crashes, given null for %s\\n", calls[i].name, calls[i].null);
            wrong++;
        } else {
            wrong += WEXITSTATUS(status) != 0;
        }
    }
    printf("%u calls, %d wrong\\n", (unsigned)(sizeof calls / sizeof *calls), wrong);
    return wrong != 0;
}"""]
    with tempfile.TemporaryDirectory() as folder:
        source, program = os.path.join(folder, "nulls.c"), os.path.join(folder, "nulls")
        with open(source, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        subprocess.run(compiler + ["-w", "-I", os.path.join(root, "include"), "-o", program, source,
                                   "-Wl,--start-group"] + libraries + ["-Wl,--end-group", "-lm"], check=True)
        sys.exit(subprocess.run([program], check=False).returncode)


main()
