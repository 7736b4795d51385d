#pragma once
/// \file
/// A small language in which table.cpp and table_aggregates.cpp write the rows of the table.
#include "core/error.hpp"
#include "settings/settings.hpp"
#include "settings/table.hpp"

namespace Tessera::settings {

// Further properties of a row, after its documentation.

inline auto from(std::string const& whose) {
  return [=](Parameter& row) { row.origin = whose; };
}
inline auto also(std::string const& name,
                 std::vector<std::pair<std::string, std::string>> const& values = {}) {
  return [=](Parameter& row) { row.aliases.push_back({name, values}); };
}
inline auto retired(std::vector<std::pair<std::string, std::string>> const& choices) {
  return [=](Parameter& row) { row.retired = choices; };
}
constexpr auto in(char const* sublist) {
  return [=](Parameter& row) { row.sublist = sublist; };
}
inline auto only(Condition const& condition) {
  return [=](Parameter& row) { row.condition = condition; };
}
inline void excluding_lowest(Parameter& row) {
  row.lowest_excluded = true;
}
inline void also_boolean(Parameter& row) {
  row.also_boolean = true;
}
inline void excluding_highest(Parameter& row) {
  row.highest_excluded = true;
}
/// A value outside the range with a meaning of its own.
inline auto or_value(double value) {
  return [=](Parameter& row) { row.extra_value = value; };
}
/// A further effect of setting the parameter. Later rows of the table are set later.
template <class Then>
auto then(Then then) {
  return [=](Parameter& row) {
    row.set = [set = row.set, then](Draft& draft, Value const& value) {
      set(draft, value);
      then(draft);
    };
  };
}

/// Rows of one section. `place` is a function Draft& -> T&: default, reading and writing all go through it.
class Section {
 public:
  /// general: properties of all rows that do not replace them, such as a condition.
  template <class... General>
  Section(std::vector<Parameter>& rows, char const* name, General const&... general)
      : rows_(rows), general_([=](Parameter& row) { (general(row), ...); }), name_(name) {}

  template <class Place, class... More>
  void boolean(char const* name, Place place, char const* documentation, More const&... more) {
    number<bool>(Kind::boolean, name, place, 0, 0, documentation, more...);
  }
  template <class Place, class... More>
  void integer(char const* name, Place place, int lowest, int highest, char const* documentation,
               More const&... more) {
    number<int>(Kind::integer, name, place, lowest, highest, documentation, more...);
  }
  template <class Place, class... More>
  void real(char const* name, Place place, double lowest, double highest, char const* documentation,
            More const&... more) {
    number<double>(Kind::real, name, place, lowest, highest, documentation, more...);
  }

  /// A sublist. place: a string, which gets its XML.
  template <class Place, class... More>
  void list(char const* name, Place place, char const* documentation, More const&... more) {
    number<std::string>(Kind::list, name, place, 0, 0, documentation, more...);
  }

  template <class Place>
  using EnumAt = std::decay_t<decltype(std::declval<Place>()(std::declval<Draft&>()))>;
  template <class Place, class... More>
  void choice(char const* name, Place place, std::vector<std::pair<std::string, EnumAt<Place>>> const& values,
              char const* documentation, More const&... more) {
    Parameter& row = add(Kind::choice, name, documentation);
    for (auto const& value : values) row.choices.push_back(value.first);
    row.get = [place, values](Draft const& draft) -> Value {
      Draft copy = draft;
      for (auto const& value : values) {
        if (value.second == place(copy)) return value.first;
      }
      throw std::logic_error("a choice without a name");
    };
    row.set = [place, values](Draft& draft, Value const& given) {
      for (auto const& value : values) {
        if (value.first == std::get<std::string>(given)) place(draft) = value.second;
      }
    };
    (more(row), ...);
  }

 private:
  Parameter& add(Kind kind, char const* name, char const* documentation) {
    Parameter row;
    row.section = name_;
    row.name = name;
    row.kind = kind;
    row.documentation = documentation;
    row.origin = "Tessera";
    general_(row);
    rows_.push_back(std::move(row));
    return rows_.back();
  }
  template <class T, class Place, class... More>
  void number(Kind kind, char const* name, Place place, double lowest, double highest,
              char const* documentation, More const&... more) {
    Parameter& row = add(kind, name, documentation);
    row.lowest = lowest;
    row.highest = highest;
    row.get = [place](Draft const& draft) -> Value {
      Draft copy = draft;
      return place(copy);
    };
    row.set = [place](Draft& draft, Value const& value) { place(draft) = std::get<T>(value); };
    (more(row), ...);
  }

  std::vector<Parameter>& rows_;
  std::function<void(Parameter&)> general_;
  char const* name_;
};

inline constexpr double largest = 1e9;

inline auto only_with_levels() {
  return only({algorithms_text(true),
               [](Draft const& draft) { return method_for(draft.settings.algorithm).has_levels; }});
}

inline auto only_with_aggregates() {
  return only({algorithms_with_aggregates(),
               [](Draft const& draft) { return has_aggregates(draft.settings.algorithm); }});
}

/// The section on classical coarsening.
void classical(std::vector<Parameter>& rows);

/// The section on strength and aggregation.
void aggregates(std::vector<Parameter>& rows);

}  // namespace Tessera::settings

// Where a parameter is kept.
#define AT(place)              \
  [](Draft & draft) -> auto& { \
    return draft.place;        \
  }
#define MG(place) AT(settings.multigrid.place)
#define WHEN(condition) [](Draft const& draft) { return condition; }
