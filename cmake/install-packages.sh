#!/usr/bin/env bash
# install-packages.sh LIST...: installs the Debian packages that the lists name and this machine lacks.
# Silent and quick when nothing is missing; elsewhere than on Debian it says what is needed and goes on.
set -euo pipefail

mapfile -t wanted < <(sed 's/#.*//' "$@" | tr -s '[:space:]' '\n' | sed '/^$/d')
if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "install-packages: not a Debian system, so nothing is installed; needed are the likes of: ${wanted[*]}" >&2
  exit 0
fi

installed=$(dpkg-query --show --showformat='${db:Status-Status} ${Package}\n' | sed -n 's/^installed //p')
mapfile -t missing < <(printf '%s\n' "${wanted[@]}" | grep --line-regexp --fixed-strings --invert-match \
  --file=<(printf '%s\n' "$installed") || true)
[ "${#missing[@]}" -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    {
      echo "install-packages: ${#missing[@]} Debian packages are missing, and you are neither root nor is there sudo."
      echo "Ask an administrator to run:  apt-get install --no-install-recommends ${missing[*]}"
    } >&2
    exit 1
  fi
  as_root=(sudo)
fi

echo "install-packages: installing ${#missing[@]} Debian packages: ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get --quiet=2 "$@"; }
if ! { apt update && apt install --no-install-recommends --yes "${missing[@]}"; } >"$log" 2>&1; then
  tail -n 40 "$log" >&2
  echo "install-packages: apt-get failed (its last lines are above)." >&2
  exit 1
fi
