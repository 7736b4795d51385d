#include "worker.hpp"

#include <fcntl.h>
#include <mpi.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <Tpetra_Core.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "cli/commands.hpp"
#include "cli/verdict.hpp"

namespace Tessera::fuzz {
namespace {

/// Limits of a case in processor and clock seconds. Their signals end the process.
constexpr int most_cpu_seconds = 20, most_seconds = 200;

void set_alarms(bool on) {
  itimerval timer{};
  timer.it_value.tv_sec = on ? most_cpu_seconds : 0;
  setitimer(ITIMER_PROF, &timer, nullptr);
  alarm(on ? most_seconds : 0);
}

/// The exit status of the program.
int run(std::vector<std::string> const& arguments) {
  std::vector<char const*> raw{"tessera"};
  for (auto const& argument : arguments) raw.push_back(argument.c_str());
  auto const parsed = cli::parse(static_cast<int>(raw.size()), raw.data());
  if (parsed.leave) return parsed.status;
  auto const comm = Tpetra::getDefaultComm();
  return cli::run_and_agree(MPI_COMM_WORLD, [&] {
    return parsed.options.command == cli::Command::params ? cli::run_params(parsed.options, comm)
                                                          : cli::run_solve(parsed.options, comm);
  });
}

/// The environment without the variables of MPI_Init.
std::vector<std::string> const environment_at_start = [] {
  std::vector<std::string> all;
  for (char** variable = environ; *variable != nullptr; ++variable) all.emplace_back(*variable);
  return all;
}();

/// The exit status of the program as a separate process, outside this MPI job.
int run_program(std::string const& program, std::vector<std::string> const& arguments) {
  pid_t const child = fork();
  if (child == 0) {
    std::vector<char*> raw{const_cast<char*>(program.c_str())};
    for (auto const& argument : arguments) raw.push_back(const_cast<char*>(argument.c_str()));
    raw.push_back(nullptr);
    std::vector<char*> environment;
    for (auto const& variable : environment_at_start)
      environment.push_back(const_cast<char*>(variable.c_str()));
    environment.push_back(nullptr);
    execve(raw[0], raw.data(), environment.data());
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int run_case(Case const& one, std::string const& folder, std::string const& program) {
  write_files(folder, one);
  int status = 0;
  for (auto const& arguments : one.runs) {
    auto const here = placed(arguments, folder);
    status = run(here);
    if (!program.empty() && run_program(program, here) != status) return other_status;
    if (status != 0) break;
  }
  return status;
}

}  // namespace

void write_files(std::string const& folder, Case const& one) {
  for (auto const& file : one.files) {
    std::ofstream out(folder + "/" + file.first, std::ios::binary);
    out.write(file.second.data(), static_cast<std::streamsize>(file.second.size()));
  }
}

std::vector<std::string> placed(std::vector<std::string> arguments, std::string const& folder) {
  for (auto& argument : arguments) {
    if (argument.rfind('@', 0) == 0) argument = folder + "/" + argument.substr(1);
  }
  return arguments;
}

int work(Settings const& settings, Case (*make)(Random&)) {
  if (settings.memory > 0) {
    rlimit const bytes{static_cast<rlim_t>(settings.memory) << 30, static_cast<rlim_t>(settings.memory)
                                                                       << 30};
    setrlimit(RLIMIT_AS, &bytes);
  }
  auto const end = std::chrono::steady_clock::now() + std::chrono::duration<double>(settings.seconds);
  auto const folder = std::filesystem::temp_directory_path() / ("tessera-fuzz-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  auto const said = (folder / "said").string();
  int threads = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &threads);
  {
    int argc = 1;
    char name[] = "tessera";
    char* arguments[] = {name, nullptr};
    char** argv = arguments;
    Tpetra::ScopeGuard const tpetra(&argc, &argv);
    int const output = open(said.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    for (long long i = 0; i < settings.count && std::chrono::steady_clock::now() < end; ++i) {
      Outcome outcome;
      outcome.number = settings.first + i;
      Random random(settings.seed, static_cast<std::uint64_t>(outcome.number));
      auto const one = make(random);
      set_alarms(true);
      outcome.status = run_case(one, folder.string(), outcome.number % 500 == 0 ? settings.program : "");
      set_alarms(false);
      if (write(settings.worker, &outcome, sizeof outcome) != sizeof outcome) break;
      std::fflush(stdout);
      if (ftruncate(output, 0) == 0) lseek(output, 0, SEEK_SET);
    }
  }
  MPI_Finalize();
  std::filesystem::remove_all(folder);
  return 0;
}

}  // namespace Tessera::fuzz
