// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace replicant::cli {

/// A place for a folder of this process alone, below $TMPDIR, else below /tmp, under a name that
/// nobody can guess. Whoever needs the folder makes it; it goes with the object, and all that is in
/// it.
class temporary_folder {
public:
  temporary_folder();
  ~temporary_folder();

  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

  /// For an end that no destructor sees. May be called by any thread, and again.
  void remove() const;

private:
  std::string path_;
};

} // namespace replicant::cli
