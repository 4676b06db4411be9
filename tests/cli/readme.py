# SPDX-License-Identifier: MIT
# The sessions in the README are what the program really prints. That with a recording wants it to be there: it is passed over
# without. usage: readme.py GPUCODE TREE
import os
import re
import subprocess
import sys
import tempfile

gpucode, tree = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
# What the reader does to edit.asm between the commands, in the order of the `asm edit.asm` that follow: pattern, replacement.
EDITS = [
    (r"^CP_ME_INIT:\n", "CP_ME_INIT:\nmov $15, 0x12345\n"),
    (r"0x12345", "0x1234"),
]


def edit_source(number):
    with open("edit.asm") as file:
        text = file.read()
    pattern, replacement = EDITS[number]
    changed = re.sub(pattern, replacement, text, count=1, flags=re.M)
    assert changed != text, "edit %d changes nothing" % number
    with open("edit.asm", "w") as file:
        file.write(changed)


def sessions(title):
    """Each command of a section with the lines that it prints."""
    with open(os.path.join(tree, "README.md")) as file:
        section = re.search(r"\n## " + title + r"\n(.*?)\n## ", file.read() + "\n## ", re.S).group(1)
    for block in re.findall(r"(?:^    .*\n(?:\n(?=    ))?)+", section, re.M):
        command, printed = None, []
        for line in block.rstrip("\n").split("\n"):
            line = line[4:]
            if line.startswith("$ "):
                if command:
                    yield command, printed
                command, printed = line[2:], []
            else:
                printed.append(line)
        if command:
            yield command, printed


def main():
    wrong = count = edits = 0
    recording = os.path.join(os.environ.get("GPUCODE_VECTORS", "/nowhere"), "../traces/fd-clouds.rd.gz")
    recorded = os.path.exists(recording)
    titles = ["A session"]
    titles += ["From a crash dump to the instruction"] + (["A draw, before and after"] if recorded else [])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.symlink(os.path.join(tree, "examples"), "examples")
        os.mkdir("bin")
        os.symlink(gpucode, "bin/gpucode")
        environment = dict(os.environ, PATH=folder + "/bin:" + os.environ["PATH"], NO_COLOR="1", TERM="dumb")
        if recorded:
            os.symlink(os.path.abspath(recording), "clouds.rd.gz")
        for command, printed in (item for title in titles for item in sessions(title)):
            if command.startswith("gpucode asm edit.asm"):
                edit_source(edits)
                edits += 1
            result = subprocess.run(command, shell=True, env=environment, text=True, stdin=subprocess.DEVNULL,
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            count += 1
            seen = result.stdout.rstrip("\n").split("\n") if result.stdout else []
            if "cli-no-pictures" in result.stdout:
                continue  # built without libpng
            if [line.rstrip() for line in seen] != [line.rstrip() for line in printed]:
                wrong += 1
                print("$ " + command, "README:", *printed, "now:", *seen, sep="\n")
    assert count > 10 and edits == len(EDITS), (count, edits)
    print("%d commands of the README, %d print something else%s" %
          (count, wrong, "" if recorded else "; skipped: no recording for those of a draw"))
    return 1 if wrong else 0


sys.exit(main())
