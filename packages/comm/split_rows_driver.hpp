#pragma once
/// \file
/// Storage and refresh of split_rows.hpp.
#include <utility>

#include "comm/split_rows_body.hpp"

namespace Tessera::comm {

template <class T, class Space>
sparse::Sell<T, Space> sell_of(Space const& space, sparse::CsrView<double> A, RowSet<Space> const& rows,
                               StorageParameters const& parameters) {
  sparse::SellShape const shape{parameters.chunk_size, parameters.sigma};
  return rows.all ? sparse::to_sell<T>(space, A, shape)
                  : sparse::to_sell<T>(space, A, rows.list.view(), shape);
}

/// Bytes that one product reads of a matrix: entries, and what tells where rows begin and which they are.
template <class T>
std::size_t bytes_moved(std::size_t entries, std::size_t bookkeeping) {
  return entries * (sizeof(T) + sizeof(Index)) + bookkeeping;
}

template <class T, class Space>
SplitRows<T, Space>::SplitRows(Space const& space, sparse::CsrView<double> A, RowSet<Space> first,
                               RowSet<Space> second, StorageParameters const& parameters)
    : borrow_(parameters.borrow) {
  first_.rows = std::move(first);
  second_.rows = std::move(second);
  if (parameters.format != MatrixFormat::csr) {
    first_.sell = sell_of<T>(space, A, first_.rows, parameters);
    second_.sell = sell_of<T>(space, A, second_.rows, parameters);
    auto const sell = [](auto const& S) { return bytes_moved<T>(S.value.size(), S.row.bytes()); };
    auto const csr = bytes_moved<T>(A.column.size(), A.offsets.size() * sizeof(Offset));
    sell_ = parameters.format == MatrixFormat::sell || sell(first_.sell) + sell(second_.sell) <= csr;
    if (sell_) return;
    first_.sell = {};
    second_.sell = {};
  }
  csr_.rows = A.rows;
  csr_.columns = A.columns;
  if (!borrow_) {
    csr_.offsets = core::copied(space, A.offsets, space);
    csr_.column = core::copied(space, A.column, space);
  }
  if (!borrow_ || !std::is_same_v<T, double>) csr_.value = Array<T, Space>(space, A.value.size());
  refresh(space, A);
}

template <class T, class Space>
void SplitRows<T, Space>::refresh(Space const& space, sparse::CsrView<double> A) {
  if (sell_) {
    sparse::refresh_sell(space, A, first_.sell);
    sparse::refresh_sell(space, A, second_.sell);
    return;
  }
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
std::size_t SplitRows<T, Space>::bytes() const {
  return csr_.bytes() + first_.rows.list.bytes() + first_.sell.bytes() + second_.rows.list.bytes() +
         second_.sell.bytes();
}

}  // namespace Tessera::comm
