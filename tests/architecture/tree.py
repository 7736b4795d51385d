"""A source tree for the architecture rules: its files, their includes, the order of the folders."""
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
    """(line number, name, quoted, guarded) of every include; guarded: seen by Tessera's CUDA units only."""
    guards = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        directive = re.match(r"\s*#\s*(\w+)\s*(.*)", line)
        if not directive:
            continue
        word, rest = directive.groups()
        if word in ("if", "ifdef", "ifndef"):
            guards.append("TESSERA_CUDA_UNIT" in rest and word != "ifndef" and "!" not in rest)
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


def definitions(path):
    """(line number, qualified name) of every type and function that a C++ file defines at namespace scope, but for anonymous
    namespaces, members and explicit specialisations of functions. A function's name has the types of its parameters, in which
    the space is anybody's: what another file defines for Host or Cuda alone has the same."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda found: "\n" * found[0].count("\n"),
                  path.read_text(encoding="utf-8"), flags=re.S | re.M)
    scope, depth, start = [], 0, 0  # open namespaces, braces in what they contain, where a statement begins
    for at, mark in ((found.start(), found[0]) for found in re.finditer("[{};]", text)):
        statement = " ".join(text[start:at].split())
        namespace = re.fullmatch(r"(?:inline )?namespace ?([\w:]*)", statement)
        if mark == "{" and depth == 0 and namespace:
            scope.append(namespace[1])
        elif mark == "{":
            if depth == 0 and "" not in scope:
                name = _defined(statement)
                if name:
                    line = text.count("\n", 0, start + len(text[start:at]) - len(text[start:at].lstrip())) + 1
                    yield line, "::".join(scope + [name])
            depth += 1
        elif mark == "}" and depth > 0:
            depth -= 1
        elif mark == "}" and scope:
            scope.pop()
        if depth == 0:
            start = at + 1


def _parts(text):
    """The parts of a list between commas outside of brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "<([{") - (letter in ">)]}")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


def _defined(statement):
    """The name of the type or function whose definition begins so, or nothing."""
    if re.match(r"template ?<> ?(?!struct|class)", statement):
        return None
    while statement.startswith("template"):  # its parameters do not tell definitions apart
        close, depth = statement.index("<"), 0
        for close in range(close, len(statement)):
            depth += (statement[close] == "<") - (statement[close] == ">")
            if depth == 0:
                break
        statement = statement[close + 1:].strip()
    kind = re.match(r"(?:struct|class|union|enum(?: class)?) (?:alignas\([^)]*\) )?([\w:]+(?: ?<[^{]*>)?)(?: final)?(?: ?:(?!:).*)?$", statement)
    if kind:
        return kind[1]
    statement = re.sub(r"__launch_bounds__\((?:[^()]|\([^()]*\))*\)", "", statement)
    function = re.match(r"[^=(]*?(?<![\w:>])((?:operator *[^\s\w(]+)|\w+) ?\((.*)\)(?: const)?(?: noexcept)?(?: ?->.*)?$", statement)
    if not function or function[1] in ("decltype", "enable_if_t"):
        return None
    types = [re.sub(r"\b(?:core::)?(?:Host|Cuda)\b", "Space", re.sub(r" ?=.*| ?/\*.*?\*/", "", part)) for part in _parts(function[2])]
    return f"{function[1]}({', '.join(re.sub(r'(?<=[&*> ])[A-Za-z_]+$', '', t).strip() if t.count(' ') or '&' in t or '*' in t else t for t in types)})"
