#include "oracle/generators.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/hash.hpp"
#include "oracle/dense.hpp"

namespace Tessera::oracle {
namespace {

enum class Boundary { dirichlet, neumann };

sparse::Csr<double, Host> stencil(Index const (&n)[3], double const (&epsilon)[3], Boundary boundary) {
  Index const stride[3] = {1, n[0], n[0] * n[1]};
  Index const rows = n[0] * n[1] * n[2];
  std::vector<Offset> offsets{0};
  std::vector<Index> column;
  std::vector<double> value;
  for (Index i = 0; i < rows; ++i) {
    std::map<Index, double> row;
    auto& diagonal = row[i];
    for (int d = 0; d < 3; ++d) {
      if (n[d] == 1) continue;
      auto const at = i / stride[d] % n[d];
      for (Index side : {-1, 1}) {
        bool const inside = 0 <= at + side && at + side < n[d];
        if (inside) row[i + side * stride[d]] = -epsilon[d];
        if (inside || boundary == Boundary::dirichlet) diagonal += epsilon[d];
      }
    }
    if (n[0] == 1 && n[1] == 1 && n[2] == 1 && boundary == Boundary::dirichlet) diagonal = 2 * epsilon[0];
    for (auto const& [j, a] : row) {
      column.push_back(j);
      value.push_back(a);
    }
    offsets.push_back(static_cast<Offset>(column.size()));
  }
  return make_csr(rows, rows, offsets, column, value);
}

/// A square matrix from its rows' entries by column.
sparse::Csr<double, Host> from_rows(std::vector<std::map<Index, double>> const& row) {
  auto const n = static_cast<Index>(row.size());
  std::vector<Offset> offsets{0};
  std::vector<Index> column;
  std::vector<double> value;
  for (auto const& entries : row) {
    for (auto const& [j, a] : entries) {
      column.push_back(j);
      value.push_back(a);
    }
    offsets.push_back(static_cast<Offset>(column.size()));
  }
  return make_csr(n, n, offsets, column, value);
}

/// Uniform in [0, 1).
double unit(std::uint64_t counter, std::uint64_t seed) {
  return (core::uniform(static_cast<VertexId>(counter), seed) + 1) / 2;
}

}  // namespace

sparse::Csr<double, Host> laplace(Index nx, Index ny, Index nz) {
  return stencil({nx, ny, nz}, {1, 1, 1}, Boundary::dirichlet);
}

sparse::Csr<double, Host> anisotropic_laplace(Index nx, Index ny, Index nz, double epsilon_x,
                                              double epsilon_y, double epsilon_z) {
  return stencil({nx, ny, nz}, {epsilon_x, epsilon_y, epsilon_z}, Boundary::dirichlet);
}

sparse::Csr<double, Host> neumann_laplace(Index nx, Index ny, Index nz) {
  return stencil({nx, ny, nz}, {1, 1, 1}, Boundary::neumann);
}

sparse::Csr<double, Host> pinned_neumann_laplace(Index nx, Index ny, double shift) {
  auto A = neumann_laplace(nx, ny);
  for (Offset k = 0; k < A.offsets[1]; ++k) {
    if (A.column[k] == 0) A.value[k] += shift;
  }
  return A;
}

sparse::Csr<double, Host> clamped_beam(Index elements) {
  double const h = 1.0 / elements;
  double const element[4][4] = {{12, 6 * h, -12, 6 * h},
                                {6 * h, 4 * h * h, -6 * h, 2 * h * h},
                                {-12, -6 * h, 12, -6 * h},
                                {6 * h, 2 * h * h, -6 * h, 4 * h * h}};
  std::vector<std::map<Index, double>> row(2 * static_cast<std::size_t>(elements));
  for (Index e = 0; e < elements; ++e) {
    for (Index a = 0; a < 4; ++a) {
      for (Index b = 0; b < 4; ++b) {
        Index const i = 2 * e + a - 2, j = 2 * e + b - 2;  // without the clamped node's
        if (i >= 0 && j >= 0) row[i][j] += element[a][b] / (h * h * h);
      }
    }
  }
  return from_rows(row);
}

sparse::Csr<double, Host> jumping_diffusion(Index nx, Index ny, double decades, double shift,
                                            std::uint64_t seed) {
  auto A = neumann_laplace(nx, ny);
  auto const k = [&](Index i) { return std::pow(10.0, decades * core::uniform(i, seed) / 2); };
  for (Index i = 0; i < A.rows; ++i) {
    double sum = 0;
    for (Offset o = A.offsets[i]; o < A.offsets[i + 1]; ++o) {
      Index const j = A.column[o];
      if (j == i) continue;
      double const between = 2 / (1 / k(i) + 1 / k(j));
      A.value[o] = -between;
      sum += between;
    }
    for (Offset o = A.offsets[i]; o < A.offsets[i + 1]; ++o) {
      if (A.column[o] == i) A.value[o] = sum * (1 + shift);
    }
  }
  return A;
}

sparse::Csr<double, Host> random_matrix(Index rows, Index columns, double per_row, std::uint64_t seed) {
  std::vector<Offset> offsets{0};
  std::vector<Index> column;
  std::vector<double> value;
  std::uint64_t counter = 0;
  for (Index i = 0; i < rows; ++i) {
    std::map<Index, double> row;
    // 0 to 2 per_row entries, so that empty and long rows occur.
    auto const count = static_cast<Index>(2 * per_row * unit(counter++, seed) + 0.5);
    for (Index k = 0; k < count && columns > 0; ++k) {
      auto const j = std::min(static_cast<Index>(unit(counter++, seed) * columns), columns - 1);
      row[j] = core::uniform(static_cast<VertexId>(counter++), seed);
    }
    for (auto const& [j, a] : row) {
      column.push_back(j);
      value.push_back(a);
    }
    offsets.push_back(static_cast<Offset>(column.size()));
  }
  return make_csr(rows, columns, offsets, column, value);
}

sparse::Csr<double, Host> in_blocks(Index nodes, Index blocks, int rows, int width, double per_row,
                                    std::uint64_t seed) {
  auto const pattern = random_matrix(nodes, blocks, per_row, seed);
  std::vector<Offset> offsets{0};
  std::vector<Index> column;
  std::vector<double> value;
  for (Index i = 0; i < nodes * rows; ++i) {
    for (Offset k = pattern.offsets[i / rows]; k < pattern.offsets[i / rows + 1]; ++k) {
      for (int c = 0; c < width; ++c) {
        column.push_back(pattern.column[k] * width + c);
        value.push_back(pattern.value[k] + 0.01 * i + c);
      }
    }
    offsets.push_back(static_cast<Offset>(column.size()));
  }
  return make_csr(nodes * rows, blocks * width, offsets, column, value);
}

sparse::Csr<double, Host> random_spd(Index n, double per_row, std::uint64_t seed) {
  std::vector<std::map<Index, double>> row(n);
  std::uint64_t counter = 0;
  for (Index e = 0; e < static_cast<Index>(n * per_row / 2) && n > 1; ++e) {
    auto const i = std::min(static_cast<Index>(unit(counter++, seed) * n), n - 1);
    auto const j = std::min(static_cast<Index>(unit(counter++, seed) * n), n - 1);
    if (i != j) row[i][j] = row[j][i] = core::uniform(static_cast<VertexId>(counter++), seed);
  }
  for (Index i = 0; i < n; ++i) {
    double sum = 0;
    for (auto const& entry : row[i]) sum += std::abs(entry.second);
    row[i][i] = sum + 0.1 + unit(counter++, seed);
  }
  return from_rows(row);
}

std::vector<double> random_vector(std::size_t n, std::uint64_t seed) {
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = core::uniform(static_cast<VertexId>(i), seed);
  return x;
}

sparse::Csr<double, Host> grounded_star(Index leaves, double ground) {
  std::vector<Offset> offsets{0};
  std::vector<Index> column{0};
  std::vector<double> value{ground};
  auto const weight = [](Index j) { return 1 + 0.1 * (j % 7); };
  for (Index j = 1; j <= leaves; ++j) {
    column.push_back(j);
    value.push_back(-weight(j));
    value[0] += weight(j);
  }
  offsets.push_back(static_cast<Offset>(column.size()));
  for (Index j = 1; j <= leaves; ++j) {
    column.insert(column.end(), {0, j});
    value.insert(value.end(), {-weight(j), weight(j)});
    offsets.push_back(static_cast<Offset>(column.size()));
  }
  return make_csr(leaves + 1, leaves + 1, offsets, column, value);
}

sparse::Csr<double, Host> preferential_attachment(Index nodes, int edges, std::uint64_t seed) {
  std::vector<std::map<Index, double>> rows(nodes);
  std::vector<Index> ends{0};
  std::uint64_t counter = 0;
  for (Index i = 1; i < nodes; ++i) {
    auto const there = ends.size();
    for (int e = 0; e < edges; ++e) {
      auto const random_end = static_cast<std::size_t>(unit(counter++, seed) * static_cast<double>(there));
      auto const j = ends[std::min(random_end, there - 1)];
      rows[i][j] = rows[j][i] = -1;
      ends.insert(ends.end(), {i, j});
    }
  }
  std::vector<Offset> offsets{0};
  std::vector<Index> column;
  std::vector<double> value;
  for (Index i = 0; i < nodes; ++i) {
    rows[i][i] = static_cast<double>(rows[i].size()) + 1e-3;
    for (auto const& [j, a] : rows[i]) {
      column.push_back(j);
      value.push_back(a);
    }
    offsets.push_back(static_cast<Offset>(column.size()));
  }
  return make_csr(nodes, nodes, offsets, column, value);
}

}  // namespace Tessera::oracle
