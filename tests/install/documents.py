"""Installed documents have valid links: documents.py PREFIX follows the links of all documents, and runs the commands of the README
as they stand there, with the installed programs before all others."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PREFIX = pathlib.Path(sys.argv[1])
DOCUMENTS = PREFIX / "share/doc/Tessera"


def dead_links():
    for document in DOCUMENTS.rglob("*.md"):
        for link in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", document.read_text()):
            if not link.startswith("http") and not (document.parent / link).exists():
                yield f"{document.relative_to(DOCUMENTS)} links to {link}, which is not installed"


def failed_commands():
    commands = re.findall(r"^    ((?:mpirun -np \d+ )?tessera .*)$", (DOCUMENTS / "README.md").read_text(), re.M)
    if not commands:
        yield "the README has no command that begins with tessera"
    environment = dict(os.environ, PATH=f"{PREFIX / 'bin'}:{os.environ['PATH']}")
    with tempfile.TemporaryDirectory() as folder:
        made = "tessera gallery --problem Laplace2D --nx 20 --ny 20 --out A.mtx"
        for command in [made, *commands]:
            done = subprocess.run(command, shell=True, cwd=folder, env=environment, capture_output=True, text=True)
            if done.returncode:
                yield f"{command}: status {done.returncode}\n{done.stdout}{done.stderr}"


problems = [*dead_links(), *(failed_commands() if (PREFIX / "bin/tessera").exists() else [])]
print("\n".join(problems))
sys.exit(1 if problems else 0)
