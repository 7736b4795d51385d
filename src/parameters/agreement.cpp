#include "parameters/agreement.hpp"

#include <Teuchos_CommHelpers.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <sstream>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "parameters/messages.hpp"

namespace Tessera::parameters {
namespace {

/// Not negative, so that it can be negated.
long long checksum(NamedSettings const& settings) {
  std::uint64_t hash = 0;
  for (auto const& [name, value] : settings)
    for (auto const* text : {&name, &value}) hash = core::mix64(hash ^ std::hash<std::string>()(*text));
  return static_cast<long long>(hash >> 1);
}

std::string broadcast(Teuchos::Comm<int> const& comm, int root, std::string text) {
  int size = static_cast<int>(text.size());
  Teuchos::broadcast(comm, root, 1, &size);
  text.resize(static_cast<std::size_t>(size));
  if (size > 0) Teuchos::broadcast(comm, root, size, &text[0]);
  return text;
}

/// A line for each name and one for each value.
std::string lines(NamedSettings const& settings) {
  std::string text;
  for (auto const& one : settings)
    text += core::excerpt(one.first) + '\n' + core::excerpt(one.second, 300) + '\n';
  return text;
}

std::map<std::string, std::string> values(std::string const& lines) {
  std::map<std::string, std::string> result;
  std::istringstream in(lines);
  for (std::string name, value; std::getline(in, name) && std::getline(in, value);) result[name] = value;
  return result;
}

/// A sentence on a setting that differs between two ranks; empty if there is none.
std::string difference(std::string const& mine, int rank, std::string const& roots) {
  auto here = values(mine), there = values(roots);
  for (auto const& one : there) here.emplace(one.first, "not given");
  for (auto const& one : here) {
    auto const other = there.emplace(one.first, "not given").first->second;
    if (one.second != other)
      return core::message("\"", one.first, "\" is ", one.second, " on rank ", rank, " and ", other,
                           " on rank 0");
  }
  return {};
}

}  // namespace

void require_same_on_all_ranks(Teuchos::Comm<int> const& comm, NamedSettings const& mine) {
  if (comm.getSize() == 1) return;
  long long const sum = checksum(mine), both[2] = {sum, -sum};
  long long least[2] = {0, 0};
  Teuchos::reduceAll(comm, Teuchos::REDUCE_MIN, 2, both, least);
  if (least[0] == -least[1]) return;
  auto const roots = broadcast(comm, 0, lines(mine));
  auto const own = difference(lines(mine), comm.getRank(), roots);
  int const candidate = own.empty() ? comm.getSize() : comm.getRank();
  int reporting_rank = candidate;
  Teuchos::reduceAll(comm, Teuchos::REDUCE_MIN, candidate, Teuchos::outArg(reporting_rank));
  auto const first = reporting_rank < comm.getSize() ? broadcast(comm, reporting_rank, own)
                                                     : "values are too long to be shown";
  throw core::InvalidInput("Tessera: the ranks were given different parameters (" + first +
                           "); give every rank the same list");
}

}  // namespace Tessera::parameters
