#include "cli/usage.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "parameters/suggestion.hpp"

namespace Tessera::cli {
namespace {

using parameters::hint;

std::string listed(std::vector<std::string> const& words, char const* between = ", ") {
  std::string text;
  for (auto const& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

std::vector<std::string> options_of(CLI::App const& app) {
  std::vector<std::string> names;
  for (auto const* option : app.get_options())
    for (auto const& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

/// The longest option that the word contains or that contains the word: --tol for --tolerance.
std::string option_within(std::string const& word, std::vector<std::string> const& options) {
  std::size_t constexpr dashes = 2, shortest = 3;
  auto const bare = word.substr(dashes);
  std::string found;
  for (auto const& option : options) {
    auto const name = option.substr(dashes);
    bool const within = (name.size() >= shortest && bare.find(name) != std::string::npos) ||
                        (bare.size() >= shortest && name.find(bare) != std::string::npos);
    if (within && option.size() > found.size()) found = option;
  }
  return found;
}

std::string unknown_option(CLI::App const& app, std::string const& given) {
  auto const begin = std::min(given.find_first_not_of('-'), given.size());
  auto const word = "--" + given.substr(begin, given.find('=') - begin);
  auto const known = options_of(app);
  auto const option = given.substr(0, given.find('='));
  if (app.get_parent() == nullptr)
    return "there is no option " + option + hint(word, known) + "; a subcommand's options stand behind it";
  auto const text = app.get_name() + " has no option " + option;
  auto const near = hint(word, known);
  if (!near.empty()) return text + near;
  auto const within = option_within(word, known);
  return within.empty() ? text : text + "; did you mean \"" + within + "\"?";
}

std::string unexpected(CLI::App const& app, CLI::App const& command, std::string const& word) {
  if (word.size() > 1 && word[0] == '-') return unknown_option(command, word);
  if (&app != &command) return word + " is not expected here; each value stands behind its option";
  std::vector<std::string> known;
  for (auto const* subcommand : app.get_subcommands({})) known.push_back(subcommand->get_name());
  return "there is no subcommand " + word + hint(word, known) + "; there are " + listed(known);
}

}  // namespace

CLI::Validator any_number() {
  return {[](std::string& text) {
            double value = 0;
            return CLI::detail::lexical_cast(text, value) ? std::string() : text + " is not a number";
          },
          ""};
}

CLI::Validator number_from(double lowest, double limit) {
  auto const allowed = core::message(lowest, " to below ", limit);
  return {[=](std::string& text) {
            double value = 0;
            if (!CLI::detail::lexical_cast(text, value)) return text + " is not a number";
            bool const fits = lowest <= value && value < limit;
            return fits ? std::string() : text + " is out of range; allowed is " + allowed;
          },
          allowed};
}

CLI::Validator positive_integer() {
  return {[](std::string& text) {
            int value = 0;
            if (CLI::detail::lexical_cast(text, value) && value >= 1) return std::string();
            return text + " is not a whole number from 1 to 2^31 - 1";
          },
          "at least 1"};
}

CLI::Validator one_of(std::vector<std::string> const& words) {
  return {[=](std::string& text) {
            if (std::find(words.begin(), words.end(), text) != words.end()) return std::string();
            return text + " is not known; allowed are " + listed(words) + hint(text, words);
          },
          listed(words, "|")};
}

std::string explain(CLI::App const& app, CLI::ParseError const& error) {
  auto const commands = app.get_subcommands();
  for (auto const* command :
       {&app, commands.empty() ? &app : static_cast<CLI::App const*>(commands.front())}) {
    auto const words = command->remaining();
    if (!words.empty()) return unexpected(app, *command, words.front());
  }
  return error.what();
}

}  // namespace Tessera::cli
