#pragma once
/// \file
/// Setup, refresh and application of the preconditioner G^T G.
#include <algorithm>
#include <type_traits>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/fused_product.hpp"
#include "comm/row_checks.hpp"
#include "fsai/factor_body.hpp"
#include "fsai/fsai.hpp"
#include "galerkin/distributed_product.hpp"
#include "sparse/convert.hpp"

namespace Tessera::fsai {

/// A factor and its transpose, in the formats of application.
template <class T, class Space>
struct Stage {
  Factor<Space> factor;
  sparse::Transposed<double, Space> transposed;
  comm::DistMatrix<T, Space> G;
  comm::DistTranspose<T, Space> Gt;
  Array<T, Space> product, block_product;  ///< G times the input of this stage

  void store(Space const& space, comm::StorageParameters const& storage) {
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

  void refresh(Space const& space) {
    core::PhaseTimer<Space> timer(space, factor.phases, "storage");
    sparse::refresh_transpose(space, factor.G.local.view(), transposed);
    G.refresh(space, factor.G);
    Gt.refresh(space, transposed);
    transposed.matrix.value = {};
  }

  template <class X>
  Span<X> product_of() {
    return core::rows_of_block<X>((core::columns_of<X> == 1 ? product : block_product).span(),
                                  product.size());
  }

  std::size_t bytes() const {
    return factor.lower.bytes() + factor.pattern.bytes() + factor.keep.bytes() + factor.G.local.bytes() +
           transposed.matrix.bytes() + transposed.source.bytes() + G.bytes() + Gt.bytes() + product.bytes() +
           block_product.bytes();
  }
};

template <class T, class Space>
struct Fsai<T, Space>::State {
  Space space;
  std::vector<Stage<T, Space>> stages;  ///< G is the product of their factors, the first one rightmost
  GlobalIndex nonzeros = 0;             ///< of the rows of A on this rank
  Array<T, Space> input, output, block_input, block_output;
  int columns = 1;  ///< largest number of columns of a block
  Report report;
  bool reported = false;
  bool recordable = false;   ///< products only enqueue work, on every rank
  core::Graph<Space> graph;  ///< the application from input to output
  bool recorded = false;

  template <class X>
  void products(Span<X const> b, Span<X> x) {
    auto from = b;
    for (auto& stage : stages) {
      auto const product = stage.template product_of<X>();
      comm::multiply_fused(space, stage.G, from, sparse::StoreProduct<X>{product.data()});
      from = product;
    }
    for (auto k = stages.size(); k-- > 0;) {
      auto const to = k == 0 ? x : stages[k - 1].template product_of<X>();
      comm::multiply_transposed(space, stages[k].Gt, Span<X const>(stages[k].template product_of<X>()), to);
    }
  }

  void reserve_columns(int wanted) {
    if (wanted <= columns) return;
    for (auto& stage : stages) {
      stage.G.reserve_columns(space, wanted);
      stage.Gt.reserve_columns(space, wanted);
      stage.block_product = Array<T, Space>(space, stage.product.size() * wanted);
    }
    for (auto* vector : {&block_input, &block_output})
      *vector = Array<T, Space>(space, input.size() * wanted);
    columns = wanted;
    reported = false;
  }

  comm::Communicator const& comm() const { return stages.front().G.halo().distribution().comm(); }

  void check_recordable() {
    if (!core::can_capture(space)) return;
    recordable = !comm().any(!recordable_here(sizeof(T)));
  }

  bool recordable_here(std::size_t element) const {
    return std::all_of(stages.begin(), stages.end(),
                       [&](auto const& stage) { return stage.G.halo().recordable(space, element); });
  }

  void apply() {
    auto const work = [this] { products(input.view(), output.span()); };
    if (!recordable || (!recorded && core::is_capturing(space))) return work();
    if (!recorded) comm::capture(graph, space, comm(), work);
    recorded = true;
    graph.launch(space);
  }

  void set_parameters(Parameters const& parameters) {
    validate(parameters);
    stages.resize(static_cast<std::size_t>(parameters.factors));
    for (auto& stage : stages) {
      stage.factor.parameters = parameters;
      stage.factor.halved = &stage != &stages.back();
      stage.factor.smallest_diagonal = std::is_same_v<T, float> ? comm::smallest_in_float : 0;
    }
  }

  /// Allocates the vectors, and stores the factors in the formats of application.
  void store_factors(Index rows, comm::StorageParameters const& storage) {
    for (auto& stage : stages) stage.store(space, storage);
    with_memory_context("vectors", [&] {
      for (auto* vector : {&input, &output}) *vector = Array<T, Space>(space, rows);
    });
    check_recordable();
  }

  /// Saves or loads all members except the data that store_factors() rebuilds. Loading is collective.
  void archive(core::Archive& file, comm::Distribution const& rows) {
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
  template <class Make>
  void for_each_stage(comm::DistCsr<double, Space> const& A, Make const& make) {
    comm::DistCsr<double, Space> next;
    for (auto& stage : stages) {
      auto const& matrix = &stage == &stages.front() ? A : next;
      auto& factor = stage.factor;
      make(stage, matrix);
      if (&stage != &stages.back())
        phase(space, A, factor, "congruence", [&] { next = galerkin::congruence(space, factor.G, matrix); });
    }
    A.rows.comm().agree();  // so an error on one rank stops all ranks before they store factors
    nonzeros = A.local.nonzeros();
    reported = false;
  }
};

template <class T, class Space>
Fsai<T, Space>::Fsai(Space const& space, comm::DistCsr<double, Space> const& A, Parameters const& parameters,
                     comm::StorageParameters const& storage) {
  comm::agree_on_errors(A.rows.comm(), [&] {
    with_memory_context("FSAI setup", [&] {
      state_ = std::make_unique<State>();
      auto& state = *state_;
      state.space = space;
      core::MemoryReuse<Space> const reuse(space);
      state.set_parameters(parameters);
      state.for_each_stage(
          A, [&](auto& stage, auto const& matrix) { make_factor(space, matrix, stage.factor); });
      state.store_factors(A.local.rows, storage);
    });
  });
}

template <class T, class Space>
Fsai<T, Space>::Fsai(Space const& space, comm::DistCsr<double, Space> const& A, Parameters const& parameters,
                     comm::StorageParameters const& storage, core::Archive& saved) {
  comm::agree_on_errors(A.rows.comm(), [&] {
    with_memory_context("FSAI load", [&] {
      state_ = std::make_unique<State>();
      state_->space = space;
      state_->set_parameters(parameters);
      state_->archive(saved, A.rows);
      state_->store_factors(A.local.rows, storage);
    });
  });
}

template <class T, class Space>
void Fsai<T, Space>::save(core::Archive& file) {
  state_->archive(file, state_->stages.front().factor.G.rows);
}

template <class T, class Space>
Fsai<T, Space>::Fsai(Fsai&&) noexcept = default;
template <class T, class Space>
Fsai<T, Space>& Fsai<T, Space>::operator=(Fsai&&) noexcept = default;
template <class T, class Space>
Fsai<T, Space>::~Fsai() = default;

template <class T, class Space>
void Fsai<T, Space>::refresh(comm::DistCsr<double, Space> const& A) {
  auto& state = *state_;
  auto const& space = state.space;
  comm::agree_on_errors(A.rows.comm(), [&] {
    with_memory_context("FSAI refresh", [&] {
      core::MemoryReuse<Space> const reuse(space);
      state.for_each_stage(
          A, [&](auto& stage, auto const& matrix) { refresh_factor(space, matrix, stage.factor); });
      for (auto& stage : state.stages) stage.refresh(space);
    });
  });
}

template <class T, class Space>
void Fsai<T, Space>::apply(Span<double const> b, Span<double> x) {
  auto& state = *state_;
  if constexpr (std::is_same_v<T, double>) {
    state.products(b, x);
  } else {
    sparse::convert(state.space, b, state.input.span());
    state.apply();
    sparse::convert(state.space, state.output.view(), x);
  }
}

template <class T, class Space>
void Fsai<T, Space>::apply() {
  state_->apply();
}

template <class T, class Space>
template <class X>
void Fsai<T, Space>::apply_to(Span<X const> b, Span<X> x) {
  state_->products(b, x);
}

template <class T, class Space>
bool Fsai<T, Space>::recordable(std::size_t element) const {
  return state_->recordable_here(element);
}

template <class T, class Space>
void Fsai<T, Space>::reserve_columns(int columns) {
  comm::agree_on_errors(state_->comm(), [&] {
    with_memory_context("blocks of vectors", [&] { state_->reserve_columns(columns); });
  });
}

template <class T, class Space>
template <class X>
void Fsai<T, Space>::apply_block() {
  state_->products(Span<X const>(block_input<X>()),
                   core::rows_of_block<X>(state_->block_output.span(), state_->output.size()));
}

template <class T, class Space>
template <class X>
Span<X> Fsai<T, Space>::block_input() {
  return core::rows_of_block<X>(state_->block_input.span(), state_->input.size());
}

template <class T, class Space>
template <class X>
Span<X const> Fsai<T, Space>::block_output() const {
  return core::rows_of_block<X const>(state_->block_output.view(), state_->output.size());
}

template <class T, class Space>
bool Fsai<T, Space>::enqueues_only() const {
  return state_->recordable;
}

template <class T, class Space>
Span<T> Fsai<T, Space>::input() {
  return state_->input.span();
}

template <class T, class Space>
Span<T const> Fsai<T, Space>::output() const {
  return state_->output.view();
}

template <class T, class Space>
comm::DistCsr<double, Space> const& Fsai<T, Space>::factor(std::size_t k) const {
  return state_->stages.at(k).factor.G;
}

template <class T, class Space>
std::size_t Fsai<T, Space>::bytes() const {
  auto const& state = *state_;
  auto bytes =
      state.input.bytes() + state.output.bytes() + state.block_input.bytes() + state.block_output.bytes();
  for (auto const& stage : state.stages) bytes += stage.bytes();
  return bytes;
}

template <class T, class Space>
double Fsai<T, Space>::bytes_moved() const {
  std::size_t bytes = 0;
  for (auto const& stage : state_->stages)
    bytes += stage.G.product_bytes() + stage.Gt.product_bytes() + 4 * stage.product.bytes();
  return static_cast<double>(bytes);
}

template <class T, class Space>
GlobalIndex Fsai<T, Space>::cut_rows() const {
  GlobalIndex rows = 0;
  for (auto const& stage : state_->stages) rows += stage.factor.cut_rows;
  return rows;
}

template <class T, class Space>
Index Fsai<T, Space>::row_bound() const {
  Index bound = largest_row;
  for (auto const& stage : state_->stages) bound = std::min(bound, stage.factor.row_bound);
  return bound;
}

template <class T, class Space>
std::vector<std::string> const& Fsai<T, Space>::warnings() const {
  return state_->report.warnings;
}

template <class T, class Space>
Report const& Fsai<T, Space>::report() {
  auto& state = *state_;
  if (state.reported) return state.report;
  auto& report = state.report;
  auto const& G = state.stages.front().factor.G;
  auto const& comm = G.rows.comm();
  comm::agree_on_errors(comm, [&] {
    with_memory_context("FSAI report", [&] {
      report = {};
      report.rows = G.rows.global_size();
      report.nonzeros = comm.sum(state.nonzeros);
      report.cut_rows = cut_rows();
      report.row_bound = row_bound();
      for (auto const& stage : state.stages) add_to_report(state.space, stage.factor, report);
      auto const ratio = [](GlobalIndex a, GlobalIndex b) {
        return b == 0 ? 0.0 : static_cast<double>(a) / static_cast<double>(b);
      };
      report.pattern_density = ratio(report.pattern_nonzeros, report.nonzeros);
      report.density = ratio(report.factor_nonzeros, report.nonzeros);
      report.filtered_share =
          ratio(report.pattern_nonzeros - report.factor_nonzeros, report.pattern_nonzeros);
      report.bytes = static_cast<std::size_t>(comm.sum(static_cast<GlobalIndex>(this->bytes())));
      report.apply_bytes = comm.sum(bytes_moved());
      report.format = state.stages.back().G.formats();
      report.backend = Space::name;
      report.precision = std::is_same_v<T, float> ? "float" : "double";
    });
  });
  state.reported = true;
  return report;
}

}  // namespace Tessera::fsai

// Applications to vectors and to blocks of 4 and 8 columns.
#define TESSERA_FSAI_APPLY(Space, T, ...) \
  template void Fsai<T, Space>::apply_to(Span<__VA_ARGS__ const>, Span<__VA_ARGS__>);
#define TESSERA_FSAI_BLOCK(Space, T, ...)                                \
  TESSERA_FSAI_APPLY(Space, T, __VA_ARGS__)                              \
  template void Fsai<T, Space>::apply_block<__VA_ARGS__>();              \
  template Span<__VA_ARGS__> Fsai<T, Space>::block_input<__VA_ARGS__>(); \
  template Span<__VA_ARGS__ const> Fsai<T, Space>::block_output<__VA_ARGS__>() const;
#define TESSERA_FSAI_BLOCKS(Space, T)                   \
  TESSERA_FSAI_APPLY(Space, T, T)                       \
  TESSERA_FSAI_BLOCK(Space, T, core::Interleaved<T, 4>) \
  TESSERA_FSAI_BLOCK(Space, T, core::Interleaved<T, 8>)
