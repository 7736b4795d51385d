#pragma once
/// \file
/// The preconditioner behind its pointer.
#include <type_traits>

#include "comm/dist_matrix_body.hpp"
#include "core/graph.hpp"
#include "fsai/factor_driver.hpp"
#include "fsai/fsai.hpp"
#include "fsai/report_body.hpp"
#include "sparse/vector.hpp"

namespace Tessera::fsai {

template <class T, class Space>
struct Fsai<T, Space>::State {
  Space space;
  Factor<Space> factor;
  sparse::Transposed<double, Space> transposed;
  bool refreshable = true;
  LocalFigures figures;
  std::string checksum;
  comm::DistMatrix<T, Space> G;
  comm::DistTranspose<T, Space> Gt;
  Array<T, Space> input, middle, output;
  Report report;
  bool reported = false;
  core::Graph<Space> graph;  ///< from input to output
  bool recorded = false;

  void products(Span<T const> b, Span<T> x) {
    comm::multiply_fused(space, G, b, sparse::StoreProduct<T>{middle.data()});
    comm::multiply_transposed(space, Gt, middle.view(), x);
  }

  /// Whether nothing that goes between ranks passes through the host, which would have to wait for it.
  bool recordable() const { return G.halo().recordable(space, sizeof(T)); }

  void apply() {
    auto const work = [this] { products(input.view(), output.span()); };
    if (!recordable() || (!recorded && core::capturing(space))) return work();
    if (!recorded) graph.capture(space, work);
    recorded = true;
    graph.launch(space);
  }

  /// What G's values are needed for besides the products.
  void take_figures(comm::DistCsr<double, Space> const& A) {
    figures = local_figures(space, A, factor);
    checksum = comm::checksum(space, factor.G);
    reported = false;
  }
};

template <class T, class Space>
Fsai<T, Space>::Fsai(Space const& space, comm::DistCsr<double, Space> const& A, Parameters const& parameters,
                     comm::StorageParameters const& storage, bool keep_for_refresh)
    : state_(std::make_unique<State>()) {
  auto& state = *state_;
  state.space = space;
  state.factor.parameters = parameters;
  state.refreshable = keep_for_refresh;
  core::MemoryReuse<Space> const reuse(space);
  make_factor(space, A, state.factor);
  auto& factor = state.factor;
  state.take_figures(A);
  if (!keep_for_refresh) {
    factor.lower = {};
    factor.pattern = {};
    factor.keep = {};
  }
  step(A.rows.comm(), "transpose", [&] {
    core::PhaseTimer<Space> timer(space, factor.phases, "transpose");
    state.transposed = sparse::transpose(space, factor.G.local.view());
  });
  step(A.rows.comm(), "storage", [&] {
    core::PhaseTimer<Space> timer(space, factor.phases, "storage");
    auto how = storage;
    how.borrow = false;  // values in double go
    state.G = comm::DistMatrix<T, Space>(space, factor.G, how);
    state.Gt = comm::DistTranspose<T, Space>(space, factor.G, state.transposed, how);
    for (auto* vector : {&state.input, &state.middle, &state.output})
      *vector = Array<T, Space>(space, A.local.rows);
  });
  state.transposed.matrix.value = {};
  if (!keep_for_refresh) {
    factor.G.local = {};
    state.transposed = {};
  }
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
  TESSERA_EXPECT(state.refreshable);
  auto const& space = state.space;
  core::MemoryReuse<Space> const reuse(space);
  refresh_factor(space, A, state.factor);
  state.take_figures(A);
  core::PhaseTimer<Space> timer(space, state.factor.phases, "storage");
  sparse::refresh_transpose(space, state.factor.G.local.view(), state.transposed);
  state.G.refresh(space, state.factor.G);
  state.Gt.refresh(space, state.transposed);
  state.transposed.matrix.value = {};
}

template <class T, class Space>
void Fsai<T, Space>::apply(Span<double const> b, Span<double> x) {
  auto& state = *state_;
  if constexpr (std::is_same_v<T, double>) {
    state.products(b, x);
  } else {
    sparse::scaled_copy(state.space, 1.0, b, state.input.span());
    state.apply();
    sparse::scaled_copy(state.space, 1.0, state.output.view(), x);
  }
}

template <class T, class Space>
void Fsai<T, Space>::apply() {
  state_->apply();
}

template <class T, class Space>
void Fsai<T, Space>::apply_to(Span<T const> b, Span<T> x) {
  state_->products(b, x);
}

template <class T, class Space>
bool Fsai<T, Space>::enqueues_only() const {
  return state_->recordable();
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
comm::DistCsr<double, Space> const& Fsai<T, Space>::factor() const {
  TESSERA_EXPECT(state_->refreshable);
  return state_->factor.G;
}

template <class T, class Space>
std::size_t Fsai<T, Space>::bytes() const {
  auto const& state = *state_;
  auto const& factor = state.factor;
  return factor.lower.bytes() + factor.pattern.bytes() + factor.keep.bytes() + factor.G.local.bytes() +
         state.transposed.matrix.bytes() + state.transposed.source.bytes() + state.G.bytes() +
         state.Gt.bytes() + state.input.bytes() + state.middle.bytes() + state.output.bytes();
}

template <class T, class Space>
double Fsai<T, Space>::bytes_moved() const {
  auto const& state = *state_;
  return static_cast<double>(state.G.product_bytes() + state.Gt.product_bytes() + 4 * state.middle.bytes());
}

template <class T, class Space>
std::vector<std::string> const& Fsai<T, Space>::warnings() const {
  return state_->report.warnings;
}

template <class T, class Space>
Report const& Fsai<T, Space>::report() {
  auto& state = *state_;
  if (state.reported) return state.report;
  auto const& factor = state.factor;
  auto& report = state.report;
  auto const& comm = factor.G.rows.comm();
  sum_figures(comm, state.figures, report);
  report.bytes = static_cast<std::size_t>(comm.sum(static_cast<GlobalIndex>(this->bytes())));
  report.apply_bytes = comm.sum(bytes_moved());
  report.format = state.G.format();
  report.checksum = state.checksum;
  report.backend = Space::name;
  report.precision = std::is_same_v<T, float> ? "float" : "double";
  report.phases.clear();
  for (auto const& [phase, seconds] : factor.phases) report.phases[phase] = comm.max(seconds);
  state.reported = true;
  return report;
}

}  // namespace Tessera::fsai
