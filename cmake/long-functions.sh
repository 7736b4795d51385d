#!/usr/bin/env bash
# long-functions.sh: no function of packages/ has more than 50 lines of code or a cyclomatic complexity above 15, but for those of
# long-functions.txt, which loses a line when a function of it has become shorter, and for the table of parameters (packages/settings), a
# statement for each parameter. Needs PyPI's lizard, of which it makes a virtual
# environment in build/lizard; says so and checks nothing where that cannot be had.
set -euo pipefail
cd "$(dirname "$0")/.."
version=1.24.3
if [ ! -x build/lizard/bin/lizard ]; then
  if ! { python3 -m venv build/lizard && build/lizard/bin/pip install -q "lizard==$version"; }; then
    rm -rf build/lizard
    echo "not checked: lizard $version cannot be had from PyPI"
    exit 0
  fi
fi
copies=$(mktemp -d)
trap 'rm -rf "$copies"' EXIT
# lizard takes languages from the ends of names, and does not know .cuh and .cu.
find packages -name '*.cuh' -o -name '*.cu' -o -name '*.hpp' -o -name '*.cpp' | grep -v '^packages/settings/table' | while read -r file; do
  mkdir -p "$copies/$(dirname "$file")"
  cp "$file" "$copies/$file$(case $file in *.cuh) echo .hpp ;; *.cu) echo .cpp ;; esac)"
done
found=$({ cd "$copies" && "$OLDPWD/build/lizard/bin/lizard" -C 15 -L 50 -w packages || true; } |
  sed -E 's/^([^:]*):[0-9]+: warning: ([^ ]*( \( \))?) .*/\1 \2/; s/\.cuh\.hpp /.cuh /; s/\.cu\.cpp /.cu /; s/ \( \)//' | sort)
if ! diff <(grep -v '^#' cmake/long-functions.txt | sort) <(echo "$found"); then
  echo "Lines with > are functions that are too long or have too many branches: divide them. Lines with < are so no longer: take them"
  echo "out of cmake/long-functions.txt."
  exit 1
fi
