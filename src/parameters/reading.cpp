#include "parameters/reading.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "parameters/messages.hpp"
#include "parameters/vocabulary.hpp"
#include "settings/table.hpp"

namespace Tessera::parameters {
namespace {

using Side = Givens Block::*;

/// A list of entries, and the block that gets their values.
struct Place {
  Teuchos::ParameterList const& list;
  std::string sublist;  ///< empty at the top, and at the top of a level
  Block& block;
  bool of_level;
  Side side = &Block::given;
};

/// The level of a sublist "level N"; -1: another name.
int level_number(std::string const& name) {
  for (int level = 0; level < most_levels; ++level)
    if (name == "level " + std::to_string(level)) return level;
  return -1;
}

/// Whether a program should give this in the sublist "user data".
bool is_user_data(std::string const& name) {
  for (auto const* known : {"NULLSPACE", "COORDINATES", "MATERIAL"})
    if (upper_case(name) == known) return true;
  return false;
}

class Reader {
 public:
  explicit Reader(Reading& result) : result_(result) {}

  void read(Place const& place) {
    for (auto it = place.list.begin(); it != place.list.end(); ++it) {
      Teuchos::ParameterEntry const& entry = place.list.entry(it);
      std::string const& name = place.list.name(it);
      if (entry.isList() && !is_value(name)) {
        entry.getAny(true);
        read_sublist(name, place);
      } else {
        read_entry(entry, name, place);
      }
    }
  }

 private:
  /// Whether a list of this name is the value of a parameter.
  static bool is_value(std::string const& name) {
    auto const found = names().find(name);
    return found != names().end() && found->second.row->kind == Kind::list;
  }

  void read_sublist(std::string const& name, Place const& place) {
    auto const& list = place.list.sublist(name);
    int const level = level_number(name);
    bool const top = place.sublist.empty() && !place.of_level;
    if (top && level >= 0) return read({list, "", result_.levels[level], true});
    if (place.sublist.empty() && name == "smoother: params")
      return read({list, name, place.block, place.of_level});
    if (place.sublist.empty() && name == "smoother: pre params")
      return read({list, "smoother: params", place.block, place.of_level, &Block::before});
    if (place.sublist.empty() && name == "smoother: post params")
      return read({list, "smoother: params", place.block, place.of_level, &Block::after});
    if (top && name == "coarse: params") return read({list, name, place.block, false});
    if (top && (name == "user data" || name == "VerboseObject")) return;
    if (read_foreign(place.list.getEntry(name), name, place)) return;
    if (limit_reached()) return;
    std::vector<std::string> known;
    for (auto const& entry : sublists()) known.push_back(entry.first);
    result_.unknown.push_back(where(place.list, name) + " is an unknown sublist" +
                              (top ? hint(name, known) : ""));
  }

  void read_entry(Teuchos::ParameterEntry const& entry, std::string const& name, Place const& place) {
    if (place.sublist.empty() && !place.of_level && is_user_data(name)) {
      entry.getAny(true);
      result_.problems.push_back(
          where(place.list, name) +
          " has no effect in Tessera; a program puts it into the sublist \"user data\"");
      return;
    }
    auto const found = names().find(name);
    bool const known =
        found != names().end() && (place.sublist.empty() || found->second.row->sublist == place.sublist);
    if (!known) {
      if (!read_foreign(entry, name, place)) report_unknown(name, place);
      return;
    }
    Parameter const& row = *found->second.row;
    entry.getAny(true);
    if (place.of_level && !differs_by_level(row)) {
      if (limit_reached()) return;
      result_.unknown.push_back(where(place.list, name) +
                                " is the same on all levels; put it into the list above this one");
      return;
    }
    std::string problem;
    auto const value = converted(row, found->second.alias, entry, problem);
    if (value) {
      auto inside = place;
      if (name == "smoother: pre type") inside.side = &Block::before;
      if (name == "smoother: post type") inside.side = &Block::after;
      keep(row, *value, entry.isDefault(), name, inside);
    } else if (!read_foreign(entry, name, place)) {
      result_.problems.push_back(where(place.list, name) + " " + problem);
    }
  }

  void keep(Parameter const& row, Value const& value, bool is_default, std::string const& name,
            Place const& place) {
    // Defaults that Teuchos' validateParametersAndSetDefaults wrote and empty lists do not count as given.
    if ((is_default || row.kind == Kind::list) && value == row.standard()) return;
    auto const here = where(place.list, name);
    auto& givens = place.block.*place.side;
    auto const before = givens.find(&row);
    if (before != givens.end() && before->second.value != value) {
      result_.problems.push_back(here + " contradicts " + before->second.where + ": one parameter, values " +
                                 text(value) + " and " + text(before->second.value) + "; leave one out");
      return;
    }
    givens[&row] = {here, value};
  }

  void report_unknown(std::string const& name, Place const& place) {
    if (limit_reached()) return;
    auto const found = names().find(name);
    std::vector<std::string> candidates;
    for (auto const& candidate : names()) {
      if (place.sublist.empty() || candidate.second.row->sublist == place.sublist)
        candidates.push_back(candidate.first);
    }
    if (place.sublist.empty()) {
      for (auto const& list : sublists()) candidates.push_back(list.first);
    }
    result_.unknown.push_back(
        where(place.list, name) + " is an unknown parameter" +
        (found != names().end() ? "; it belongs to the list above this one" : hint(name, candidates)));
  }

  /// Reads a parameter of another library, or its value of one of Tessera's. \returns whether it is one
  bool read_foreign(Teuchos::ParameterEntry const& entry, std::string const& name, Place const& place) {
    for (auto const library : libraries()) {
      auto const* const foreign = find_foreign(library, name);
      if (foreign != nullptr && read_foreign_as(*foreign, entry, name, place)) return true;
    }
    return false;
  }

  bool read_foreign_as(ForeignParameter const& foreign, Teuchos::ParameterEntry const& entry,
                       std::string const& name, Place const& place) {
    bool const in_smoother = place.sublist == "smoother: params",
               in_coarse = place.sublist == "coarse: params";
    if (in_smoother && foreign.library != Library::ifpack2) return false;
    auto const found = translated_value(foreign, entry);
    auto const entry_text =
        where(place.list, name) + (entry.isList() ? "" : " = " + core::excerpt(found.value));
    auto const library = name_of(foreign.library);
    if (in_coarse) {
      entry.getAny(true);
      result_.of_coarse_solver.push_back(entry_text + ", a parameter of " + library);
      return true;
    }
    auto const note = found.note.empty() ? "" : ": " + found.note;
    if (found.status == TranslationStatus::no_effect) {
      entry.getAny(true);
      result_.no_effect.push_back(entry_text + ", a parameter of " + library + ", has no effect in Tessera" +
                                  note);
      return true;
    }
    if (found.status == TranslationStatus::no_counterpart) {
      auto const nearest = found.ours.empty() ? "" : "; the nearest is \"" + found.ours + "\"";
      if (!limit_reached())
        result_.unknown.push_back(entry_text + ", a parameter of " + library +
                                  ", has no counterpart in Tessera" + note + nearest);
      return true;
    }
    auto const ours = names().find(found.name.empty() ? name : found.name);
    if (ours == names().end()) return false;
    auto const& row = *ours->second.row;
    if (place.of_level && !differs_by_level(row)) return false;
    std::string problem;
    auto const value = found.ours.empty() ? converted(row, ours->second.alias, entry, problem)
                                          : converted(row, nullptr, entry_of(row, found.ours), problem);
    if (!value) return false;
    entry.getAny(true);
    auto inside = place;
    if (name == "smoother: pre type") inside.side = &Block::before;
    if (name == "smoother: post type") inside.side = &Block::after;
    keep(row, *value, false, name, inside);
    return true;
  }

  /// Whether so many unknown names are reported that this one is only counted.
  bool limit_reached() {
    bool const many = result_.unknown.size() >= 50;
    result_.suppressed += many ? 1 : 0;
    return many;
  }

  Reading& result_;
};

}  // namespace

Reading read(Teuchos::ParameterList const& list) {
  Reading result;
  Reader(result).read({list, "", result.top, false});
  return result;
}

}  // namespace Tessera::parameters
