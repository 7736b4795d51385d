#pragma once
/// \file
/// The implementation of Hierarchy.
#include "comm/communicator.hpp"
#include "core/error.hpp"
#include "core/memory.hpp"
#include "multigrid/levels/archive_body.hpp"
#include "multigrid/levels/hierarchy.hpp"
#include "multigrid/levels/report_body.hpp"
#include "multigrid/levels/setup_body.hpp"
#include "multigrid/node_data.hpp"
#include "sparse/convert.hpp"
#include "sparse/interleave.hpp"

namespace Tessera::multigrid {

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
    auto const values = nullspace.values.size() + rows * nullspace.value_columns.size();
    TESSERA_VALIDATE(made || values == rows * nullspace.vectors, "the near-nullspace has ", values,
                     " values on rank ", A.rows.comm().rank(), ", but ", rows, " rows x ", nullspace.vectors,
                     " vectors are needed; distribute it as the matrix' rows");
    auto const coordinates = nullspace.coordinates.size() + ids.size() * nullspace.coordinate_columns.size();
    TESSERA_VALIDATE(coordinates == ids.size() * nullspace.dimension, "there are ", coordinates,
                     " coordinates on rank ", A.rows.comm().rank(), ", but ", ids.size(), " nodes x ",
                     nullspace.dimension, " are needed; give one point for each node");
  });
  LevelFacts<Space> level;
  level.A = &A;
  level.ids = std::move(ids);
  level.coordinates = coordinates_on(space, nullspace, rows / equations);
  level.resistance = core::to_space(space, nullspace.resistance);
  level.dimension = nullspace.dimension;
  level.equations = equations;
  level.vectors = nullspace.vectors > 0 ? nullspace.vectors : equations;
  level.constant =
      equations == 1 && level.vectors == 1 && !A.rows.comm().any(!only_ones(space, nullspace, rows));
  level.ones = keeps_ones(parameters) && level.constant;
  if (level.ones) return level;
  level.nullspace = near_nullspace_on(space, nullspace, rows, equations, level.coordinates.view());
  return level;
}

template <class T, class Space>
Hierarchy<T, Space>::Hierarchy(Space const& space, comm::DistCsr<double, Space> const& A,
                               Array<VertexId, Space> ids, NearNullspace const& nullspace,
                               Parameters const& parameters, LevelObserver const& on_level)
    : space_(space) {
  comm::agree_on_errors(A.rows.comm(), [&] {
    core::MemoryReuse<Space> const reuse(space);
    LevelFacts<Space> finest;
    core::with_memory_context(
        "setup, level 0", [&] { finest = finest_level(space, A, std::move(ids), nullspace, parameters); });
    levels_ = setup<T>(space, std::move(finest), parameters, on_level);
    core::with_memory_context("setup, level 0", [&] { finish(); });
  });
  levels_.prepared = parameters.prepare_refresh == RefreshPreparation::first;
}

template <class T, class Space>
Hierarchy<T, Space>::Hierarchy(Space const& space, comm::DistCsr<double, Space> const& A,
                               Array<VertexId, Space> ids, Parameters const& parameters, core::Archive& saved)
    : space_(space) {
  comm::agree_on_errors(A.rows.comm(), [&] {
    core::MemoryReuse<Space> const reuse(space);
    levels_ = load<T>(saved, space, A, std::move(ids), parameters);
    core::with_memory_context("load", [&] { finish(); });
  });
}

template <class T, class Space>
void Hierarchy<T, Space>::finish() {
  find_whether_recordable<T>();
  warnings_ = levels_.warnings;
}

template <class T, class Space>
void Hierarchy<T, Space>::save(comm::DistCsr<double, Space> const& A, core::Archive& file) {
  // A load recomputes the rest.
  auto& [space, levels, warnings, report, reported, columns, of_vector, of_4, of_8] = *this;
  archive(file, space, A, {}, levels);
}

/// The first one makes patterns and plans for later ones. Loaded levels are stored again.
template <class T, class Space>
void Hierarchy<T, Space>::refresh(comm::DistCsr<double, Space> const& A) {
  comm::agree_on_errors(A.rows.comm(), "refresh", [&] {
    core::MemoryReuse<Space> const reuse(space_);
    discard_reports();
    bool const anew = levels_.loaded && columns_ > 1;
    multigrid::refresh(space_, A, levels_);
    if (anew) make_room_for_blocks(space_, levels_, columns_);
    warnings_ = levels_.warnings;
    A.rows.comm().agree();  // within a caller's agreement, ranks would reach the next lines without it
  });
  levels_.prepared = true;
  levels_.loaded = false;
}

template <class T, class Space>
void Hierarchy<T, Space>::discard_reports() {
  reported_ = false;
  // A graph contains the smoothers' coefficients and addresses.
  for (auto* each : {&of_vector_, &of_4_, &of_8_}) each->recorded = false;
}

template <class T, class Space>
template <class X>
RecordedCycle<Space>& Hierarchy<T, Space>::recording() {
  constexpr int width = core::columns_of<X>;
  static_assert(width == 1 || width == 4 || width == 8);
  return width == 1 ? of_vector_ : width == 4 ? of_4_ : of_8_;
}

template <class T, class Space>
template <class X>
void Hierarchy<T, Space>::find_whether_recordable() {
  bool enqueues_only = core::can_capture(space_);
  multigrid::cycle<X>(levels_, [&](auto const& pass) { enqueues_only &= pass.enqueues_only(space_); });
  recording<X>().recordable = core::can_capture(space_) && !comm().any(!enqueues_only);
}

template <class T, class Space>
template <class X>
void Hierarchy<T, Space>::cycle() {
  core::Region const region("cycle");
  auto const work = [this] { multigrid::cycle<X>(levels_, [this](auto const& pass) { pass.run(space_); }); };
  auto& [graph, recordable, recorded] = recording<X>();
  if (!recordable || (!recorded && core::is_capturing(space_))) return work();
  if (!recorded) comm::capture(graph, space_, comm(), work);
  recorded = true;
  graph.launch(space_);
}

template <class T, class Space>
void Hierarchy<T, Space>::apply(Span<double const> b, Span<double> x) {
  sparse::convert(space_, b, input());
  cycle<T>();
  sparse::convert(space_, output().part(0, b.size()), x);
}

template <class T, class Space>
void Hierarchy<T, Space>::apply() {
  cycle<T>();
}

template <class T, class Space>
void Hierarchy<T, Space>::reserve_columns(int columns) {
  comm::agree_on_errors(comm(), "blocks of vectors", [&] {
    if (columns <= columns_) return;
    discard_reports();
    columns_ = 1;
    make_room_for_blocks(space_, levels_, columns);
    columns_ = columns;
    find_whether_recordable<core::Interleaved<T, 4>>();
    if (columns == 8) find_whether_recordable<core::Interleaved<T, 8>>();
  });
}

template <class T, class Space>
void Hierarchy<T, Space>::apply_block(int columns) {
  sparse::with_block<T>(columns, [this](auto row) { cycle<decltype(row)>(); });
}

template <class T, class Space>
std::string Hierarchy<T, Space>::double_precision_reason() const {
  return multigrid::double_precision_reason(levels_);
}

template <class T, class Space>
HierarchyReport const& Hierarchy<T, Space>::report() {
  if (reported_) return report_;
  comm::agree_on_errors(comm(), "report", [&] {
    report_ = make_report(space_, levels_);
    report_.warnings = warnings_;
  });
  reported_ = true;
  return report_;
}

template <class T, class Space>
LevelMatrices Hierarchy<T, Space>::fetch_matrices(std::size_t level) const {
  return multigrid::fetch_matrices(space_, *levels_.level.at(level));
}

template <class T, class Space>
LevelAggregates Hierarchy<T, Space>::fetch_aggregates(std::size_t level) const {
  return multigrid::fetch_aggregates(space_, *levels_.level.at(level));
}

}  // namespace Tessera::multigrid

// The cycle for blocks of 4 and 8 vectors. Prefix: extern, or nothing to instantiate it.
#define TESSERA_BLOCK_CYCLES(Prefix, Space, T)                                \
  Prefix template void Hierarchy<T, Space>::cycle<core::Interleaved<T, 4>>(); \
  Prefix template void Hierarchy<T, Space>::cycle<core::Interleaved<T, 8>>();
