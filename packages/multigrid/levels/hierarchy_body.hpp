#pragma once
/// \file
/// The implementation of Hierarchy.
#include "comm/communicator.hpp"
#include "core/error.hpp"
#include "core/memory.hpp"
#include "multigrid/hierarchy.hpp"
#include "multigrid/levels/archive_body.hpp"
#include "multigrid/levels/report_body.hpp"
#include "multigrid/levels/setup_body.hpp"
#include "multigrid/node_data.hpp"
#include "sparse/convert.hpp"

namespace Tessera::multigrid {

/// A cycle as a graph.
template <class Space>
struct RecordedCycle {
  core::Graph<Space> graph;
  bool recordable = false;  ///< on all ranks, a cycle only enqueues work
  bool recorded = false;    ///< the graph is up to date
};

template <class T, class Space>
struct Hierarchy<T, Space>::State {
  explicit State(Space const& where) : space(where), for_refreshes(where) {}

  Space space;
  core::KeptMemory<Space> for_refreshes;
  Levels<T, Space> levels;
  std::vector<std::string> warnings;
  HierarchyReport report;
  bool reported = false;
  int columns = 1;                             ///< that blocks have memory for
  RecordedCycle<Space> of_vector, of_4, of_8;  ///< by number of columns

  template <class X>
  RecordedCycle<Space>& recording() {
    constexpr int width = core::columns_of<X>;
    static_assert(width == 1 || width == 4 || width == 8);
    return width == 1 ? of_vector : width == 4 ? of_4 : of_8;
  }

  void refresh(comm::DistCsr<double, Space> const& A) {
    discard_reports();
    for_refreshes.run([&] { refresh_levels(A); });
    warnings = levels.warnings;
    auto const missing = A.rows.comm().sum(static_cast<GlobalIndex>(for_refreshes.missing()));
    if (missing > 0)
      warnings.push_back(core::message("refreshes allocate memory each time, since there is no room for the ",
                                       missing, " bytes that they would keep"));
  }

  /// Loaded levels are stored again.
  void refresh_levels(comm::DistCsr<double, Space> const& A) {
    bool const anew = levels.loaded && columns > 1;
    multigrid::refresh(space, A, levels);
    if (anew) make_room_for_blocks(space, levels, columns);
  }

  /// The first refresh. It makes the patterns and plans of later ones.
  void prepare_refreshes(comm::DistCsr<double, Space> const& A) {
    core::MemoryReuse<Space> const reuse(space);
    discard_reports();
    refresh_levels(A);
    levels.phases.clear();
    levels.clock->add_to(levels.phases);
  }

  /// On a GPU, refreshes with the present values to allocate the memory of later refreshes. Counts as a part
  /// of the preceding setup or refresh.
  void allocate_for_refreshes(comm::DistCsr<double, Space> const& A) {
    if (!core::SpaceTraits<Space>::keeps_memory) return;
    core::PhaseTimer<Space> timer(space, levels.phases, "memory of refreshes");
    refresh(A);
    levels.clock->restart();  // the report is that of the preceding setup or refresh
  }

  /// Ends a setup or a load.
  void finish() {
    find_whether_recordable<T>();
    warnings = levels.warnings;
  }

  template <class X>
  void find_whether_recordable() {
    bool enqueues_only = core::can_capture(space);
    multigrid::cycle<X>(levels, [&](auto const& pass) { enqueues_only &= pass.enqueues_only(space); });
    auto const& comm = levels.level.front()->rows.comm();
    recording<X>().recordable = core::can_capture(space) && !comm.any(!enqueues_only);
  }

  void reserve_columns(int wanted) {
    if (wanted <= columns) return;
    discard_reports();
    columns = 1;
    make_room_for_blocks(space, levels, wanted);
    columns = wanted;
    find_whether_recordable<core::Interleaved<T, 4>>();
    if (columns == 8) find_whether_recordable<core::Interleaved<T, 8>>();
  }

  void discard_reports() {
    reported = false;
    // A graph contains the smoothers' coefficients and addresses.
    for (auto* each : {&of_vector, &of_4, &of_8}) each->recorded = false;
  }

  /// Computes x of the finest level from its b.
  template <class X>
  void cycle() {
    auto const work = [this] { multigrid::cycle<X>(levels, [this](auto const& pass) { pass.run(space); }); };
    auto& [graph, recordable, recorded] = recording<X>();
    if (!recordable || (!recorded && core::is_capturing(space))) return work();
    if (!recorded) comm::capture(graph, space, levels.level.front()->rows.comm(), work);
    recorded = true;
    graph.launch(space);
  }
};

/// The finest level, from the user's matrix, ids and near-nullspace. All ranks check their part.
template <class Space>
LevelFacts<Space> finest_level(Space const& space, comm::DistCsr<double, Space> const& A,
                               Array<VertexId, Space> ids, NearNullspace const& nullspace,
                               Parameters const& parameters) {
  auto const rows = static_cast<std::size_t>(A.local.rows);
  auto const equations = parameters.equations;
  comm::agree_on_errors(A.rows.comm(), [&] {
    TESSERA_VALIDATE(A.rows.global_size() == A.columns().global_size(), "the matrix is ",
                     A.rows.global_size(), " x ", A.columns().global_size(),
                     ", but only square matrices can be preconditioned");
    TESSERA_VALIDATE(equations >= 1 && rows % equations == 0, "`number of equations` is ", equations,
                     ", but rank ", A.rows.comm().rank(), " owns ", rows,
                     " rows (a node's rows must lie together on one rank); fix the parameter or the row map");
    TESSERA_VALIDATE(ids.size() * equations == rows, "there are ", ids.size(), " node ids for ",
                     rows / equations, " nodes of rank ", A.rows.comm().rank(), "; give one for each");
    bool const made = nullspace.rigid_body.dimension > 0;
    TESSERA_VALIDATE(
        !made || (nullspace.rigid_body.dimension == nullspace.dimension && nullspace.dimension == equations &&
                  nullspace.vectors == galerkin::rigid_body_mode_count(nullspace.dimension)),
        "rigid-body modes are made of coordinates, as many numbers a node as it has equations, ", equations,
        ", but there are ", nullspace.dimension, "; give those coordinates");
    TESSERA_VALIDATE(made || nullspace.values.size() == rows * nullspace.vectors, "the near-nullspace has ",
                     nullspace.values.size(), " values on rank ", A.rows.comm().rank(), ", but ", rows,
                     " rows x ", nullspace.vectors, " vectors are needed; distribute it as the matrix' rows");
    TESSERA_VALIDATE(nullspace.coordinates.size() == ids.size() * nullspace.dimension, "there are ",
                     nullspace.coordinates.size(), " coordinates on rank ", A.rows.comm().rank(), ", but ",
                     ids.size(), " nodes x ", nullspace.dimension,
                     " are needed; give one point for each node");
  });
  LevelFacts<Space> level;
  level.A = &A;
  level.ids = std::move(ids);
  level.coordinates = core::to_space(space, nullspace.coordinates);
  level.resistance = core::to_space(space, nullspace.resistance);
  level.dimension = nullspace.dimension;
  level.equations = equations;
  level.vectors = nullspace.vectors > 0 ? nullspace.vectors : equations;
  bool const ones =
      std::all_of(nullspace.values.begin(), nullspace.values.end(), [](double x) { return x == 1; });
  level.constant = equations == 1 && level.vectors == 1 && !A.rows.comm().any(!ones);
  level.ones = keeps_ones(parameters) && level.constant;
  if (level.ones) return level;
  level.nullspace = near_nullspace_on(space, nullspace, rows, equations, level.coordinates.view());
  return level;
}

template <class T, class Space>
Hierarchy<T, Space>::Hierarchy(Space const& space, comm::DistCsr<double, Space> const& A,
                               Array<VertexId, Space> ids, NearNullspace const& nullspace,
                               Parameters const& parameters, LevelObserver const& on_level) {
  comm::agree_on_errors(A.rows.comm(), [&] {
    core::MemoryReuse<Space> const reuse(space);
    LevelFacts<Space> finest;
    auto const where = [] { return "setup, level 0"; };
    core::with_memory_context(where, [&] {
      state_ = std::make_unique<State>(space);
      finest = finest_level(space, A, std::move(ids), nullspace, parameters);
    });
    state_->levels = setup<T>(space, std::move(finest), parameters, on_level);
    core::with_memory_context(where, [&] { state_->finish(); });
  });
  if (parameters.prepare_refresh == RefreshPreparation::first) allocate_for_refreshes(A);
}

template <class T, class Space>
Hierarchy<T, Space>::Hierarchy(Space const& space, comm::DistCsr<double, Space> const& A,
                               Array<VertexId, Space> ids, Parameters const& parameters,
                               core::Archive& saved) {
  comm::agree_on_errors(A.rows.comm(), [&] {
    core::MemoryReuse<Space> const reuse(space);
    core::with_memory_context([] { return "load"; }, [&] { state_ = std::make_unique<State>(space); });
    state_->levels = load<T>(saved, space, A, std::move(ids), parameters);
    core::with_memory_context([] { return "load"; }, [&] { state_->finish(); });
  });
}

template <class T, class Space>
void Hierarchy<T, Space>::save(comm::DistCsr<double, Space> const& A, core::Archive& file) {
  // A load recomputes the rest.
  auto& [space, for_refreshes, levels, warnings, report, reported, columns, of_vector, of_4, of_8] = *state_;
  archive(file, space, A, {}, levels);
}

template <class T, class Space>
Hierarchy<T, Space>::Hierarchy(Hierarchy&&) noexcept = default;
template <class T, class Space>
Hierarchy<T, Space>& Hierarchy<T, Space>::operator=(Hierarchy&&) noexcept = default;
template <class T, class Space>
Hierarchy<T, Space>::~Hierarchy() = default;

template <class T, class Space>
void Hierarchy<T, Space>::allocate_for_refreshes(comm::DistCsr<double, Space> const& A) {
  state_->levels.prepared = true;
  comm::agree_on_errors(A.rows.comm(), [&] {
    core::with_memory_context([] { return "refresh"; }, [&] { state_->allocate_for_refreshes(A); });
  });
}

template <class T, class Space>
void Hierarchy<T, Space>::refresh(comm::DistCsr<double, Space> const& A) {
  bool const prepares = !state_->levels.prepared;
  comm::agree_on_errors(A.rows.comm(), [&] {
    core::with_memory_context([] { return "refresh"; },
                              [&] { prepares ? state_->prepare_refreshes(A) : state_->refresh(A); });
  });
  if (prepares) allocate_for_refreshes(A);
}

template <class T, class Space>
void Hierarchy<T, Space>::apply(Span<double const> b, Span<double> x) {
  auto const& space = state_->space;
  auto& finest = state_->levels.level.front()->work;
  sparse::convert(space, b, finest.b.span());
  state_->template cycle<T>();
  sparse::convert(space, finest.x.view().part(0, b.size()), x);
}

template <class T, class Space>
void Hierarchy<T, Space>::apply() {
  state_->template cycle<T>();
}

template <class T, class Space>
bool Hierarchy<T, Space>::takes_blocks() const {
  return state_->levels.parameters.cycle != CycleType::K;
}

template <class T, class Space>
void Hierarchy<T, Space>::reserve_columns(int columns) {
  comm::agree_on_errors(state_->levels.level.front()->rows.comm(), [&] {
    core::with_memory_context([] { return "blocks of vectors"; }, [&] { state_->reserve_columns(columns); });
  });
}

template <class T, class Space>
template <class X>
void Hierarchy<T, Space>::apply_block() {
  state_->template cycle<X>();
}

template <class T, class Space>
template <class X>
Span<X> Hierarchy<T, Space>::block_input() {
  return state_->levels.level.front()->template vectors<X>().b;
}

template <class T, class Space>
template <class X>
Span<X const> Hierarchy<T, Space>::block_output() const {
  return state_->levels.level.front()->template vectors<X>().x;
}

template <class T, class Space>
bool Hierarchy<T, Space>::enqueues_only() const {
  return state_->of_vector.recordable;
}

template <class T, class Space>
Span<T> Hierarchy<T, Space>::input() {
  return state_->levels.level.front()->work.b.span();
}

template <class T, class Space>
Span<T const> Hierarchy<T, Space>::output() const {
  return state_->levels.level.front()->work.x.view();
}

template <class T, class Space>
comm::DistMatrix<T, Space> const& Hierarchy<T, Space>::matrix() const {
  return state_->levels.level.front()->A;
}

template <class T, class Space>
std::string Hierarchy<T, Space>::double_precision_reason() const {
  return multigrid::double_precision_reason(state_->levels);
}

template <class T, class Space>
std::vector<std::string> const& Hierarchy<T, Space>::warnings() const {
  return state_->warnings;
}

template <class T, class Space>
HierarchyReport const& Hierarchy<T, Space>::report() {
  if (state_->reported) return state_->report;
  auto const& comm = state_->levels.level.front()->rows.comm();
  comm::agree_on_errors(comm, [&] {
    core::with_memory_context([] { return "report"; },
                              [&] {
                                state_->report =
                                    make_report(state_->space, state_->levels, state_->for_refreshes.bytes());
                                state_->report.warnings = state_->warnings;
                              });
  });
  state_->reported = true;
  return state_->report;
}

template <class T, class Space>
std::size_t Hierarchy<T, Space>::level_count() const {
  return state_->levels.level.size();
}

template <class T, class Space>
LevelMatrices Hierarchy<T, Space>::fetch_matrices(std::size_t level) const {
  return multigrid::fetch_matrices(state_->space, *state_->levels.level.at(level));
}

template <class T, class Space>
LevelAggregates Hierarchy<T, Space>::fetch_aggregates(std::size_t level) const {
  return multigrid::fetch_aggregates(state_->space, *state_->levels.level.at(level));
}

}  // namespace Tessera::multigrid

// Instantiates the cycle for a type of block.
#define TESSERA_BLOCK_CYCLE(Space, T, ...)                                    \
  template void Hierarchy<T, Space>::apply_block<__VA_ARGS__>();              \
  template Span<__VA_ARGS__> Hierarchy<T, Space>::block_input<__VA_ARGS__>(); \
  template Span<__VA_ARGS__ const> Hierarchy<T, Space>::block_output<__VA_ARGS__>() const;
