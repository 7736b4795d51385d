#pragma once
/// \file
/// Small test matrices. Each is a function of its arguments, the seed included.
#include <cstdint>
#include <vector>

#include "sparse/csr.hpp"

namespace Tessera::oracle {

/// Laplacian on nx x ny x nz points, Dirichlet outside, x fastest; columns ascending. ny = nz = 1 is the
/// tridiagonal (-1, 2, -1), nz = 1 the 5-point and else the 7-point stencil.
sparse::Csr<double, Host> laplace(Index nx, Index ny = 1, Index nz = 1);

/// The same with couplings -epsilon_x, -epsilon_y, -epsilon_z (anisotropy). The diagonal is minus the sum of
/// the couplings to all neighbours, also outside of the grid.
sparse::Csr<double, Host> anisotropic_laplace(Index nx, Index ny, Index nz, double epsilon_x,
                                              double epsilon_y, double epsilon_z);

/// Laplacian with Neumann boundaries: rows sum to zero, singular.
sparse::Csr<double, Host> neumann_laplace(Index nx, Index ny = 1, Index nz = 1);

/// The Neumann Laplacian with `shift` added to the first diagonal entry: lambda_min is about shift / rows.
sparse::Csr<double, Host> pinned_neumann_laplace(Index nx, Index ny, double shift);

/// Bending of a beam of length 1 that is clamped at its left end, with cubic elements: deflection and slope
/// of all other nodes. The condition number grows like the fourth power of the number of elements.
sparse::Csr<double, Host> clamped_beam(Index elements);

/// -div(k grad u) on nx x ny points, Neumann, k random over `decades` powers of ten, harmonic means between
/// points; diagonals times 1 + shift > 1, so that the constant is nearly in the nullspace.
sparse::Csr<double, Host> jumping_diffusion(Index nx, Index ny, double decades, double shift,
                                            std::uint64_t seed);

/// About `per_row` entries per row in [-1, 1) at random columns, ascending; some rows are empty.
sparse::Csr<double, Host> random_matrix(Index rows, Index columns, double per_row, std::uint64_t seed);

/// Rows in nodes of `rows` with one pattern, of about `per_row` blocks of `width` columns.
sparse::Csr<double, Host> in_blocks(Index nodes, Index blocks, int rows, int width, double per_row,
                                    std::uint64_t seed);

/// Symmetric, strictly diagonally dominant, hence positive definite; about per_row off-diagonal entries per
/// row, of both signs.
sparse::Csr<double, Host> random_spd(Index n, double per_row, std::uint64_t seed);

/// Numbers in [-1, 1).
std::vector<double> random_vector(std::size_t n, std::uint64_t seed);

/// A star: row 0 couples to all others by 1, 1.1, ..., 1.6, and to the ground by `ground`. SPD.
sparse::Csr<double, Host> grounded_star(Index leaves, double ground);

/// The Laplacian of a graph that grows node by node, plus 1e-3. Each new node joins `edges` random ends of
/// existing edges (Barabasi, Albert 1999), so a few nodes have very many edges.
sparse::Csr<double, Host> preferential_attachment(Index nodes, int edges, std::uint64_t seed);

}  // namespace Tessera::oracle
