# SPDX-License-Identifier: MIT
# The sessions in documents are what the program really prints: indented lines that begin with "$ " are typed, in one folder a
# document, and the lines below them are compared; a line "..." stands for any number of lines. Other indented lines that begin with
# "gpucode", and `gpucode ...` in a sentence, name commands and options that exist; no command stands between fences, where nobody
# would type it. UPDATE_GOLDEN=1 writes what is printed now into the documents, but where there is a "...".
# Recordings of drivers, which the project does not have, are those beside $GPUCODE_VECTORS; commands with them are skipped where
# they are not available. The examples in the help of each command run, and stand in the man page, which UPDATE_GOLDEN=1 writes too.
# No line has more than 100 columns, and JSON in documents is JSON.
# With documents, only the sessions in these are tried.
# usage: sessions.py GPUCODE TREE [DOCUMENT...]
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

gpucode, tree = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
update = bool(os.environ.get("UPDATE_GOLDEN"))
# What a command complains with that was typed wrongly, whatever files there are.
MISTYPED = ("[cli-option", "[cli-command]", "[cli-no-command]", "[cli-few]", "[cli-many]")
# What a build says that lacks a library which the command needs.
ABSENT = ("[cli-no-pictures]", "[gzip-absent]", "[cli-no-dap]", "[xml-absent]")
# Those that a command in a sentence may cause: it leaves out operands, or has a word in capitals in their place.
UNFINISHED = ("[cli-few]", "[cli-option-argument]")
RECORDINGS = {"clouds.rd.gz": "fd-clouds.rd.gz", "shadow.rd.gz": "shadow.rd.gz"}


def fits(seen, printed):
    """Whether lines are those that are printed in the document, of which "..." stands for any."""
    pattern = "".join(r"(?:.*\n)*" if line == "..." else re.escape(line.rstrip()) + r"\n" for line in printed)
    return re.fullmatch(pattern, "".join(line.rstrip() + "\n" for line in seen)) is not None


def sessions(lines):
    """(number of the line, command, lines printed) of each line that begins with "$ "."""
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        if not line.startswith("    $ "):
            continue
        start, command, printed = number, line[6:], []
        while command.endswith("\\") and lines[number].startswith("    > "):
            command = command[:-1] + lines[number][6:]
            number += 1
            start = number
        while number < len(lines) and (lines[number].startswith("    ") or not lines[number].strip()):
            if lines[number].startswith("    $ "):
                break
            if not lines[number].strip() and not (number + 1 < len(lines) and lines[number + 1].startswith("    ")):
                break
            printed.append(lines[number][4:])
            number += 1
        while printed and not printed[-1].strip():
            printed.pop()
        yield start, command, printed


def run(command, folder, below=""):
    """What a command prints in the folder, or one below it; HOME is the folder, too."""
    environment = dict(os.environ, PATH=folder + "/bin:" + os.environ["PATH"], NO_COLOR="1", TERM="dumb", COLUMNS="80", HOME=folder)
    result = subprocess.run(command, shell=True, env=environment, text=True, stdin=subprocess.DEVNULL, cwd=os.path.join(folder, below),
                            timeout=300, errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return result.stdout


def check_fences(path, lines):
    """What is wrong between fences: a command, or JSON that is not."""
    wrong, language, block = [], None, []
    for number, line in enumerate(lines, 1):
        if not line.startswith("```"):
            block.append(line)
            if language is not None and line.startswith(("gpucode ", "$ ")):
                wrong.append(f"{path}:{number}: a command between fences; indent it instead")
            continue
        if language == "json":
            try:
                json.loads("\n".join(block))
            except ValueError as error:
                wrong.append(f"{path}:{number}: {error}")
        language = None if language is not None else line[3:]
        block = []
    assert language is None, path
    return wrong


def check(path):
    """The commands of a document, and what is wrong with them."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    count, wrong, changes = 0, check_fences(path, lines), []
    if not any(line.startswith(("    $ ", "    gpucode ")) for line in lines):
        return count, wrong
    # those that explain an example are read beside it
    below = os.path.relpath(os.path.dirname(path), tree) if os.path.abspath(path).startswith(tree + "/examples/") else ""
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "bin"))
        os.symlink(gpucode, os.path.join(folder, "bin/gpucode"))
        os.mkdir(os.path.join(folder, "docs"))
        lacking = []
        for name, recording in RECORDINGS.items():
            source = os.path.join(os.environ.get("GPUCODE_VECTORS", "/nowhere"), "../traces", recording)
            if os.path.exists(source):
                os.symlink(os.path.abspath(source), os.path.join(folder, name))
            else:
                lacking.append(name)
        for name in ("examples", "tests/docs"):  # copies: commands write where they say
            if os.path.isdir(os.path.join(tree, name)):  # a package does not have the tests
                shutil.copytree(os.path.join(tree, name), os.path.join(folder, name))
        for start, command, printed in sessions(lines):
            if any(name in command for name in lacking):
                continue
            text = run(command, folder, below)
            count += 1
            if any(word in text for word in ABSENT):
                continue
            seen = text.rstrip("\n").split("\n") if text else []
            if not fits(seen, printed):
                changes.append((start, len(printed), ["    " + line.rstrip() if line.strip() else "" for line in seen]))
                wrong += [f"{path}:{start}: $ {command}", "has", *printed, "now", *seen]
        for number, line in enumerate(lines, 1):
            if line.startswith("    gpucode "):
                count += 1
                for rest in lines[number:]:
                    if not line.endswith("\\"):
                        break
                    line = line[:-1].rstrip() + " " + rest.strip()
                command = re.split(r"\s{2,}(?=\S)|\s+#", line.strip())[0]
                text = run(command, folder, below)
                if any(word in text for word in MISTYPED):
                    wrong += [f"{path}:{number}: {command}", *text.split("\n")[:2]]
    if update and changes:
        for start, length, seen in reversed(changes):
            if "    ..." not in lines[start:start + length]:
                lines[start:start + length] = seen
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines))
    return count, wrong


# The files of the examples in the help, in the order in which they are made.
FILES = """
gpucode asm examples/firmware/a6xx.asm -o a6xx.fw
gpucode disasm --edit a6xx.fw -o a6xx.asm
sed '/^CP_MEM_WRITE:/a mov $15, 0x1234' a6xx.asm >new.asm
gpucode asm new.asm -o new.fw
printf '.target afuc:a630\\nwaitin\\nmov $01, $data\\n' >nop.asm
gpucode asm examples/streams/frame.asm -o frame.rd
gpucode decode --source frame.rd -o frame.rdasm
gpucode run a6xx.fw --packet 'CP_ME_INIT 0' --packet 'CP_REG_TO_MEM 0x8c01 0x10 0x900' --crash hang.devcore >/dev/null 2>&1
cp examples/a3xx/early.asm shader.asm
gpucode schedule shader.asm -o legal.asm 2>/dev/null
mkdir before after && cp shader.asm before && gpucode schedule shader.asm -o after/shader.asm 2>/dev/null
cp examples/hwsq/reclock.hwsq script.hwsq
printf '* 0x7c my_handler\\n' >names.sym
printf '[ 3.2] nouveau: hwsq dump\\n42 20 10 00 e2 01 00 00 00 00 b0 7f\\n' >boot.log
"""


def run_examples(folder):
    """Runs the example of every command; a list of what is wrong, and the section of the man page."""
    os.mkdir(os.path.join(folder, "bin"))
    os.symlink(gpucode, os.path.join(folder, "bin/gpucode"))
    shutil.copytree(os.path.join(tree, "examples"), os.path.join(folder, "examples"))
    wrong, page = [run(FILES, folder)], [".nf"]
    for command in json.loads(run("gpucode help --json", folder))["commands"]:
        if not command["examples"]:
            wrong.append(f"{command['name']} has no example")
        for line in command["examples"]:
            text = run(line + "\necho status $?", folder)
            ends = ("status 0", "status 1") if command["name"] in ("diff", "lint", "replay", "fuzz", "lsp") else ("status 0",)
            if any(word in text for word in ABSENT):
                text = "status 0"
            if text.rstrip().rsplit("\n", 1)[-1] not in ends or "[cli-" in text and "explain" not in line:
                wrong.append(f"the example {line}: {text}")
            page.append(line.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq"))
    return [part for part in wrong if part], "\n".join([*page, ".fi", ""])


def check_examples():
    """The examples of the help, there and in the man page."""
    with tempfile.TemporaryDirectory() as folder:
        wrong, section = run_examples(folder)
    path = os.path.join(tree, "docs/gpucode.1")
    with open(path, encoding="utf-8") as file:
        before, rest = file.read().split(".SH EXAMPLES\n")
    printed, after = rest.split(".SH SEE ALSO\n")
    if printed != section and update:
        with open(path, "w", encoding="utf-8") as file:
            file.write(before + ".SH EXAMPLES\n" + section + ".SH SEE ALSO\n" + after)
    elif printed != section:
        wrong.append(f"{path}: not the examples of `gpucode help`; UPDATE_GOLDEN=1 writes them")
    return section.count("\n"), wrong


def check_sentences(paths):
    """The commands in sentences, `gpucode ...`: each is typed once, in an empty folder. What is in capitals or brackets is not."""
    seen, wrong = {}, []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"^```.*?^```$", "", file.read(), flags=re.M | re.S)
        for command in re.findall(r"`(gpucode\s[^`]*)`", text):
            seen.setdefault(" ".join(command.split()), path)
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "bin"))
        os.symlink(gpucode, os.path.join(folder, "bin/gpucode"))
        for command, path in seen.items():
            typed = re.sub(r"\[[^]]*\]", "", command)
            if " export " in typed and " -o " in typed and " -t " not in typed:  # how all targets are written others see
                typed += " -t afuc:a630"
            text = run(typed, folder)
            mistyped = [word for word in MISTYPED if word in text and not any(word in text for word in UNFINISHED)]
            if mistyped and not re.search(r"\b[A-Z]{3,}\b", text.split("\n", 1)[0]):
                wrong += [f"{path}: `{command}`", *text.split("\n")[:2]]
    assert len(seen) > 60, seen
    return len(seen), wrong


def all_documents():
    """Every document but those that come with the page's tools."""
    found = [os.path.join(tree, name) for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
    for folder in ("docs", "data", "examples", "editors", "src", "tests", "fuzz", "web", "python"):
        found += sorted(glob.glob(os.path.join(tree, folder, "**/*.md"), recursive=True))
    found = [path for path in found if "/node_modules/" not in path]
    assert len(found) > 40, found
    return found


def check_widths(found):
    """Lines of more than 100 columns in any document; tables and lists of words in what manuals are made of may have them."""
    wrong = []
    for path in found:
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if len(line.rstrip("\n")) > 100 and not (path.startswith(tree + "/src/") and line.startswith(("|", "<!--"))):
                    wrong.append(f"{path}:{number}: {len(line) - 1} columns")
    return wrong


def main():
    given = [check(os.path.join(tree, name)) for name in sys.argv[3:]]
    if given:
        print(*[line for _, wrong in given for line in wrong], f"{sum(count for count, _ in given)} commands", sep="\n")
        return 1 if any(wrong or not count for count, wrong in given) else 0
    documents = all_documents()
    total, wrong = check_examples()
    wrong += check_widths(documents)
    count, mistakes = check_sentences(documents)
    total += count
    wrong += mistakes
    with open(documents[0], encoding="utf-8") as file:
        if file.read().count("\n") > 150:
            wrong.append("README.md has more than 150 lines")
    with open(os.path.join(tree, "docs/README.md"), encoding="utf-8") as file:
        index = file.read()
    for path in glob.glob(os.path.join(tree, "docs/*.md")):
        if f"({os.path.basename(path)})" not in index and not path.endswith("/README.md"):
            wrong.append(f"{path} is not in docs/README.md")
    for path in documents:
        count, mistakes = check(path)
        total += count
        wrong += mistakes
    print(*wrong, f"{total} commands of documents", sep="\n")
    assert total > 250, total
    return 1 if wrong else 0


sys.exit(main())
