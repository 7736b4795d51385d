"""The rules of documents. Each takes the root of a tree and returns its violations, one sentence each."""
import re

from tree import FOLDERS, TEXT, files

# Maximum numbers of words (as `wc -w` counts) in all documents, in hand-written documents for users, and in each decision.
WORDS, USER_WORDS, DECISION_WORDS = 35000, 15000, 250
GENERATED = ("docs/parameters.md", "docs/translation.md")
CONTRIBUTORS = ("docs/architecture.md", "docs/glossary.md")
FENCE = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)


def pages(root):
    """README.md, docs/*.md and docs/decisions/*.md: {path: words}. docs/results has tables of measurements, without a bound."""
    paths = [root / "README.md", *sorted((root / "docs").glob("*.md")), *sorted((root / "docs/decisions").glob("*.md"))]
    return {path.relative_to(root).as_posix(): len(path.read_text(encoding="utf-8").split()) for path in paths if path.exists()}


def too_many_words(root):
    counts = pages(root)
    users = sum(words for path, words in counts.items() if "decisions/" not in path and path not in GENERATED + CONTRIBUTORS)
    broken = [f"{path}: {words} words, at most {DECISION_WORDS}" for path, words in counts.items() if "decisions/" in path and words > DECISION_WORDS]
    if sum(counts.values()) > WORDS:
        broken.append(f"documents: {sum(counts.values())} words, at most {WORDS}")
    if users > USER_WORDS:
        broken.append(f"documents for users: {users} words, at most {USER_WORDS}")
    return broken


def anchors(text):
    """The anchors of a document's headings, as GitHub makes them."""
    found = set()
    for heading in re.findall(r"^#+ +(.*)$", FENCE.sub("", text), re.MULTILINE):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        found.add(re.sub(r"[^\w\- ]", "", plain).strip().replace(" ", "-"))
    return found


def markdown(root):
    found = [path.relative_to(root) for path in sorted(root.glob("*.md"))]
    return found + files(root, "docs", "packaging", "benchmarks", "examples", suffixes={".md"})


def dead_links(root):
    """Relative links lead to files of the tree, and anchors to headings."""
    broken = []
    for path in markdown(root):
        text = (root / path).read_text(encoding="utf-8")
        for target, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)", FENCE.sub("", text)):
            if target.startswith(("http:", "https:")):
                continue
            file = (root / path).parent / target if target else root / path
            if not file.exists():
                broken.append(f"{path}: links to {target}, which does not exist")
            elif anchor and file.suffix == ".md" and anchor not in anchors(file.read_text(encoding="utf-8")):
                broken.append(f"{path}: links to #{anchor}, which {target or 'it'} does not have")
    return broken


def dead_references(root):
    """docs/X.md and docs/decisions/NNNN in sources, messages and programs are files."""
    broken = []
    decisions = {path.name[:4] for path in (root / "docs/decisions").glob("*.md")}
    for path in files(root, *(folder for folder in FOLDERS if folder not in ("docs",)), suffixes=TEXT):
        if path.as_posix().startswith("tests/architecture/") or path.suffix == ".json":
            continue
        text = (root / path).read_text(encoding="utf-8")
        for number, line in enumerate(text.splitlines() if "docs/" in text or "decisions/" in text else (), start=1):
            for name in re.findall(r"\bdocs/[\w/-]+\.(?:md|svg)\b", line):
                if not (root / name).exists():
                    broken.append(f"{path}:{number}: {name} does not exist")
            broken += [f"{path}:{number}: there is no decision {name}" for name in re.findall(r"\bdecisions/(\d{4})\b", line) if name not in decisions]
    return broken


def sources_that_do_not_exist(root):
    """A source that a document names in backticks exists; x.hpp and the like stand for any file."""
    known = ["/" + path.as_posix() for path in files(root, *FOLDERS, suffixes={".hpp", ".cpp", ".cu", ".cuh", ".py"})]
    broken = []
    for path in markdown(root):
        if path.name == "CHANGELOG.md":
            continue
        for number, line in enumerate((root / path).read_text(encoding="utf-8").splitlines(), start=1):
            for name in re.findall(r"`([\w/.-]+\.(?:hpp|cpp|cuh?|py))`", line):
                if not re.match(r"(Tessera_)?[xX][._]", name.split("/")[-1]) and not any(one.endswith("/" + name.lstrip("./")) for one in known):
                    broken.append(f"{path}:{number}: {name} does not exist")
    return broken


def programs_that_nobody_compiles(root):
    """A whole program in a document is the main.cpp of an example, which ctest compiles and runs."""
    compiled = {path.read_text(encoding="utf-8") for path in (root / "examples").rglob("main.cpp")}
    return [f"{path}: its program is no main.cpp of examples/" for path in markdown(root)
            for language, code in FENCE.findall((root / path).read_text(encoding="utf-8")) if language == "cpp" and "int main(" in code and code not in compiled]


ALL = (too_many_words, dead_links, dead_references, sources_that_do_not_exist, programs_that_nobody_compiles)
