/** Goes over the whole chain and says what is wrong with it: edits, gaps, other orders, a missing end. */

import type { AuditRecord, Head } from '../record/audit-record.js';
import type { AuditStore } from '../store/audit-store.js';
import { GENESIS, hashOf, linesOf, type Segment } from '../store/chain.js';
import { storeTrouble } from '../store/store-trouble.js';

interface Flaw {
  /** Where in the chain; of a segment, its first record. */
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

export async function verifyChain(
  store: AuditStore,
  onProgress?: (records: number) => void,
): Promise<Verification> {
  // Read before the records: it may lag behind them, and must not run ahead.
  const anchor = await store.anchor();
  const walk = new Walk(anchor);
  try {
    for await (const segment of store.read()) {
      walk.step(segment);
      onProgress?.(walk.records);
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
  /** What came before the first record that there is. */
  #begin: Head | undefined;
  /** The last word on what was deleted for its age. */
  #pruned: Head = GENESIS;
  #lost = 0;
  #count = 0;

  constructor(anchor: Head | undefined) {
    this.#anchor = anchor;
  }

  step(segment: Segment): void {
    const { seq, prev, hash, body } = segment;
    const lines = linesOf(segment);
    const begin = seq - lines.length;
    const which =
      lines.length === 1 ? `Record ${seq}` : `One of the records ${begin + 1} to ${seq}`;
    const flaw = (name: Flaw['flaw'], message: string): void => this.flaw(name, begin + 1, message);
    this.records += lines.length;
    if (!this.#begin) this.#begin = { seq: begin, hash: prev };
    else if (begin > this.head.seq) {
      flaw('missing', `${begin - this.head.seq} records before record ${begin + 1} are missing.`);
    } else if (begin < this.head.seq || prev !== this.head.hash) {
      flaw('moved', `Record ${begin + 1} does not follow the one before it.`);
    }
    if (hashOf(prev, body) !== hash) flaw('edited', `${which} was changed.`);
    const known = this.#anchor?.seq ?? 0;
    if (known > begin && known <= seq && (known !== seq || hash !== this.#anchor?.hash)) {
      this.flaw('edited', known, `Record ${known} is not the one that the anchor knows.`);
    }
    for (const [i, line] of lines.entries()) this.#heed(begin + 1 + i, line);
    this.head = { seq, hash };
  }

  flaw(flaw: Flaw['flaw'], seq: number, message: string): void {
    this.#count++;
    if (this.#flaws.length < MOST_FLAWS) this.#flaws.push({ seq, flaw, message });
  }

  end(): Verification {
    this.#checkBeginning();
    this.#checkEnd();
    const first = this.#begin && this.#begin.seq + 1;
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
  #heed(seq: number, line: string): void {
    if (!/^\{"kind":"(?:gap|pruned|alarm)"/.test(line)) return;
    const record = parsed(line);
    if (record?.kind === 'gap') this.#lost += record.lost;
    else if (record?.kind === 'pruned') this.#pruned = record.through;
    else if (record?.kind === 'alarm') this.flaw('alarm', seq, `Record ${seq}: ${record.reason}.`);
  }

  #checkBeginning(): void {
    if (!this.#begin) return;
    const { seq, hash } = this.#begin;
    if (seq === this.#pruned.seq && hash === this.#pruned.hash) return;
    const message = `Records before ${seq + 1} are missing, and no record says why.`;
    this.flaw('missing', seq + 1, message);
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
