"""packaging/spack: recipes that parse, and set options that CMakeLists.txt has."""
import ast
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECIPES = sorted((ROOT / "packaging/spack/packages").glob("*/package.py"))


def options_of(text):
    return set(re.findall(r"\bTESSERA_[A-Z_]+\b", text))


class Spack(unittest.TestCase):
    def test_recipes_are_python_with_a_class_of_the_folders_name(self):
        self.assertEqual([recipe.parent.name for recipe in RECIPES], ["tessera", "trilinos"])
        for recipe in RECIPES:
            classes = [node.name for node in ast.parse(recipe.read_text(), recipe).body if isinstance(node, ast.ClassDef)]
            self.assertEqual(classes, [recipe.parent.name.capitalize()])

    def test_options_are_those_of_the_build(self):
        build = re.sub(r"\$\{[^}]*\}", "", (ROOT / "CMakeLists.txt").read_text())
        declared = set(re.findall(r"^(?:option|set)\((TESSERA_[A-Z_]+)", build, re.M))
        used = set().union(*(options_of(recipe.read_text()) for recipe in RECIPES))
        self.assertGreaterEqual(len(used), 6)
        self.assertEqual(used - declared, set())

    def test_recipes_say_that_nobody_has_run_them(self):
        for recipe in RECIPES:
            self.assertTrue(recipe.read_text().startswith("# Checked by syntax alone"), recipe)


if __name__ == "__main__":
    unittest.main()
