#pragma once
/// \file
/// Where multivectors live: their rows by rank, a back end's memory, and what is done there.
#include <memory>
#include <string>

#include "comm/distribution.hpp"
#include "core/space.hpp"
#include "sparse/columns.hpp"

namespace Tessera::belos {

/// The operations of sparse/columns.hpp, on whichever back end, for columns of rows().local_size() elements.
class Residence {
 public:
  virtual ~Residence() = default;

  comm::Distribution const& rows() const { return rows_; }
  std::size_t local_rows() const { return static_cast<std::size_t>(rows_.local_size()); }
  virtual char const* backend() const = 0;
  /// Whether vectors of the other may stand where those of this one do. The same on all ranks.
  bool fits(Residence const& other) const {
    return this == &other || (backend() == std::string(other.backend()) && rows_.same_rows(other.rows_));
  }
  /// The space, if it is of this kind; else null.
  virtual Host const* host() const { return nullptr; }
  virtual Cuda const* cuda() const { return nullptr; }

  /// Uninitialised memory of `columns` columns, one behind the other. \throws core::OutOfMemory
  virtual std::shared_ptr<double> allocate(std::size_t columns) const = 0;
  virtual void combine(Span<double const> alpha, sparse::ConstColumnList a, Span<double const> beta,
                       sparse::ConstColumnList b, sparse::ColumnList y) const = 0;
  virtual void multiply_add(double alpha, sparse::ConstColumnList X, double const* B, std::size_t leading,
                            double beta, sparse::ColumnList Y) const = 0;
  virtual void fill(double value, sparse::ColumnList y) const = 0;
  virtual void randomise(std::uint64_t seed, sparse::ColumnList y) const = 0;
  /// A column to and from the host; done on return.
  virtual void download(double const* column, Span<double> target) const = 0;
  virtual void upload(Span<double const> source, double* column) const = 0;

  /// Over all ranks; collective, one message for all columns.
  std::vector<double> dots(sparse::ConstColumnList x, sparse::ConstColumnList y) const;
  std::vector<double> absolute_sums(sparse::ConstColumnList x) const;
  std::vector<double> absolute_maxima(sparse::ConstColumnList x) const;

 protected:
  explicit Residence(comm::Distribution rows) : rows_(std::move(rows)) {}

 private:
  virtual std::vector<double> local_dots(sparse::ConstColumnList x, sparse::ConstColumnList y) const = 0;
  virtual std::vector<double> local_sums(sparse::ConstColumnList x) const = 0;
  virtual std::vector<double> local_maxima(sparse::ConstColumnList x) const = 0;

  comm::Distribution rows_;
};

template <class Space>
std::shared_ptr<Residence const> make_residence(Space const& space, comm::Distribution const& rows);

}  // namespace Tessera::belos
