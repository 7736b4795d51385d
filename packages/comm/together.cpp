#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>

#include "comm/communicator.hpp"
#include "core/error.hpp"

namespace Tessera::comm {

namespace {

enum class Kind : std::int64_t { none, invalid_input, numerical, unavailable, out_of_memory, other };

/// What the other ranks need in order to throw the same.
struct Report {
  Kind kind = Kind::none;
  std::int64_t bytes = 0, in_use = 0, peak = 0;  // of an OutOfMemory
  std::int64_t length = 0;                       // of the text
};

Report describe(std::exception_ptr const& failure, std::string& text) {
  Report report;
  try {
    std::rethrow_exception(failure);
  } catch (core::InvalidInput const& error) {
    report.kind = Kind::invalid_input;
    text = error.what();
  } catch (core::NumericalError const& error) {
    report.kind = Kind::numerical;
    text = error.what();
  } catch (core::Unavailable const& error) {
    report.kind = Kind::unavailable;
    text = error.what();
  } catch (core::OutOfMemory const& error) {
    report = {Kind::out_of_memory, static_cast<std::int64_t>(error.bytes()),
              static_cast<std::int64_t>(error.in_use()), static_cast<std::int64_t>(error.peak()), 0};
    text = error.what();
  } catch (std::exception const& error) {
    report.kind = Kind::other;
    text = error.what();
  } catch (...) {
    report.kind = Kind::other;
    text = "an exception that is not a std::exception";
  }
  report.length = static_cast<std::int64_t>(text.size());
  return report;
}

[[noreturn]] void throw_as(Report const& report, std::string const& text) {
  switch (report.kind) {
    case Kind::invalid_input:
      throw core::InvalidInput(text);
    case Kind::numerical:
      throw core::NumericalError(text);
    case Kind::unavailable:
      throw core::Unavailable(text);
    case Kind::out_of_memory:
      throw core::OutOfMemory(text, static_cast<std::size_t>(report.bytes),
                              static_cast<std::size_t>(report.in_use), static_cast<std::size_t>(report.peak));
    default:
      throw std::runtime_error(text);
  }
}

}  // namespace

void together(Communicator const& comm, std::function<void()> const& work) {
  if (comm.size() == 1) return work();
  std::exception_ptr failure;
  try {
    work();
  } catch (...) {
    failure = std::current_exception();
  }
  auto const first = comm.min(GlobalIndex{failure ? comm.rank() : comm.size()});
  if (first == comm.size()) return;

  Report report;
  std::string text;
  if (failure) report = describe(failure, text);
  auto const root = static_cast<int>(first);
  MPI_Bcast(&report, static_cast<int>(sizeof report), MPI_BYTE, root, comm.raw());
  text.resize(static_cast<std::size_t>(report.length));
  MPI_Bcast(text.data(), static_cast<int>(text.size()), MPI_CHAR, root, comm.raw());
  if (failure) std::rethrow_exception(failure);
  throw_as(report, text);
}

}  // namespace Tessera::comm
