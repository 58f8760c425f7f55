# SPDX-License-Identifier: Apache-2.0
# For scripts to source: configures and builds warpo.

# warpoBuild <build directory> <CMake options>... [-- <targets>...]
warpoBuild() {
  local build=$1 targets=()
  shift
  local options=()
  while [ $# -gt 0 ] && [ "$1" != -- ]; do
    options+=("$1")
    shift
  done
  [ $# -eq 0 ] || targets=("${@:2}")
  if command -v ccache >/dev/null; then
    # Paths relative to the checkout, so that clones of the project share what was compiled.
    export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
    # Without these it compiles again what includes a precompiled header.
    export CCACHE_SLOPPINESS=pch_defines,time_macros
    options+=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  fi
  mkdir -p "$build"
  cmake -S . -B "$build" -G Ninja "${options[@]}" >"$build/configure.log" 2>&1 || {
    cat "$build/configure.log"
    return 1
  }
  ninja -C "$build" "${targets[@]}"
}
