#pragma once
/// \file
/// Storage and refresh of split_rows.hpp.
#include <utility>

#include "comm/split_rows_body.hpp"

namespace Tessera::comm {

template <class T, class Space>
sparse::Sell<T, Space> sell_of(Space const& space, sparse::CsrView<double> A, RowSet<Space> const& rows,
                               StorageParameters const& parameters) {
  sparse::SellShape const shape{parameters.chunk_size, parameters.sigma, parameters.restorable};
  return rows.all ? sparse::to_sell<T>(space, A, shape)
                  : sparse::to_sell<T>(space, A, rows.list.view(), shape);
}

/// Entries of one chunk of unsorted rows, padding included.
struct ChunkEntries {
  Span<Offset const> offsets;
  Index const* list;  ///< null: all rows
  Index rows;
  int chunk;
  TESSERA_HD Offset operator()(Index c) const {
    Offset widest = 0;
    for (Index p = c * chunk; p < (c + 1) * chunk && p < rows; ++p) {
      Index const i = list == nullptr ? p : list[p];
      Offset const length = offsets[i + 1] - offsets[i];
      widest = length > widest ? length : widest;
    }
    return widest * chunk;
  }
};

template <class Space>
Offset unsorted_entries(Space const& space, sparse::CsrView<double> A, RowSet<Space> const& rows, int chunk) {
  auto const count = rows.all ? A.rows : static_cast<Index>(rows.list.size());
  return core::sum(space, (count + chunk - 1) / chunk,
                   ChunkEntries{A.offsets, rows.all ? nullptr : rows.list.data(), count, chunk});
}

/// SELL-C-sigma beats CSR by a fifth to a half at equal bytes (the host, 7 entries a row; on the GPU by
/// more), so some padding is worth it; and the order of rows is worth more than a little padding.
constexpr double worthwhile_unsorted = 1.05, worthwhile_sorted = 1.25;

/// Rows up to which CSR is better: a warp a row is then more parallel than a chunk of 32 (729 rows of 81
/// entries: 2.6 us, in chunks 3.2).
inline Index few_rows(Host const&) {
  return 0;
}
inline Index few_rows(Cuda const&) {
  return 1024;
}

template <class T, class Space>
bool SplitRows<T, Space>::store_as_sell(Space const& space, sparse::CsrView<double> A,
                                        StorageParameters shape) {
  auto const entries = static_cast<double>(A.column.size());
  bool const automatic = shape.format == MatrixFormat::automatic;
  if (automatic) {
    if (A.rows <= few_rows(space)) return false;
    auto const unsorted = unsorted_entries(space, A, first_.rows, shape.chunk_size) +
                          unsorted_entries(space, A, second_.rows, shape.chunk_size);
    if (static_cast<double>(unsorted) <= worthwhile_unsorted * entries) shape.sigma = 1;
  }
  first_.sell = sell_of<T>(space, A, first_.rows, shape);
  second_.sell = sell_of<T>(space, A, second_.rows, shape);
  auto const stored = static_cast<double>(first_.sell.value.size() + second_.sell.value.size());
  if (!automatic || stored <= worthwhile_sorted * entries) return true;
  first_.sell = {};
  second_.sell = {};
  return false;
}

template <class T, class Space>
SplitRows<T, Space>::SplitRows(Space const& space, sparse::CsrView<double> A, RowSet<Space> first,
                               RowSet<Space> second, StorageParameters const& parameters)
    : borrow_(parameters.borrow), nonzeros_(A.column.size()) {
  first_.rows = std::move(first);
  second_.rows = std::move(second);
  sell_ = parameters.format != MatrixFormat::csr && store_as_sell(space, A, parameters);
  if (sell_) {
    for (auto* part : {&first_, &second_}) {  // chunks know their rows; lengths are for the way back
      part->rows.list = {};
      if (!parameters.restorable) part->sell.row_length = {};
    }
    return;
  }
  csr_.rows = A.rows;
  csr_.columns = A.columns;
  if (!borrow_) {
    csr_.offsets = core::copied(space, A.offsets, space);
    csr_.column = core::copied(space, A.column, space);
  }
  refresh(space, A);
}

template <class T, class Space>
void SplitRows<T, Space>::refresh(Space const& space, sparse::CsrView<double> A) {
  if (sell_) {
    sparse::refresh_sell(space, A, first_.sell);
    sparse::refresh_sell(space, A, second_.sell);
    return;
  }
  if (csr_.value.empty() && !borrows_values()) csr_.value = Array<T, Space>(space, A.value.size());
  csr_view_ = csr_.view();
  if (borrow_) {
    csr_view_.offsets = A.offsets;
    csr_view_.column = A.column;
  }
  if constexpr (std::is_same_v<T, double>) {
    if (borrow_) {
      csr_view_.value = A.value;
      return;
    }
  }
  sparse::convert(space, A.value, csr_.value.span());
}

template <class T, class Space>
sparse::Csr<double, Space> SplitRows<T, Space>::pattern(Space const& space) const {
  return sparse::pattern_of(space, first_.sell.view(), second_.sell.view(), nonzeros_);
}

template <class T, class Space>
std::size_t SplitRows<T, Space>::bytes() const {
  return csr_.bytes() + first_.rows.list.bytes() + first_.sell.bytes() + second_.rows.list.bytes() +
         second_.sell.bytes();
}

template <class T, class Space>
std::size_t SplitRows<T, Space>::product_bytes() const {
  if (!sell_) {
    return csr_view_.offsets.size() * sizeof(Offset) + csr_view_.column.size() * (sizeof(Index) + sizeof(T)) +
           first_.rows.list.bytes() + second_.rows.list.bytes();
  }
  auto const part_bytes = [](sparse::Sell<T, Space> const& S) {
    return S.entry_bytes() + (S.view().in_order() ? 0 : S.row.bytes());
  };
  return part_bytes(first_.sell) + part_bytes(second_.sell);
}

}  // namespace Tessera::comm
