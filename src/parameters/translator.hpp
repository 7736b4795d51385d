#pragma once
/// \file
/// Collects what a list of another library says, in our words.
#include <map>
#include <string>
#include <vector>

#include "parameters/table.hpp"
#include "parameters/translation.hpp"

namespace Tessera::parameters {

class Translator {
 public:
  explicit Translator(Library library) : library_(library) {}

  void read_muelu(Teuchos::ParameterList const& list);
  void read_ml(Teuchos::ParameterList const& list);
  /// type: "Prec Type"; empty: what the words are of.
  void read_ifpack2(Teuchos::ParameterList const& list, std::string const& type);

  /// Adds our parameters to a list. \throws core::InvalidInput for all mistakes that were met
  void write(Teuchos::ParameterList& list);

  std::vector<Translated> take_words() { return std::move(words_); }
  void note(Translated word) { words_.push_back(std::move(word)); }

 private:
  using Said = std::map<Parameter const*, Value>;  ///< in the order of the table
  static constexpr int all_levels = -1;

  /// Where words stand, and where what they say goes.
  struct Place {
    Teuchos::ParameterList const& list;
    std::string path;  ///< before a name, such as: level 1 -> ; empty at the top
    Said& said;
  };

  void word(Library library, std::string const& name, Place const& place);
  void word_of_ml(std::string const& name, std::string const& word, Place const& place);
  void take(Word const& word, std::string const& name, Place const& place);
  /// Our value for an entry; the note says what is theirs of it.
  void put(std::string const& ours, std::string const& value, Said& said) const;

  void level_of_muelu(int level, Teuchos::ParameterList const& list);
  void smoothers_of_muelu(Place const& place);
  void smoother_of_muelu(std::string const& type, std::string const& params, Place const& place);
  /// suffix: after each name, such as " (level 1)"; all: the entries of all levels.
  void smoother_of_ml(Place const& place, std::string const& suffix, Teuchos::ParameterList const& all);
  void degree_of_ml(Place const& place, std::string const& suffix, Place const& at,
                    std::string const& sweeps);
  /// The words of Ifpack2 of a smoother that is chosen already. kind: its value of `smoother: type`.
  void smoother_words(std::string const& kind, Place const& place);
  /// A polynomial in the place of Gauss-Seidel sweeps.
  void polynomial_for(bool symmetric, int sweeps, std::string const& theirs, Said& said);
  void leave_out_without_effect();

  void unknown(Library library, std::string const& name, Place const& place);
  void say(Place const& place, std::string const& name, TranslationStatus status, std::string const& ours,
           std::string const& note);

  Library library_;
  std::map<int, Said> said_;  ///< by level
  std::vector<Translated> words_;
  std::vector<std::string> problems_;
  Teuchos::ParameterList user_data_;
};

}  // namespace Tessera::parameters
