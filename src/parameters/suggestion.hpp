#pragma once
/// \file
/// Did you mean: names that are close to a mistyped one.
#include <string>
#include <vector>

namespace Tessera::parameters {

/// Number of insertions, deletions, substitutions and swaps of neighbours that make `to` of `from`; case does
/// not count. (Optimal string alignment distance.) The names of lists are short: where one has more than 100
/// characters, the longer one's length.
int edit_distance(std::string const& from, std::string const& to);

/// Such as: did you mean "smoother: type"? Of the known names within edit distance 3 of `unknown` (and less
/// than half its length), nearest first; where there are none, of those that share its prefix up to the
/// colon.
std::string did_you_mean(std::string const& unknown, std::vector<std::string> const& known);
/// The same for the end of a message, behind "; "; empty where there is nothing to suggest.
std::string hint(std::string const& unknown, std::vector<std::string> const& known);

std::string upper_case(std::string text);
/// Without blanks at its ends.
std::string trimmed(std::string const& text);

}  // namespace Tessera::parameters
