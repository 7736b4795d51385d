#pragma once
/// \file
/// A small language in which table.cpp writes its rows.
#include "core/error.hpp"
#include "parameters/table.hpp"

namespace Tessera::parameters {

/// The row that was added last, to say more of it.
class Row {
 public:
  explicit Row(Parameter& row) : row_(row) {}
  Row& origin(std::string whose) {
    row_.origin = std::move(whose);
    return *this;
  }
  Row& alias(std::string name, std::vector<std::pair<std::string, std::string>> values = {}) {
    row_.aliases.push_back({std::move(name), std::move(values)});
    return *this;
  }
  Row& retired(std::vector<std::pair<std::string, std::string>> choices) {
    row_.retired = std::move(choices);
    return *this;
  }
  Row& in(std::string sublist) {
    row_.sublist = std::move(sublist);
    return *this;
  }
  Row& only(Condition condition) {
    row_.condition = std::move(condition);
    return *this;
  }
  Row& above_lowest() {
    row_.lowest_excluded = true;
    return *this;
  }
  Row& below_highest() {
    row_.highest_excluded = true;
    return *this;
  }
  /// A value outside the range that has a meaning of its own.
  Row& or_else(double value) {
    row_.besides = value;
    return *this;
  }
  /// What else setting it does. Rows that stand after this one in the table are set later.
  template <class Then>
  Row& then(Then then) {
    auto const set = row_.set;
    row_.set = [set, then](Draft& draft, Value const& value) {
      set(draft, value);
      then(draft);
    };
    return *this;
  }

 private:
  Parameter& row_;
};

/// Rows of one section. `place` is a function Draft& -> T&: default, reading and writing all go through it.
class Section {
 public:
  /// condition: of rows that say no other.
  Section(std::vector<Parameter>& rows, std::string name, Condition condition = {})
      : rows_(rows), name_(std::move(name)), condition_(std::move(condition)) {}

  template <class Place>
  Row boolean(char const* name, Place place, char const* documentation) {
    return add<bool>(Kind::boolean, name, place, documentation);
  }

  template <class Place>
  Row integer(char const* name, Place place, int lowest, int highest, char const* documentation) {
    Row row = add<int>(Kind::integer, name, place, documentation);
    rows_.back().lowest = lowest;
    rows_.back().highest = highest;
    return row;
  }

  template <class Place>
  Row real(char const* name, Place place, double lowest, double highest, char const* documentation) {
    Row row = add<double>(Kind::real, name, place, documentation);
    rows_.back().lowest = lowest;
    rows_.back().highest = highest;
    return row;
  }

  template <class Enum, class Place>
  Row choice(char const* name, Place place, std::vector<std::pair<std::string, Enum>> const& values,
             char const* documentation) {
    Row row = add<Enum>(Kind::choice, name, place, documentation);
    Parameter& parameter = rows_.back();
    for (auto const& value : values) parameter.choices.push_back(value.first);
    parameter.get = [place, values](Draft const& draft) -> Value {
      Draft copy = draft;
      for (auto const& value : values) {
        if (value.second == place(copy)) return value.first;
      }
      throw std::logic_error("a choice without a name");
    };
    parameter.set = [place, values](Draft& draft, Value const& given) {
      for (auto const& value : values) {
        if (value.first == std::get<std::string>(given)) place(draft) = value.second;
      }
    };
    return row;
  }

 private:
  template <class T, class Place>
  Row add(Kind kind, char const* name, Place place, char const* documentation) {
    Parameter row;
    row.section = name_;
    row.name = name;
    row.kind = kind;
    row.documentation = documentation;
    row.origin = "Tessera";
    row.condition = condition_;
    if constexpr (!std::is_enum_v<T>) {
      row.get = [place](Draft const& draft) -> Value {
        Draft copy = draft;
        return place(copy);
      };
      row.set = [place](Draft& draft, Value const& value) { place(draft) = std::get<T>(value); };
    }
    rows_.push_back(std::move(row));
    return Row(rows_.back());
  }

  std::vector<Parameter>& rows_;
  std::string name_;
  Condition condition_;
};

}  // namespace Tessera::parameters
