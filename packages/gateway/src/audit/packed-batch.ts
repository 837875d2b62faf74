/** A batch on its way to a thread: numbers in one block, texts in one text. Objects would cost more than all the rest. */

import type { AuditEntry, Batch, Shared } from './audit-entry.js';

export interface PackedBatch {
  readonly writer: string;
  /** The number of the first entry; the others follow it without a gap. */
  readonly first: number;
  readonly shared: readonly Shared[];
  readonly numbers: Float64Array<ArrayBuffer>;
  readonly texts: string;
}

/** In `numbers`, per entry: kind, time, length of its text, and five more that depend on the kind. */
const COLUMNS = 8;
const [INTENT, CALL, GAP] = [0, 1, 2] as const;
const NONE = -1;

export function packBatch({ writer, entries }: Batch): PackedBatch {
  const numbers = new Float64Array(entries.length * COLUMNS);
  const shared = new Map<Shared, number>();
  const texts: string[] = [];
  let at = 0;
  for (const entry of entries) {
    numbers[at + 1] = entry.time;
    if (entry.kind === 'gap') {
      numbers[at] = GAP;
      numbers[at + 2] = entry.reason.length;
      numbers[at + 3] = entry.lost;
      texts.push(entry.reason);
    } else {
      let number = shared.get(entry.shared);
      if (number === undefined) shared.set(entry.shared, (number = shared.size));
      numbers[at] = INTENT;
      numbers[at + 2] = entry.params.length;
      numbers[at + 3] = number;
      numbers[at + 4] = NONE;
      texts.push(entry.params);
      if (entry.session !== undefined) {
        numbers[at + 4] = entry.session.length;
        texts.push(entry.session);
      }
      if (entry.kind === 'call') {
        numbers[at] = CALL;
        numbers[at + 5] = entry.ms;
        numbers[at + 6] = entry.sizeOut;
        numbers[at + 7] = entry.intent ?? NONE;
      }
    }
    at += COLUMNS;
  }
  const first = entries[0]?.n ?? 0;
  return { writer, first, shared: [...shared.keys()], numbers, texts: texts.join('') };
}

export function unpackBatch(packed: PackedBatch): Batch {
  const { writer, first, numbers, texts } = packed;
  const entries: AuditEntry[] = [];
  let place = 0;
  for (let at = 0; at < numbers.length; at += COLUMNS) {
    const n = first + entries.length;
    const time = numbers[at + 1]!;
    const text = texts.slice(place, (place += numbers[at + 2]!));
    if (numbers[at] === GAP) {
      entries.push({ kind: 'gap', n, time, lost: numbers[at + 3]!, reason: text });
      continue;
    }
    const shared = packed.shared[numbers[at + 3]!]!;
    const length = numbers[at + 4]!;
    const session = length === NONE ? undefined : texts.slice(place, (place += length));
    if (numbers[at] === INTENT) {
      entries.push({ kind: 'intent', n, time, shared, session, params: text });
      continue;
    }
    const [ms, sizeOut, announced] = [numbers[at + 5]!, numbers[at + 6]!, numbers[at + 7]!];
    const intent = announced === NONE ? undefined : announced;
    entries.push({ kind: 'call', n, time, shared, session, params: text, ms, sizeOut, intent });
  }
  return { writer, entries };
}
