# The commands of the house; each makes the virtual environment it needs. See CONTRIBUTING.md.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
SOURCES := pyproject.toml CMakeLists.txt $(shell find core -name '*.cpp' -o -name '*.hpp' -o -name '*.def')
JOBS ?= 2
# pip's cmake and ninja, where the system has none of its own.
TOOLS := PATH="$(abspath $(BIN)):$$PATH"
CPP := $$(find core tests/core -name '*.cpp' -o -name '*.hpp')
# Every script that measures a claim; the other files beside them are what these share.
BENCHMARKS := $(wildcard benchmarks/rf_*.py) benchmarks/causal.py benchmarks/formats.py benchmarks/import_logs.py \
	benchmarks/generic_search.py benchmarks/stress.py benchmarks/gradual_figures.py benchmarks/open_pairs.py benchmarks/subset_growth.py \
	benchmarks/sc_tso_scaling.py benchmarks/fault_explanations.py benchmarks/prove_table1.py \
	$(wildcard benchmarks/explore_*.py) benchmarks/startup.py benchmarks/walks.py benchmarks/linearizability.py benchmarks/monitor_streams.py

.PHONY: demo test test-core test-full bench fuzz lint format sanitize sanitize-short clean

$(VENV)/.created:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --upgrade pip
	$(BIN)/python -m pip install -q "scikit-build-core>=0.11" "nanobind>=3.1" "cmake>=3.24" "ninja>=1.11"
	touch $@

# Editable, so that Python changes need no reinstall; a changed core source rebuilds the extension. Compiled, as pip
# compiles what it installs: where Python may not write bytecode, it would compile half of porf in every call.
$(STAMP): $(VENV)/.created $(SOURCES)
	$(TOOLS) $(BIN)/python -m pip install -q --no-build-isolation -e ".[dev]"
	$(BIN)/python -m compileall -q src
	touch $@

demo: $(STAMP)
	@$(BIN)/python examples/demo.py

test: $(STAMP)
	build=$$(ls -d build/cp*) && $(TOOLS) cmake -DPORF_TESTS=ON $$build >build/core.log || { cat build/core.log; exit 1; } && \
		$(TOOLS) cmake --build $$build -j $(JOBS) && $(TOOLS) ctest --test-dir $$build --output-on-failure
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -m "not full"

# The core on its own: configured, built and tested without Python, under AddressSanitizer and UBSan.
test-core: $(VENV)/.created
	@mkdir -p build
	$(TOOLS) cmake -S . -B build/core -G Ninja -DPORF_PYTHON=OFF -DPORF_TESTS=ON -DPORF_SANITIZE=ON -DPORF_STRICT=ON \
		-DCMAKE_BUILD_TYPE=Debug >build/core.log || { cat build/core.log; exit 1; }
	$(TOOLS) cmake --build build/core -j $(JOBS)
	$(TOOLS) ctest --test-dir build/core --output-on-failure

test-full: $(STAMP)
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal

bench: $(STAMP)
	@for script in $(BENCHMARKS); do echo "== $$script"; $(BIN)/python $$script || exit 1; done

# Damaged inputs for every reader and verb, other ones each time; `make fuzz SEED=3` for the same.
SECONDS := 60
fuzz: $(STAMP)
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS) $(if $(SEED),--seed $(SEED))

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror $(CPP)
	$(BIN)/python -m pytest tests/test_border.py tests/test_structure.py tests/test_map.py

format: $(STAMP)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(CPP)

# The sanitized core of test-core under the tests in Python: all of them, or some of every part that calls the core.
SHORT := tests/formats/test_text.py tests/formats/test_npz.py tests/checking/test_check.py \
	tests/checking/test_monitor.py tests/language/test_store_order.py tests/automata/test_prove.py \
	tests/exploration/test_machine.py tests/stress/test_rounds.py
sanitize: $(STAMP) test-core
	JOBS=$(JOBS) tests/sanitize.sh $(BIN)

sanitize-short: $(STAMP) test-core
	JOBS=$(JOBS) tests/sanitize.sh $(BIN) $(SHORT)

clean:
	rm -rf build dist $(VENV)
