#include "parameters/parse.hpp"

#include <algorithm>
#include <map>

#include "core/error.hpp"
#include "parameters/quoting.hpp"
#include "parameters/suggestion.hpp"
#include "parameters/table.hpp"
#include "parameters/value.hpp"

namespace Tessera::parameters {
namespace {

/// A name that may stand in a list, and the row it belongs to.
struct Name {
  Parameter const* row;
  Alias const* alias;  ///< null: the canonical name
};

std::map<std::string, Name> const& names() {
  static std::map<std::string, Name> const result = [] {
    std::map<std::string, Name> all;
    for (auto const& row : table()) {
      all[row.name] = {&row, nullptr};
      for (auto const& alias : row.aliases) all[alias.name] = {&row, &alias};
    }
    return all;
  }();
  return result;
}

/// A value that was given, and where.
struct Given {
  std::string where;  ///< path and name
  Value value;
};

class Parser {
 public:
  explicit Parser(Teuchos::ParameterList const& list) { read(list, ""); }

  /// Of whom the list is, by its algorithm.
  Method const& method() const {
    Draft draft;
    for (auto const& entry : given_)
      if (entry.first->name == algorithm_name) entry.first->set(draft, entry.second.value);
    return method_for(draft.settings.algorithm);
  }

  Settings result(std::vector<std::string>* warnings, Method const& mine) {
    auto draft = drafted(mine);
    auto const idle = without_effect(draft);
    if (draft.settings.strict) {
      for (auto const* one : idle) problems_.push_back(no_effect(*one) + "; set that, or leave this out");
    } else {
      draft = effective(mine);
    }
    if (unsaid_ > 0) unknown_.push_back(core::message(unsaid_, " more unknown names"));
    if (draft.settings.strict) {
      problems_.insert(problems_.end(), unknown_.begin(), unknown_.end());
    } else if (warnings) {
      *warnings = unknown_;
      for (auto const& text : idle_) warnings->push_back(text);
    }
    if (!problems_.empty()) {
      std::string text =
          problems_.size() == 1 ? "" : core::message(problems_.size(), " mistakes in parameters:");
      for (auto const& problem : problems_) text += (text.empty() ? "" : "\n  ") + problem;
      throw core::InvalidInput(text);
    }
    auto const settings = finished(draft);
    auto const& whose = method();
    TESSERA_VALIDATE(mine.takes(settings.algorithm), mine.name, ": \"", algorithm_name, "\" is that of ",
                     whose.name, "; leave it out, or create ", whose.name, ", by the name ",
                     whose.keys.front(), " of Tessera::Factory say");
    return settings;
  }

  std::vector<std::pair<std::string, std::string>> values() const {
    std::vector<std::pair<std::string, std::string>> all;
    Draft standard;
    method().defaults(standard);
    for (auto const& row : table()) {
      auto const given = given_.find(&row);
      Value const value = given == given_.end() ? row.get(standard) : given->second.value;
      auto const* number = std::get_if<double>(&value);
      all.emplace_back(row.name, number ? core::message(*number) : text(value));  // with all digits
    }
    return all;
  }

 private:
  using Entry = std::map<Parameter const*, Given>::value_type;

  Draft drafted(Method const& mine) const {
    Draft draft;
    mine.defaults(draft);
    for (auto const& entry : given_) entry.first->set(draft, entry.second.value);
    return draft;
  }
  std::vector<Entry const*> without_effect(Draft const& draft) const {
    std::vector<Entry const*> idle;
    for (auto const& entry : given_) {
      auto const& condition = entry.first->condition;
      if (condition.holds && !condition.holds(draft)) idle.push_back(&entry);
    }
    return idle;
  }
  static std::string no_effect(Entry const& entry) {
    return entry.second.where + " would have no effect: it is for " + entry.first->condition.text;
  }
  /// What the list says without that; one that is left out may have been the condition of another.
  Draft effective(Method const& mine) {
    for (;;) {
      auto const draft = drafted(mine);
      auto const idle = without_effect(draft);
      if (idle.empty()) return draft;
      std::vector<Parameter const*> rows;
      for (auto const* one : idle) {
        idle_.push_back(no_effect(*one));
        rows.push_back(one->first);
      }
      for (auto const* row : rows) given_.erase(row);
    }
  }

  /// sublist: empty at the top.
  void read(Teuchos::ParameterList const& list, std::string const& sublist) {
    for (auto it = list.begin(); it != list.end(); ++it) {
      Teuchos::ParameterEntry const& entry = list.entry(it);
      std::string const& name = list.name(it);
      std::string const place = where(list, name);
      if (entry.isList()) {
        entry.getAny(true);
        read_sublist(list.sublist(name), name, sublist, place);
      } else {
        read_entry(entry, name, sublist, place);
      }
    }
  }

  void read_sublist(Teuchos::ParameterList const& list, std::string const& name, std::string const& parent,
                    std::string const& where) {
    std::vector<std::string> known;
    for (auto const& entry : sublists()) known.push_back(entry.first);
    bool const allowed = parent.empty() && std::find(known.begin(), known.end(), name) != known.end();
    if (!allowed) {
      if (enough()) return;
      unknown_.push_back(where + " is no sublist known here" + (parent.empty() ? hint(name, known) : ""));
      return;
    }
    if (name == "smoother: params" || name == "coarse: params") read(list, name);
  }

  void read_entry(Teuchos::ParameterEntry const& entry, std::string const& name, std::string const& sublist,
                  std::string const& where) {
    auto const found = names().find(name);
    bool const known = found != names().end() && (sublist.empty() || found->second.row->sublist == sublist);
    if (!known) {
      if (enough()) return;
      bool const elsewhere = found != names().end();
      std::vector<std::string> candidates;
      for (auto const& candidate : names()) {
        if (sublist.empty() || candidate.second.row->sublist == sublist)
          candidates.push_back(candidate.first);
      }
      if (sublist.empty()) {
        for (auto const& list : sublists()) candidates.push_back(list.first);
      }
      unknown_.push_back(where + " is no parameter known here" +
                         (elsewhere ? "; it belongs to the list above this one" : hint(name, candidates)));
      return;
    }
    Parameter const& row = *found->second.row;
    entry.getAny(true);
    std::string problem;
    auto const value = converted(row, found->second.alias, entry, problem);
    if (!value) {
      problems_.push_back(where + " " + problem);
      return;
    }
    // Defaults that Teuchos' validateParametersAndSetDefaults wrote are not the user's word.
    if (entry.isDefault() && *value == row.standard()) return;
    auto const before = given_.find(&row);
    if (before != given_.end() && before->second.value != *value) {
      problems_.push_back(where + " contradicts " + before->second.where + ": one parameter, values " +
                          text(*value) + " and " + text(before->second.value) + "; leave one out");
      return;
    }
    given_[&row] = {where, *value};
  }

  /// Whether there are so many unknown names that no more are told; counts this one then.
  bool enough() {
    bool const many = unknown_.size() >= 50;
    unsaid_ += many ? 1 : 0;
    return many;
  }

  std::map<Parameter const*, Given> given_;             ///< in the order of the table
  std::vector<std::string> problems_, unknown_, idle_;  ///< idle: without effect, where that is borne
  int unsaid_ = 0;
};

}  // namespace

Settings parse(Teuchos::ParameterList const& list, std::vector<std::string>* warnings, Method const* method) {
  if (warnings) warnings->clear();
  Parser parser(list);
  return parser.result(warnings, method ? *method : parser.method());
}

Method const& method_of(Teuchos::ParameterList const& list) {
  return Parser(list).method();
}

std::vector<std::pair<std::string, std::string>> parsed_values(Teuchos::ParameterList const& list) {
  return Parser(list).values();
}

}  // namespace Tessera::parameters
