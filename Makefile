# SPDX-License-Identifier: MIT
# A thin front of meson: the program is build/gpucode.
BUILD = build

.PHONY: all demo check install clean setup

all: $(BUILD)/build.ninja
	@ninja -C $(BUILD) --quiet

$(BUILD)/build.ninja:
	@tools/setup.sh
	meson setup $(BUILD)

demo: all
	@tools/demo.sh $(BUILD)/gpucode

check: all
	@ninja -C $(BUILD) --quiet meson-test-prereq
	@meson test -C $(BUILD) --no-rebuild --print-errorlogs

install: all
	meson install -C $(BUILD) --no-rebuild

clean:
	rm -rf build build-asan build-fuzz

setup:
	@tools/setup.sh
