#pragma once
/// \file
/// Setup, refresh and application of the preconditioner G^T G.
#include <algorithm>
#include <type_traits>

#include "comm/fused_product.hpp"
#include "comm/row_checks.hpp"
#include "core/timer.hpp"
#include "fsai/factor_body.hpp"
#include "fsai/fsai.hpp"
#include "galerkin/distributed_product.hpp"
#include "sparse/convert.hpp"
#include "sparse/interleave.hpp"

namespace Tessera::fsai {

template <class T, class Space>
void Stage<T, Space>::store(Space const& space, comm::StorageParameters const& storage) {
  phase(space, factor.G, factor, "transpose",
        [&] { transposed = sparse::transpose(space, factor.G.local.view()); });
  phase(space, factor.G, factor, "storage", [&] {
    auto how = storage;
    how.borrow = false;  // the values in double are released
    G = comm::DistMatrix<T, Space>(space, factor.G, how);
    Gt = comm::DistTranspose<T, Space>(space, factor.G, transposed, how);
    product = Array<T, Space>(space, factor.G.local.rows);
  });
  transposed.matrix.value = {};
}

template <class T, class Space>
void Stage<T, Space>::refresh(Space const& space) {
  core::PhaseTimer<Space> timer(space, factor.phases, "storage");
  sparse::refresh_transpose(space, factor.G.local.view(), transposed);
  G.refresh(space, factor.G);
  Gt.refresh(space, transposed);
  transposed.matrix.value = {};
}

template <class T, class Space>
void Fsai<T, Space>::set_parameters(Parameters const& parameters) {
  validate(parameters);
  stages_.resize(static_cast<std::size_t>(parameters.factors));
  for (auto& stage : stages_) {
    stage.factor.parameters = parameters;
    stage.factor.halved = &stage != &stages_.back();
    stage.factor.smallest_diagonal = std::is_same_v<T, float> ? comm::smallest_in_float : 0;
  }
}

/// Allocates the vectors, and stores the factors in the formats of application.
template <class T, class Space>
void Fsai<T, Space>::store_factors(Index rows, comm::StorageParameters const& storage) {
  for (auto& stage : stages_) stage.store(space_, storage);
  core::with_memory_context("vectors", [&] {
    for (auto* vector : {&input_, &output_}) *vector = Array<T, Space>(space_, rows);
  });
  if (core::can_capture(space_)) recordable_ = !comm().any(!recordable(sizeof(T)));
}

/// Saves or loads all members except the data that store_factors() rebuilds. Loading is collective.
template <class T, class Space>
void Fsai<T, Space>::archive(core::Archive& file, comm::Distribution const& rows) {
  auto& [where, factors, entries, b, x, block_b, block_x, width, figures, is_reported, enqueues, cycle,
         captured] = *this;
  file(entries);
  file.require(entries >= 0, "a matrix has ", entries, " entries");
  for (auto& stage : factors) {
    auto& [factor, transposed, G, Gt, product, block_product] = stage;
    factor.archive(file, where, rows);
  }
}

/// Calls make(stage, matrix) for each factor in order. The matrix is A for the first stage, and G A G^T of
/// the stage before for each later one.
template <class T, class Space>
template <class Make>
void Fsai<T, Space>::for_each_stage(comm::DistCsr<double, Space> const& A, Make const& make) {
  comm::DistCsr<double, Space> next;
  for (auto& stage : stages_) {
    auto const& matrix = &stage == &stages_.front() ? A : next;
    auto& factor = stage.factor;
    make(stage, matrix);
    if (&stage != &stages_.back())
      phase(space_, A, factor, "congruence", [&] { next = galerkin::congruence(space_, factor.G, matrix); });
  }
  A.rows.comm().agree();  // so an error on one rank stops all ranks before they store factors
  nonzeros_ = A.local.nonzeros();
  reported_ = false;
}

template <class T, class Space>
Fsai<T, Space>::Fsai(Space const& space, comm::DistCsr<double, Space> const& A, Parameters const& parameters,
                     comm::StorageParameters const& storage)
    : space_(space) {
  comm::agree_on_errors(A.rows.comm(), "FSAI setup", [&] {
    core::Region const region("setup");
    core::MemoryReuse<Space> const reuse(space);
    set_parameters(parameters);
    for_each_stage(A, [&](auto& stage, auto const& matrix) { make_factor(space, matrix, stage.factor); });
    store_factors(A.local.rows, storage);
  });
}

template <class T, class Space>
Fsai<T, Space>::Fsai(Space const& space, comm::DistCsr<double, Space> const& A, Parameters const& parameters,
                     comm::StorageParameters const& storage, core::Archive& saved)
    : space_(space) {
  comm::agree_on_errors(A.rows.comm(), "FSAI load", [&] {
    core::Region const region("setup");
    set_parameters(parameters);
    archive(saved, A.rows);
    store_factors(A.local.rows, storage);
  });
}

template <class T, class Space>
void Fsai<T, Space>::refresh(comm::DistCsr<double, Space> const& A) {
  comm::agree_on_errors(A.rows.comm(), "FSAI refresh", [&] {
    core::Region const region("refresh");
    core::MemoryReuse<Space> const reuse(space_);
    for_each_stage(A, [&](auto& stage, auto const& matrix) { refresh_factor(space_, matrix, stage.factor); });
    for (auto& stage : stages_) stage.refresh(space_);
  });
}

template <class T, class Space>
void Fsai<T, Space>::apply(Span<double const> b, Span<double> x) {
  if constexpr (std::is_same_v<T, double>) {
    core::Region const region("sparse inverse");
    apply_to(b, x);
  } else {
    sparse::convert(space_, b, input());
    apply();
    sparse::convert(space_, output(), x);
  }
}

template <class T, class Space>
void Fsai<T, Space>::apply() {
  core::Region const region("sparse inverse");
  auto const work = [this] { apply_to(input_.view(), output_.span()); };
  if (!recordable_ || (!recorded_ && core::is_capturing(space_))) return work();
  if (!recorded_) comm::capture(graph_, space_, comm(), work);
  recorded_ = true;
  graph_.launch(space_);
}

template <class T, class Space>
template <class X>
void Fsai<T, Space>::apply_to(Span<X const> b, Span<X> x) {
  auto from = b;
  for (auto& stage : stages_) {
    auto const product = stage.template product_of<X>();
    comm::multiply_fused(space_, stage.G, from, sparse::StoreProduct<X>{product.data()});
    from = product;
  }
  for (auto k = stages_.size(); k-- > 0;) {
    auto const to = k == 0 ? x : stages_[k - 1].template product_of<X>();
    comm::multiply_transposed(space_, stages_[k].Gt, Span<X const>(stages_[k].template product_of<X>()), to);
  }
}

template <class T, class Space>
void Fsai<T, Space>::reserve_columns(int columns) {
  comm::agree_on_errors(comm(), "blocks of vectors", [&] {
    if (columns <= columns_) return;
    for (auto& stage : stages_) {
      stage.G.reserve_columns(space_, columns);
      stage.Gt.reserve_columns(space_, columns);
      stage.block_product = Array<T, Space>(space_, stage.product.size() * columns);
    }
    for (auto* vector : {&block_input_, &block_output_})
      *vector = Array<T, Space>(space_, input_.size() * columns);
    columns_ = columns;
    reported_ = false;
  });
}

template <class T, class Space>
void Fsai<T, Space>::apply_block(int columns) {
  core::Region const region("sparse inverse");
  sparse::with_block<T>(columns, [this](auto row) {
    using X = decltype(row);
    auto const x = block_memory();
    apply_to(core::rows_of_block<X const>(Span<T const>(x.input), x.rows),
             core::rows_of_block<X>(x.output, x.rows));
  });
}

template <class T, class Space>
std::size_t Fsai<T, Space>::bytes() const {
  auto bytes = input_.bytes() + output_.bytes() + block_input_.bytes() + block_output_.bytes();
  for (auto const& stage : stages_) bytes += stage.bytes();
  return bytes;
}

template <class T, class Space>
double Fsai<T, Space>::bytes_moved() const {
  std::size_t bytes = 0;
  for (auto const& stage : stages_)
    bytes += stage.G.product_bytes() + stage.Gt.product_bytes() + 4 * stage.product.bytes();
  return static_cast<double>(bytes);
}

template <class T, class Space>
GlobalIndex Fsai<T, Space>::cut_rows() const {
  GlobalIndex rows = 0;
  for (auto const& stage : stages_) rows += stage.factor.cut_rows;
  return rows;
}

template <class T, class Space>
Index Fsai<T, Space>::row_bound() const {
  Index bound = largest_row;
  for (auto const& stage : stages_) bound = std::min(bound, stage.factor.row_bound);
  return bound;
}

template <class T, class Space>
Report const& Fsai<T, Space>::report() {
  if (reported_) return report_;
  auto const& comm = this->comm();
  comm::agree_on_errors(comm, "FSAI report", [&] {
    report_ = {};
    report_.rows = factor().rows.global_size();
    report_.nonzeros = comm.sum(nonzeros_);
    report_.cut_rows = cut_rows();
    report_.row_bound = row_bound();
    for (auto const& stage : stages_) add_to_report(space_, stage.factor, report_);
    auto const ratio = [](GlobalIndex a, GlobalIndex b) {
      return b == 0 ? 0.0 : static_cast<double>(a) / static_cast<double>(b);
    };
    report_.pattern_density = ratio(report_.pattern_nonzeros, report_.nonzeros);
    report_.density = ratio(report_.factor_nonzeros, report_.nonzeros);
    report_.filtered_share =
        ratio(report_.pattern_nonzeros - report_.factor_nonzeros, report_.pattern_nonzeros);
    report_.bytes = static_cast<std::size_t>(comm.sum(static_cast<GlobalIndex>(bytes())));
    report_.apply_bytes = comm.sum(bytes_moved());
    report_.format = stages_.back().G.formats();
    report_.backend = Space::name;
    report_.precision = std::is_same_v<T, float> ? "float" : "double";
  });
  reported_ = true;
  return report_;
}

}  // namespace Tessera::fsai

// Applications to vectors and to blocks of 4 and 8 columns.
#define TESSERA_FSAI_APPLY(Space, T, ...) \
  template void Fsai<T, Space>::apply_to(Span<__VA_ARGS__ const>, Span<__VA_ARGS__>);
#define TESSERA_FSAI_BLOCKS(Space, T)                   \
  TESSERA_FSAI_APPLY(Space, T, T)                       \
  TESSERA_FSAI_APPLY(Space, T, core::Interleaved<T, 4>) \
  TESSERA_FSAI_APPLY(Space, T, core::Interleaved<T, 8>)
