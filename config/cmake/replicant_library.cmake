# How every target of ours is made: flags on our targets only, headers found as "replicant/<folder>/<file>".

find_program(REPLICANT_CCACHE ccache)
if(REPLICANT_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${REPLICANT_CCACHE}")
endif()

# One include spelling in the tree and installed, with header and source side by side.
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/include")
file(CREATE_LINK "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}/include/replicant" SYMBOLIC)

add_library(replicant_flags INTERFACE)
target_compile_features(replicant_flags INTERFACE cxx_std_20)
# Designated initialisers name what differs from the defaults; the rest is not missing.
target_compile_options(replicant_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
  -Wno-missing-field-initializers $<$<BOOL:${REPLICANT_STRICT}>:-Werror>)
if(REPLICANT_SANITIZE)
  target_compile_options(replicant_flags INTERFACE -fsanitize=${REPLICANT_SANITIZE}
    -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(replicant_flags INTERFACE -fsanitize=${REPLICANT_SANITIZE})
endif()

# replicant_target(<target>): language level and flags shared by libraries, programs and tests.
function(replicant_target target)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:replicant_flags>)
endfunction()

# replicant_library(<name> SOURCES ... HEADERS ... [LINK ...] [PRIVATE_LINK ...])
# Makes the static library replicant_<name>, exported as replicant::<name>. LINK is what its headers
# need too, PRIVATE_LINK what only its sources need.
function(replicant_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;HEADERS;LINK;PRIVATE_LINK" ${ARGN})
  set(target replicant_${name})
  add_library(${target} STATIC ${arg_SOURCES})
  add_library(replicant::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} VERIFY_INTERFACE_HEADER_SETS ON)
  replicant_target(${target})
  target_compile_features(${target} PUBLIC cxx_std_20)
  list(TRANSFORM arg_HEADERS PREPEND "${PROJECT_BINARY_DIR}/include/replicant/${REPLICANT_FOLDER}/")
  target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS "${PROJECT_BINARY_DIR}/include"
    FILES ${arg_HEADERS})
  target_link_libraries(${target} PUBLIC ${arg_LINK} PRIVATE ${arg_PRIVATE_LINK})
  install(TARGETS ${target} EXPORT replicantTargets FILE_SET HEADERS)
endfunction()

# Writes and installs replicantConfig.cmake, so that find_package(replicant) works for a host.
function(replicant_install_package)
  include(CMakePackageConfigHelpers)
  set(folder "${CMAKE_INSTALL_LIBDIR}/cmake/replicant")
  configure_package_config_file("${PROJECT_SOURCE_DIR}/config/cmake/replicantConfig.cmake.in"
    "${PROJECT_BINARY_DIR}/replicantConfig.cmake" INSTALL_DESTINATION "${folder}")
  write_basic_package_version_file("${PROJECT_BINARY_DIR}/replicantConfigVersion.cmake"
    COMPATIBILITY SameMinorVersion)
  install(EXPORT replicantTargets NAMESPACE replicant:: DESTINATION "${folder}")
  install(FILES "${PROJECT_BINARY_DIR}/replicantConfig.cmake"
    "${PROJECT_BINARY_DIR}/replicantConfigVersion.cmake"
    "${PROJECT_SOURCE_DIR}/config/cmake/FindCAF.cmake" DESTINATION "${folder}")
endfunction()
