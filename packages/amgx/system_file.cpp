// AMGX_read_system().
#include "amgx/tessera_amgx.h"

#include <algorithm>
#include <climits>
#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

#include "amgx/library.hpp"
#include "core/error.hpp"
#include "market/market_file.hpp"

namespace Tessera::amgx {
namespace {

/// Arrays of a matrix in block CSR with its right-hand side and first guess.
struct SystemFile {
  int n = 0, block = 1;  ///< block rows, and rows of a block
  std::vector<int> offsets, columns;
  std::vector<double> values, diagonal;
  std::vector<double> rhs, solution;  ///< empty: the file has none

  std::size_t rows() const { return static_cast<std::size_t>(n) * static_cast<std::size_t>(block); }
  BlockRows matrix() const {
    return {n,
            static_cast<int>(columns.size()),
            block,
            offsets.data(),
            columns.data(),
            values.data(),
            diagonal.empty() ? nullptr : diagonal.data()};
  }
};

struct Entry {
  Index row, column;
  double value;
};

/// Both triangles, block by block. \throws core::InvalidInput on an entry that is given twice
std::vector<Entry> sorted_entries(market::MarketFile& file, Index block) {
  auto const read = file.coordinate_entries();
  std::vector<Entry> entries;
  entries.reserve(read.row.size() * (file.symmetric() ? 2 : 1));
  for (std::size_t k = 0; k < read.row.size(); ++k) {
    entries.push_back({read.row[k], read.column[k], read.value[k]});
    if (file.symmetric() && read.row[k] != read.column[k])
      entries.push_back({read.column[k], read.row[k], read.value[k]});
  }
  auto const place = [block](Entry const& entry) {
    return std::tuple(entry.row / block, entry.column / block, entry.row, entry.column);
  };
  std::sort(entries.begin(), entries.end(),
            [&](Entry const& one, Entry const& other) { return place(one) < place(other); });
  auto const twice =
      std::adjacent_find(entries.begin(), entries.end(), [](Entry const& one, Entry const& other) {
        return one.row == other.row && one.column == other.column;
      });
  if (twice != entries.end()) file.fail_duplicate(twice->row, twice->column);
  return entries;
}

/// Reads a coordinate file of Matrix Market with AmgX's extension (AmgX reference manual, AMGX_read_system),
/// also one compressed with gzip or xz. Entries of a block may stand anywhere; those that are missing are 0.
/// \throws core::InvalidInput with file and line
SystemFile read_system(std::string const& path) {
  market::MarketFile file(path, market::MarketFile::Dialect::amgx);
  auto const& extension = file.extension();
  TESSERA_VALIDATE(file.coordinate(), path, ": is an array; a matrix is a coordinate file");
  TESSERA_VALIDATE(file.rows() == file.columns() && file.rows() > 0, path, ": the matrix is ", file.rows(),
                   " x ", file.columns(), "; a system has a square one with rows");
  TESSERA_VALIDATE(extension.block_rows == extension.block_columns, path, ": blocks are ",
                   extension.block_rows, " x ", extension.block_columns, "; square ones are read");
  Index const block = extension.block_rows;
  TESSERA_VALIDATE(file.rows() % block == 0, path, ": ", file.rows(), " rows are no number of blocks of ",
                   block);

  SystemFile system;
  system.n = static_cast<int>(file.rows()) / block;
  system.block = block;
  auto const entries = sorted_entries(file, block);
  auto const size = static_cast<std::size_t>(block) * static_cast<std::size_t>(block);
  Index row = 0;
  system.offsets.push_back(0);
  for (auto const& entry : entries) {
    for (; row < entry.row / block; ++row) system.offsets.push_back(static_cast<int>(system.columns.size()));
    auto const first_of_row = static_cast<std::size_t>(system.offsets.back());
    if (system.columns.size() == first_of_row || system.columns.back() != entry.column / block) {
      TESSERA_VALIDATE(system.columns.size() < INT_MAX, path, ": has more blocks than 32 bits count");
      system.columns.push_back(entry.column / block);
      system.values.resize(system.values.size() + size, 0.0);
    }
    system.values[system.values.size() - size +
                  static_cast<std::size_t>(entry.row % block * block + entry.column % block)] = entry.value;
  }
  for (; row < system.n; ++row) system.offsets.push_back(static_cast<int>(system.columns.size()));

  auto const rows = file.rows();
  if (extension.diagonal) system.diagonal = file.following_values(rows * block, "the diagonal");
  if (extension.rhs) system.rhs = file.following_values(rows, "the right-hand side");
  if (extension.solution) system.solution = file.following_values(rows, "the solution");
  file.expect_end();
  return system;
}

SystemFile system_of(char const* path) {
  try {
    return read_system(path);
  } catch (core::InvalidInput const& error) {
    throw Refusal(AMGX_RC_IO_ERROR, error.what());
  }
}

}  // namespace
}  // namespace Tessera::amgx

using namespace Tessera;
using namespace Tessera::amgx;

AMGX_RC AMGX_read_system(AMGX_matrix_handle mtx, AMGX_vector_handle rhs, AMGX_vector_handle sol,
                         char const* filename) {
  return guarded(__func__, [&] {
    auto* const matrix = mtx == nullptr ? nullptr : &at(mtx);
    auto* const b = rhs == nullptr ? nullptr : &at(rhs);
    auto* const x = sol == nullptr ? nullptr : &at(sol);
    require_pointer(filename, "the name of the file");
    auto const system = system_of(filename);
    if (matrix != nullptr) matrix->object->upload(system.matrix());
    if (b != nullptr) {
      if (system.rhs.empty()) print("the file has no right-hand side; it is all ones\n", stdout);
      std::vector<double> const ones(system.rhs.empty() ? system.rows() : 0, 1.0);
      b->object->upload(system.n, system.block, system.rhs.empty() ? ones.data() : system.rhs.data());
    }
    if (x == nullptr) return;
    if (system.solution.empty()) {
      x->object->set_zero(system.n, system.block);
    } else {
      x->object->upload(system.n, system.block, system.solution.data());
    }
  });
}
