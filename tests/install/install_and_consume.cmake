# Run by ctest: SOURCE and BUILD (the trees), CONSUMER (the project), WORK (a folder of our own), GENERATOR, MPIEXEC,
# PYTHON.
file(REMOVE_RECURSE "${WORK}/prefix" "${WORK}/consumer")
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)

# What is installed knows nothing of where it was built, and carries its documents.
string(REGEX REPLACE "([][+.*()^$?|])" "\\\\\\1" _trees "${SOURCE}/;${BUILD}/")
string(REPLACE ";" "|" _trees "${_trees}")
file(GLOB_RECURSE _installed "${WORK}/prefix/lib*/*" "${WORK}/prefix/bin/*")
foreach(_file IN LISTS _installed)
  file(STRINGS "${_file}" _said REGEX "${_trees}")
  if(_said)
    message(FATAL_ERROR "${_file} names the tree it was built from: ${_said}")
  endif()
endforeach()
foreach(_document README.md LICENSE docs/building.md examples/stratimikos/main.cpp xml_params/sa_amg.xml)
  if(NOT EXISTS "${WORK}/prefix/share/doc/Tessera/${_document}")
    message(FATAL_ERROR "${_document} is not installed")
  endif()
endforeach()
run(${PYTHON} "${CMAKE_CURRENT_LIST_DIR}/documents.py" "${WORK}/prefix")

run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${CONSUMER} -B ${WORK}/consumer -DCMAKE_PREFIX_PATH=${WORK}/prefix)
run(${CMAKE_COMMAND} --build ${WORK}/consumer)
run(${MPIEXEC} ${WORK}/consumer/consumer)
if(EXISTS "${WORK}/prefix/bin/tessera")
  run(${WORK}/prefix/bin/tessera params --validate ${WORK}/prefix/share/tessera/xml_params/sa_amg.xml)
  run(${WORK}/prefix/bin/tessera params --validate sa_amg) # which it finds there
endif()
