PYTHON_PACKAGE := $(CURDIR)/bindings/python
PYTHON_VENV := $(CURDIR)/target/python/venv
PYTHON_WHEELS := $(CURDIR)/target/python/wheels
PYTHON_SOURCE := $(CURDIR)/target/python/source
PYTHON_FITS := import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))
MANYLINUX := manylinux_2_17
AUDITWHEEL := 6.8.2
HELP_PYTHON := The Python package needs Python 3.10 or later with venv

# The wheel is built and tested in a virtual environment, which is recreated when the requirements change. The default
# build compiles quickly; RELEASE=1 builds the optimised wheel for users and for measurements.
# Comparisons with OpenSpiel are skipped with a notice if OpenSpiel has no wheel for this Python.
python: tools $(PYTHON_VENV)/ready
	$(PYTHON_VENV)/bin/ruff format --no-cache --quiet --check $(PYTHON_PACKAGE)
	$(PYTHON_VENV)/bin/ruff check --no-cache --quiet $(PYTHON_PACKAGE)
	rm -rf $(PYTHON_WHEELS)
	cd $(PYTHON_PACKAGE) && $(PYTHON_VENV)/bin/maturin build $(if $(RELEASE),--release --config "$$($(CURDIR)/packaging/remap)") --locked --quiet \
	  --interpreter $(PYTHON_VENV)/bin/python --out $(PYTHON_WHEELS)
	$(PYTHON_VENV)/bin/pip install --quiet --force-reinstall --no-deps $(PYTHON_WHEELS)/plyhouse-*.whl
	cd $(PYTHON_PACKAGE)/python && $(PYTHON_VENV)/bin/mypy --config-file ../pyproject.toml -p plyhouse
	@$(PYTHON_VENV)/bin/python -c 'import pyspiel' 2>/dev/null \
	  || echo 'OpenSpiel is not installed, because it has no wheel for this Python: comparisons with it are skipped.'
	cd $(PYTHON_PACKAGE) && $(PYTHON_VENV)/bin/python -m pytest -q -p no:cacheprovider tests

# The source distribution, and from it wheels for Linux on x86-64 and AArch64, for systems since 2014. Zig links them
# against the C library of 2014; auditwheel checks that they need no other libraries. The source distribution has the
# locked versions of this workspace, but fewer packages, so `--locked` would fail.
wheels: tools $(PYTHON_VENV)/ready
	$(PYTHON_VENV)/bin/pip install --quiet --disable-pip-version-check ziglang==$(ZIG) auditwheel==$(AUDITWHEEL)
	rm -rf $(PYTHON_WHEELS) $(PYTHON_SOURCE)
	cd $(PYTHON_PACKAGE) && $(PYTHON_VENV)/bin/maturin sdist --out $(PYTHON_WHEELS)
	mkdir -p $(PYTHON_SOURCE) && tar -xf $(PYTHON_WHEELS)/*.tar.gz --strip-components 1 -C $(PYTHON_SOURCE)
	set -e; for machine in x86_64 aarch64; do \
	  target=$$machine-unknown-linux-gnu; \
	  [ -d "$$(rustc --print sysroot)/lib/rustlib/$$target" ] || rustup target add $$target; \
	  (cd $(PYTHON_SOURCE) && PATH="$(PYTHON_VENV)/bin:$$PATH" maturin build --release --quiet --zig \
	    --config "$$($(CURDIR)/packaging/remap)" --target-dir $(TARGET) --target $$target \
	    --compatibility $(MANYLINUX) --out $(PYTHON_WHEELS)); \
	  $(PYTHON_VENV)/bin/auditwheel show $(PYTHON_WHEELS)/*_$$machine.whl | tr '\n' ' ' \
	    | grep -q "platform tag: \"$(MANYLINUX)_$$machine\"" || { echo "$$machine: not for $(MANYLINUX)"; exit 1; }; \
	done
	@ls $(PYTHON_WHEELS)

$(PYTHON_VENV)/ready: $(PYTHON_PACKAGE)/requirements.txt $(PYTHON_PACKAGE)/requirements-openspiel.txt
	@find_python() { \
	  for name in "$$PYTHON" python3 python3.14 python3.13 python3.12 python3.11 python3.10; do \
	    if [ -n "$$name" ] && "$$name" -c '$(PYTHON_FITS)' >/dev/null 2>&1; then command -v "$$name"; return 0; fi; \
	  done; return 1; \
	}; \
	if ! find_python >/dev/null && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then \
	  echo '$(HELP_PYTHON): installing it with apt-get.'; \
	  (apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends python3 python3-venv) >/dev/null; \
	fi; \
	python="$$(find_python)" \
	  || { echo '$(HELP_PYTHON). Install it (Debian: sudo apt-get install python3 python3-venv) or set PYTHON to it.'; exit 1; }; \
	rm -rf $(PYTHON_VENV) && "$$python" -m venv $(PYTHON_VENV)
	$(PYTHON_VENV)/bin/pip install --quiet --disable-pip-version-check -r $(PYTHON_PACKAGE)/requirements.txt
	@$(PYTHON_VENV)/bin/pip install --quiet --disable-pip-version-check --only-binary :all: \
	  -r $(PYTHON_PACKAGE)/requirements-openspiel.txt || echo 'OpenSpiel cannot be installed for this Python.'
	@touch $@
