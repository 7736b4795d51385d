#!/usr/bin/env python3
"""Writes the documents of docs/results (but scaling.md and those written by hand) from the runs in benchmarks/results.

    benchmarks/performance.py            writes them
    benchmarks/performance.py --check    compares them with the runs; exit status 1 if one differs
    benchmarks/performance.py --all      prints every table, including those that no document has
    benchmarks/performance.py --add OUTPUT --kind KIND --name NAME --machine M [--driver D] [--note N] --command 'C'
                                         keeps the output of a program as benchmarks/results/NAME.json, with today's date and HEAD

A run is one file, benchmarks/results/NAME.json:

    {"kind": "tessera compare",    the program whose output `figures` is (a key of results.KINDS), or "rows"
     "machine": "AMD EPYC",        short, since it stands in tables
     "date": "2026-11-22", "commit": "531f598", "driver": "580.159.04", "command": "mpirun -np 2 ...",
     "note": "...",                circumstances
     "figures": ...}               the program's JSON; the lines of one that prints text

What was not recorded is null. A run of kind "rows" also has "table", and its figures are rows of that table, by the keys of its
columns in tables.py; a cell that is a list holds several figures, from which the table takes the smallest and the largest.

A cell shows the newest run that has it. Runs of one day and one commit count as one command given several times: the cell then
has the smallest and the largest figure. A run that a newer one replaces in all cells can be deleted.
"""
import argparse
import datetime
import json
import pathlib
import re
import subprocess
import sys
import textwrap

from results import KINDS, rows_of
from tables import CONFORMANCE, GPUS, HARD, METHODS, PAPERS, PAPERS_FSAI, PEERS, ROBUST, SUMMARY, TABLES, Table
from texts import ENDS, HEADS, TEXTS

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS, DOCUMENTS = ROOT / "benchmarks/results", ROOT / "docs/results"
WIDTH = 140


def values(cell):
    return cell if isinstance(cell, list) else [cell]


def text_of(cell, form):
    """The cell's figures: one, or the smallest and the largest."""
    cells = [c for c in values(cell) if c is not None]
    if not cells:
        return ""
    if all(isinstance(c, (int, float)) for c in cells):
        low, high = format(min(cells), form), format(max(cells), form)
        return low if low == high else f"{low} to {high}"
    return ", ".join(dict.fromkeys(format(c, form if isinstance(c, float) else "") for c in cells))


def every_table():
    return [*TABLES, *GPUS, *PAPERS, *PAPERS_FSAI, *METHODS, *ROBUST, *PEERS, *HARD, *CONFORMANCE]


def best(row, key):
    return min(values(row[key]))


def derived(table, rows):
    """Ratios between figures, where the runs have none."""
    for row in rows:
        if "second_setup" in row:
            for ratio, key in (("first_ratio", "second_first"), ("later_ratio", "second_later"), ("prepared_ratio", "first_first")):
                if key in row:
                    row.setdefault(ratio, best(row, key) / best(row, "second_setup"))
        if table == "bell_2012_times":
            for what in ("setup", "iteration"):
                if {f"host_{what}", f"cuda_{what}"} <= set(row):
                    row[f"{what}_ratio"] = best(row, f"host_{what}") / best(row, f"cuda_{what}")
        if table == "kreutzer_modes":
            alone = next((r for r in rows if r["ranks"] == 1 and r["each"] == row["each"]), {})
            row.update({f"{mode}_efficiency": max(values(row[mode])) / (row["ranks"] * max(values(alone[mode]))) for mode in ("none", "naive", "task", "auto") if mode in row and mode in alone})
        if table == "ranks" and "efficiency" not in row and 1 < row["ranks"] == row["devices"]:
            alone = next((r for r in rows if r["unknowns"] == row["unknowns"] and r["ranks"] == 1), None)
            row.update({"efficiency": best(alone, "total") / best(row, "total")} if alone else {})
    orders = {"brannick_2013": lambda row: (row["table"], row["n"]), "bernaschi_2019": lambda row: row["case"].split(",")[0]}
    return sorted(rows, key=orders[table]) if table in orders else rows


def gathered():
    """The rows of each table, cell by cell of the newest runs; and the runs that a table's cells are of."""
    runs = [dict(json.loads(path.read_text()), name=path.stem) for path in sorted(RESULTS.glob("*.json"))]
    runs.sort(key=lambda run: run["date"] or "")  # stable: by name within a day
    keys = {table.name: [c[0] for c in table.columns[:table.keys]] for table in every_table()}
    tables, sources = {}, {}
    for run in runs:
        for table, row in rows_of(run):
            identity = tuple(str(row.get(k)) for k in keys.get(table, row))  # of a table that is not declared: the whole row
            cells = tables.setdefault(table, {}).setdefault(identity, {})
            for key, cell in row.items():
                age = (run["date"], run["commit"])
                old = cells.get(key)
                again = old and old[0] == age and key not in keys.get(table, row)
                cells[key] = (age, values(old[1]) + values(cell) if again else cell, old[2] + [run["name"]] if again else [run["name"]])
    result = {}
    for table, rows in tables.items():
        result[table] = derived(table, [{key: cell for key, (_, cell, _) in cells.items()} for cells in rows.values()])
        used = {name for cells in rows.values() for key, (_, _, names) in cells.items() for name in names if key not in keys.get(table, ())}
        sources[table] = [run for run in runs if run["name"] in used]
    return result, sources


def wrapped(text):
    return textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def paragraphs(text):
    """A text whose paragraphs are wrapped; headings stay."""
    return "\n\n".join(block if block.startswith("#") else wrapped(block) for block in text.strip().split("\n\n")) + "\n"


def grid(titles, rows):
    return ["| " + " | ".join(titles) + " |", "|" + "---|" * len(titles)] + ["| " + " | ".join(row) + " |" for row in rows]


def origin(runs):
    """Commands, and machine, driver and date of their runs; what is known of runs without a command."""
    said = {}
    for run in runs:
        where = ", ".join((run["machine"] or "machine not recorded", *filter(None, (run["driver"] and f"driver {run['driver']}",)),
                           run["date"] or "date not recorded"))
        if run["command"]:
            said.setdefault(re.sub("build/[a-z]+/bin/|xml_params/", "", run["command"]), {})[where] = None
    by = "; ".join(f"`{what}` ({'; '.join(where)})" for what, where in said.items())
    return " ".join((*([f"By {by}."] if by else []), *(run["note"] for run in runs if not run["command"])))


def printed(table, rows, runs):
    lines = [f"## {table.heading}", ""] if table.heading else []
    body = [[text_of(row.get(key), form) for key, _, form in table.columns] for row in rows]
    return [*lines, wrapped((TEXTS.get(table.name, "") + " " + origin(runs)).strip()), "", *grid([c[1] for c in table.columns], body), ""]


def summary(tables):
    lines = []
    columns = {table.name: {key: form for key, _, form in table.columns} for table in TABLES}
    for text, name, where, column, bound, below in SUMMARY:
        first = next(iter(columns[name]))
        limit = (lambda row: row.get(bound)) if isinstance(bound, str) else (lambda row: bound.get(row[first])) if isinstance(bound, dict) else lambda row: bound
        rows = [row for row in tables.get(name, []) if row.get(column) is not None and (bound is None or limit(row) is not None) and
                all(part in str(row.get(key)) for key, part in where.items())]
        form = columns[name].get(column, ".2f")
        good = bound is not None and all(isinstance(v, (int, float)) and (v <= limit(row) if below else v >= limit(row)) for row in rows for v in values(row[column]))
        groups = [[row] for row in rows] if "{}" in text else [rows]
        figures = ", ".join(text_of([v for row in group for v in values(row[column])], form) for group in groups)
        bounds = [text_of([limit(row) for row in group], "g") for group in groups]
        if rows and bound is None:
            lines.append([text.format(", ".join(str(row[first]) for row in rows)), figures, "", ""])
        elif rows:
            lines.append([text.format(", ".join(str(row[first]) for row in rows)), figures, ("at most " if below else "at least ") + ", ".join(bounds if len(set(bounds)) > 1 else bounds[:1]),
                          "met" if good else "**missed**"])
    return grid(["", "figure", "bound", ""], lines)


def documents():
    """The text of each document, by the name of its file."""
    tables, sources = gathered()
    texts = {}
    members = {"performance.md": TABLES, "gpus.md": GPUS, "papers.md": PAPERS, "papers-fsai.md": PAPERS_FSAI, "method-comparison.md": METHODS, "robust.md": ROBUST,
               "peers.md": PEERS, "hard.md": HARD, "conformance.md": CONFORMANCE}
    for name, declared in members.items():
        shown = [table for table in declared if table.shown and table.name in tables]
        head = [paragraphs(HEADS[name]), *([*summary(tables), ""] if name == "performance.md" else [])]
        lines = sum((printed(table, tables[table.name], sources[table.name]) for table in shown), head)
        texts[name] = "\n".join([*lines, ENDS.get(name, "")]).rstrip() + "\n"
    return texts


def everything():
    tables, sources = gathered()
    known = {table.name for table in every_table()}
    further = []
    for name, rows in tables.items():
        if name not in known:
            columns = [(key, key.replace("_", " "), "") for key in dict.fromkeys(key for row in rows for key in row)]
            further.append(Table(name, name, 1, columns, False))
    for table in [*every_table(), *further]:
        if table.name in tables:
            print("\n".join(printed(table, tables[table.name], sources[table.name])))


def add(arguments):
    text = re.sub(r'(?<=")/[^"\n]*/', "", arguments.add.read_text())  # no folders of this machine
    commit = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
    run = {"kind": arguments.kind, "machine": arguments.machine, "date": datetime.date.today().isoformat(), "commit": commit,
           "driver": arguments.driver, "command": arguments.command, "note": arguments.note,
           "figures": json.loads(text) if text.lstrip()[:1] in "{[" else text.splitlines()}
    try:
        rows = list(rows_of(run))
    except (KeyError, TypeError):
        rows = []
    if not rows:
        sys.exit(f"{arguments.add} holds no figure of {arguments.kind} (is it the output of that program?)")
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{arguments.name}.json").write_text(json.dumps(run, indent=1) + "\n")
    print(f"{RESULTS.relative_to(ROOT)}/{arguments.name}.json: {len(rows)} rows; write the documents again with benchmarks/performance.py")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--add", type=pathlib.Path, metavar="OUTPUT")
    parser.add_argument("--kind", choices=sorted(KINDS))
    for option in ("name", "machine", "driver", "command", "note"):
        parser.add_argument(f"--{option}")
    arguments = parser.parse_args()
    if arguments.add:
        missing = [f"--{o}" for o in ("kind", "name", "machine", "command") if not getattr(arguments, o)]
        if missing:
            parser.error(f"--add needs {', '.join(missing)}")
        add(arguments)
    elif arguments.all:
        everything()
    elif arguments.check:
        for name, text in documents().items():
            if (DOCUMENTS / name).read_text() != text:
                sys.exit(f"docs/results/{name} differs from what benchmarks/results prints; write it again with benchmarks/performance.py")
    else:
        for name, text in documents().items():
            (DOCUMENTS / name).write_text(text)


if __name__ == "__main__":
    main()
