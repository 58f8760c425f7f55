# run-example.sh FOLDER EXAMPLE
#
# Runs the commands that examples/README.md has for EXAMPLE, in a checkout in FOLDER whose build is the one that is tested. From
# lit: SOURCE and BUILD, PYTHON, the compilers CC and CXX, and FLAGS for both, with which a program can be linked to the build.
set -e
mkdir -p "$1/build" "$1/bin"
cd "$1"
ln -sfn "$SOURCE"/{include,node_modules} .
ln -sfn "$BUILD"/{bin,lib,share,cmake_install.cmake} build/
cp -r "$SOURCE/examples" .
"$PYTHON" "$SOURCE/utils/readme-blocks.py" script examples/README.md "$2" > commands
! grep -q build/installed commands || cmake --install build --prefix build/installed > install.log

# With the PATH as it is here: a compiler that looks for the next one of its name, as ccache does, would find this one.
printf '#!/bin/sh\nPATH="%s" exec %s %s "$@"\n' "$PATH" "$CC" "$FLAGS" > bin/cc
chmod +x bin/cc

export CC CXX CMAKE_GENERATOR=Ninja PATH="$PWD/bin:$PATH"
# The flags are for programs of this machine.
grep -q lua commands || export CFLAGS=$FLAGS CXXFLAGS=$FLAGS
exec bash -e commands
