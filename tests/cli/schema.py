"""The JSON of solve and compare: every key, in order, and its allowed values."""
import os

VERSION = os.environ["TESSERA_VERSION"]  # of CMakeLists.txt
STATUSES = ("converged", "rounding level", "not converged", "breakdown", "failed")


def text(value):
    return isinstance(value, str)


def flag(value):
    return isinstance(value, bool)


def count(value):
    return isinstance(value, int) and not flag(value) and value >= 0


def number(value):
    return isinstance(value, (int, float)) and not flag(value) and value >= 0


def residual(value):
    return value is None or number(value)  # null: not a number


def times(*keys):
    return lambda value: list(value) == list(keys) and all(map(number, value.values())) and value["min"] <= min(value.values())


def transfer_bytes(value):
    return list(value) == ["to_device", "to_host"] and all(map(count, value.values()))


def levels(value):
    kinds = {"rows": count, "nonzeros": count, "aggregates": count, "format": text, "precision": text, "bytes_an_entry": number, "checksum": text}
    return all(list(level) == list(kinds) and all(kinds[key](level[key]) for key in kinds) for level in value)


def phases(value):
    return all(text(name) and number(seconds) for name, seconds in value.items())


PROBLEM = {"version": lambda value: value == VERSION, "problem": text, "rows": count, "nonzeros": count, "columns": count, "ranks": count, "threads": count}
RUN = {
    "backend": lambda value: value in ("host", "cuda"), "device": text, "xml": text, "preconditioner": text, "solver": text,
    "iterations": count, "converged": flag, "status": lambda value: value in STATUSES, "reason": text,
    "warnings": lambda value: isinstance(value, list) and all(map(text, value)),
    "backward_error": residual, "row_wise_backward_error": residual, "projected_share": number, "tolerance": number, "relative_residual": residual, "setup_seconds": times("min", "median", "first"),
    "solve_seconds": times("min", "median"), "total_seconds": times("min", "median"), "reading_seconds": number,
    "transfer_seconds": number,
    "transfer_bytes": transfer_bytes,
    "peak_memory_bytes": count, "device_peak_bytes": count, "operator_complexity": number, "grid_complexity": number,
    "levels": levels, "phases": phases,
}
KNOWN_OF_FAILED = ("xml", "converged", "status", "reason")  # the rest may be null


def wrong(kinds, values):
    """Violations of the schema, a sentence each. `fsai` precedes `phases` if present."""
    keys = [key for key in values if key != "fsai"]
    if keys != list(kinds):
        return [f"keys {keys}"]
    failed = values.get("status") == "failed"
    unknown = [key for key in kinds if failed and values[key] is None and key not in KNOWN_OF_FAILED]
    broken = [f"{key}: {values[key]!r}" for key in kinds if key not in unknown and not kinds[key](values[key])]
    if "status" in kinds:
        if values["converged"] != (values["status"] == "converged"):
            broken.append("converged and status contradict each other")
        if (values["reason"] == "") != values["converged"]:
            broken.append(f"reason {values['reason']!r} of status {values['status']}")
    return broken


def wrong_in_solve(result):
    return wrong({**PROBLEM, **RUN}, result)


def wrong_in_comparison(result):
    if list(result) != [*PROBLEM, "runs"]:
        return [f"keys {list(result)}"]
    problem = wrong(PROBLEM, {key: result[key] for key in PROBLEM})
    return problem + [f"run {i}: {what}" for i, run in enumerate(result["runs"]) for what in wrong(RUN, run)]
