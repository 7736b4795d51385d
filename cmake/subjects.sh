#!/usr/bin/env bash
# subjects.sh: the subject of each commit since this was asked for begins with a verb in the imperative (commit-verbs.txt) and has at most
# 72 characters. Commits that the checkout does not have are not checked.
set -euo pipefail
cd "$(dirname "$0")/.."
since=2026-11-28T14:27:00Z
git log --since="$since" --no-merges --format=%s | awk '
  FNR == NR { if ($0 !~ /^#/) for (k = 1; k <= NF; ++k) verbs[$k] = 1; next }
  length > 72 { print "longer than 72 characters: " $0; bad = 1 }
  !($1 in verbs) { print "does not begin with a verb of cmake/commit-verbs.txt: " $0; bad = 1 }
  END { exit bad }' cmake/commit-verbs.txt -
