#pragma once
/// \file
/// XML for mutation; any mutated tree can be written.
#include <string>
#include <utility>
#include <vector>

namespace Tessera::fuzz {

struct Node {
  std::string tag;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<Node> children;
  std::string text;  ///< raw, before the children

  /// "" if there is none.
  std::string attribute(std::string const& name) const;
};

/// text: a list with attributes in double quotes. Ignores comments.
Node parse_xml_tree(std::string const& text);

std::string to_string(Node const& root);

/// The root and all below it, parents before children.
std::vector<Node*> all_nodes(Node& root);

}  // namespace Tessera::fuzz
