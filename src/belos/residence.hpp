#pragma once
/// \file
/// Where multivectors live: their rows by rank, a back end's memory, and what is done there.
#include <memory>
#include <utility>
#include <variant>

#include "comm/distribution.hpp"
#include "core/array.hpp"
#include "ifpack2/backend.hpp"
#include "sparse/columns.hpp"

namespace Tessera::belos {

/// Columns have rows().local_size() elements.
class Residence {
 public:
  Residence(ifpack2::AnySpace space, comm::Distribution rows)
      : space_(std::move(space)), rows_(std::move(rows)) {}

  ifpack2::AnySpace const& space() const { return space_; }
  comm::Distribution const& rows() const { return rows_; }
  std::size_t local_rows() const { return static_cast<std::size_t>(rows_.local_size()); }
  /// What work(space) returns.
  template <class Work>
  auto on_space(Work const& work) const {
    return std::visit(work, space_);
  }
  char const* backend() const {
    return on_space([](auto const& space) { return space.name; });
  }
  /// Whether vectors of the other may stand where those of this one do. The same on all ranks.
  bool fits(Residence const& other) const {
    return this == &other || (space_.index() == other.space_.index() && rows_.same_rows(other.rows_));
  }

  /// Uninitialised memory of `columns` columns, one behind the other. \throws core::OutOfMemory
  std::shared_ptr<double> allocate(std::size_t columns) const {
    return on_space([&](auto const& space) -> std::shared_ptr<double> {
      using Memory = Array<double, std::decay_t<decltype(space)>>;
      auto const memory = std::make_shared<Memory>(space, columns * local_rows());
      return {memory, memory->data()};
    });
  }
  void randomise(std::uint64_t seed, sparse::ColumnList y) const {
    on_space([&](auto const& space) { sparse::randomise(space, local_rows(), rows_.begin(), seed, y); });
  }
  /// A column to and from the host; done on return.
  void download(double const* column, Span<double> target) const {
    on_space([&](auto const& space) {
      core::copy(space, Span<double const>(column, local_rows()), Host{}, target);
    });
  }
  void upload(Span<double const> source, double* column) const {
    on_space([&](auto const& space) {
      core::copy(Host{}, source, space, Span<double>(column, local_rows()));
      core::synchronize(space);  // the source may change
    });
  }

 private:
  ifpack2::AnySpace space_;
  comm::Distribution rows_;
};

inline std::shared_ptr<Residence const> make_residence(ifpack2::AnySpace const& space,
                                                       comm::Distribution const& rows) {
  return std::make_shared<Residence>(space, rows);
}

}  // namespace Tessera::belos
