#pragma once
/// \file
/// The words of other libraries' lists, and what becomes of each: MueLu's easy interface, ML, Ifpack2.
/// Translation, acceptance in lists of ours, and docs/translation.md come from this one table.
#include <Teuchos_ParameterList.hpp>
#include <string>
#include <vector>

namespace Tessera::parameters {

enum class Library { muelu, ml, ifpack2 };

enum class TranslationStatus {
  same,     ///< taken as it is
  renamed,  ///< has another name or another value here
  idle,     ///< no effect: the result does not depend on it
  absent    ///< no counterpart: it would give another preconditioner
};

/// What a value of a word comes to.
struct Meaning {
  std::string value;  ///< theirs, in any case; *: any
  TranslationStatus status;
  std::string here;  ///< our value; beside `absent` the nearest one; empty: none
  std::string note;  ///< what that means for the user
  std::string name;  ///< our name, where it is not the word's
};

/// Words that one thing is to be said of.
struct Word {
  std::vector<std::string> names;
  TranslationStatus status;  ///< of values that are not listed
  std::string here;          ///< our name; empty: the same, or none
  std::string note;
  std::vector<Meaning> values = {};
  Library library = Library::muelu;
};

std::vector<Word> const& vocabulary();

std::string const& name_of(Library library);
std::vector<Library> const& libraries();

/// Null where the library has no such word. Of ML without " (level N)".
Word const* find_word(Library library, std::string const& name);

/// All words of a library, for suggestions.
std::vector<std::string> words_of(Library library);

/// What this entry comes to under the word: here and name are ours, here is empty where the value is theirs.
Meaning meaning(Word const& word, Teuchos::ParameterEntry const& entry);

/// A parameter's value as lists spell it: true, 3, 0.02, sa.
std::string plain(Teuchos::ParameterEntry const& entry);

// The rows, in a file each.
std::vector<Word> muelu_words();
std::vector<Word> ml_words();
std::vector<Word> ifpack2_words();

/// Shorthand for the rows.
namespace rows {
constexpr auto same = TranslationStatus::same, renamed = TranslationStatus::renamed,
               idle = TranslationStatus::idle, absent = TranslationStatus::absent;

/// Values of a switch whose `off` requests nothing.
inline std::vector<Meaning> off(char const* value) {
  return {{value, idle, "", "requests nothing", ""}};
}

}  // namespace rows

}  // namespace Tessera::parameters
