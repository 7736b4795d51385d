#pragma once
/// \file
/// What options allow and what is wrong with a command line, said as people write it.
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace Tessera::cli {

/// A number from `lowest` to below `limit`.
CLI::Validator number_from(double lowest, double limit);
CLI::Validator any_number();
CLI::Validator positive_integer();
CLI::Validator one_of(std::vector<std::string> const& words);

/// What is wrong with the command line: unknown options and subcommands before all else, with what may have
/// been meant.
std::string explain(CLI::App const& app, CLI::ParseError const& error);

}  // namespace Tessera::cli
