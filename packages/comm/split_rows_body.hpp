#pragma once
/// \file
/// See split_rows.hpp.
#include <utility>

#include "comm/split_rows.hpp"
#include "core/parallel.hpp"
#include "sparse/convert.hpp"

namespace Tessera::comm {

/// SELL-C-sigma beats CSR by a fifth to a half at equal bytes (the host, 7 entries a row; on the GPU by
/// more), so some padding is worth it.
constexpr double worthwhile = 1.25;

/// Rows up to which CSR is better where a warp can take a row: then it is more parallel than chunks of 32
/// (729 rows of 81 entries: 2.6 us, in chunks 3.2).
template <class Space>
constexpr Index few_rows = core::SpaceTraits<Space>::coalesces ? 1024 : 0;

template <class T, class Space>
bool SplitRows<T, Space>::store_as_sell(Space const& space, sparse::CsrView<double> A,
                                        RowSet<Space> const& first, RowSet<Space> const& second,
                                        StorageParameters const& parameters) {
  bool const automatic = parameters.format == MatrixFormat::automatic;
  if (parameters.format == MatrixFormat::csr || (automatic && A.rows <= few_rows<Space>)) return false;
  auto const made = [&](RowSet<Space> const& rows) {
    return sparse::to_sell<T>(space, rows.of(A), {parameters.chunk_size, parameters.sigma});
  };
  auto one = made(first), other = made(second);
  auto const stored = static_cast<double>(one.value.size() + other.value.size());
  if (automatic && stored > worthwhile * static_cast<double>(A.column.size())) return false;
  first_ = std::move(one);
  second_ = std::move(other);
  return true;
}

template <class T, class Space>
SplitRows<T, Space>::SplitRows(Space const& space, sparse::CsrView<double> A, RowSet<Space> first,
                               RowSet<Space> second, StorageParameters const& parameters)
    : borrow_(parameters.borrow) {
  if (store_as_sell(space, A, first, second, parameters)) return;
  csr_.rows = A.rows;
  csr_.columns = A.columns;
  if (!borrow_) {
    csr_.offsets = core::copied(space, A.offsets, space);
    csr_.column = core::copied(space, A.column, space);
  }
  if (!borrows_values()) csr_.value = Array<T, Space>(space, A.value.size());
  first_ = sparse::CsrPart<T, Space>{{}, std::move(first)};
  second_ = sparse::CsrPart<T, Space>{{}, std::move(second)};
  refresh(space, A);
}

template <class T, class Space>
void SplitRows<T, Space>::refresh(Space const& space, sparse::CsrView<double> A) {
  if (is_sell()) {
    for (auto* part : {&first_, &second_})
      sparse::refresh_sell(space, A, std::get<sparse::Sell<T, Space>>(*part));
    return;
  }
  auto view = csr_.view();
  if (borrow_) {
    view.offsets = A.offsets;
    view.column = A.column;
  }
  if constexpr (std::is_same_v<T, double>) {
    if (borrow_) view.value = A.value;
  }
  if (!borrows_values()) sparse::convert(space, A.value, csr_.value.span());
  for (auto* part : {&first_, &second_}) std::get<sparse::CsrPart<T, Space>>(*part).matrix = view;
}

template <class T, class Space>
std::size_t SplitRows<T, Space>::bytes() const {
  auto const bytes = [](auto const& part) { return part.bytes(); };
  return csr_.bytes() + std::visit(bytes, first_) + std::visit(bytes, second_);
}

template <class T, class Space>
std::size_t SplitRows<T, Space>::product_bytes() const {
  auto const bytes = [](auto const& part) { return part.product_bytes(); };
  auto const parts = std::visit(bytes, first_) + std::visit(bytes, second_);
  if (is_sell()) return parts;
  auto const& view = std::get<sparse::CsrPart<T, Space>>(first_).matrix;
  return parts + view.offsets.size() * sizeof(Offset) + view.column.size() * (sizeof(Index) + sizeof(T));
}

}  // namespace Tessera::comm
