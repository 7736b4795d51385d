#include "xml_tree.hpp"

#include <regex>

namespace Tessera::fuzz {
namespace {

std::string escaped(std::string const& value) {
  std::string result;
  for (char const c : value) {
    result += c == '&'   ? "&amp;"
              : c == '<' ? "&lt;"
              : c == '>' ? "&gt;"
              : c == '"' ? "&quot;"
                         : std::string(1, c);
  }
  return result;
}

void collect(Node& node, std::vector<Node*>& all) {
  all.push_back(&node);
  for (auto& child : node.children) collect(child, all);
}

}  // namespace

std::string Node::attribute(std::string const& name) const {
  for (auto const& one : attributes) {
    if (one.first == name) return one.second;
  }
  return {};
}

Node parse_xml_tree(std::string const& text) {
  static std::regex const tag(R"re(<(/?)(\w+)((?:\s+\w+="[^"]*")*)\s*(/?)>)re"),
      pair(R"re((\w+)="([^"]*)")re");
  std::vector<Node> open(1);  // the first one holds the root
  for (std::sregex_iterator at(text.begin(), text.end(), tag), end; at != end; ++at) {
    bool const closes = (*at)[1].length() > 0 || (*at)[4].length() > 0;
    if ((*at)[1].length() == 0) {
      Node node;
      node.tag = (*at)[2];
      std::string const attributes = (*at)[3];
      for (std::sregex_iterator one(attributes.begin(), attributes.end(), pair); one != end; ++one)
        node.attributes.emplace_back((*one)[1], (*one)[2]);
      open.push_back(node);
    }
    if (!closes) continue;
    Node const done = open.back();
    open.pop_back();
    open.back().children.push_back(done);
  }
  return open.front().children.front();
}

std::string to_string(Node const& root) {
  std::string text = "<" + root.tag;
  for (auto const& one : root.attributes) text += " " + one.first + "=\"" + escaped(one.second) + "\"";
  if (root.children.empty() && root.text.empty()) return text + "/>\n";
  text += ">" + root.text + "\n";
  for (auto const& child : root.children) text += to_string(child);
  return text + "</" + root.tag + ">\n";
}

std::vector<Node*> all_nodes(Node& root) {
  std::vector<Node*> all;
  collect(root, all);
  return all;
}

}  // namespace Tessera::fuzz
