# The lit tests: each runs commands and compares what they print with FileCheck.

import ctypes
import os
import shutil

import lit.formats

config.name = "warpo"
# A test that hangs fails, not the whole run. lit needs psutil for that, of its own Python.
limited, problem = lit_config.maxIndividualTestTimeIsSupported
if limited:
    lit_config.maxIndividualTestTime = 300
else:
    lit_config.note(f"no time limit for a test: {problem}")
# Commands run in bash, with pipefail: a tool that fails in the middle of a pipe fails the test.
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".test", ".wat", ".yaml"]
config.excludes = ["Inputs"]
# Chromium's renderers crash at times, and Node aborts where inspector's sessions and threads end at once
# (nodejs/node#30525). A test that fails has a second try. utils/count-results.py names those that pass then: each may
# also be a race of our own.
config.test_retry_attempts = 1
config.test_source_root = os.path.join(config.source_root, "test")
config.test_exec_root = os.path.join(config.build_root, "test")

config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.build_root, "bin"), config.llvm_tools, config.environment["PATH"]]
)
# Test scripts share the modules of `support`.
config.environment["PYTHONPATH"] = config.test_source_root
config.environment["LC_ALL"] = "C.UTF-8"
# Chromium and npm's programs write below the home directory: give them one in the build.
config.environment["HOME"] = config.test_exec_root
# LLVM's library is not built with ASan: memory that its allocators hand out would stay poisoned.
config.environment["ASAN_OPTIONS"] = "detect_stack_use_after_return=1:allow_user_poisoning=0"
config.environment["UBSAN_OPTIONS"] = "print_stacktrace=1"
if config.sanitize:
    config.environment["WARPO_CROSS_EVERY"] = "3"
# WARPO_CROSS_EVERY=N: test/crossed-options does each N-th run of a pair. WARPO_LOOKUPS: how many offsets
# test/source-places looks up of a program, if more than a few.
for name in "WARPO_CROSS_EVERY", "WARPO_LOOKUPS":
    if name in os.environ:
        config.environment[name] = os.environ[name]


def found(program):
    return bool(program) and not program.endswith("NOTFOUND")


def has_landlock():
    create_ruleset, version = 444, 1
    return ctypes.CDLL(None).syscall(create_ruleset, None, ctypes.c_size_t(0), version) >= 2


node_modules = os.path.join(config.source_root, "node_modules")
# Today's V8 and Binaryen, which know proposals that the distribution's do not.
new_node = next(
    (node for cpu in ("x64", "arm64")
     if os.access(node := os.path.join(node_modules, f"node-linux-{cpu}/bin/node"), os.X_OK)
     and os.uname().machine == {"x64": "x86_64", "arm64": "aarch64"}[cpu]), "")
new_binaryen = os.path.join(node_modules, "binaryen/bin")
duckdb = os.path.join(node_modules, "@duckdb/duckdb-wasm/dist/duckdb-eh.wasm")
for feature, present in {
    "node": found(config.node),
    "npm": found(config.node) and os.path.isdir(node_modules),
    "new-node": found(new_node),
    "duckdb": found(config.node) and os.path.isfile(duckdb),
    # ClickHouse in Node: `utils/check --fleet` installs it.
    "chdb": found(config.node) and os.path.isdir(os.path.join(config.source_root, "test/parquet/chdb/node_modules/chdb")),
    "pglite": os.path.isdir(os.path.join(node_modules, "@electric-sql/pglite")),
    "onnx": os.path.isdir(os.path.join(node_modules, "onnxruntime-web")),
    "pyodide": os.path.isdir(os.path.join(node_modules, "pyodide")),
    "chromium": found(config.chromium),
    "wat2wasm": found(config.wat2wasm),
    "wasm2c": found(config.wasm2c),
    "wasm-opt": found(config.wasm_opt),
    "binaryen": config.has_binaryen,
    "sanitize": bool(config.sanitize),
    "x86-64": os.uname().machine == "x86_64",
    # Of the kernel: from Linux 5.19 on, where it is switched on.
    "landlock": has_landlock(),
    # Tests of some seconds: left out by `utils/check --fast`.
    "slow": "fast" not in lit_config.params,
    # Lua's sources, and what makes WebAssembly of them: wasi-libc and libclang-rt-19-dev-wasm32.
    "wasi-libc": os.path.isdir(os.path.join(node_modules, "lua-src"))
    and all(shutil.which(program) for program in ("clang-19", "wasm-ld-19"))
    and os.path.isfile("/usr/include/wasm32-wasi/stdio.h")
    and os.path.isfile("/usr/lib/llvm-19/lib/clang/19/lib/wasi/libclang_rt.builtins-wasm32.a"),
    # The compilers of docs/recipes.md that nothing else takes: Debian's Rust and C++ for WebAssembly.
    "recipes": os.path.isfile("/usr/bin/cargo")
    and os.path.isdir("/usr/lib/rustlib/wasm32-wasi")
    and os.path.isfile("/usr/lib/wasm32-wasi/libc++abi.a"),
}.items():
    if present:
        config.available_features.add(feature)

# Readers of profiles and of packages, and others that are called by their names. What is not in utils/setup is for
# who wants to know: qemu-user, gcc-aarch64-linux-gnu and libc6-dev-arm64-cross of Debian.
for program in ("callgrind_annotate", "dot", "go", "pkg-config", "qemu-aarch64", "aarch64-linux-gnu-gcc",
                "clang-19", "wasm-ld-19", "emcc", "clickhouse-server", "genhtml", "groff", "man", "zsh", "dpkg-shlibdeps", "lintian"):
    if shutil.which(program):
        config.available_features.add(program)

sanitize_flags = f"-fsanitize={config.sanitize}" if config.sanitize else ""
asc = os.path.join(node_modules, "assemblyscript/bin/asc.js")

# For programs too short for V8's optimising compiler to pay off, such as Binaryen's module of ten megabytes. They take a half to nine tenths of the time.
node_once = f"{config.node} --liftoff-only"
# A name is replaced only as a whole: %js does not touch %json.
for name, value in {
    # Programs.
    "python": config.python,
    "cmake": config.cmake,
    "node": config.node,
    "chromium": config.chromium,
    # %cc and %cxx build as the project itself is built: a program of theirs can link its libraries.
    "cc": f"{config.c_compiler} -std=c11 -Wall -Wextra -Werror {sanitize_flags}",
    "cxx": f"{config.cxx_compiler} -std=c++20 -Wall -Wextra -Werror {sanitize_flags}",
    # Configures a CMake project of its own, built as this one is.
    "configure": f"{config.cmake} -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER={config.c_compiler} "
    f"-DCMAKE_CXX_COMPILER={config.cxx_compiler} -DCMAKE_C_FLAGS='{sanitize_flags}' "
    f"-DCMAKE_CXX_FLAGS='{sanitize_flags}'",
    # The commands that examples/README.md has for an example: %run-example FOLDER EXAMPLE.
    "run-example": f"env SOURCE={config.source_root} BUILD={config.build_root} PYTHON={config.python} CC={config.c_compiler} "
    f"CXX={config.cxx_compiler} FLAGS={sanitize_flags} bash {config.test_source_root}/examples/Inputs/run-example.sh",
    "new-node": new_node,
    "new-wasm-as": f"{node_once} {new_binaryen}/wasm-as",
    "new-wasm-opt": f"{node_once} {new_binaryen}/wasm-opt",
    "duckdb": duckdb,
    # AssemblyScript's compiler.
    "asc": f"{node_once} {asc}",
    # Perfetto's trace processor: %tp-query TRACE "SQL"...
    "tp-query": f"{config.node} {config.source_root}/utils/tp-query.mjs",
    # The Firefox Profiler: %ask-firefox-profiler FILE.
    "ask-firefox-profiler": f"{new_node} {config.source_root}/utils/ask-firefox-profiler.mjs",
    # speedscope's page: %ask-speedscope FILE...
    "ask-speedscope": f"{config.node} {config.source_root}/utils/ask-speedscope.mjs {config.chromium}",
    # The formats that a tool lists: %formats TOOL [but NAME...].
    "formats": f"{config.python} {config.source_root}/test/support/formats.py",
    # The names of all tools.
    "tools": " ".join(config.tools),
    # Folders.
    "source": config.source_root,
    "build": config.build_root,
    "js": os.path.join(config.build_root, "share/warpo/js"),
    "utils": os.path.join(config.source_root, "utils"),
    "examples": os.path.join(config.source_root, "examples"),
    "include": os.path.join(config.source_root, "include"),
    "lib": os.path.join(config.build_root, "lib"),
}.items():
    config.substitutions.append((f"%{name}(?![-\\w])", value))
