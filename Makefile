# SPDX-License-Identifier: MIT
# A thin front of meson: the program is build/gpucode.
#
#     make check [LONG=1]            # LONG: more rounds of what is tried at random
#     make packages                  # Debian packages
#     make install [PREFIX=/usr/local] [DESTDIR=FOLDER]
#     make mutation [SEED=..]        # which changes of the code does no test notice? SANITIZED=1: sanitizers too;
#                                    # mutation-claims: of claims
#     make web                       # the page: static files in build/web
#     make web-check                 # its tests, in Chromium where there is one
#     make web-views                 # the pictures of all views in docs/
#     make web-bench                 # how long a person waits for it, and the sizes of its files
BUILD = build

.PHONY: all demo check mutation mutation-claims install web web-check web-views web-bench clean setup

all: $(BUILD)/build.ninja
	@ninja -C $(BUILD) --quiet product

$(BUILD)/build.ninja:
	@tools/setup.sh build
	meson setup $(if $(PREFIX),--prefix '$(PREFIX)') $(BUILD)

demo: all
	@tools/demo.sh $(BUILD)/gpucode

# A build folder that was set up before cmocka was installed looks for it again.
check: $(BUILD)/build.ninja
	@tools/setup.sh check
	@grep -q cmocka $(BUILD)/meson-info/intro-dependencies.json || meson setup --reconfigure $(BUILD)
	@ninja -C $(BUILD) --quiet product meson-test-prereq
	@meson test -C $(BUILD) --no-rebuild --print-errorlogs --timeout-multiplier $(if $(LONG),10 --setup long,4)

# Goes on where it stopped, as long as the seed is the same; docs/testing.md has the scores.
SEED = 1
COUNT = 80
MUTATION = tools/mutation/mutation.py build-mutation/$(subst $() ,-,$(SEED))
mutation:
	@tools/setup.sh check
	@[ -f build-mutation/$(subst $() ,-,$(SEED))/mutants.json ] || $(MUTATION) draw --count $(COUNT) $(SEED)
	@$(MUTATION) run $(if $(SANITIZED),--sanitized)
	@$(MUTATION) table

mutation-claims:
	@tools/mutation/mutation.py build-mutation/claims claims $(CLAIMS)

# Another prefix than the build folder's is made its prefix first.
install: $(BUILD)/build.ninja
	@$(if $(PREFIX),meson configure $(BUILD) --prefix '$(PREFIX)')
	@ninja -C $(BUILD) --quiet product
	meson install -C $(BUILD) --no-rebuild $(if $(DESTDIR),--destdir '$(abspath $(DESTDIR))')

.PHONY: abi packages
# What programs linked with this version rely on, when it is released; .ci/run compares with it.
abi:
	@tools/abi.sh write

# Debian packages of the last commit, in build-debian.
packages:
	@tools/packages.sh build build-debian

web: all
	@tools/setup.sh web
	@web/wasi/build.sh $(BUILD)/wasm
	@[ web/node_modules -nt web/package-lock.json ] || { cd web && npm ci --no-fund --no-audit && touch node_modules; }
	@node web/build.mjs $(BUILD)/gpucode $(BUILD)/wasm/gpucode.wasm $(BUILD)/web

web-check: web
	@tools/setup.sh web-check
	GPUCODE=$(BUILD)/gpucode GPUCODE_MODULE=$(BUILD)/wasm/gpucode.wasm GPUCODE_WEB=$(BUILD)/web \
	    GPUCODE_SCREENSHOTS=$(BUILD)/web-pictures node --test --test-concurrency=1 web/tests/png.mjs web/tests/same.mjs web/tests/page.mjs web/tests/kept.mjs web/tests/looks.mjs web/tests/strip.mjs web/tests/moments.mjs web/tests/recorded.mjs web/tests/tasks.mjs

web-views: web
	@tools/setup.sh web-check
	@GPUCODE=$(BUILD)/gpucode GPUCODE_WEB=$(BUILD)/web GPUCODE_SCREENSHOTS=$(BUILD)/web-pictures \
	    node --test --test-name-pattern="nothing is cut" web/tests/looks.mjs
	@node web/tests/sheet.mjs $(BUILD)/web-pictures docs

web-bench: web
	@tools/setup.sh web-check
	@GPUCODE_WEB=$(BUILD)/web node web/tests/bench.mjs

clean:
	rm -rf build build-asan build-fuzz build-abi build-debian build-mutation

setup:
	@tools/setup.sh ci
