// SPDX-License-Identifier: MIT
#pragma once

namespace replicant::cli {

/// How a command ends. Scripts depend on these numbers.
enum class exit_code : int {
  /// run: stopped as asked. check: right. status: running, and nothing is halted. tail: ended by a
  /// signal, by --max or by its reader. slot list: every slot can be used. slot drop: the slots are
  /// gone. checkpoint show: nothing is wrong. checkpoint adopt, checkpoint reset, schema accept:
  /// told, or done. completion, man: printed.
  fine = 0,

  /// Until a person has done something, it stays as it is: starting again cures nothing.
  /// run, tail: halted. status: a pipeline is halted. slot list: a slot is missing or cannot be
  /// used. slot drop: a slot was not dropped. checkpoint show: a sink cannot be read, a slot cannot
  /// be used, or a sink and its slot prove a gap. checkpoint adopt, checkpoint reset, schema
  /// accept: refused.
  needs_person = 1,

  /// The command line, with a confirmation in it, or the configuration is wrong; checkpoint adopt,
  /// checkpoint reset: the pipeline keeps no position.
  wrong_input = 2,

  /// The surroundings are not fit for it now: every command when standard output does not take
  /// what it has to say. run, tail: could not be started. status: nothing is running, or it does
  /// not answer. slot list, slot drop, checkpoint adopt, checkpoint reset: a server could not be
  /// asked. schema accept: the state folder cannot be written.
  unavailable = 3,

  /// run, tail: left without finishing, at a second signal or 10 s after the first; 128 + SIGTERM.
  interrupted = 143,
};

} // namespace replicant::cli
