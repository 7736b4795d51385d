#include "tpetra/floating.hpp"

#include <Teuchos_CommHelpers.hpp>
#include <Tpetra_Vector.hpp>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "tpetra/column_import.hpp"
#include "tpetra/magnitudes.hpp"
#include "tpetra/row_access.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::tpetra {
namespace {

using Labels = ::Tpetra::Vector<GlobalOrdinal, LocalOrdinal, GlobalOrdinal, Node>;

/// Matrices are assembled with errors of a few units in the last place.
constexpr double rounding_share = 64 * std::numeric_limits<double>::epsilon();

/// Whether A V is not zero in each owned row.
std::vector<char> held_rows(RowMatrix const& A, MultiVector const& V) {
  MultiVector W(A.getRowMap(), V.getNumVectors()), Y(A.getRowMap(), V.getNumVectors());
  A.apply(V, W);
  multiply_magnitudes(A, V, Y);
  ReadColumns const w(W), y(Y);
  std::vector<char> is_held(local_size(*A.getRowMap()), 0);
  for (std::size_t j = 0; j < w.size(); ++j) {
    for (std::size_t i = 0; i < is_held.size(); ++i)
      if (!(std::abs(w[j][i]) <= rounding_share * y[j][i])) is_held[i] = 1;
  }
  return is_held;
}

/// Disjoint sets of local columns, joined by the entries of owned rows.
class Sets {
 public:
  Sets(RowMatrix const& A, std::vector<LocalOrdinal> const& own_column)
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
  auto const is_held = held_rows(A, V);
  Sets sets(A, own);
  auto const import = column_import(A);
  Labels label(A.getDomainMap()), seen(A.getColMap());
  std::vector<GlobalOrdinal> result(own.size()), least(sets.size());
  for (std::size_t i = 0; i < own.size(); ++i)
    result[i] = is_held[i] ? held : A.getRowMap()->getGlobalElement(static_cast<LocalOrdinal>(i));
  for (int any = 1;
       any != 0;) {  // the least label of a component, `held` before all, spreads from rank to rank
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
