"""The text of docs/scaling.md; scaling_model.py fills in the tables."""
import textwrap

import performance

TEXT = """# Scaling

Written by `benchmarks/scaling_model.py` from the runs in [benchmarks/results](../benchmarks/results); do not edit. A model of Laplace3D on
up to 10^4 GPUs, held to what was measured on up to four, and the modes of communication on a host.

![Weak scaling by the model, and measured](scaling.svg)

## The model

{parts}

Not measured here, but assumed: {assumed}.

What the runs give: {given}.

## Beside what was measured

The model has its numbers from cycles of one GPU, from single exchanges and from the setups of the first four rows; all else it predicts.

{measured}

What it leaves out makes it too fast: ranks that wait for each other, rows with ghosts, which are read in a pass of their own, and the
bytes of a setup's messages by MPI. The runs of 531f598 are of a slower state, in which an exchange was two launches and setups had three
times the reductions; the model is today's.

## Levels and messages

Counted by `message_counts`, of the rank that sends most{where}; boxes of the grid. Counts and times are of the same commit, 511f833.
Since 8415fbf a setup on 2 ranks has 123 reductions and 66 gathers, on 64 ranks 123 and 67; its time on several GPUs was not measured anew.

{counts}

## Weak scaling

A box of the grid on each GPU. Efficiency is the time of one GPU over that of all, setup and solve; that of the solve is at equal
iterations.

{weak}

## Strong scaling

{strong}

## Agglomeration

A level with fewer rows a rank than `repartition: min rows per proc` goes onto fewer ranks. Milliseconds of a cycle by that parameter.

{agglomeration}

## What follows

{conclusions}

{overlap}
"""

PARTS = """* Levels. Rows and row lengths go from level to level as in the largest hierarchy that was counted: {levels}.
* A cycle moves {bytes:.0f} bytes a nonzero of the levels at {bandwidth:.2f} TB/s, and each of a level's {kernels} kernels takes {kernel:.1f} us more; on several GPUs
  its {exchanges} products are in two parts, one for rows with ghosts.
* A cycle has {exchanges} exchanges a level. An exchange takes a time of its own, one for each further neighbour, and one for its bytes: the
  ghosts of a box whose stencil reaches as far as the rows are long.
* Levels go onto fewer ranks as `repartition: min rows per proc` says, down and up again by one message for each rank that is gathered.
* An iteration also has a product in double with its exchange, passes over vectors, and reductions in log2(P) steps.
* A setup takes a time a row, a fixed one, and on several GPUs on each level {setup_exchanges:.0f} exchanges and {collectives:.0f} collective operations, each
  with the work that waits for it, and {face:.2f} us for each row of the faces between GPUs: ghost rows and the products with them."""


def filled(values):
    """The document: paragraphs and points of lists are wrapped."""
    return "\n\n".join(block if block.startswith(("|", "#", "!")) else "\n".join(map(wrapped, points(block)))
                       for block in TEXT.format(**values).strip().split("\n\n")) + "\n"


def points(block):
    return [" ".join(point.split()) for point in block.replace("\n* ", "\0* ").split("\0")]


def wrapped(paragraph):
    indent = "  " if paragraph.startswith("* ") else ""
    return textwrap.fill(paragraph, performance.WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
