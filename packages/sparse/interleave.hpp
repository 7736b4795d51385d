#pragma once
/// \file
/// Copies separate columns into a block of interleaved rows (core/interleaved.hpp) and back, and rounds them.
#include "core/interleaved.hpp"
#include "core/space.hpp"

namespace Tessera::sparse {

template <class From, class X>
struct InterleaveBody {
  From const* column[core::columns_of<X>];  ///< null: zeros
  X* block;
  TESSERA_HD void operator()(Index i) const {
    X row;
    for (int c = 0; c < core::columns_of<X>; ++c)
      row.column[c] = column[c] == nullptr ? 0 : static_cast<core::NumberOf<X>>(column[c][i]);
    block[i] = row;
  }
};

template <class X, class To>
struct SeparateBody {
  X const* block;
  To* column[core::columns_of<X>];  ///< null: not wanted
  TESSERA_HD void operator()(Index i) const {
    X const row = block[i];
    for (int c = 0; c < core::columns_of<X>; ++c) {
      if (column[c] != nullptr) column[c][i] = static_cast<To>(row.column[c]);
    }
  }
};

/// Run a body on all rows. interleave.cpp compiles them for each space, so that units of the host compiler
/// can call them for a GPU.
template <class X, class Space>
void for_rows(Space const& space, std::size_t rows, InterleaveBody<double, X> const& body);
template <class X, class Space>
void for_rows(Space const& space, std::size_t rows, SeparateBody<X, double> const& body);

/// target[i] = source[i], rounded to nearest; compiled in the same unit.
template <class Space, class From, class To>
void round_numbers(Space const& space, Span<From const> source, Span<To> target);

/// Interleaves the columns first, first + 1, ...; missing columns are zero. columns: a container of spans of
/// the space, with as many elements as the block has rows.
template <class X, class Space, class Columns>
void interleave(Space const& space, Columns const& columns, std::size_t first, Span<X> block) {
  InterleaveBody<double, X> body{{}, block.data()};
  for (int c = 0; c < core::columns_of<X> && first + c < columns.size(); ++c)
    body.column[c] = columns[first + c].data();
  for_rows<X>(space, block.size(), body);
}

/// The inverse of interleave().
template <class X, class Space, class Columns>
void separate(Space const& space, Span<X const> block, Columns const& columns, std::size_t first) {
  SeparateBody<X, double> body{block.data(), {}};
  for (int c = 0; c < core::columns_of<X> && first + c < columns.size(); ++c)
    body.column[c] = columns[first + c].data();
  for_rows<X>(space, block.size(), body);
}

/// How many of `left` columns to take at once: 8, 4 or 1. Three columns take a block of four, which costs as
/// much as two vectors.
inline int columns_at_once(std::size_t left) {
  return left > 4 ? 8 : left > 2 ? 4 : 1;
}

/// Calls work(X{}) for a block of `width` columns of T, 4 or 8.
template <class T, class Work>
void with_block(int width, Work const& work) {
  width == 8 ? work(core::Interleaved<T, 8>{}) : work(core::Interleaved<T, 4>{});
}

}  // namespace Tessera::sparse
