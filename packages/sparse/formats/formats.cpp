#include "sparse/formats/formats.hpp"

#include <cmath>
#include <type_traits>

#include "core/parallel.hpp"
#include "sparse/convert.hpp"
#include "sparse/engine/for_each_entry.hpp"
#include "sparse/formats/ellpack_body.hpp"
#include "sparse/formats/sell_body.hpp"

namespace Tessera::sparse {

/// SELL-C-sigma beats CSR by a fifth to a half at equal bytes (the host, 7 entries a row; on the GPU by
/// more), so some padding is worth it.
constexpr double csr_cost_factor = 1.25;

/// Rows up to which CSR is better if a warp can take a row, since it is more parallel than chunks of 32 (729
/// rows of 81 entries: 2.6 us, in chunks 3.2).
template <class Space>
constexpr Index few_rows = core::SpaceTraits<Space>::coalesces ? 1024 : 0;

/// Some rows in a format that is neither automatic nor CSR.
template <class T, class From, class Space>
StoredRows<T, Space> stored_rows(Space const& space, CsrRows<From> rows, MatrixFormat format,
                                 StorageParameters const& parameters) {
  StoredRows<T, Space> result;
  switch (format) {
    case MatrixFormat::ellpack_r:
      store_rows(space, rows, result.template emplace<EllpackR<T, Space>>());
      break;
    case MatrixFormat::hyb:
      store_rows(space, rows, result.template emplace<Hyb<T, Space>>());
      break;
    case MatrixFormat::pjds:
      result = to_pjds<T>(space, rows);
      break;
    case MatrixFormat::sell_runs:
      result = to_sell<T>(space, rows, {run_chunk, SellShape{}.sigma, SellShape{}.tolerated, run_width});
      break;
    default:
      result = to_sell<T>(space, rows, {parameters.chunk_size, parameters.sigma});
  }
  return result;
}

/// Bytes that a product reads of rows of CSR.
template <class T, class Space>
double csr_bytes(SellLayout<T, Space> const& layout, RowSet<Space> const& set) {
  return entry_bytes<T> * static_cast<double>(layout.nonzeros) +
         static_cast<double>(sizeof(Offset) * layout.rows.stored_rows + set.list.bytes());
}

/// The cost of these rows as HYB, exact or a lower bound.
template <class T, class Space>
double hyb_cost(Space const& space, SellLayout<T, Space> const& layout, RowSet<Space> const& set,
                bool exact) {
  auto const slots = static_cast<double>(layout.lengths.size());
  auto const nonzeros = static_cast<double>(layout.nonzeros);
  auto const listed = set.all ? 0 : sizeof(Index) * slots;
  if (!exact || layout.rows.stored_rows == 0)
    return listed + entry_bytes<T> * nonzeros + sizeof(Index) * slots;
  return listed + hyb_shape<T>(space, layout.lengths.view(), nonzeros / layout.rows.stored_rows).cost;
}

template <class T, class Space>
MatrixFormat SplitRows<T, Space>::choose(Space const& space, CsrView<Source> A, RowSet<Space> const& first,
                                         RowSet<Space> const& second, StorageParameters const& parameters) {
  if (A.rows <= few_rows<Space>) return MatrixFormat::csr;
  SellShape const shape{parameters.chunk_size, parameters.sigma, SellShape{}.tolerated, 0};
  auto one = sell_layout<T>(space, first.of(A), shape), other = sell_layout<T>(space, second.of(A), shape);
  auto const hyb = [&](bool exact) {
    return hyb_cost(space, one, first, exact) + hyb_cost(space, other, second, exact);
  };
  // With little padding, no other format is considered. HYB fills runs, where these are.
  if (!shape.tolerates(one.padding() + other.padding(), one.occupied + other.occupied)) {
    double const sell = one.product_bytes() + other.product_bytes();
    double const csr = csr_cost_factor * (csr_bytes(one, first) + csr_bytes(other, second));
    double const not_sell = sell <= hyb(false) ? csr : std::min(csr, hyb(true));
    if (sell > not_sell) return not_sell < csr ? MatrixFormat::hyb : MatrixFormat::csr;
  }
  bool const in_runs = one.rows.run > 1 || other.rows.run > 1;
  first_ = filled(space, A, std::move(one));
  second_ = filled(space, A, std::move(other));
  return in_runs ? MatrixFormat::sell_runs : MatrixFormat::sell;
}

/// What the rounding of a row needs to know.
struct HalfRowFacts {
  double largest = 0;  ///< magnitude; of the entries off the diagonal where sums of rows are kept
  Offset own = -1;     ///< the diagonal entry, where sums of rows are kept and the row has one
  TESSERA_HD HalfRowFacts& operator+=(HalfRowFacts const& other) {
    if (other.largest > largest) largest = other.largest;
    if (other.own >= 0) own = other.own;
    return *this;
  }
};
using HalfRowSum = PartlyOrdered<double, HalfRowFacts>;

/// The ordered sum is the diagonal entry and the rounding errors of the others, where sums of rows are kept.
struct HalfRowTerm {
  bool row_sums;
  TESSERA_HD HalfRowSum operator()(Index i, Offset k, double a, Index c) const {
    if (!row_sums) return {0, {std::fabs(a), -1}};
    if (c == i) return {a, {0, k}};
    return {a - core::rounded_to_half_digits(a), {std::fabs(a), -1}};
  }
};

/// Sets the scales of a row, and its diagonal entry where that takes up the rounding errors of the others, as
/// a float in two halves.
struct StoreHalfScales {
  Half* value;
  unsigned char* exponent;
  Half* rest;  ///< null: the sums of rows are not kept
  TESSERA_HD void operator()(Index i, HalfRowSum const& row) const {
    auto const [largest, own] = row.rest;
    double const size = own >= 0 ? std::fabs(row.ordered) : 0;
    exponent[i] = core::half_exponent(size > largest ? size : largest);
    if (rest == nullptr) return;
    double const scale = core::inverse_half_scale(exponent[i]);
    double const d = own >= 0 ? static_cast<float>(row.ordered * scale) : 0;
    if (own >= 0) value[own] = Half(d);
    rest[i] = core::half_towards_zero(d - static_cast<double>(Half(d)));
  }
};

/// Rounds the entries that StoreHalfScales has not set. One launch with the pass above, by groups of threads
/// that add the errors in order, took 3.3 ms instead of 2.7 for all levels of Laplace3D 256^3 (H200).
struct RoundEntryBody {
  CsrView<double> A;
  Half* value;
  unsigned char const* exponent;
  bool row_sums;
  TESSERA_HD Offset begin(Index i) const { return A.offsets[i]; }
  TESSERA_HD Offset end(Index i) const { return A.offsets[i + 1]; }
  TESSERA_HD void operator()(Index i, Offset k) const {
    if (row_sums && A.column[k] == i) return;
    value[k] = Half(A.value[k] * core::inverse_half_scale(exponent[i]));
  }
};

/// round_to_half() of a row.
struct RoundTransferBody {
  Offset const* offsets;
  double* value;
  TESSERA_HD void operator()(Index i) const {
    auto const begin = offsets[i], end = offsets[i + 1];
    double largest = 0, smallest = HUGE_VAL;
    auto last = begin;
    for (auto k = begin; k < end; ++k) {
      double const magnitude = std::fabs(value[k]);
      if (magnitude > largest) largest = magnitude;
      if (magnitude == 0 || magnitude > smallest) continue;
      smallest = magnitude;
      last = k;
    }
    constexpr double with_errors = 1 + 1.0 / 512;  // of the other entries, which the largest one may take up
    auto const exponent = core::half_exponent(with_errors * largest);
    double const unit = core::half_scale(exponent), scale = core::inverse_half_scale(exponent);
    double error = 0;
    auto const round = [&](Offset k) {
      if (value[k] == 0) return;
      double const a = value[k] + error;
      value[k] = unit * static_cast<double>(Half(a * scale));
      error = a - value[k];
    };
    for (auto k = begin; k < end; ++k) {
      if (k != last) round(k);
    }
    if (last < end) round(last);
  }
};

template <class Space>
template <class Work>
void HalfRows<Space>::round(Space const& space, CsrView<double> A, Work const& work) {
  Array<Half, Space> value(space, A.value.size());
  bool const row_sums = !rest.empty();
  row_reduce(space, A, HalfRowTerm{row_sums}, StoreHalfScales{value.data(), exponent.data(), rest.data()});
  for_each_entry(space, A.rows, A.value.size(), RoundEntryBody{A, value.data(), exponent.data(), row_sums});
  work(CsrView<Half>{A.rows, A.columns, A.offsets, A.column, value.view()});
}

template <class Space>
void round_to_half(Space const& space, CsrView<double> A, Span<double> values) {
  core::for_each(space, A.rows, RoundTransferBody{A.offsets.data(), values.data()});
}

template <class T, class Space>
SplitRows<T, Space>::SplitRows(Space const& space, CsrView<Source> A, RowSet<Space> first,
                               RowSet<Space> second, StorageParameters const& parameters)
    : format_(parameters.format), borrow_(parameters.borrow) {
  if constexpr (std::is_same_v<T, float>) {
    if (parameters.half) {
      auto const rests = parameters.row_sums ? A.rows : 0;
      half_ = std::make_unique<HalfRows<Space>>(HalfRows<Space>{
          {space, static_cast<std::size_t>(A.rows)}, {space, static_cast<std::size_t>(rests)}, {}});
      half_->round(space, A, [&](CsrView<Half> rounded) {
        half_->rows = {space, rounded, std::move(first), std::move(second), parameters};
      });
      format_ = half_->rows.format_;
      return;
    }
  }
  if (format_ == MatrixFormat::automatic) {
    format_ = choose(space, A, first, second, parameters);
    if (format_ == MatrixFormat::sell || format_ == MatrixFormat::sell_runs) return;
  }
  if (!is_csr()) {
    first_ = stored_rows<T>(space, first.of(A), format_, parameters);
    second_ = stored_rows<T>(space, second.of(A), format_, parameters);
    return;
  }
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
void SplitRows<T, Space>::refresh(Space const& space, CsrView<Source> A) {
  if constexpr (std::is_same_v<T, float>) {
    if (half_) return half_->round(space, A, [&](auto rounded) { half_->rows.refresh(space, rounded); });
  }
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
  if (half_) return half_->scale_bytes() + half_->rows.bytes();
  auto const bytes = [](auto const& part) { return part.bytes(); };
  return csr_.bytes() + std::visit(bytes, first_) + std::visit(bytes, second_);
}

template <class T, class Space>
std::size_t SplitRows<T, Space>::product_bytes() const {
  if (half_) return half_->scale_bytes() + half_->rows.product_bytes();
  auto const bytes = [](auto const& part) { return part.product_bytes(); };
  auto const parts = std::visit(bytes, first_) + std::visit(bytes, second_);
  if (!is_csr()) return parts;
  auto const& view = std::get<CsrPart<T, Space>>(first_).matrix;
  return parts + view.offsets.size() * sizeof(Offset) + view.column.size() * (sizeof(Index) + sizeof(T));
}

#define TESSERA_INSTANTIATE(T, From)                                                          \
  template Sell<T, InstanceSpace> to_sell<T>(InstanceSpace const&, CsrRows<From>, SellShape); \
  template void refresh_rows(InstanceSpace const&, CsrView<From>, Sell<T, InstanceSpace>&);
TESSERA_INSTANTIATE(double, double)
TESSERA_INSTANTIATE(double, float)
TESSERA_INSTANTIATE(float, double)
TESSERA_INSTANTIATE(float, float)

template class SplitRows<double, InstanceSpace>;
template class SplitRows<float, InstanceSpace>;
template class SplitRows<Half, InstanceSpace>;
template void round_to_half(InstanceSpace const&, CsrView<double>, Span<double>);

}  // namespace Tessera::sparse
