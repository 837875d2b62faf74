/** Entries for tests of the journal. */

import { type CallEntry, type IntentEntry, UNNUMBERED } from '../record/audit-entry.js';

const FACTS = '"severity":"info","tool":"fs:x","name":"x","method":"tools/call","client":"c"';
const REST = '"clientVersion":"1","era":"session"';

export function callEntry(i: number, intent?: IntentEntry): CallEntry {
  return {
    kind: 'call',
    n: UNNUMBERED,
    time: Date.now(),
    facts: { text: `"kind":"call",${FACTS},${REST},"outcome":"ok","retries":0` },
    session: 's',
    sizeIn: 30,
    argumentsJson: `{"i":${i}}`,
    ms: 1,
    sizeOut: 2,
    intent,
  };
}

export function intentEntry(i: number): IntentEntry {
  return {
    kind: 'intent',
    n: UNNUMBERED,
    time: Date.now(),
    facts: { text: `"kind":"intent",${FACTS},${REST}` },
    session: 's',
    sizeIn: 30,
    argumentsJson: `{"i":${i}}`,
    given: undefined,
  };
}
