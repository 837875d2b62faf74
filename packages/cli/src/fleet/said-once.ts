/** The warnings of several gateways that one command runs: each is written once. */

import type { Log } from '@callsign/core';

import type { Stderr } from '../command/stderr.js';

/** What was written so far, by command. */
const written = new WeakMap<Stderr, Set<string>>();

/** A log for a gateway of a command. Another gateway of the command may have said the same. */
export function saidOnce(stderr: Stderr): Log {
  const known = written.get(stderr) ?? new Set();
  written.set(stderr, known);
  const before = new Set(known);
  return (level, message) => {
    known.add(message);
    if (!before.has(message)) stderr.log(level, message);
  };
}
