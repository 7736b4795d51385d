"""Files of grids with the coordinates of their points, which the gallery's boxes lack."""
from program import Run


def laplace(folder, n, dimensions):
    """Options for -Laplace on n points a side at distance 1, x fastest, and the points."""
    matrix = folder.path / f"A{dimensions}d{n}.mtx"
    size = [option for axis in ("--nx", "--ny", "--nz")[:dimensions] for option in (axis, n)]
    run = Run("gallery", "--problem", f"Laplace{dimensions}D", *size, "--out", matrix)
    assert run.status == 0, run
    points = [[v // n ** axis % n for axis in range(dimensions)] for v in range(n ** dimensions)]
    columns = [str(x) for column in zip(*points) for x in column]
    text = "\n".join(["%%MatrixMarket matrix array real general", f"{len(points)} {dimensions}", *columns, ""])
    return ["--matrix", matrix, "--coordinates", folder.put(f"X{dimensions}d{n}.mtx", text)], points
