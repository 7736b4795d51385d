#include "parameters/vocabulary.hpp"

#include <algorithm>
#include <map>

#include "core/error.hpp"
#include "parameters/suggestion.hpp"

namespace Tessera::parameters {
namespace {

std::vector<Word> all_words() {
  std::vector<Word> all;
  auto const add = [&all](std::vector<Word> words, Library library) {
    for (auto& word : words) {
      word.library = library;
      all.push_back(std::move(word));
    }
  };
  add(muelu_words(), Library::muelu);
  add(ml_words(), Library::ml);
  add(ifpack2_words(), Library::ifpack2);
  return all;
}

bool same(std::string const& one, std::string const& other) {
  return upper_case(one) == upper_case(other);
}

}  // namespace

std::vector<Word> const& vocabulary() {
  static std::vector<Word> const all = all_words();
  return all;
}

std::vector<Library> const& libraries() {
  static std::vector<Library> const all{Library::muelu, Library::ml, Library::ifpack2};
  return all;
}

std::string const& name_of(Library library) {
  static std::vector<std::string> const names{"MueLu", "ML", "Ifpack2"};
  return names[static_cast<std::size_t>(library)];
}

Word const* find_word(Library library, std::string const& name) {
  static auto const index = [] {
    std::map<std::pair<Library, std::string>, Word const*> found;
    for (auto const& word : vocabulary())
      for (auto const& one : word.names) found[{word.library, one}] = &word;
    return found;
  }();
  auto const found = index.find({library, name});
  return found == index.end() ? nullptr : found->second;
}

std::vector<std::string> words_of(Library library) {
  std::vector<std::string> all;
  for (auto const& word : vocabulary())
    if (word.library == library) all.insert(all.end(), word.names.begin(), word.names.end());
  return all;
}

std::string plain(Teuchos::ParameterEntry const& entry) {
  if (entry.isType<bool>()) return Teuchos::getValue<bool>(entry) ? "true" : "false";
  if (entry.isType<double>()) return core::message(Teuchos::getValue<double>(entry));
  if (entry.isType<std::string>()) return Teuchos::getValue<std::string>(entry);
  return entry.isList() ? "a sublist" : Teuchos::toString(entry.getAny(false));
}

Meaning meaning(Word const& word, Teuchos::ParameterEntry const& entry) {
  auto const value = plain(entry);
  auto const listed = std::find_if(word.values.begin(), word.values.end(), [&](Meaning const& one) {
    return one.value == "*" || same(one.value, value);
  });
  if (listed == word.values.end()) return {value, word.status, "", word.note, word.here};
  Meaning result = *listed;
  result.value = value;
  if (result.name.empty()) result.name = word.here;
  if (result.note.empty()) result.note = word.note;
  return result;
}

}  // namespace Tessera::parameters
