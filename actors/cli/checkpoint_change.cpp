// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/checkpoint_holder.hpp"
#include "replicant/actors/cli/commands.hpp"
#include "replicant/actors/cli/configuration.hpp"
#include "replicant/actors/cli/confirmation.hpp"
#include "replicant/actors/cli/halt_record.hpp"
#include "replicant/actors/cli/text_table.hpp"
#include "replicant/actors/postgres/slot_session.hpp"
#include "replicant/actors/readable.hpp"
#include "replicant/core/delivery/start_plan.hpp"

#include <iostream>

namespace replicant::cli {

namespace {

/// One pipeline, where its position is kept, and what is held there.
struct subject {
  settings loaded;
  std::unique_ptr<checkpoint_holder> holder;
  result<held_position> held;

  [[nodiscard]] const pipeline_settings& pipeline() const { return loaded.pipelines.front(); }
};

exit_code refuse(const pipeline_settings& pipeline, const fault& why, exit_code code) {
  std::cerr << "replicant: the position of " << pipeline.name << " was not changed\n"
            << remark_on(pipeline.name, why);
  return code;
}

void tell(const char* what, const std::string& text) {
  std::cout << "  " << what << text << '\n';
}

std::string described(const session_identity& source) {
  return "server " + source.system_identifier + ", database " + printable(source.database);
}

std::string described(const result<held_position>& held) {
  if (!held)
    return "cannot be read (" + to_string(held.error()) + ")";
  if (!held->source)
    return "nothing";
  return (held->durable ? "position " + to_string(held->durable->position()) : "no position") +
         " of " + described(*held->source) + " (" + held->details + ")";
}

/// Reads everything that both commands need. What cannot be read can still be given up, as long as
/// it is only damaged.
tl::expected<subject, exit_code> find_subject(const change_request& asked) {
  auto loaded = read_for_change(asked.file, asked.pipeline);
  if (!loaded)
    return tl::unexpected{loaded.error()};
  const auto& pipeline = loaded->pipelines.front();
  auto holder = holder_of(pipeline);
  if (!holder) {
    std::cerr
      << "replicant: " << pipeline.name
      << " keeps no position, so there is none to change; write [pipeline.checkpoint_store] "
         "if it is to keep one\n";
    return tl::unexpected{exit_code::wrong_input};
  }
  if (const auto free = holder->expect_free(); !free)
    return tl::unexpected{refuse(pipeline, free.error(), exit_code::needs_person)};
  auto held = holder->look();
  if (!held && held.error().why != reason::sink_unreadable)
    return tl::unexpected{refuse(pipeline, held.error(),
                                 disposition_of(held.error().why) == disposition::halt
                                   ? exit_code::needs_person
                                   : exit_code::unavailable)};
  std::cout << pipeline.name << ": " << holder->where() << '\n';
  tell("held:    ", described(held));
  return subject{std::move(*loaded), std::move(holder), std::move(held)};
}

/// What becomes of the rows when `held` gives way to the slot's position.
std::string meaning_of(const result<held_position>& held, const source_facts& facts,
                       watermark adopted) {
  if (!held)
    return "what is lost or repeated by it is not known, because what is held cannot be read";
  if (!held->source || !held->durable)
    return "the target has nothing of before; the stream begins at the slot's position";
  if (!judge_identity(facts.identity, same_as(*held->source)))
    return "positions of two sources cannot be compared: what the old one committed and the target "
           "lacks does not come any more, and what the slot still has of it comes again";
  const auto expected = held->durable->acknowledged();
  if (held->durable->overtaken_by(*facts.slot->confirmed))
    return "LOST: what was committed between " + to_string(expected) + " and " +
           to_string(adopted.acknowledged()) + " (" +
           readable_size(wal_bytes_between(expected, adopted.acknowledged())) +
           " of WAL) does not come any more; load it by other means";
  if (adopted < *held->durable)
    return "REPEATED: what was committed between " + to_string(adopted.acknowledged()) + " and " +
           to_string(expected) +
           " comes again; without adopting, a start leaves it out, as far as the server is the "
           "same";
  return "nothing: a start goes on at this position as it is";
}

/// Ends a change that has been done.
exit_code finish(const subject& on, const result<std::string>& done, const char* told) {
  if (!done)
    return refuse(on.pipeline(), done.error(),
                  disposition_of(done.error().why) == disposition::halt ? exit_code::needs_person
                                                                        : exit_code::unavailable);
  // A halt of before was about what was held; what is still remembered of tables halts it again.
  halt_record{on.loaded.runtime.state_dir}.forget(on.pipeline().name);
  if (!done->empty())
    tell("", *done);
  tell("done:    ", told);
  return exit_code::fine;
}

/// Why the slot cannot be taken over, or its source.
std::optional<fault> obstacle(const source_facts& facts, const pipeline_settings& pipeline) {
  const auto& demanded = pipeline.source_identity;
  if (const auto same =
        judge_identity(facts.identity, {.system_identifier = demanded.system_identifier,
                                        .database = demanded.database,
                                        .slot_name = std::nullopt});
      !same)
    return same.error();
  const auto fit = judge_slot(*facts.slot, facts.identity.database);
  return fit ? std::nullopt : std::optional{fit.error()};
}

} // namespace

exit_code adopt_checkpoint(const checkpoint_adopt_request& asked) {
  const auto on = find_subject(asked);
  if (!on)
    return on.error();
  const auto& pipeline = on->pipeline();
  const auto facts = postgres::identify_source(pipeline.conninfo, pipeline.slot_name);
  if (!facts)
    return refuse(pipeline, facts.error(), exit_code::unavailable);
  tell("server:  ", described(facts->identity));
  if (!facts->slot) {
    std::cerr << "replicant: there is no slot " << pipeline.slot_name
              << " to adopt; replicant checkpoint reset makes the next start a first one\n";
    return exit_code::needs_person;
  }
  if (const auto why = obstacle(*facts, pipeline))
    return refuse(pipeline, *why, exit_code::needs_person);
  const auto adopted = watermark::before(*facts->slot->confirmed);
  tell("slot:    ", pipeline.slot_name + ", confirmed up to " + to_string(*facts->slot->confirmed));
  tell("writes:  ", "position " + to_string(adopted.position()) + " of " +
                      described(facts->identity) + "; " + on->holder->what_becomes());
  tell("meaning: ", meaning_of(on->held, *facts, adopted));
  if (const auto asks = ask_confirmation(asked.confirmation, pipeline.slot_name,
                                         {"checkpoint adopt", asked.file, pipeline.name}))
    return *asks;
  return finish(*on, on->holder->replace(facts->identity, adopted),
                "the next start goes on where the slot is");
}

exit_code reset_checkpoint(const checkpoint_reset_request& asked) {
  const auto on = find_subject(asked);
  if (!on)
    return on.error();
  const auto& pipeline = on->pipeline();
  // A source that is gone for good is one more cause to forget its position.
  const auto facts = postgres::identify_source(pipeline.conninfo, pipeline.slot_name);
  if (facts && facts->slot && facts->slot->active_pid != 0)
    return refuse(pipeline, judge_slot(*facts->slot, facts->identity.database).error(),
                  exit_code::needs_person);
  tell("server:  ",
       facts ? described(facts->identity) : "not known (" + to_string(facts.error()) + ")");
  tell("writes:  ", "nothing is held any more; " + on->holder->what_becomes());
  tell("meaning: ",
       facts && facts->slot
         ? "the slot " + pipeline.slot_name +
             " stays, and the next start halts for it (checkpoint_missing): replicant slot drop to "
             "begin at the present moment, replicant checkpoint adopt to go on where the slot is"
         : "without a slot the next start makes one and begins at the present moment, if "
           "go_forward_only = true; what was committed before then does not come");
  if (const auto asks = ask_confirmation(asked.confirmation, pipeline.slot_name,
                                         {"checkpoint reset", asked.file, pipeline.name}))
    return *asks;
  return finish(*on, on->holder->forget(), "nothing is held any more");
}

} // namespace replicant::cli
