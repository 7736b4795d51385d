#include "tpetra/matrix_checks.hpp"

#include <Teuchos_CommHelpers.hpp>
#include <Tpetra_Vector.hpp>
#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "tpetra/local_rows.hpp"
#include "tpetra/magnitudes.hpp"
#include "tpetra/row_access.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::tpetra {
namespace {

/// Whether a number follows "row " or "a(".
bool names_row(std::string const& text) {
  for (std::string const word : {"row ", "a("}) {
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
      auto const first = at + word.size();
      bool const begins = at == 0 || std::isalpha(static_cast<unsigned char>(text[at - 1])) == 0;
      auto const digit = first < text.size() && text[first] == '-' ? first + 1 : first;
      if (begins && digit < text.size() && std::isdigit(static_cast<unsigned char>(text[digit])) != 0)
        return true;
    }
  }
  return false;
}

}  // namespace

std::string with_row_base(std::string text, Map const& rows) {
  if (!names_row(text) || text.find("rows count from ") != std::string::npos) return text;
  return text + core::message("; rows count from ", rows.getIndexBase());
}

namespace {

constexpr std::size_t most_rows = 256, most_asked = 64, most_of_row = 16;

/// Smaller differences come from the order in which entries were summed.
bool differ(double a, double b) {
  return std::abs(a - b) > 1e-8 * std::max(std::abs(a), std::abs(b));
}

/// The search of one rank. Rows are read one at a time, because the next read invalidates a RowView.
template <class Rows>
class Search {
 public:
  Search(RowMatrix const& A, Rows const& rows)
      : rows_(rows), row_map_(*A.getRowMap()), column_map_(*A.getColMap()) {}

  /// The first unequal pair of this rank. Entries whose transposes lie on other ranks go to `asked`.
  std::optional<UnequalPair> run(std::vector<UnequalPair>& asked) const {
    auto const n = local_size(row_map_);
    auto const step = std::max<std::size_t>(1, n / most_rows);
    std::vector<Index> sample;
    for (std::size_t at = 0; at < n; at += step) sample.push_back(static_cast<Index>(at));
    rows_.fetch(sample);
    std::vector<UnequalPair> mine;
    for (auto const i : sample) {
      for (auto const& entry : entries(i)) {
        bool const owned = row_map_.isNodeGlobalElement(entry.column);
        if (owned) mine.push_back(entry);
        if (!owned && asked.size() < most_asked) asked.push_back(entry);
      }
    }
    return answer(mine);
  }

  /// The first entry that differs from its transpose in the row of this rank; other ranks' rows are left out.
  std::optional<UnequalPair> answer(std::vector<UnequalPair> const& asked) const {
    std::vector<Index> transposed;
    for (auto const& entry : asked) transposed.push_back(row_map_.getLocalElement(entry.column));
    auto wanted = transposed;
    wanted.erase(std::remove(wanted.begin(), wanted.end(), Teuchos::OrdinalTraits<LocalOrdinal>::invalid()),
                 wanted.end());
    rows_.fetch(wanted);
    for (std::size_t k = 0; k < asked.size(); ++k) {
      if (transposed[k] == Teuchos::OrdinalTraits<LocalOrdinal>::invalid()) continue;
      if (auto const pair = compared(asked[k], transposed[k])) return pair;
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

/// The pairs of all ranks in rank order; each rank gives equally many.
std::vector<UnequalPair> gathered(Teuchos::Comm<int> const& comm, std::vector<UnequalPair> const& mine) {
  std::vector<UnequalPair> all(mine.size() * static_cast<std::size_t>(comm.getSize()));
  Teuchos::gatherAll<int, char>(
      comm, static_cast<int>(mine.size() * sizeof(UnequalPair)), reinterpret_cast<char const*>(mine.data()),
      static_cast<int>(all.size() * sizeof(UnequalPair)), reinterpret_cast<char*>(all.data()));
  return all;
}

/// A placeholder that differs from nothing.
UnequalPair none() {
  return {0, 0, std::nan(""), std::nan("")};
}

}  // namespace

std::optional<UnequalPair> find_unequal_pair(RowMatrix const& A) {
  auto const& comm = *A.getComm();
  std::optional<UnequalPair> found;
  with_some_rows(A, [&](auto const& rows) {
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

namespace {

using Labels = ::Tpetra::Vector<GlobalOrdinal, LocalOrdinal, GlobalOrdinal, Node>;

/// Matrices are assembled with errors of a few units in the last place.
constexpr double rounding_share = 64 * std::numeric_limits<double>::epsilon();

/// Of each owned row, whether A V is nonzero there.
std::vector<char> constrained_rows(RowMatrix const& A, MultiVector const& V) {
  MultiVector W(A.getRowMap(), V.getNumVectors()), Y(A.getRowMap(), V.getNumVectors());
  A.apply(V, W);
  multiply_magnitudes(A, V, Y);
  ReadColumns const w(W), y(Y);
  std::vector<char> is_constrained(local_size(*A.getRowMap()), 0);
  for (std::size_t j = 0; j < w.size(); ++j) {
    for (std::size_t i = 0; i < is_constrained.size(); ++i)
      if (!(std::abs(w[j][i]) <= rounding_share * y[j][i])) is_constrained[i] = 1;
  }
  return is_constrained;
}

/// Disjoint sets of local columns that the entries of owned rows connect.
class DisjointSets {
 public:
  DisjointSets(RowMatrix const& A, std::vector<LocalOrdinal> const& own_column)
      : parent_(local_size(*A.getColMap())) {
    std::iota(parent_.begin(), parent_.end(), 0);
    with_rows(A, [&](auto const& rows) {
      for (std::size_t i = 0; i < own_column.size(); ++i) {
        auto const row = rows.row(static_cast<Index>(i));
        for (Offset k = 0; k < row.count; ++k)
          if (row.value[k] != 0) parent_[find(row.column[k])] = find(own_column[i]);
      }
    });
  }
  std::size_t size() const { return parent_.size(); }
  LocalOrdinal find(LocalOrdinal c) {
    while (parent_[c] != c) c = parent_[c] = parent_[parent_[c]];
    return c;
  }

 private:
  std::vector<LocalOrdinal> parent_;
};

std::vector<LocalOrdinal> own_columns(RowMatrix const& A) {
  auto const rows = A.getRowMap(), columns = A.getColMap();
  std::vector<LocalOrdinal> own(local_size(*rows));
  for (std::size_t i = 0; i < own.size(); ++i)
    own[i] = columns->getLocalElement(rows->getGlobalElement(static_cast<LocalOrdinal>(i)));
  return own;
}

}  // namespace

std::vector<GlobalOrdinal> floating_components(RowMatrix const& A, MultiVector const& V) {
  auto const own = own_columns(A);
  auto const is_constrained = constrained_rows(A, V);
  DisjointSets sets(A, own);
  auto const import = column_import(A);
  Labels label(A.getDomainMap()), seen(A.getColMap());
  std::vector<GlobalOrdinal> result(own.size()), least(sets.size());
  for (std::size_t i = 0; i < own.size(); ++i)
    result[i] =
        is_constrained[i] ? not_floating : A.getRowMap()->getGlobalElement(static_cast<LocalOrdinal>(i));
  for (int any = 1; any != 0;) {  // spread the least label of a component, `not_floating` first
    {
      auto const to = label.getLocalViewHost(::Tpetra::Access::OverwriteAll);
      for (std::size_t i = 0; i < own.size(); ++i) to(i, 0) = result[i];
    }
    if (!import.is_null()) seen.doImport(label, *import, ::Tpetra::REPLACE);
    auto const from = (import.is_null() ? label : seen).getLocalViewHost(::Tpetra::Access::ReadOnly);
    std::fill(least.begin(), least.end(), std::numeric_limits<GlobalOrdinal>::max());
    for (std::size_t c = 0; c < least.size(); ++c) {
      auto& of_set = least[sets.find(static_cast<LocalOrdinal>(c))];
      of_set = std::min(of_set, from(c, 0));
    }
    int mine = 0;
    for (std::size_t i = 0; i < own.size(); ++i) {
      auto const now = std::min(result[i], least[sets.find(own[i])]);
      if (now != std::exchange(result[i], now)) mine = 1;
    }
    Teuchos::reduceAll(*A.getComm(), Teuchos::REDUCE_MAX, 1, &mine, &any);
  }
  return result;
}

}  // namespace Tessera::tpetra
