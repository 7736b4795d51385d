# Filled in by the install rules (find_package(Tessera)).
