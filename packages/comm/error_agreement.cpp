#include <algorithm>
#include <cstdint>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

#include "comm/communicator.hpp"
#include "core/error.hpp"

namespace Tessera::comm {

/// State of the outermost agree_on_errors().
struct ErrorSync {
  std::exception_ptr failure;  ///< known to all ranks, and thrown by this rank
};

namespace {

enum class Kind : std::int64_t { none, invalid_input, numerical, unavailable, out_of_memory, other };

/// Message from which other ranks throw the same exception. Its size is fixed, because memory may be
/// exhausted.
struct Report {
  Kind kind = Kind::none;
  std::int64_t bytes = 0, in_use = 0, peak = 0;  // of OutOfMemory
  char text[2000] = {};                          // truncated
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

/// Message of an agreement. A failed rank does not know the next operation of other ranks; so each agreement
/// is the same MPI operation, whatever numbers the other ranks reduce in it.
struct Packet {
  std::int64_t failed;    ///< the lowest failed rank; without a failure, the number of ranks
  detail::Reduction how;  ///< nothing on a failed rank
  std::int64_t number;
};

double real(std::int64_t bits) {
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

std::int64_t combined(detail::Reduction how, std::int64_t a, std::int64_t b) {
  switch (how) {
    case detail::Reduction::sum:
      return a + b;
    case detail::Reduction::max:
      return std::max(a, b);
    case detail::Reduction::min:
      return std::min(a, b);
    case detail::Reduction::max_of_doubles:
      return real(a) < real(b) ? b : a;
    default:
      return 0;
  }
}

void reduce_packets(void* some, void* with, int* count, MPI_Datatype*) {
  auto const* const a = static_cast<Packet const*>(some);
  auto* const b = static_cast<Packet*>(with);
  for (int i = 0; i < *count; ++i) {
    b[i].failed = std::min(a[i].failed, b[i].failed);
    b[i].number = combined(a[i].how, a[i].number, b[i].number);  // undefined and unused after a failure
  }
}

/// MPI's type and operation for packets, one for the process.
struct PacketType {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Op join = MPI_OP_NULL;
  PacketType() {
    MPI_Type_contiguous(sizeof(Packet) / sizeof(std::int64_t), MPI_INT64_T, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(reduce_packets, 1, &join);
  }
};

/// The reduced number. Throws if a rank has failed. A failed rank calls this before any other communication,
/// and other ranks call it before they wait for that rank; so all ranks meet here.
std::int64_t agree_on(Communicator const& comm, std::exception_ptr& failure,
                      detail::Reduction how = detail::Reduction::nothing, std::int64_t number = 0) {
  static PacketType const packets;
  Packet packet{failure ? comm.rank() : comm.size(), how, number};
  MPI_Allreduce(MPI_IN_PLACE, &packet, 1, packets.type, packets.join, comm.raw());
  auto const root = static_cast<int>(packet.failed);
  if (root == comm.size()) return packet.number;
  Report report;
  if (comm.rank() == root) report = describe(failure);
  MPI_Bcast(&report, static_cast<int>(sizeof report), MPI_BYTE, root, comm.raw());
  if (!failure) failure = exception_of(report);
  std::rethrow_exception(failure);
}

/// After a message by which all ranks know that one has failed. Within agree_on_errors() a failed rank leaves
/// the work first, which may add to the message of its exception.
[[noreturn]] void throw_failure(Communicator const& comm, std::exception_ptr failure) {
  auto* const sync = comm.error_sync();
  if (failure && sync != nullptr) std::rethrow_exception(failure);
  agree_on(comm, sync == nullptr ? failure : sync->failure);
  std::terminate();  // one rank has failed
}

}  // namespace

void Communicator::agree() const {
  if (error_sync() != nullptr) detail::reduce_with_agreement(*this, detail::Reduction::nothing, 0);
}

std::int64_t detail::reduce_with_agreement(Communicator const& comm, Reduction how, std::int64_t number) {
  if (comm.size() == 1) return number;
  std::exception_ptr none;
  auto& failure = comm.error_sync() == nullptr ? none : comm.error_sync()->failure;
  if (failure) std::rethrow_exception(failure);
  return agree_on(comm, failure, how, number);
}

void PendingAny::start(bool value, std::exception_ptr failure) {
  failure_ = std::move(failure);
  state_ = failure_ ? 2 : value ? 1 : 0;
  MPI_Iallreduce(MPI_IN_PLACE, &state_, 1, MPI_INT, MPI_MAX, comm_.raw(), &request_);
}

bool PendingAny::get() {
  MPI_Wait(&request_, MPI_STATUS_IGNORE);
  if (state_ == 2) throw_failure(comm_, failure_);
  return state_ == 1;
}

GlobalIndex const* detail::all_to_all_with_agreement(Communicator const& comm,
                                                     void (*call)(void const*, GlobalIndex*),
                                                     void const* work) {
  auto& all = comm.numbers();
  auto const received = all.begin() + comm.size();
  std::exception_ptr failure;
  try {
    std::fill(all.begin(), received, 0);
    call(work, all.data());
  } catch (...) {
    if (comm.size() == 1) throw;
    failure = std::current_exception();
    std::fill(all.begin(), received, -1);  // tells the others
  }
  if (comm.size() == 1) return all.data();
  MPI_Alltoall(all.data(), 1, MPI_INT64_T, &*received, 1, MPI_INT64_T, comm.raw());
  if (std::find(received, all.end(), -1) != all.end()) throw_failure(comm, failure);
  return &*received;
}

void detail::agree_on_errors(Communicator const& comm, void (*call)(void const*), void const* work) {
  // NOLINTNEXTLINE(performance-unnecessary-copy-initialization): work may destroy comm
  auto const ranks = comm;
  auto*& error_sync = ranks.error_sync();
  if (ranks.size() == 1 || error_sync != nullptr) return call(work);
  ErrorSync mine;
  error_sync = &mine;
  std::exception_ptr failure;
  try {
    call(work);
  } catch (...) {
    failure = std::current_exception();
  }
  error_sync = nullptr;
  // All ranks know this failure already; an exception that work made of it is not sent again.
  if (mine.failure) std::rethrow_exception(mine.failure);
  agree_on(ranks, failure);
}

}  // namespace Tessera::comm
