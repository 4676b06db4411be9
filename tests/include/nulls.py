#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Calls every public function with null for all pointers and 1 for all numbers; none may crash, and each says that it was
given nothing: GPUCODE_ERROR_ARGUMENT, false, null or 0, unless OTHERS says what else it answers.

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
    "gpucode_crash_table": "0", "gpucode_include_open": "-1", "gpucode_register_words": "1", "gpucode_meanings_words": "1", "gpucode_hwsq_wait_units": "1",
    "gpucode_shader_hash": "(long)0xcbf29ce484222325",  # that of no words
}


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
        calls.append((name, ", ".join(argument(p) for p in parameters(inside)), kind.strip()))
    assert len(calls) > 150, len(calls)
    lines = [f"#include <gpucode/{header}>" for header in sorted(set(headers))]
    lines += ["#include <stdio.h>", "#include <string.h>", "#include <sys/wait.h>", "#include <unistd.h>"]
    lines += [f"static long call_{name}(void) {{ {answer(name, arguments, kind)} }}" for name, arguments, kind in calls]
    lines += ["static const struct { const char *name; long (*call)(void); long wanted; } calls[] = {"]
    lines += [f'    {{"{name}", call_{name}, {wanted(name, kind)}}},' for name, _, kind in calls]
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
                printf("%s answers %ld, not %ld\\n", calls[i].name, got, calls[i].wanted);
                fflush(stdout);
                _exit(1);
            }
            _exit(0);
        }
        if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) {
            printf("%s crashes\\n", calls[i].name);
            wrong++;
        } else {
            wrong += WEXITSTATUS(status) != 0;
        }
    }
    printf("%u functions, %d wrong\\n", (unsigned)(sizeof calls / sizeof *calls), wrong);
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
