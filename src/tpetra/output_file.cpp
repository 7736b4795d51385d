#include "tpetra/output_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "core/error.hpp"

namespace Tessera::tpetra {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(std::string const& path, char const* what, int error) {
  throw core::InvalidInput(core::message(path, ": ", what, " (", std::strerror(error),
                                         "); check the path, its permissions and the room on its disk"));
}

/// Standard output or standard error, where it is the file of this status; -1: neither.
int standard_stream(struct stat const& status) {
  for (int const descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat own {};
    if (fstat(descriptor, &own) == 0 && own.st_dev == status.st_dev && own.st_ino == status.st_ino)
      return descriptor;
  }
  return -1;
}

/// A new file in the folder of `place`, with the permissions of `place` where that exists.
int create_beside(std::string const& place, bool exists, mode_t mode, std::string& beside) {
  beside = (fs::path(place).parent_path() / ".tessera-XXXXXX").string();
  int const descriptor = mkstemp(beside.data());
  if (descriptor < 0) {
    beside.clear();
    return -1;
  }
  if (!exists) {
    mode_t const masked = umask(0);
    umask(masked);
    mode = 0666 & ~masked;
  }
  fchmod(descriptor, mode);  // else it stays private
  return descriptor;
}

}  // namespace

OutputFile::OutputFile(std::string const& path) : path_(path) {
  struct stat status {};
  bool const exists = stat(path.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) refuse(path_, "cannot be written", errno);
  std::error_code unknown;
  bool const leads_nowhere = !exists && fs::is_symlink(path, unknown);
  int descriptor = exists ? standard_stream(status) : -1;
  if (descriptor >= 0) {
    std::fflush(stdout);  // what was printed before comes first
    file_ = fdopen(dup(descriptor), "wb");
  } else if (leads_nowhere || (exists && !S_ISREG(status.st_mode))) {
    file_ = std::fopen(path.c_str(), "wb");
  } else if (!exists || access(path.c_str(), W_OK) == 0) {
    place_ = exists ? fs::canonical(path, unknown).string() : path;
    descriptor = create_beside(place_, exists, status.st_mode & 07777, beside_);
    if (descriptor >= 0) file_ = fdopen(descriptor, "wb");
  }
  if (file_ == nullptr) refuse(path_, "cannot be written", errno);
}

OutputFile::~OutputFile() {
  if (file_) std::fclose(file_);
  if (!beside_.empty()) unlink(beside_.c_str());
}

void OutputFile::write(std::string_view text) {
  if (error_ == 0 && std::fwrite(text.data(), 1, text.size(), file_) != text.size()) error_ = errno;
}

void OutputFile::settle() {
  if (file_ == nullptr) return;
  if (std::fflush(file_) != 0 && error_ == 0) error_ = errno;
  // Some file systems tell that there is no room only now.
  if (!beside_.empty() && fsync(fileno(file_)) != 0 && error_ == 0) error_ = errno;
  auto* const file = file_;
  file_ = nullptr;
  if (std::fclose(file) != 0 && error_ == 0) error_ = errno;
  if (error_ != 0) refuse(path_, "cannot be written to its end", error_);
}

void OutputFile::finish() {
  settle();
  if (error_ == 0 && !beside_.empty()) {
    if (std::rename(beside_.c_str(), place_.c_str()) != 0)
      error_ = errno;
    else
      beside_.clear();
  }
  if (error_ != 0) refuse(path_, "cannot be written to its end", error_);
}

void require_writable(std::string const& path) {
  struct stat status {};
  // To open a pipe would wait for its reader, who would then see it end.
  if (stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) {
    if (access(path.c_str(), W_OK) != 0) refuse(path, "cannot be written", errno);
    return;
  }
  OutputFile const trial(path);
}

}  // namespace Tessera::tpetra
