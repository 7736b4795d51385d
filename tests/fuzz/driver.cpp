#include "driver.hpp"

#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "worker.hpp"

namespace Tessera::fuzz {
namespace {

using Clock = std::chrono::steady_clock;

Settings parse(int argc, char** argv) {
  Settings settings;
  CLI::App app{"Feeds mutated input to Tessera."};
  app.add_option("--seed", settings.seed, "of all cases");
  app.add_option("--seconds", settings.seconds, "to go on for");
  app.add_option("--first", settings.first, "number of the first case");
  app.add_option("--count", settings.count, "of cases, at most");
  app.add_option("--keep", settings.keep, "folder for the files of cases that fail");
  app.add_option("--program", settings.program,
                 "tessera: every 500th case is run by it too, with the same status");
  app.add_option("--memory", settings.memory, "GiB of address space; 0: as much as there is");
  app.add_option("--worker", settings.worker, "for internal use");
  try {
    app.parse(argc, argv);
  } catch (CLI::ParseError const& error) {
    std::exit(app.exit(error));
  }
  return settings;
}

/// Starts this program as a worker. Returns its process id and the file descriptor of its outcomes.
pid_t start(Settings const& settings, std::FILE*& outcomes) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  std::vector<std::string> const arguments{"/proc/self/exe",
                                           "--worker",
                                           std::to_string(ends[1]),
                                           "--seed",
                                           std::to_string(settings.seed),
                                           "--seconds",
                                           std::to_string(settings.seconds),
                                           "--first",
                                           std::to_string(settings.first),
                                           "--count",
                                           std::to_string(settings.count),
                                           "--memory",
                                           std::to_string(settings.memory),
                                           "--program",
                                           settings.program};
  pid_t const worker = fork();
  if (worker == 0) {
    close(ends[0]);
    std::vector<char*> raw;
    for (auto const& argument : arguments) raw.push_back(const_cast<char*>(argument.c_str()));
    raw.push_back(nullptr);
    execv(raw[0], raw.data());
    _exit(127);
  }
  close(ends[1]);
  outcomes = fdopen(ends[0], "rb");
  return worker;
}

std::string how_it_ended(int wait_status) {
  if (WIFEXITED(wait_status)) return "the process exited with " + std::to_string(WEXITSTATUS(wait_status));
  int const signal = WTERMSIG(wait_status);
  if (signal == SIGPROF || signal == SIGALRM) return "it did not end in time";
  return std::string("it was killed: ") + strsignal(signal);
}

/// Writes a case's files and its command.
void keep(Settings const& settings, long long number, Case const& one, std::string const& why) {
  auto const folder = std::filesystem::absolute(settings.keep) / std::to_string(number);
  std::filesystem::create_directories(folder);
  write_files(folder.string(), one);
  std::printf("case %lld: %s\n", number, why.c_str());
  for (auto const& run : one.runs) {
    std::string line = "  tessera";
    for (auto const& argument : placed(run, folder.string())) line += " " + argument;
    std::printf("%s\n", line.c_str());
  }
  std::fflush(stdout);
}

}  // namespace

int drive(int argc, char** argv, Case (*make)(Random&)) {
  auto settings = parse(argc, argv);
  if (settings.worker >= 0) return work(settings, make);
  std::printf("seed %llu, %g s\n", static_cast<unsigned long long>(settings.seed), settings.seconds);
  std::fflush(stdout);
  auto const begin = Clock::now();
  auto const end = begin + std::chrono::duration<double>(settings.seconds);
  auto const case_of = [&](long long number) {
    Random random(settings.seed, static_cast<std::uint64_t>(number));
    return make(random);
  };
  long long const first = settings.first, last = first + settings.count;
  long long failures = 0, by_status[3] = {0, 0, 0};
  while (settings.first < last && Clock::now() < end) {
    settings.seconds = std::chrono::duration<double>(end - Clock::now()).count();
    settings.count = last - settings.first;
    std::FILE* outcomes = nullptr;
    pid_t const worker = start(settings, outcomes);
    Outcome outcome;
    while (std::fread(&outcome, sizeof outcome, 1, outcomes) == 1) {
      settings.first = outcome.number + 1;
      if (outcome.status >= 0 && outcome.status <= 2) {
        ++by_status[outcome.status];
      } else {
        ++failures;
        keep(settings, outcome.number, case_of(outcome.number),
             outcome.status == other_status ? "the program ends with another status"
                                            : "it ends with status " + std::to_string(outcome.status));
      }
    }
    std::fclose(outcomes);
    int wait_status = 0;
    waitpid(worker, &wait_status, 0);
    if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == 0) continue;
    if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) <= 2) {
      ++by_status[WEXITSTATUS(wait_status)];  // ML may end the process for bad input
    } else {
      ++failures;
      keep(settings, settings.first, case_of(settings.first), how_it_ended(wait_status));
    }
    ++settings.first;
  }
  double const seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  std::printf("%lld cases in %.0f s: status 0: %lld, 1: %lld, 2: %lld; failures: %lld\n",
              settings.first - first, seconds, by_status[0], by_status[1], by_status[2], failures);
  return failures > 0 ? 1 : 0;
}

}  // namespace Tessera::fuzz
