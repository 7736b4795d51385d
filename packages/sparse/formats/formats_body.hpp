#pragma once
/// \file
/// How the operations of formats.hpp are done.
#include <type_traits>

#include "core/parallel.hpp"
#include "sparse/convert.hpp"
#include "sparse/formats/ellpack_r_body.hpp"
#include "sparse/formats/pjds_body.hpp"
#include "sparse/formats/sell_body.hpp"

namespace Tessera::sparse {

/// SELL-C-sigma beats CSR by a fifth to a half at equal bytes (the host, 7 entries a row; on the GPU by
/// more), so some padding is worth it.
constexpr double worthwhile = 1.25;

/// Rows up to which CSR is better where a warp can take a row: then it is more parallel than chunks of 32
/// (729 rows of 81 entries: 2.6 us, in chunks 3.2).
template <class Space>
constexpr Index few_rows = core::SpaceTraits<Space>::coalesces ? 1024 : 0;

/// Some rows in the format with that value, which is neither automatic nor CSR.
template <class T, class Space, std::size_t... k>
StoredRows<T, Space> stored_rows(Space const& space, CsrRows<double> rows, MatrixFormat format,
                                 StorageParameters const& parameters, std::index_sequence<k...>) {
  StoredRows<T, Space> result;
  ((static_cast<std::size_t>(format) == k + 2
        ? store_rows(space, rows, parameters, result.template emplace<k + 1>())
        : void()),
   ...);
  return result;
}

template <class T, class Space>
bool SplitRows<T, Space>::store(Space const& space, CsrView<double> A, RowSet<Space> const& first,
                                RowSet<Space> const& second, StorageParameters const& parameters) {
  bool const automatic = parameters.format == MatrixFormat::automatic;
  if (parameters.format == MatrixFormat::csr || (automatic && A.rows <= few_rows<Space>)) return false;
  auto const format = automatic ? MatrixFormat::sell : parameters.format;
  auto const made = [&](RowSet<Space> const& rows) {
    return stored_rows<T>(space, rows.of(A), format, parameters,
                          std::make_index_sequence<std::variant_size_v<StoredRows<T, Space>> - 1>{});
  };
  auto one = made(first), other = made(second);
  if (automatic) {
    auto const stored = [](auto const& part) { return std::get<Sell<T, Space>>(part).value.size(); };
    if (static_cast<double>(stored(one) + stored(other)) > worthwhile * static_cast<double>(A.column.size()))
      return false;
  }
  first_ = std::move(one);
  second_ = std::move(other);
  return true;
}

template <class T, class Space>
SplitRows<T, Space>::SplitRows(Space const& space, CsrView<double> A, RowSet<Space> first,
                               RowSet<Space> second, StorageParameters const& parameters)
    : borrow_(parameters.borrow) {
  if (store(space, A, first, second, parameters)) return;
  csr_.rows = A.rows;
  csr_.columns = A.columns;
  if (!borrow_) {
    csr_.offsets = core::copied(space, A.offsets, space);
    csr_.column = core::copied(space, A.column, space);
  }
  if (!borrows_values()) csr_.value = Array<T, Space>(space, A.value.size());
  first_ = CsrPart<T, Space>{{}, std::move(first)};
  second_ = CsrPart<T, Space>{{}, std::move(second)};
  refresh(space, A);
}

template <class T, class Space>
void SplitRows<T, Space>::refresh(Space const& space, CsrView<double> A) {
  auto view = csr_.view();
  if (borrow_) {
    view.offsets = A.offsets;
    view.column = A.column;
  }
  if constexpr (std::is_same_v<T, double>) {
    if (borrow_) view.value = A.value;
  }
  if (is_csr() && !borrows_values()) convert(space, A.value, csr_.value.span());
  auto const refresh_part = [&](auto& part) {
    if constexpr (std::is_same_v<decltype(part), CsrPart<T, Space>&>) {
      part.matrix = view;
    } else {
      refresh_rows(space, A, part);
    }
  };
  std::visit(refresh_part, first_);
  std::visit(refresh_part, second_);
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
  if (!is_csr()) return parts;
  auto const& view = std::get<CsrPart<T, Space>>(first_).matrix;
  return parts + view.offsets.size() * sizeof(Offset) + view.column.size() * (sizeof(Index) + sizeof(T));
}

}  // namespace Tessera::sparse
