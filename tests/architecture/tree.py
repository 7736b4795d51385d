"""What the architecture rules know of a source tree: its files, their includes, the order of the folders."""
import re
from pathlib import Path

FOLDERS = ("packages", "src", "tests", "examples", "benchmarks", "cmake", "docs", "xml_params", ".ci")
CODE = {".hpp", ".cpp", ".cuh", ".cu"}
HEADERS = {".hpp", ".cuh"}
TEXT = CODE | {".py", ".md", ".txt", ".cmake", ".in", ".sh", ".xml", ".json", ""}


def files(root, *tops, suffixes=CODE):
    """Paths relative to root of the files under the given top folders, sorted."""
    found = []
    for top in tops:
        for path in (root / top).rglob("*"):
            if path.is_file() and path.suffix in suffixes and "__pycache__" not in path.parts:
                found.append(path.relative_to(root))
    return sorted(found)


def includes(path):
    """(line number, name, quoted, guarded) of every include; guarded: seen by the CUDA compiler only."""
    guards = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        directive = re.match(r"\s*#\s*(\w+)\s*(.*)", line)
        if not directive:
            continue
        word, rest = directive.groups()
        if word in ("if", "ifdef", "ifndef"):
            guards.append("__CUDACC__" in rest and word != "ifndef" and "!" not in rest)
        elif word in ("else", "elif") and guards:
            guards[-1] = False
        elif word == "endif" and guards:
            guards.pop()
        elif word == "include":
            name = re.match(r'(["<])([^">]+)[">]', rest)
            if name:
                yield number, name.group(2), name.group(1) == '"', any(guards)


def order(root, top):
    """The folders of packages/ or src/ in the order in which they may depend on each other (its CMakeLists.txt)."""
    text = (root / top / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"foreach\(_folder\s+([^)]*)\)", text).group(1).split()


def declared_dependencies(root, folder):
    """The names after DEPENDS in the tessera_package or tessera_component call of a folder."""
    path = root / folder / "CMakeLists.txt"
    text = re.sub(r"#.*", "", path.read_text(encoding="utf-8")) if path.exists() else ""
    names = []
    for words in re.findall(r"\bDEPENDS\s+([^)]*)", text):
        for word in words.split():
            if word.isupper():
                break
            names.append(word)
    return names
