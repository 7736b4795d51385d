#include "tpetra/symmetry.hpp"

#include <Teuchos_CommHelpers.hpp>
#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "core/error.hpp"
#include "tpetra/row_access.hpp"

namespace Tessera::tpetra {
namespace {

constexpr std::size_t most_rows = 256, most_asked = 64, most_of_row = 16;

/// Differences up to here come from how entries were summed up.
bool differ(double a, double b) {
  return std::abs(a - b) > 1e-8 * std::max(std::abs(a), std::abs(b));
}

/// One rank's search. Rows are read one after the other: a RowView lasts until the next.
template <class Rows>
class Search {
 public:
  Search(RowMatrix const& A, Rows const& rows)
      : rows_(rows), row_map_(*A.getRowMap()), column_map_(*A.getColMap()) {}

  /// The first pair of this rank that differs; entries whose transposes others have go to `asked`.
  std::optional<UnequalPair> run(std::vector<UnequalPair>& asked) const {
    auto const n = local_size(row_map_);
    auto const step = std::max<std::size_t>(1, n / most_rows);
    for (std::size_t at = 0; at < n; at += step) {
      auto const i = static_cast<Index>(at);
      for (auto const& entry : entries(i)) {
        auto const j = row_map_.getLocalElement(entry.column);
        if (j == Teuchos::OrdinalTraits<LocalOrdinal>::invalid()) {
          if (asked.size() < most_asked) asked.push_back(entry);
        } else if (auto const pair = compared(entry, j)) {
          return pair;
        }
      }
    }
    return {};
  }

  /// The same among the entries that others have asked for.
  std::optional<UnequalPair> answer(std::vector<UnequalPair> const& asked) const {
    for (auto const& entry : asked) {
      auto const j = row_map_.getLocalElement(entry.column);
      if (j == Teuchos::OrdinalTraits<LocalOrdinal>::invalid()) continue;
      if (auto const pair = compared(entry, j)) return pair;
    }
    return {};
  }

 private:
  std::vector<UnequalPair> entries(Index i) const {
    std::vector<UnequalPair> result;
    auto const row = rows_.row(i);
    auto const step = std::max<Offset>(1, row.count / static_cast<Offset>(most_of_row));
    for (Offset k = 0; k < row.count; k += step)
      result.push_back(
          {row_map_.getGlobalElement(i), column_map_.getGlobalElement(row.column[k]), row.value[k], 0});
    return result;
  }

  std::optional<UnequalPair> compared(UnequalPair entry, Index j) const {
    auto const row = rows_.row(j);
    auto const wanted = column_map_.getLocalElement(entry.row);
    for (Offset k = 0; k < row.count; ++k)
      if (row.column[k] == wanted) entry.transposed += row.value[k];
    return differ(entry.value, entry.transposed) ? std::optional<UnequalPair>(entry) : std::nullopt;
  }

  Rows const& rows_;
  Map const& row_map_;
  Map const& column_map_;
};

/// Everybody's, in rank order; equally many on each rank.
std::vector<UnequalPair> gathered(Teuchos::Comm<int> const& comm, std::vector<UnequalPair> const& mine) {
  std::vector<UnequalPair> all(mine.size() * static_cast<std::size_t>(comm.getSize()));
  Teuchos::gatherAll<int, char>(
      comm, static_cast<int>(mine.size() * sizeof(UnequalPair)), reinterpret_cast<char const*>(mine.data()),
      static_cast<int>(all.size() * sizeof(UnequalPair)), reinterpret_cast<char*>(all.data()));
  return all;
}

/// Stands for no pair: nothing differs from it.
UnequalPair none() {
  return {0, 0, std::nan(""), std::nan("")};
}

}  // namespace

std::optional<UnequalPair> find_unequal_pair(RowMatrix const& A) {
  auto const& comm = *A.getComm();
  std::optional<UnequalPair> found;
  with_rows(A, [&](auto const& rows) {
    Search<std::decay_t<decltype(rows)>> const search(A, rows);
    std::vector<UnequalPair> asked;
    found = search.run(asked);
    asked.resize(most_asked, none());
    auto const answered = search.answer(gathered(comm, asked));
    if (!found) found = answered;
  });
  for (auto const& pair : gathered(comm, {found.value_or(none())}))
    if (!std::isnan(pair.value)) return pair;
  return {};
}

std::string asymmetry(RowMatrix const& A) {
  auto const pair = find_unequal_pair(A);
  if (!pair) return {};
  return core::message("the matrix is not symmetric: a(", pair->row, ", ", pair->column, ") is ", pair->value,
                       ", a(", pair->column, ", ", pair->row, ") is ", pair->transposed);
}

}  // namespace Tessera::tpetra
