#include "ifpack2/system_matrix.hpp"

#include <variant>

#include "comm/from_local.hpp"
#include "comm/row_checks.hpp"
#include "core/memory.hpp"
#include "ifpack2/preconditioner_impl.hpp"
#include "tpetra/local_rows.hpp"

namespace Tessera::ifpack2 {

SystemMatrix::SystemMatrix(tpetra::RowMatrix const& A, comm::Communicator const& comm,
                           [[maybe_unused]] Backend const& backend) {
#if defined(TESSERA_HAVE_CUDA)
  auto const* const cuda = std::get_if<Cuda>(&backend.space);
  if (cuda != nullptr) tpetra::require_square(A);
  if (auto const* const crs = cuda == nullptr ? nullptr : tpetra::device_matrix(A, comm)) {
    device_ = *cuda;
    column_map_ = A.getColMap();
    comm::Distribution const distribution(comm, static_cast<Index>(tpetra::local_size(*A.getRowMap())));
    comm::agree_on_errors(comm, "import of the matrix, level 0", [&] {
      auto rows = tpetra::local_rows(*crs);
      rows.ghost_columns = tpetra::columns_of_others(*A.getRowMap(), *column_map_, distribution);
      on_device_ =
          std::make_shared<comm::DistCsr<double, Cuda>>(comm::from_local(device_, distribution, rows));
      fingerprint_ = comm::pattern_fingerprint(device_, rows);
    });
    return;
  }
#endif
  imported_.emplace(tpetra::import_matrix(A, comm));
}

void SystemMatrix::read_values(tpetra::RowMatrix const& A) {
#if defined(TESSERA_HAVE_CUDA)
  if (on_device_) {
    bool changed = false;
    auto const comm = rows().comm();
    comm::agree_on_errors(comm, [&] {
      auto const* const crs = A.isFillComplete() ? dynamic_cast<tpetra::CrsMatrix const*>(&A) : nullptr;
      // isSameAs() is collective, and compares lists of all columns.
      bool const other_map = comm.any(A.getColMap().getRawPtr() != column_map_.getRawPtr());
      bool const same_map =
          crs != nullptr && (!other_map || A.getColMap()->isSameAs(*column_map_)) &&
          tpetra::local_size(*A.getRowMap()) == static_cast<std::size_t>(rows().local_size());
      comm::LocalRows<Offset> now;
      if (same_map) now = tpetra::local_rows(*crs);
      changed = comm.any(!same_map || now.column.size() != on_device_->local.column.size() ||
                         comm::pattern_fingerprint(device_, now) != fingerprint_);
      if (changed) return;
      now.ghost_columns = tpetra::columns_of_others(*A.getRowMap(), *column_map_, rows());
      bool const same_arrays = now.offsets.data() == on_device_->local.offsets.data() &&
                               now.column.data() == on_device_->local.column.data();
      if (!comm.any(!same_arrays)) return comm::replace_values(device_, *on_device_, now.value);
      auto const distribution = rows();
      on_device_ =
          std::make_shared<comm::DistCsr<double, Cuda>>(comm::from_local(device_, distribution, now));
    });
    if (changed) throw tpetra::PatternChanged();
    return;
  }
#endif
  tpetra::import_values(A, *imported_);
}

/// Calls work(space, matrix) for the space that has the matrix.
template <class Work>
auto SystemMatrix::visit(Work const& work) const {
#if defined(TESSERA_HAVE_CUDA)
  if (on_device_) return work(device_, *on_device_);
#endif
  return work(Host{}, imported_->A);
}

double SystemMatrix::largest_entry() const {
  double largest = 0;
  comm::agree_on_errors(rows().comm(), [&] {
    largest = rows().comm().max(visit([](auto const& space, auto const& A) {
      return comm::largest_magnitude(space, A.local.value.view());
    }));
  });
  return largest;
}

std::uint64_t SystemMatrix::pattern_checksum(tpetra::RowIds const& row_ids) const {
  return visit([&](auto const& space, auto const& A) {
    if constexpr (std::is_same_v<std::decay_t<decltype(space)>, Host>) {
      return ifpack2::pattern_checksum(A, row_ids);
    } else {
      return ifpack2::pattern_checksum(comm::copied(space, A, Host{}), row_ids);
    }
  });
}

std::string SystemMatrix::checksum() const {
  return visit([](auto const& space, auto const& A) { return comm::checksum(space, A); });
}

}  // namespace Tessera::ifpack2
