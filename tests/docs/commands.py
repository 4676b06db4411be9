#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The table of docs/README.md that says where else each command is: one row a command, headers and Python names that
exist, editors' commands that exist, and a page that uses what it is said to use.

    commands.py GPUCODE SOURCES
"""
import os
import re
import subprocess
import sys

gpucode, sources = sys.argv[1:3]
errors = []


def read(*path):
    with open(os.path.join(sources, *path), encoding="utf-8") as file:
        return file.read()


def check(what, good):
    if not good:
        errors.append(what)


rows = [[cell.strip() for cell in line.strip("|\n").split("|")] for line in read("docs", "README.md").splitlines()
        if re.match(r"\| `[a-z]+` \|", line)]
usage = subprocess.run([gpucode, "help"], capture_output=True, check=True, text=True).stdout
commands = re.findall(r"^  ([a-z]+) {2,}", usage, re.M)
check(f"the rows are the commands: {sorted({row[0].strip('`') for row in rows} ^ set(commands))}",
      sorted(row[0].strip("`") for row in rows) == sorted(commands))
module = re.search(r"__all__ = \[(.*?)\]", read("python", "gpucode", "__init__.py"), re.S).group(1)
extension = read("editors", "vscode", "package.json")
talks = "lsp", "dap", "debug"  # conversations, not commands, in the page
page = "".join(read("web", "page", name) for name in os.listdir(os.path.join(sources, "web", "page")) if name.endswith(".js"))
for name, headers, python, editors, in_page in rows:
    command = name.strip("`")
    for header in re.findall(r"`([a-z_0-9]+\.h)`", headers):
        check(f"{command}: there is no {header}", os.path.exists(os.path.join(sources, "include", "gpucode", header)))
    for known in re.findall(r"`(\w+)`", python):
        check(f"{command}: Python has no {known}", f'"{known}"' in module)
    for known in re.findall(r"`(gpucode\.\w+)`", editors):
        check(f"{command}: the extension has no {known}", f'"{known}"' in extension)
    if command not in talks:
        check(f"{command}: page: {in_page}", (in_page == "yes") == (f'["{command}"' in page or f', "{command}")' in page))
print("\n".join(errors))
print(f"{len(rows)} commands, {len(errors)} errors")
sys.exit(1 if errors or len(rows) < 20 else 0)
