// SPDX-License-Identifier: MIT
#include "replicant/actors/files/spill_directory.hpp"

#include "replicant/actors/files/stored_spill.hpp"

#include <cerrno>
#include <filesystem>
#include <utility>

namespace replicant {

namespace {

/// The folder of one slot; none for names that would lead out of `dir`.
std::string path_of(const std::string& dir, const session_identity& identity) {
  const auto name = identity.slot_name + '.' + identity.system_identifier;
  const auto is_plain = name.find_first_of(std::string_view{"/\0", 2}) == std::string::npos;
  if (dir.empty() || identity.slot_name.empty() || !is_plain)
    return {};
  return (std::filesystem::path{dir} / name).string();
}

} // namespace

spill_directory::spill_directory(const std::string& dir, std::uint64_t max_spill_bytes,
                                 const session_identity& identity)
  : path_{path_of(dir, identity)}, space_{std::make_shared<spill_space>(max_spill_bytes)} {
  static_cast<void>(take_folder(when_missing::fail));
}

result<std::shared_ptr<spill_file>> spill_directory::create(std::uint32_t xid) {
  return make_file(xid).map_error([xid](int error) {
    return fault{.why = reason::spill_io_failed,
                 .facts = {{{fact_kind::error_number, static_cast<std::uint64_t>(error)},
                            {fact_kind::transaction_id, xid}}}};
  });
}

tl::expected<std::shared_ptr<spill_file>, int> spill_directory::make_file(std::uint32_t xid) {
  if (!folder_ || !folder_->in_place())
    if (const auto error = take_folder(when_missing::make); error != 0)
      return tl::unexpected{error};
  return stored_spill::create(folder_, space_, xid);
}

int spill_directory::take_folder(when_missing missing) {
  if (path_.empty())
    return EINVAL;
  auto taken = spill_folder::open(path_, missing);
  if (!taken)
    return taken.error();
  folder_ = std::move(*taken);
  return 0;
}

} // namespace replicant
