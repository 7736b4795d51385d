// Files of setups, and how a PreconditionerImpl is saved and loaded.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <map>
#include <utility>

#include "comm/row_checks.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/version.hpp"
#include "ifpack2/preconditioner_impl.hpp"
#include "tpetra/output_file.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::ifpack2 {
namespace {

constexpr char mark[8] = {'\x89', 'T', 'e', 's', 's', 'e', 'r', 'a'};
constexpr std::uint32_t byte_order = 0x01020304;
constexpr std::uint32_t format_version = 3;
constexpr std::size_t piece = std::size_t{1} << 20;

/// How every file begins.
struct Beginning {
  char what[8] = {};
  std::uint32_t order = 0, format = 0;
  unsigned char sizes[8] = {};

  static Beginning of_this_build() {
    Beginning one;
    std::memcpy(one.what, mark, sizeof mark);
    one.order = byte_order;
    one.format = format_version;
    unsigned char const sizes[] = {sizeof(Index), sizeof(Offset), sizeof(GlobalIndex), sizeof(VertexId),
                                   sizeof(float), sizeof(double), sizeof(bool),        sizeof(int)};
    std::memcpy(one.sizes, sizes, sizeof sizes);
    return one;
  }
};
static_assert(sizeof(Beginning) == 24, "there is no padding, whose bytes would be anything");

std::string path_of(std::string const& path, int rank) {
  return rank == 0 ? path : path + "." + std::to_string(rank);
}

/// One number for all files, another one each time.
std::uint64_t number_of_save(comm::Communicator const& comm) {
  auto const now = static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
  auto const mine = core::mix64(now ^ (static_cast<std::uint64_t>(getpid()) << 40)) >> 2;
  return static_cast<std::uint64_t>(comm.max(static_cast<GlobalIndex>(comm.rank() == 0 ? mine : 0)));
}

/// The first parameter that differs, in words; empty where none does.
std::string difference(parameters::NamedSettings const& saved, parameters::NamedSettings const& wanted) {
  std::map<std::string, std::string> before(saved.begin(), saved.end());
  for (auto const& [name, value] : wanted) {
    auto const found = before.find(name);
    auto const was = found == before.end() ? "not known" : found->second;
    if (was != value)
      return core::message("\"", name, "\" was ", core::excerpt(was, 100), ", and is ",
                           core::excerpt(value, 100));
    before.erase(found);
  }
  return before.empty() ? "" : core::message("\"", before.begin()->first, "\" is not known");
}

}  // namespace

void SavedFor::archive(core::Archive& file) {
  auto& [of, together, all, mine, texts, digits, columns, entries, vectors] = *this;
  file(of, together, all, mine);
  auto count = static_cast<std::uint64_t>(texts.size());
  file(count);
  file.require(count <= 10000, "there are ", count, " parameters");
  texts.resize(count);
  for (auto& [name, value] : texts) file(name, value);
  file(digits, columns, entries, vectors);
}

parameters::NamedSettings parameters_of_setup(parameters::NamedSettings all) {
  auto const matters_not = [](auto const& one) {
    for (auto const* begin :
         {"backend: ", "communication: ", "reuse: ", "verbosity", "timer for apply", "tessera: strict"})
      if (one.first.rfind(begin, 0) == 0) return true;
    return false;
  };
  all.erase(std::remove_if(all.begin(), all.end(), matters_not), all.end());
  return all;
}

std::uint64_t pattern_checksum(comm::DistCsr<double, Host> const& A, tpetra::RowIds const& row_ids) {
  core::Checksum sum;
  auto const add = [&](auto const& values) {
    auto const size = static_cast<std::uint64_t>(values.size());
    sum.add(&size, sizeof size);
    sum.add(values.data(), values.size() * sizeof(*values.data()));
  };
  add(A.local.offsets.view());
  add(A.local.column.view());
  add(A.halo.ghosts());
  add(row_ids.listed);
  for (GlobalIndex const number : {row_ids.first, A.rows.begin()}) sum.add(&number, sizeof number);
  return sum.value();
}

std::uint64_t data_checksum(UserData const& data) {
  core::Checksum sum;
  for (auto const* vectors : {&data.nullspace, &data.coordinates, &data.material}) {
    if (vectors->is_null()) continue;
    tpetra::ReadColumns const columns(**vectors);
    for (std::size_t c = 0; c < columns.size(); ++c)
      sum.add(columns[c].data(), columns[c].size() * sizeof(double));
  }
  return sum.value();
}

void write_setup(std::string const& path, comm::Communicator const& comm, SavedFor what,
                 std::function<void(core::Archive&)> const& body) {
  std::unique_ptr<tpetra::OutputFile> output;
  comm::agree_on_errors(comm, [&] {
    what.save = number_of_save(comm);
    output = std::make_unique<tpetra::OutputFile>(path_of(path, comm.rank()));
    core::Checksum sum;
    auto const put = [&](void const* memory, std::size_t bytes) {
      sum.add(memory, bytes);
      output->write({static_cast<char const*>(memory), bytes});
    };
    auto const beginning = Beginning::of_this_build();
    put(&beginning, sizeof beginning);
    auto file = core::Archive::saving(put);
    what.archive(file);
    body(file);
    auto const end = sum.value();
    put(&end, sizeof end);
    output->complete();
  });
  comm::agree_on_errors(comm, [&] { output->finish(); });
}

SavedSetup::SavedSetup(std::string const& path, comm::Communicator const& comm, SavedFor const& wanted)
    : path_(path_of(path, comm.rank())) {
  // First the one that says how many there are.
  comm::agree_on_errors(comm, [&] {
    if (comm.rank() == 0) open(0);
    if (comm.rank() == 0) require_fitting(wanted);
  });
  comm::agree_on_errors(comm, [&] {
    if (comm.rank() != 0) open(comm.rank());
    if (comm.rank() != 0) require_fitting(wanted);
  });
  auto const mine = static_cast<GlobalIndex>(made_for_.save);
  auto const first = comm.max(comm.rank() == 0 ? mine : 0);
  bool const together = !comm.any(mine != first);
  comm::agree_on_errors(comm, [&] {
    if (!together) refuse("was not saved together with the files of the other ranks");
  });
}

void SavedSetup::refuse(std::string const& why, std::string const& instead) const {
  throw core::InvalidInput(path_ + ": " + why + "; " + instead +
                           "compute the preconditioner and save it anew");
}

void SavedSetup::read(void* memory, std::size_t bytes) {
  if (std::fread(memory, 1, bytes, file_.get()) != bytes) refuse("cannot be read to its end");
}

/// The beginning, so that a file of another machine or version is called that, then the checksum, then the
/// rest.
void SavedSetup::open(int rank) {
  struct stat status {};
  errno = 0;
  if (stat(path_.c_str(), &status) == 0 && S_ISREG(status.st_mode))
    file_.reset(std::fopen(path_.c_str(), "rb"));
  if (!file_)
    refuse(core::message("cannot be read (", errno != 0 ? std::strerror(errno) : "it is no regular file",
                         rank > 0 ? core::message(", where the part of rank ", rank, " should be") : "",
                         ")"));
  Beginning found;
  auto const size = static_cast<std::size_t>(status.st_size), trailer = sizeof(std::uint64_t);
  auto const expected = Beginning::of_this_build();
  if (size < sizeof found + trailer) refuse(core::message("has ", size, " bytes, and is no saved setup"));
  read(&found, sizeof found);
  if (std::memcmp(found.what, expected.what, sizeof found.what) != 0)
    refuse("is no setup that Tessera has saved");
  if (found.order != byte_order) refuse("was saved on a machine with another order of bytes");
  if (found.format != format_version)
    refuse(core::message("is of format ", found.format, ", and this Tessera reads format ", format_version));
  if (std::memcmp(found.sizes, expected.sizes, sizeof found.sizes) != 0)
    refuse("was saved by a build with numbers of other sizes");
  core::Checksum sum;
  sum.add(&found, sizeof found);
  std::vector<char> buffer(piece);
  for (auto rest = size - sizeof found - trailer; rest > 0;) {
    auto const now = std::min(rest, piece);
    read(buffer.data(), now);
    sum.add(buffer.data(), now);
    rest -= now;
  }
  std::uint64_t end = 0;
  read(&end, sizeof end);
  if (end != sum.value()) refuse("is damaged: its checksum is not that of its bytes (it was cut or changed)");
  std::fseek(file_.get(), sizeof found, SEEK_SET);
  contents_ = std::make_unique<core::Archive>(
      core::Archive::loading([this](void* memory, std::size_t bytes) { read(memory, bytes); },
                             size - sizeof found - trailer, path_));
  made_for_.archive(*contents_);
}

void SavedSetup::require_fitting(SavedFor const& wanted) const {
  auto const& saved = made_for_;
  if (saved.version != wanted.version)
    refuse(core::message("was saved by Tessera ", core::excerpt(saved.version, 30), ", and this is ",
                         wanted.version, ", whose hierarchies may differ"));
  if (saved.ranks != wanted.ranks)
    refuse(core::message("was saved by ", saved.ranks, saved.ranks == 1 ? " rank" : " ranks", ", and here ",
                         wanted.ranks == 1 ? "is " : "are ", wanted.ranks),
           core::message("run with ", saved.ranks, ", or "));
  if (saved.rank != wanted.rank)
    refuse(core::message("is the part of rank ", saved.rank, ", and here is rank ", wanted.rank));
  if (auto const other = difference(saved.said, wanted.said); !other.empty())
    refuse("was saved with other parameters (" + other + ")", "give those that it was saved with, or ");
  if (saved.pattern != wanted.pattern)
    refuse("was saved for another matrix (other rows or columns, or otherwise distributed)");
  if (saved.values != wanted.values)
    refuse("was saved for another matrix (of the same pattern, with other values)");
  if (saved.data != wanted.data)
    refuse("was saved for another near-nullspace, other coordinates or materials");
}

std::unique_ptr<PreconditionerImpl> PreconditionerImpl::clone_config() const {
  auto other = std::make_unique<PreconditionerImpl>(method_.name);
  other->list_ = list_;
  other->settings_ = settings_;
  other->notes_ = notes_;
  other->from_list_ = from_list_;
  other->from_setters_ = from_setters_;
  other->level_comes_ = level_comes_;
  other->said_ = said_;
  other->backend_ = backend_;
  return other;
}

SavedFor PreconditionerImpl::purpose() const {
  SavedFor what;
  what.version = core::version();
  what.ranks = comm_.size();
  what.rank = comm_.rank();
  what.said = parameters_of_setup(said_);
  what.in_double = operator_ && operator_->in_double();
  what.pattern = pattern_checksum(imported_->A, tpetra::row_ids(*row_map_));
  what.values = comm::checksum(Host{}, imported_->A);
  if (method_.has_levels) what.data = data_checksum(data());
  return what;
}

void PreconditionerImpl::save(std::string const& path) {
  SavedFor what;
  comm::agree_on_errors(comm_, [&] {
    TESSERA_VALIDATE(!setup_is_stale_, method_.name,
                     "::save: parameters or vectors have been set since compute(), and what is saved would "
                     "not be theirs; call compute() before save()");
    TESSERA_VALIDATE(settings_.multigrid.coarse == multigrid::CoarseType::dense ||
                         settings_.multigrid.coarse == multigrid::CoarseType::smoother,
                     method_.name,
                     "::save: the factors of the coarsest matrix are Amesos2's or cuDSS' and cannot be "
                     "saved; take `coarse: "
                     "type` = dense or smoother");
    TESSERA_VALIDATE(!parameters::has_foreign_smoother(settings_), method_.name,
                     "::save: smoothers of Ifpack2 cannot be saved; take `smoother: type` = CHEBYSHEV, "
                     "RELAXATION or FSAI");
    what = purpose();
    auto const* const report = operator_->hierarchy_report();
    TESSERA_VALIDATE(report == nullptr || report->levels.front().checksum == what.values, method_.name,
                     "::save: the matrix has other values than those that the hierarchy was made of; call "
                     "compute() before save(), with `reuse: type` = none or tP");
  });
  write_setup(path, comm_, what, [this](core::Archive& file) { operator_->save(file); });
}

void PreconditionerImpl::load(std::string const& path) {
  SavedFor here;
  comm::agree_on_errors(comm_, [&] { here = purpose(); });
  SavedSetup saved(path, comm_, here);
  comm::agree_on_errors(comm_, [&] {
    // It is double, too, where float was not enough.
    if (saved.made_for().in_double) settings_.precision = parameters::Precision::full;
    make(&saved.contents());
    auto const left = saved.contents().bytes_left();
    saved.contents().require(left == 0, left, " bytes are left");
    done_ = Done::load;
    announce(comm_.rank());
  });
}

}  // namespace Tessera::ifpack2
