#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Calls every public function with null for all pointers and 1 for all numbers; none may crash.

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


def main():
    root = sys.argv[1]
    cut = sys.argv.index("--")
    compiler, libraries = sys.argv[2:cut], sys.argv[cut + 1:]
    headers, calls = [], []
    for header, text in declarations(root):
        name, inside = re.match(r".*?(\w+)\((.*)\)$", text).groups()
        headers.append(header)
        calls.append((name, ", ".join(argument(p) for p in parameters(inside))))
    assert len(calls) > 150, len(calls)
    lines = [f"#include <gpucode/{header}>" for header in sorted(set(headers))]
    lines += ["#include <stdio.h>", "#include <sys/wait.h>", "#include <unistd.h>"]
    lines += [f"static void call_{name}(void) {{ (void){name}({arguments}); }}" for name, arguments in calls]
    lines += ["static const struct { const char *name; void (*call)(void); } calls[] = {"]
    lines += [f'    {{"{name}", call_{name}}},' for name, _ in calls]
    lines += ["};", """int main(void)
{
    int wrong = 0;
    for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++) {
        int status = 0;
        pid_t child = fork();
        if (child == 0) {
            alarm(10);
            calls[i].call();
            _exit(0);
        }
        if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) {
            printf("%s crashes\\n", calls[i].name);
            wrong++;
        }
    }
    printf("%u functions, %d crash\\n", (unsigned)(sizeof calls / sizeof *calls), wrong);
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
