#pragma once
/// \file
/// Merges in one pass on the host for blocks of Width columns and consecutive rows of one pattern. A block of
/// columns gets a place, and sums for all of these rows, at its first product.
#include <algorithm>
#include <vector>

#include "sparse/engine/column_table.hpp"
#include "sparse/engine/packed_rows_host.hpp"
#include "sparse/engine/row_blocks_host.hpp"
#include "sparse/engine/row_merge/row_sort_host.hpp"

namespace Tessera::sparse {

/// Left: blocks of `height` rows with one pattern; a block is one row with entries of height x 1 numbers.
struct BlockRowFactors {
  CsrView<double> R;
  int height;
  struct Row {
    Index const* column;
    double const* value;
    Offset begin, end, at;
    void move(Offset k) { at = k; }
    Index source() const { return column[at]; }
    bool keeps() const { return true; }
    double factor(int r) const { return value[at + r * (end - begin)]; }
  };
  Index rows() const { return R.rows / height; }
  std::size_t entries() const { return R.column.size() / height; }
  Row row(Index I) const {
    auto const first = static_cast<Offset>(I) * height;
    return {R.column.data(), R.value.data(), R.offsets[first], R.offsets[first + 1], R.offsets[first]};
  }
};

/// Rows of the product for each row of a left operand.
template <class Left>
constexpr int height_of(Left const&) {
  return 1;
}
inline int height_of(BlockRowFactors const& R) {
  return R.height;
}

/// One thread's blocks of rows. height: rows with one pattern, each with entries of its own unless the left
/// operand is a BlockRowFactors. Numbers of one block of columns lie together, row by row.
template <int Width, class Left, class Right, class Epilogue, class Places>
class BlockMergeWorker {
  static constexpr bool shares_entries = std::is_same_v<Left, BlockRowFactors>;

 public:
  BlockMergeWorker(Left const& A, Right const& B, Epilogue const& epilogue, int height, int width,
                   bool ascending, PackedRows& C)
      : A_(A),
        B_(B),
        epilogue_(epilogue),
        height_(height),
        dynamic_width_(width),
        ascending_(ascending),
        writer_(C, A.entries() / 2),
        places_(B.columns() / width) {
    add_room(64);
  }

  void operator()(Index begin, Index end) {
    for (Index g = begin; g < end; ++g) {
      if constexpr (Places::wants_size) places_.start(g, std::min<Offset>(blocks(g), B_.columns() / width()));
      auto const count = add_up(g);
      places_.finish(count);
      store(g, count);
    }
  }

 private:
  int width() const { return Width > 0 ? Width : dynamic_width_; }
  Offset block() const { return static_cast<Offset>(height_) * width(); }

  Offset blocks(Index g) const {
    Offset sum = 0;
    for (int r = 0; r < (shares_entries ? 1 : height_); ++r) {
      auto a = A_.row(shares_entries ? g : g * height_ + r);
      for (Offset k = a.begin; k < a.end; ++k) {
        a.move(k);
        sum += B_.row(a.source()).count;
      }
    }
    return sum;
  }
  void add_room(std::size_t columns) {
    auto const grown = [](auto& array, std::size_t size) {
      std::decay_t<decltype(array)> larger(Host{}, size);
      std::copy_n(array.data(), array.size(), larger.data());
      array = std::move(larger);
    };
    grown(column_, columns);
    grown(sum_, columns * block());
    key_ = Array<Index, Host>(Host{}, columns);
    place_ = Array<Index, Host>(Host{}, columns);
    sorted_key_ = Array<Index, Host>(Host{}, columns);
    sorted_ = Array<Index, Host>(Host{}, columns);
  }
  void reserve(Index count, Index more) {
    auto const needed = static_cast<std::size_t>(count) + more + 16;
    if (needed > column_.size()) add_room(2 * needed);
  }

  /// Calls add(numbers of the right operand, sums) for each block of columns of its row j; returns the number
  /// of blocks so far.
  template <class Numbers, class Add>
  Index add_row(Index j, Numbers const& numbers, Index count, Add const& add) {
    RowEntries const b = B_.row(j);
    reserve(count, b.count);
    Index* const column = column_.data();
    double* const sum = sum_.data();
    for (Index s = 0; s < b.count; ++s) {
      auto const c = B_.block(b, s);
      auto const place = numbers.place(c, count);
      column[place] = c;
      double* const here = sum + place * block();
      if (place == count) {
        std::fill_n(here, block(), 0.0);
        ++count;
      }
      add(b.value + static_cast<Offset>(s) * width(), here);
    }
    return count;
  }
  Index add_up(Index g) {
    auto const numbers = places_.numbers();
    int const w = width(), step = shares_entries ? height_ : 1;
    Index count = 0;
    for (int r = 0; r < height_; r += step) {
      auto a = A_.row(shares_entries ? g : g * height_ + r);
      for (Offset k = a.begin; k < a.end; ++k) {
        a.move(k);
        if constexpr (shares_entries) {
          count = add_row(a.source(), numbers, count, [&](double const* b, double* sum) {
            for (int q = 0; q < (Width > 0 ? Width : height_); ++q) {
              double const f = a.factor(q);
              for (int c = 0; c < w; ++c) sum[q * w + c] += f * Right::number(b, c);
            }
          });
        } else {
          if (!a.keeps()) continue;
          double const f = a.factor();
          count = add_row(a.source(), numbers, count, [&](double const* b, double* sum) {
            for (int c = 0; c < w; ++c) sum[r * w + c] += f * Right::number(b, c);
          });
        }
      }
    }
    return count;
  }

  void store(Index g, Index count) {
    int const w = width();
    if (!ascending_) {  // one row, which the next merge reads by blocks
      auto const row = writer_.add(g, count);
      std::copy_n(sum_.data(), count * block(), row.value);
      std::copy_n(column_.data(), count, row.column.data());
      return;
    }
    for (Index s = 0; s < count; ++s) {
      key_[s] = epilogue_.key(column_[s]);
      place_[s] = s;
    }
    hash::sort_row(count, key_.data(), key_.data(), place_.data(), sorted_key_.data(), sorted_.data(), sort_);
    for (int r = 0; r < height_; ++r) {
      Index const i = g * height_ + r;
      auto const finished = epilogue_.row(i);
      auto const row = writer_.add(i, count * w);
      Index* const column = row.column.data();
      Index at = 0;
      for (Index s = 0; s < count; ++s) {
        Index const first = column_[sorted_[s]] * w;
        double const* const sum = sum_.data() + sorted_[s] * block() + r * w;
        for (int c = 0; c < w; ++c) row.value[at + c] = finished(first + c, sum[c]);
        at += w;
      }
      at = 0;
      for (Index s = 0; s < count; ++s) {
        Index const first = column_[sorted_[s]] * w;
        for (int c = 0; c < w; ++c) column[at + c] = first + c;
        at += w;
      }
    }
  }

  Left A_;
  Right const& B_;
  Epilogue epilogue_;
  int height_, dynamic_width_;
  bool ascending_;
  PackedWriter writer_;
  Places places_;
  Array<Index, Host> column_, key_, place_, sorted_key_, sorted_;
  Array<double, Host> sum_;
  hash::RowSort sort_;
};

template <int Width, class Left, class Right, class Epilogue>
void merge_block_rows(Left const& A, Right const& B, Epilogue const& epilogue, int height, int width,
                      bool ascending, PackedRows& C) {
  Index const blocks = B.columns() / width;
  auto const groups = static_cast<Index>(C.rows.size()) / (ascending ? height : 1);
  if (hash::dense_tables(blocks)) {
    for_row_blocks(groups, [&] {
      return BlockMergeWorker<Width, Left, Right, Epilogue, hash::DensePlaces>(A, B, epilogue, height, width,
                                                                               ascending, C);
    });
  } else {
    for_row_blocks(groups, [&] {
      return BlockMergeWorker<Width, Left, Right, Epilogue, hash::HashedPlaces>(A, B, epilogue, height, width,
                                                                                ascending, C);
    });
  }
}

}  // namespace Tessera::sparse
