// The page of other libraries' words.
#include "parameters/vocabulary.hpp"

namespace Tessera::parameters {
namespace {

std::string quoted(std::string const& text) {
  return "`" + text + "`";
}

std::string describe_status(TranslationStatus status, std::string const& here) {
  switch (status) {
    case TranslationStatus::same:
      return here.empty() ? "the same" : quoted(here);
    case TranslationStatus::renamed:
      return quoted(here);
    case TranslationStatus::idle:
      return "nothing to say";
    case TranslationStatus::absent:
      break;
  }
  return here.empty() ? "no counterpart" : "no counterpart, nearest " + quoted(here);
}

/// Values of one fate and note behind one another.
std::string values(Word const& word) {
  std::string text, last;
  for (auto const& one : word.values) {
    auto const name = one.name.empty() ? one.here : one.name + " = " + one.here;
    auto what = one.status == TranslationStatus::same ? describe_status(one.status, "")
                                                      : describe_status(one.status, name);
    if (!one.note.empty()) what += " (" + one.note + ")";
    std::string const value = one.value.empty() ? "empty" : one.value == "*" ? "others" : quoted(one.value);
    if (what == last) {
      auto const end = text.rfind(": " + what);
      text.insert(end, ", " + value);
    } else {
      text += (text.empty() ? "" : "; ") + value + ": " + what;
    }
    last = what;
  }
  return text;
}

/// Words that only have another name here: in one line with the others of their kind.
bool is_other_name(Word const& word) {
  return word.status == TranslationStatus::renamed && !word.here.empty() && word.values.empty();
}
/// Words without counterpart, except for the one value that asks for nothing: likewise.
bool is_switch(Word const& word) {
  return word.status == TranslationStatus::absent && word.here.empty() && word.values.size() == 1 &&
         word.values.front().status == TranslationStatus::idle;
}

/// The lines of these two kinds.
void print_collected(std::ostream& out, std::vector<Word> const& words) {
  std::string other_names, switches;
  for (auto const& word : words) {
    if (is_other_name(word)) {
      for (auto const& name : word.names) {
        other_names += (other_names.empty() ? "" : "; ") + quoted(name) + ": " + quoted(word.here) +
                       (word.note.empty() ? "" : " (" + word.note + ")");
      }
    } else if (is_switch(word)) {
      auto const& off = word.values.front().value;
      std::string all;
      for (auto const& name : word.names) all += (all.empty() ? "" : ", ") + quoted(name);
      switches += (switches.empty() ? "" : "; ") + all + " (" + (off.empty() ? "empty" : quoted(off)) + ")" +
                  (word.note.empty() ? "" : ": " + word.note);
    }
  }
  if (!other_names.empty()) out << "| words with another name | that | " << other_names << " |\n";
  if (!switches.empty())
    out << "| words with the value that asks for nothing | nothing to say; no counterpart else | " << switches
        << " |\n";
}

/// Words of which the same is to be said stand in one line.
void merge(Word const& word, std::vector<Word>& groups) {
  for (auto& group : groups) {
    if (group.status != word.status || group.here != word.here || group.note != word.note ||
        values(group) != values(word))
      continue;
    group.names.insert(group.names.end(), word.names.begin(), word.names.end());
    return;
  }
  groups.push_back(word);
}

void print_word(std::ostream& out, Word const& word) {
  std::string names;
  for (auto const& name : word.names) names += (names.empty() ? "" : ", ") + quoted(name);
  out << "| " << names << " | ";
  bool const by_value = word.status == TranslationStatus::renamed && word.here.empty();
  out << (by_value ? "by its value" : describe_status(word.status, word.here)) << " | " << word.note;
  auto const all = values(word);
  out << (word.note.empty() || all.empty() ? "" : ". ") << all << " |\n";
}

}  // namespace

void print_words(std::ostream& out) {
  out << "# Words of MueLu, ML and Ifpack2\n\n"
         "Written by `tessera params --words` from the table in `src/parameters/vocabulary_*.cpp`; do not "
         "edit.\n\n"
         "    tessera params --translate theirs.xml --out ours.xml\n\n"
         "makes a list of ours of one of theirs: of a Stratimikos list, which keeps its solver, or of the "
         "library's own. It says what became\n"
         "of every word. A word that the library has not is an error with the nearest that it has. What a "
         "list "
         "leaves out has Tessera's default.\n\n"
         "In a list of ours these words are taken, too, where they mean what is done here, and named once "
         "where they have nothing to say.\n"
         "One without a counterpart is refused with the nearest. `tessera: strict` decides: with `true` the "
         "former are refused, too, with `false`\n"
         "all are warned of ([decision 24](decisions/0024-words-of-other-libraries.md)).\n\n"
         "Same, or a name of ours: taken. Nothing to say: what is computed does not depend on it. No "
         "counterpart: the preconditioner is\n"
         "another one in this.\n";
  for (auto const library : libraries()) {
    out << "\n## " << name_of(library) << "\n\n";
    if (library == Library::muelu)
      out << "The easy interface, of Trilinos 13.2 to 17. `level N` has the words of smoothers; the others "
             "are "
             "the same on all levels.\n\n";
    if (library == Library::ml) out << "Words of smoothers may end in ` (level N)`.\n\n";
    if (library == Library::ifpack2)
      out << "In `smoother: params` of MueLu, or a preconditioner alone, which becomes one level of sweeps "
             "or "
             "a sparse inverse.\n\n";
    out << "| words | here | |\n|---|---|---|\n";
    std::vector<Word> groups;
    for (auto const& word : vocabulary())
      if (word.library == library) merge(word, groups);
    for (auto const& group : groups)
      if (!is_other_name(group) && !is_switch(group)) print_word(out, group);
    print_collected(out, groups);
  }
}

}  // namespace Tessera::parameters
