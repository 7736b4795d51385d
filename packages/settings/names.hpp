#pragma once
/// \file
/// Names of parameters and values: comparison, and suggestions for a mistyped one.
#include <string>
#include <vector>

namespace Tessera::settings {

/// Number of insertions, deletions, substitutions and swaps of neighbours that turn `from` into `to`. Case
/// does not count (optimal string alignment distance). If a name has more than 100 characters, the longer
/// one's length.
int edit_distance(std::string const& from, std::string const& to);

/// Such as: did you mean "smoother: type"? Suggests the known names within edit distance 3 of `unknown` (and
/// less than half its length), nearest first. If there are none, it lists the names with the same prefix up
/// to the colon.
std::string did_you_mean(std::string const& unknown, std::vector<std::string> const& known);
/// did_you_mean() after "; ", for the end of a message; empty if there is no suggestion.
std::string hint(std::string const& unknown, std::vector<std::string> const& known);

std::string upper_case(std::string text);
bool equal_ignoring_case(std::string const& one, std::string const& other);
/// Without blanks at its ends.
std::string trimmed(std::string const& text);

}  // namespace Tessera::settings
