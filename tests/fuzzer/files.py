#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The files for OSS-Fuzz and ClusterFuzzLite say what these ask, with no field left open."""
import pathlib
import re
import subprocess
import sys
import tempfile

root = pathlib.Path(sys.argv[1])
script = root / "fuzz/oss-fuzz/hand_in.sh"
checkout = pathlib.Path(tempfile.mkdtemp())
(checkout / "projects").mkdir()
made = checkout / "projects/gpucode"


def hand_in(code, *arguments):
    result = subprocess.run(["sh", script, checkout, *arguments], capture_output=True, text=True)
    assert result.returncode == code, (arguments, result)
    return result


home, tree = "https://gpucode.example", "https://git.example/gpucode.git"
for wrong in ([], [home, tree], ["gpucode", tree, "a@b.c"], [home, "git@host:x", "a@b.c"], [home, tree, "nobody"],
              [home, tree, "a@b.c", "x y@z.w"], [home + "\nx: y", tree, "a@b.c"], [home, tree + "|x", "a@b.c"]):
    assert "hand_in: " in hand_in(2, *wrong).stderr
    assert not made.exists()
hand_in(0, home, tree, "first@gpucode.example", "second@gpucode.example")
assert (made / "build.sh").read_text() == (root / ".clusterfuzzlite/build.sh").read_text()
docker = (made / "Dockerfile").read_text()
assert f"git clone --depth 1 {tree} $SRC/gpucode" in docker and "@" not in docker

# targets that the build script names are there
names = {path.stem[5:] for path in [*root.glob("fuzz/fuzz_*.c"), *root.glob("fuzz/*/fuzz_*.c")]}
for file in (".clusterfuzzlite/build.sh", "fuzz/renew.sh"):
    for named in re.findall(r"^ *((?:\w+ \| )+\w+)\)", (root / file).read_text(), re.M):
        assert set(named.split(" | ")) <= names, (file, named)

try:
    import yaml
except ImportError:
    print("skipped: no PyYAML reads the YAML")
    sys.exit()
project = yaml.safe_load((made / "project.yaml").read_text())
assert project == {"homepage": home, "main_repo": tree, "primary_contact": "first@gpucode.example",
                   "auto_ccs": ["second@gpucode.example"], "language": "c",
                   "sanitizers": ["address", "undefined", "memory"],
                   "fuzzing_engines": ["libfuzzer", "afl", "honggfuzz"], "architectures": ["x86_64", "i386"]}, project
assert yaml.safe_load((root / ".clusterfuzzlite/project.yaml").read_text()) == {"language": "c"}
workflow = yaml.safe_load((root / ".github/workflows/fuzz.yml").read_text())
assert workflow["jobs"]["fuzz"]["strategy"]["matrix"]["sanitizer"] == project["sanitizers"]
for job in workflow["jobs"].values():
    actions = [step["uses"] for step in job["steps"]]
    assert actions == [f"google/clusterfuzzlite/actions/{what}_fuzzers@v1" for what in ("build", "run")]
