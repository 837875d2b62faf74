/** Goes over the whole chain and says what is wrong with it: edits, gaps, other orders, a missing end. */

import type { AuditRecord, Head } from './audit-record.js';
import type { AuditStore } from './audit-store.js';
import { GENESIS, hashOf, type Link } from './chain.js';
import { storeTrouble } from './store-trouble.js';

export interface Flaw {
  /** Where in the chain. */
  readonly seq: number;
  readonly flaw:
    | 'edited'
    | 'missing'
    | 'moved'
    | 'truncated'
    | 'unanchored'
    | 'alarm'
    | 'unreadable';
  /** For people. */
  readonly message: string;
}

export interface Verification {
  readonly ok: boolean;
  /** How many records were read. */
  readonly records: number;
  readonly first?: number;
  readonly head: Head;
  /** Records that went missing when they could not be written, by the log's own word; no flaw. */
  readonly lost: number;
  /** The first hundred. */
  readonly flaws: readonly Flaw[];
}

const MOST_FLAWS = 100;
const BETWEEN_REPORTS = 1_000;

export async function verifyChain(
  store: AuditStore,
  onProgress?: (records: number) => void,
): Promise<Verification> {
  // Read before the records: it may lag behind them, and must not run ahead.
  const anchor = await store.anchor();
  const walk = new Walk(anchor);
  try {
    for await (const link of store.read()) {
      walk.step(link);
      if (walk.records % BETWEEN_REPORTS === 0) onProgress?.(walk.records);
    }
  } catch (error) {
    walk.flaw(
      'unreadable',
      walk.head.seq + 1,
      `Nothing can be read from here: ${storeTrouble(error).message}.`,
    );
  }
  onProgress?.(walk.records);
  return walk.end();
}

class Walk {
  records = 0;
  head: Head = GENESIS;
  readonly #anchor: Head | undefined;
  readonly #flaws: Flaw[] = [];
  #first: Link | undefined;
  /** The last word on what was deleted for its age. */
  #pruned: Head = GENESIS;
  #lost = 0;
  #count = 0;

  constructor(anchor: Head | undefined) {
    this.#anchor = anchor;
  }

  step(link: Link): void {
    const { seq, prev, hash, body } = link;
    this.records++;
    if (!this.#first) this.#first = link;
    else if (seq !== this.head.seq + 1) {
      const gone = seq - this.head.seq - 1;
      this.flaw('missing', seq, `${gone} records before record ${seq} are missing.`);
    } else if (prev !== this.head.hash) {
      this.flaw('moved', seq, `Record ${seq} does not follow the one before it.`);
    }
    if (hashOf(prev, body) !== hash) this.flaw('edited', seq, `Record ${seq} was changed.`);
    if (seq === this.#anchor?.seq && hash !== this.#anchor.hash) {
      this.flaw('edited', seq, `Record ${seq} is not the one that the anchor knows.`);
    }
    this.#heed(seq, body);
    this.head = { seq, hash };
  }

  flaw(flaw: Flaw['flaw'], seq: number, message: string): void {
    this.#count++;
    if (this.#flaws.length < MOST_FLAWS) this.#flaws.push({ seq, flaw, message });
  }

  end(): Verification {
    this.#checkBeginning();
    this.#checkEnd();
    const first = this.#first?.seq;
    return {
      ok: this.#count === 0,
      records: this.records,
      ...(first === undefined ? {} : { first }),
      head: this.head,
      lost: this.#lost,
      flaws: this.#flaws,
    };
  }

  /** What the log says of itself. */
  #heed(seq: number, body: string): void {
    if (!/^\{"kind":"(?:gap|pruned|alarm)"/.test(body)) return;
    const record = parsed(body);
    if (record?.kind === 'gap') this.#lost += record.lost;
    else if (record?.kind === 'pruned') this.#pruned = record.through;
    else if (record?.kind === 'alarm') this.flaw('alarm', seq, `Record ${seq}: ${record.reason}.`);
  }

  #checkBeginning(): void {
    if (!this.#first) return;
    const { seq, prev } = this.#first;
    if (seq === this.#pruned.seq + 1 && prev === this.#pruned.hash) return;
    this.flaw('missing', seq, `Records before ${seq} are missing, and no record says why.`);
  }

  #checkEnd(): void {
    if (!this.#anchor) {
      this.flaw('unanchored', this.head.seq, 'The anchor is gone, so nobody knows the end.');
    } else if (this.#anchor.seq > this.head.seq) {
      const { seq } = this.#anchor;
      this.flaw(
        'truncated',
        this.head.seq,
        `Records after ${this.head.seq} are missing, up to ${seq}.`,
      );
    }
  }
}

function parsed(body: string): AuditRecord | undefined {
  try {
    return JSON.parse(body) as AuditRecord;
  } catch {
    return undefined;
  }
}
