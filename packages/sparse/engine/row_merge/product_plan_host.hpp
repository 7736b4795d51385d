#pragma once
/// \file
/// Plans on the host, and sums of rows with them; see product_plan.hpp.
#include <algorithm>
#include <limits>

#include "sparse/engine/column_table.hpp"
#include "sparse/engine/packed_rows_host.hpp"
#include "sparse/engine/row_blocks_host.hpp"
#include "sparse/engine/row_merge/blocks_host.hpp"
#include "sparse/engine/row_merge/product_plan.hpp"

namespace Tessera::sparse {

/// Most blocks of columns of a row of C: scatter indices and lengths are bytes.
constexpr Index most_blocks_of_row = std::numeric_limits<unsigned char>::max();

namespace detail {

/// Replaces counts by offsets; returns whether the total fits.
inline bool add_up(Host const& space, Array<Index, Host>& offsets) {
  auto const n = offsets.size() - 1;
  auto const count = offsets.view();
  auto const total = core::sum(space, n, [&](Index i) { return static_cast<Offset>(count[i]); });
  if (total > std::numeric_limits<Index>::max()) return false;
  core::exclusive_scan(space, offsets.span().part(0, n), offsets.span());
  return true;
}

template <class Length>
Index longest(Host const& space, Index rows, Length const& length) {
  return core::reduce(
      space, rows, length, [](Index a, Index b) { return std::max(a, b); }, Index{0});
}

/// Finds the scatter indices of some rows by a table of the row's columns.
template <class Left, class Right, class Rows, class Places>
class ScatterFinder {
 public:
  ScatterFinder(Left const& A, Right const& B, Rows const& C, ProductPlan<Host>& plan)
      : A_(A), B_(B), C_(C), plan_(plan), places_(B.columns() / B.width()) {
    if (!Right::single) list_ = Array<Index, Host>(Host{}, plan.most + std::size_t{lists::block});
  }

  void operator()(Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      auto const row = C_.row(i * height_of(A_));
      auto a = A_.row(i);
      auto const products =
          Right::single ? static_cast<Index>(a.end - a.begin) : plan_.first[i + 1] - plan_.first[i];
      if constexpr (Places::wants_size) places_.start(i, Offset{row.count} + products);
      auto const numbers = places_.numbers();
      for (Index s = 0; s < row.count; ++s) numbers.place(C_.block(row, s), s);
      if constexpr (Right::single) {
        for (Offset k = a.begin; k < a.end; ++k) {
          a.move(k);
          auto const c = B_.block_column(a.source());
          auto const scatter = c >= 0 && a.keeps() ? numbers.find(c, row.count) : row.count;
          plan_.scatter[k] = static_cast<unsigned char>(scatter);
        }
      } else {
        list(a);
        unsigned char* const scatter = plan_.scatter.data() + plan_.first[i];
        for (Index p = 0; p < products; ++p)
          scatter[p] = static_cast<unsigned char>(numbers.find(list_[p], row.count));
      }
      places_.finish(row.count);
    }
  }

 private:
  /// The columns of the row's products.
  template <class LeftRow>
  void list(LeftRow& a) {
    Index* to = list_.data();
    for (Offset k = a.begin; k < a.end; ++k) {
      a.move(k);
      if (!a.keeps()) continue;
      auto const b = B_.row(a.source());
      if (B_.width() == 1 && !B_.is_last(b)) {
        lists::copy(b.column, b.count, to);
      } else {
        for (Index s = 0; s < b.count; ++s) to[s] = B_.block(b, s);
      }
      to += b.count;
    }
  }

  Left A_;
  Right const& B_;
  Rows const& C_;
  ProductPlan<Host>& plan_;
  Places places_;
  Array<Index, Host> list_;
};

}  // namespace detail

/// C: the rows of the merge, as a right operand. Rows of one pattern share the scatter indices of the first.
/// \throws core::OutOfMemory
template <class Left, class Right, class Rows>
ProductPlan<Host> plan_of(Host const& space, Left const& A, Right const& B, Rows const& C) {
  ProductPlan<Host> plan;
  auto const of_C = [&](Index i) { return C.row(i * height_of(A)).count; };
  if (detail::longest(space, A.rows(), of_C) > most_blocks_of_row) return plan;
  if constexpr (Right::single) {
    plan.scatter = Array<unsigned char, Host>(space, A.entries());
  } else {
    auto& first = plan.first;
    first = Array<Index, Host>(space, static_cast<std::size_t>(A.rows()) + 1);
    core::for_each(space, A.rows(), [&](Index i) {
      Offset products = 0;
      auto a = A.row(i);
      for (Offset k = a.begin; k < a.end; ++k) {
        a.move(k);
        if (a.keeps()) products += B.row(a.source()).count;
      }
      first[i] = static_cast<Index>(std::min<Offset>(products, std::numeric_limits<Index>::max()));
    });
    plan.most = detail::longest(space, A.rows(), [&](Index i) { return first[i]; });
    if (!detail::add_up(space, first)) return {};
    plan.scatter = Array<unsigned char, Host>(space, first[A.rows()]);
  }
  if (hash::dense_tables(B.columns() / B.width())) {
    for_row_blocks(
        A.rows(), [&] { return detail::ScatterFinder<Left, Right, Rows, hash::DensePlaces>(A, B, C, plan); });
  } else {
    for_row_blocks(A.rows(), [&] {
      return detail::ScatterFinder<Left, Right, Rows, hash::HashedPlaces>(A, B, C, plan);
    });
  }
  plan.found = true;
  return plan;
}

/// Adds factor[0] numbers[0][first + c], factor[1] numbers[1][first + c] ... to sum[c], one after the other.
template <int Width>
void add_scaled(Offset terms, double const* factor, double const* const* numbers, Index first, int width,
                double* sum) {
  if constexpr (Width > 0) {
    double local[Width];
    for (int c = 0; c < Width; ++c) local[c] = sum[c];
    for (Offset t = 0; t < terms; ++t) {
      double const f = factor[t];
      double const* const from = numbers[t] + first;
      for (int c = 0; c < Width; ++c) local[c] += f * from[c];
    }
    for (int c = 0; c < Width; ++c) sum[c] = local[c];
  } else {
    for (Offset t = 0; t < terms; ++t) {
      for (int c = 0; c < width; ++c) sum[c] += factor[t] * numbers[t][first + c];
    }
  }
}

/// Sums rows of a merge by scatter indices, in the first cache. Columns of B are not read.
template <int Width, class Left, class Right>
class ScatterSums {
  static constexpr bool shares_entries = std::is_same_v<Left, BlockRowFactors>;

 public:
  ScatterSums(Left const& A, Right const& B, ProductPlan<Host> const& plan)
      : A_(A), B_(B), plan_(plan), listed_(Host{}, Width == 1 ? plan.most + std::size_t{lists::block} : 0) {}

  /// Numbers of memory for the sums of a row.
  std::size_t room() const { return stride(most_blocks_of_row) * height_of(A_) + lists::block; }
  /// Distance between the sums of rows that share entries.
  std::size_t stride(Index length) const { return (length + std::size_t{1}) * B_.width(); }

  /// Sums row i, which has `length` blocks of columns, into sum[0] and on.
  void operator()(Index i, Index length, double* sum) {
    lists::clear(stride(length) * height_of(A_), sum);
    auto a = A_.row(i);
    if constexpr (shares_entries) {
      add_to_rows(a, B_, plan_.scatter.data() + plan_.first[i], sum, stride(length));
    } else if constexpr (Right::single) {
      add_single(a, B_, plan_.scatter.data(), sum);
    } else if constexpr (Width == 1) {
      list(a, B_, listed_.data());
      auto const first = plan_.first[i];
      add_listed(plan_.first[i + 1] - first, listed_.data(), plan_.scatter.data() + first, sum);
    } else {
      add_blocks(a, B_, plan_.scatter.data() + plan_.first[i], sum);
    }
  }

 private:
  template <class LeftRow>
  static void add_single(LeftRow a, Right const B, unsigned char const* __restrict scatter,
                         double* __restrict sum) {
    if constexpr (Width == 1) {
      for (Offset k = a.begin; k < a.end; ++k) {
        a.move(k);
        sum[scatter[k]] += a.factor() * B.value(a.source());
      }
    } else {
      int const w = B.width();
      for (Offset k = a.begin; k < a.end; ++k) {
        a.move(k);
        double const f = a.factor();
        double const* const b = B.values(a.source());
        double* const here = sum + scatter[k] * w;
        for (int c = 0; c < w; ++c) here[c] += f * b[c];
      }
    }
  }
  /// Adds a row of the right operand to each of the rows, which are `next` apart.
  template <class LeftRow>
  void add_to_rows(LeftRow& a, Right const& B, unsigned char const* __restrict scatter,
                   double* __restrict sum, std::size_t next) const {
    int const w = B.width(), height = Width > 0 ? Width : A_.height;
    for (Offset k = a.begin; k < a.end; ++k) {
      a.move(k);
      auto const b = B.row(a.source());
      for (Index s = 0; s < b.count; ++s) {
        double const* const from = b.value + static_cast<Offset>(s) * w;
        double* here = sum + scatter[s] * w;
        for (int r = 0; r < height; ++r, here += next) {
          double const f = a.factor(r);
          for (int c = 0; c < w; ++c) here[c] += f * from[c];
        }
      }
      scatter += b.count;
    }
  }
  /// Adds consecutive rows with the same scatter indices, such as those of a node, together.
  template <class LeftRow>
  static void add_blocks(LeftRow& a, Right const& B, unsigned char const* scatter, double* sum) {
    constexpr Offset most = 8;
    int const w = B.width();
    double const* numbers[most];
    double factor[most];
    for (Offset k = a.begin, run; k < a.end; k += run) {
      Index count = 0;
      for (run = 0; run < most && k + run < a.end; ++run) {
        a.move(k + run);
        auto const b = B.row(a.source());
        Index const here = a.keeps() ? b.count : 0;
        if (run == 0) count = here;
        if (run > 0 && (here != count || !std::equal(scatter, scatter + count, scatter + run * count))) break;
        numbers[run] = b.value;
        factor[run] = a.factor();
      }
      for (Index s = 0; s < count; ++s) {
        add_scaled<Width>(run, factor, numbers, s * w, w, sum + scatter[s] * w);
      }
      scatter += run * count;
    }
  }
  /// Lists the row's products in whole blocks, because the ends of short loops are mispredicted.
  template <class LeftRow>
  static void list(LeftRow a, Right const& B, double* __restrict to) {
    for (Offset k = a.begin; k < a.end; ++k) {
      a.move(k);
      if (!a.keeps()) continue;
      RowEntries const b = B.row(a.source());
      double const* __restrict const from = b.value;
      double const f = a.factor();
      Index s = 0;
      if (B.is_last(b)) {
        for (; s < b.count; ++s) to[s] = f * from[s];
      }
      for (; s < b.count; s += lists::block) {
        for (Index l = 0; l < lists::block; ++l) to[s + l] = f * from[s + l];
      }
      to += b.count;
    }
  }
  static void add_listed(Index count, double const* __restrict listed,
                         unsigned char const* __restrict scatter, double* __restrict sum) {
    for (Index s = 0; s < count; ++s) sum[scatter[s]] += listed[s];
  }

  Left A_;
  Right B_;
  ProductPlan<Host> const& plan_;
  Array<double, Host> listed_;
};

namespace detail {

/// New values of some rows of C.
template <int Width, class Left, class Right, class Epilogue>
class ValueWorker {
 public:
  ValueWorker(Left const& A, Right const& B, Epilogue const& epilogue, ProductPlan<Host> const& plan,
              CsrView<double> C, double* value)
      : width_(B.width()),
        height_(height_of(A)),
        epilogue_(epilogue),
        C_(C),
        value_(value),
        sums_(A, B, plan),
        sum_(Host{}, sums_.room()) {}

  void operator()(Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      Index const row = i * height_;
      auto const length = static_cast<Index>(C_.offsets[row + 1] - C_.offsets[row]);
      sums_(i, length / width_, sum_.data());
      for (int r = 0; r < height_; ++r)
        store(row + r, length, C_.offsets[end * height_], sum_.data() + r * (length + width_));
    }
  }

 private:
  /// Writes whole blocks while later rows of this thread, which end at `end`, overwrite the excess.
  void store(Index row, Index length, Offset end, double const* sum) {
    auto const first = C_.offsets[row];
    bool const in_blocks = first + length + lists::block <= end;
    if constexpr (Epilogue::plain) {  // C may lack columns
      if (in_blocks) return lists::copy(sum, length, value_ + first);
      std::copy_n(sum, length, value_ + first);
    } else {
      finish(epilogue_.row(row),
             in_blocks ? (length + lists::block - 1) / lists::block * lists::block : length,
             C_.column.data() + first, sum, value_ + first);
    }
  }
  template <class Row>
  static void finish(Row const of_row, Index count, Index const* __restrict column,
                     double const* __restrict sum, double* __restrict target) {
    for (Index s = 0; s < count; ++s) target[s] = of_row(column[s], sum[s]);
  }

  int width_, height_;
  Epilogue epilogue_;
  CsrView<double> C_;
  double* value_;
  ScatterSums<Width, Left, Right> sums_;
  Array<double, Host> sum_;
};

}  // namespace detail

/// The values of C = epilogue(A B) by scatter indices.
template <int Width, class Left, class Right, class Epilogue>
void sum_by_scatter(Left const& A, Right const& B, Epilogue const& epilogue, ProductPlan<Host> const& plan,
                    CsrView<double> C, double* value) {
  for_row_blocks(A.rows(), [&] {
    return detail::ValueWorker<Width, Left, Right, Epilogue>(A, B, epilogue, plan, C, value);
  });
}

}  // namespace Tessera::sparse
