#include <cstdint>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>

#include "comm/communicator.hpp"
#include "core/error.hpp"

namespace Tessera::comm {

/// What the outermost agree_on_errors() knows.
struct Undertaking {
  std::exception_ptr failure;  ///< that this rank is to throw, once all know
};

namespace {

enum class Kind : std::int64_t { none, invalid_input, numerical, unavailable, out_of_memory, other };

/// What the other ranks need in order to throw the same. Of a fixed size, as it may be memory that is
/// wanting.
struct Report {
  Kind kind = Kind::none;
  std::int64_t bytes = 0, in_use = 0, peak = 0;  // of an OutOfMemory
  char text[2000] = {};                          // longer ones end here
};

Report report_of(Kind kind, char const* text) {
  Report report;
  report.kind = kind;
  std::strncpy(report.text, text, sizeof report.text - 1);
  return report;
}

Report describe(std::exception_ptr const& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (core::InvalidInput const& error) {
    return report_of(Kind::invalid_input, error.what());
  } catch (core::NumericalError const& error) {
    return report_of(Kind::numerical, error.what());
  } catch (core::Unavailable const& error) {
    return report_of(Kind::unavailable, error.what());
  } catch (core::OutOfMemory const& error) {
    auto report = report_of(Kind::out_of_memory, error.what());
    report.bytes = static_cast<std::int64_t>(error.bytes());
    report.in_use = static_cast<std::int64_t>(error.in_use());
    report.peak = static_cast<std::int64_t>(error.peak());
    return report;
  } catch (std::exception const& error) {
    return report_of(Kind::other, error.what());
  } catch (...) {
    return report_of(Kind::other, "an exception that is not a std::exception");
  }
}

std::exception_ptr exception_of(Report const& report) {
  switch (report.kind) {
    case Kind::invalid_input:
      return std::make_exception_ptr(core::InvalidInput(report.text));
    case Kind::numerical:
      return std::make_exception_ptr(core::NumericalError(report.text));
    case Kind::unavailable:
      return std::make_exception_ptr(core::Unavailable(report.text));
    case Kind::out_of_memory:
      return std::make_exception_ptr(
          core::OutOfMemory(std::string(report.text), static_cast<std::size_t>(report.bytes),
                            static_cast<std::size_t>(report.in_use), static_cast<std::size_t>(report.peak)));
    default:
      return std::make_exception_ptr(std::runtime_error(report.text));
  }
}

/// Throws when a rank has failed. A rank that has does not communicate between its failure and this, all
/// others come here before they would wait for it: so all are here at once.
void agree_on(Communicator const& comm, std::exception_ptr& failure) {
  int root = failure ? comm.rank() : comm.size();
  MPI_Allreduce(MPI_IN_PLACE, &root, 1, MPI_INT, MPI_MIN, comm.raw());
  if (root == comm.size()) return;
  Report report;
  if (comm.rank() == root) report = describe(failure);
  MPI_Bcast(&report, static_cast<int>(sizeof report), MPI_BYTE, root, comm.raw());
  if (!failure) failure = exception_of(report);
  std::rethrow_exception(failure);
}

}  // namespace

void Communicator::agree() const {
  if (undertaking() == nullptr) return;
  auto& failure = undertaking()->failure;
  if (failure) std::rethrow_exception(failure);
  agree_on(*this, failure);
}

void detail::agree_on_errors(Communicator const& comm, void (*call)(void const*), void const* work) {
  // NOLINTNEXTLINE(performance-unnecessary-copy-initialization): work may do away with comm
  auto const ranks = comm;
  auto*& undertaking = ranks.undertaking();
  if (ranks.size() == 1 || undertaking != nullptr) return call(work);
  Undertaking mine;
  undertaking = &mine;
  std::exception_ptr failure;
  try {
    call(work);
  } catch (...) {
    failure = std::current_exception();
  }
  undertaking = nullptr;
  // What work has made of a failure that all know of already is not told again.
  if (mine.failure) std::rethrow_exception(mine.failure);
  agree_on(ranks, failure);
}

}  // namespace Tessera::comm
