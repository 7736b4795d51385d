#!/usr/bin/env bash
# api-pages.sh [FOLDER]: pages of the public headers by Doxygen, the README first, in FOLDER/html (build/api). A warning is an error.
set -euo pipefail
if [ "${1:-}" = --filter ]; then # what Doxygen reads of a page: it knows neither GitHub's anchors nor what lies beside its input
  exec perl -0pe 's/\[([^\]]*)\]\((#|[^)]*packaging\/)[^)]*\)/$1/g; s/\]\(([^)#]*\.md)#[^)]*\)/]($1)/g' "$2"
fi
cd "$(dirname "$0")/.."
folder=${1:-build/api}
command -v doxygen >/dev/null || { echo "api-pages: doxygen is missing; cmake/install-packages.sh cmake/debian-packages-developer.txt" >&2; exit 2; }
mkdir -p "$folder"
doxygen - <<END
PROJECT_NAME = Tessera
PROJECT_NUMBER = $(sed -nE 's/^project\(Tessera VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)
INPUT = README.md CHANGELOG.md CONTRIBUTING.md $(echo docs/*.md docs/results/*.md docs/decisions/*.md) $(echo src/*/Tessera_*.hpp)
USE_MDFILE_AS_MAINPAGE = README.md
OUTPUT_DIRECTORY = $folder
GENERATE_LATEX = NO
QUIET = YES
WARN_AS_ERROR = FAIL_ON_WARNINGS
# A docstring says shapes, units and errors of what is not plain; a parameter whose name says all has none.
WARN_IF_UNDOCUMENTED = NO
WARN_NO_PARAMDOC = NO
EXTRACT_ALL = YES
HIDE_UNDOC_MEMBERS = NO
STRIP_FROM_PATH = src
FULL_PATH_NAMES = NO
ENABLE_PREPROCESSING = YES
MACRO_EXPANSION = NO
HAVE_DOT = NO
MARKDOWN_SUPPORT = YES
FILTER_PATTERNS = *.md="$PWD/cmake/api-pages.sh --filter"
END
echo "$folder/html/index.html"
