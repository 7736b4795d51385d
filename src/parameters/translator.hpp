#pragma once
/// \file
/// Translates the entries of another library's list and collects the results.
#include <map>
#include <string>
#include <vector>

#include "parameters/translation.hpp"
#include "settings/table.hpp"

namespace Tessera::parameters {

using namespace settings;

class Translator {
 public:
  explicit Translator(Library library) : library_(library) {}

  void read_muelu(Teuchos::ParameterList const& list);
  void read_ml(Teuchos::ParameterList const& list);
  /// type: "Prec Type"; empty: by the names of the entries.
  void read_ifpack2(Teuchos::ParameterList const& list, std::string const& type);

  /// Adds Tessera's parameters to a list. \throws core::InvalidInput with all mistakes
  void write(Teuchos::ParameterList& list);

  std::vector<TranslatedEntry> take_entries() { return std::move(entries_); }
  void note(TranslatedEntry entry) { entries_.push_back(std::move(entry)); }

 private:
  using Values = std::map<Parameter const*, Value>;  ///< in the order of the table
  static constexpr int all_levels = -1;

  /// A list of entries, and the values that their translations set.
  struct Place {
    Teuchos::ParameterList const& list;
    std::string path;  ///< before a name, such as: level 1 -> ; empty at the top
    Values& values;
  };

  void translate_entry(Library library, std::string const& name, Place const& place);
  void translate_ml_entry(std::string const& name, std::string const& plain_name, Place const& place);
  void translate_as(ForeignParameter const& foreign, std::string const& name, Place const& place);
  /// Sets one of Tessera's parameters.
  void set_value(std::string const& ours, std::string const& value, Values& values) const;

  /// MueLu's lists of factories (translator_factories.cpp).
  class FactoryList;
  void read_factories(Teuchos::ParameterList const& list);
  /// An entry of the easy interface for what factories mean.
  void translate_meaning(std::string const& name, std::string const& value, std::string const& path);
  void factory_of_muelu(std::string const& name, std::string const& class_name,
                        Teuchos::ParameterList const& list);
  void smoothers_of_factories(FactoryList& factories);
  /// MueLu has the same drop tolerance on all levels.
  void keep_drop_tolerance();

  void level_of_muelu(int level, Teuchos::ParameterList const& list);
  void smoothers_of_muelu(Place const& place);
  void smoother_of_muelu(std::string const& type, std::string const& params, Place const& place);
  /// suffix: after each name, such as " (level 1)"; all: the entries of all levels.
  void smoother_of_ml(Place const& place, std::string const& suffix, Teuchos::ParameterList const& all);
  void degree_of_ml(Place const& place, std::string const& suffix, Place const& at,
                    std::string const& sweeps);
  /// Ifpack2's parameters of a smoother. kind: its value of `smoother: type`.
  void smoother_parameters(std::string const& kind, Place const& place);
  /// Replaces Gauss-Seidel sweeps by a polynomial.
  void polynomial_for(bool symmetric, int sweeps, std::string const& theirs, Values& values);
  void remove_without_effect();

  void unknown(Library library, std::string const& name, Place const& place);
  void record(Place const& place, std::string const& name, TranslationStatus status, std::string const& ours,
              std::string const& note);

  Library library_;
  std::map<int, Values> values_;  ///< by level
  std::vector<TranslatedEntry> entries_;
  std::vector<std::string> problems_;
  Teuchos::ParameterList user_data_;
};

}  // namespace Tessera::parameters
