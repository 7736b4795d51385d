#!/usr/bin/env bash
# format.sh -i: clang-format every source in place. format.sh --check: fail when one would change.
set -euo pipefail
cd "$(dirname "$0")/.."
case "${1:-}" in
  -i) mode=(-i) ;;
  --check) mode=(--dry-run -Werror) ;;
  *) sed -n '2s/^# //p' "$0" >&2; exit 2 ;;
esac
git ls-files --cached --others --exclude-standard -z -- '*.hpp' '*.cpp' '*.cuh' '*.cu' |
  xargs --null --no-run-if-empty clang-format "${mode[@]}"
