// SPDX-License-Identifier: MIT
#include "replicant/tests/support/pg_cluster.hpp"

#include "replicant/tests/support/wait_until.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace replicant::test {

namespace {

std::string content_of(const std::string& path) {
  std::ifstream input{path};
  std::ostringstream text;
  text << input.rdbuf();
  return text.str();
}

void write(const std::string& path, const std::string& text, std::ios::openmode mode) {
  std::ofstream output{path, mode};
  output << text;
  if (!output.flush())
    throw std::runtime_error{"cannot write " + path};
}

/// Excludes other test programs while one makes the template.
class file_lock {
public:
  explicit file_lock(const std::string& path)
    : file_{::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)} {
    if (file_ < 0 || ::flock(file_, LOCK_EX) != 0)
      throw std::runtime_error{"cannot lock " + path};
  }

  file_lock(const file_lock&) = delete;
  file_lock& operator=(const file_lock&) = delete;

  ~file_lock() { ::close(file_); }

private:
  int file_;
};

/// initdb takes a second, copying its result a tenth. The copy that everybody takes from is made by
/// the first test that needs it and stays in the build folder.
std::string template_for(const pg_binaries& binaries) {
  // A server's files belong to one user: each has a template of their own.
  const auto all =
    std::filesystem::path{REPLICANT_PG_TEMPLATES} / ("user-" + std::to_string(::geteuid()));
  std::filesystem::create_directories(all);
  const auto made = all / (std::to_string(binaries.major) + "-" +
                           std::to_string(std::hash<std::string>{}(binaries.folder)));
  const file_lock alone{(all / "lock").string()};
  if (std::filesystem::exists(made))
    return made.string();
  const temp_dir folder;
  give_to_server_user(folder.path().string());
  run({binaries.folder + "/initdb", "-D", folder / "data", "-U", "postgres", "-A", "trust", "-E",
       "UTF8", "--no-locale", "--no-sync"},
      run_as::server_user);
  const auto unfinished = made.string() + ".unfinished";
  run({"cp", "-a", folder / "data", unfinished});
  std::filesystem::rename(unfinished, made);
  return made.string();
}

constexpr std::string_view base_conf = R"(
listen_addresses = '127.0.0.1'
wal_level = logical
fsync = off
full_page_writes = off
synchronous_commit = on
max_wal_senders = 20
max_replication_slots = 40
shared_buffers = 32MB
log_line_prefix = '%m %p %q%u '
)";

int signal_of(stop_mode mode) {
  switch (mode) {
    case stop_mode::smart: return SIGTERM;
    case stop_mode::fast: return SIGINT;
    case stop_mode::immediate: return SIGQUIT;
  }
  return SIGQUIT;
}

} // namespace

pg_cluster::pg_cluster(const cluster_options& options)
  : binaries_{options.binaries}, port_{free_port()} {
  copy_from(options);
  std::filesystem::create_directory(socket_folder());
  give_to_server_user(folder_.path().string());
  configure(std::string{base_conf});
  configure("unix_socket_directories = '" + socket_folder() + "'");
  configure("port = " + std::to_string(port_));
  if (options.primary != nullptr)
    follow(*options.primary);
  for (const auto& line : options.conf)
    configure(line);
  if (!options.hba.empty())
    authenticate(options.hba);
  start();
}

void pg_cluster::copy_from(const cluster_options& options) {
  auto* const primary = options.primary;
  if (primary == nullptr) {
    run({"cp", "-a", template_for(binaries_), data_folder()});
    return;
  }
  primary->stop();
  run({"cp", "-a", primary->data_folder(), data_folder()});
  primary->start();
  // The slots are the primary's own.
  for (const auto& slot : std::filesystem::directory_iterator{data_folder() + "/pg_replslot"})
    std::filesystem::remove_all(slot);
  write(data_folder() + "/standby.signal", "", std::ios::app);
}

void pg_cluster::follow(const pg_cluster& primary) {
  configure("primary_conninfo = '" + primary.conninfo() + "'");
  configure(std::string{"primary_slot_name = '"} + standby_slot + "'");
  configure("hot_standby_feedback = on");
  configure("wal_retrieve_retry_interval = 100ms");
}

pg_cluster::~pg_cluster() {
  if (running())
    ask_to_stop(stop_mode::immediate);
  if (postmaster_)
    postmaster_->wait(std::chrono::seconds{10});
}

void pg_cluster::launch() {
  postmaster_ = std::make_unique<child_process>(
    std::vector{binaries_.folder + "/postgres", std::string{"-D"}, data_folder()}, folder_ / "log",
    run_as::server_user);
}

void pg_cluster::start() {
  launch();
  const auto up = wait_until([this] { return !running() || sql_client::answers(conninfo()); },
                             std::chrono::seconds{60});
  if (!up || !running())
    throw std::runtime_error{"the server did not start: " + log()};
}

void pg_cluster::ask_to_stop(stop_mode mode) {
  postmaster_->signal(signal_of(mode));
}

std::chrono::milliseconds pg_cluster::stop(stop_mode mode, std::chrono::milliseconds patience) {
  const auto begin = std::chrono::steady_clock::now();
  ask_to_stop(mode);
  if (!postmaster_->wait(patience))
    throw std::runtime_error{"the server did not stop: " + log()};
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() -
                                                               begin);
}

bool pg_cluster::running() {
  return postmaster_ && postmaster_->running();
}

void pg_cluster::restart(stop_mode mode) {
  stop(mode);
  start();
}

void pg_cluster::configure(const std::string& line) {
  write(data_folder() + "/postgresql.conf", line + "\n", std::ios::app);
}

void pg_cluster::authenticate(const std::string& hba) {
  write(data_folder() + "/pg_hba.conf", hba + "\n", std::ios::trunc);
}

void pg_cluster::reload() {
  const auto before = client().value("SELECT pg_conf_load_time()");
  postmaster_->signal(SIGHUP);
  if (!wait_until([&] { return client().value("SELECT pg_conf_load_time()") != before; }))
    throw std::runtime_error{"the server did not reload: " + log()};
}

std::string pg_cluster::conninfo(const std::string& rest) const {
  return "host=" + socket_folder() + " port=" + std::to_string(port_) + " " + rest;
}

std::string pg_cluster::tcp_conninfo(const std::string& rest) const {
  return "host=127.0.0.1 port=" + std::to_string(port_) + " " + rest;
}

sql_client pg_cluster::client(const std::string& database) const {
  return sql_client{conninfo("user=postgres dbname=" + database)};
}

std::string pg_cluster::log() const {
  return content_of(folder_ / "log");
}

} // namespace replicant::test
