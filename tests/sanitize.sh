#!/bin/sh
# Builds the extension module over the core of `make test-core` (AddressSanitizer, UBSan, the standard library's own
# checks) beside the normal install, and runs tests against that build. Usage: tests/sanitize.sh BIN [pytest arguments]
set -eu
cd "$(dirname "$0")/.."
bin=$(cd "$1" && pwd)
shift
build=$PWD/build/core
package=$PWD/build/sanitize
python=$("$bin/python" -c 'import sys; print(sys._base_executable)')
libraries=$("$bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')

PATH=$bin:$PATH
cmake -S . -B "$build" -DPORF_PYTHON=ON -DPORF_STUBS=OFF -DPython_EXECUTABLE="$bin/python" >"$build.log" 2>&1 ||
  { cat "$build.log"; exit 1; }
cmake --build "$build" -j "${JOBS:-2}" --target _core
rm -rf "$package"
mkdir -p "$package"
cp -R src/porf "$package/porf"
cp "$build"/_core*.so "$package/porf/"

# The base interpreter, with the environment's packages as a plain path: an editable install's import hook,
# which would bring the normal build back, is then not read.
compiler=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")
export LD_PRELOAD="$("$compiler" -print-file-name=libasan.so) $("$compiler" -print-file-name=libubsan.so)"
export PYTHONPATH="$package:$libraries"
export PYTHONMALLOC=malloc # so that a buffer of Python's is a block of its own
export ASAN_OPTIONS=detect_leaks=0
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
"$python" -c 'import porf._core as core; assert "/build/sanitize/" in core.__file__, core.__file__'
# The command, by this interpreter.
export PORF="$package/porf-command"
printf '#!/bin/sh\nexec "%s" -c "import sys; from porf.cli import main; sys.exit(main())" "$@"\n' "$python" >"$PORF"
chmod +x "$PORF"
# Without arguments, everything: the benchmarks hold kernels and monitor against their baselines.
if [ $# = 0 ]; then
  "$python" benchmarks/rf_vs_closure.py --events 500 --repeat 1
  "$python" benchmarks/rf_online.py --events 4000 --baseline-events 400 --repeat 1
fi
# No deadlines, and no test that measures time: everything is slower here.
"$python" -m pytest -p no:cacheprovider -n "${JOBS:-2}" --dist worksteal -m "not full" -k "not fails_fast" \
  --hypothesis-profile=ci "$@"
