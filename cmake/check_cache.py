"""Results of checks that take long, kept from run to run: a check of a source is skipped while nothing that it depends on has changed.

A key is the hash of the source, of every file of this tree that it includes (directly or not), and of the words that the caller adds: the
command and the version of the tool. Only checks that passed are kept. They lie in $TESSERA_CHECK_CACHE, else in ~/.cache/tessera-checks;
a key is an empty file there, and whoever deletes the folder checks everything again.
"""
import hashlib
import os
import re
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLACES = [ROOT / "packages", ROOT / "src", ROOT / "tests", ROOT / "benchmarks", *sorted((ROOT / "src").iterdir())]
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


@lru_cache(maxsize=None)
def _read(path):
    text = path.read_bytes()
    return hashlib.sha256(text).digest(), INCLUDE.findall(text.decode(errors="replace"))


def _resolve(name, folder):
    for place in (folder, *PLACES):
        path = place / name
        if path.is_file():
            return path.resolve()
    return None  # a header of another project's


def dependencies(source):
    """The source and all files of this tree that it includes, sorted."""
    found, stack = set(), [Path(source).resolve()]
    while stack:
        path = stack.pop()
        if path not in found:
            found.add(path)
            stack += filter(None, (_resolve(name, path.parent) for name in _read(path)[1]))
    return sorted(found)


def key(source, *words):
    """Paths of this checkout do not count, so that another clone finds what this one has checked."""
    hashed = hashlib.sha256()
    for word in words:
        hashed.update(str(word).replace(str(ROOT), "").encode() + b"\0")
    for path in dependencies(source):
        name = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name
        hashed.update(name.encode() + b"\0" + _read(path)[0])
    return hashed.hexdigest()


def _entry(found):
    folder = os.environ.get("TESSERA_CHECK_CACHE") or Path.home() / ".cache" / "tessera-checks"
    return Path(folder) / found[:2] / found


def passed(found):
    return _entry(found).exists()


def record(found):
    path = _entry(found)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
