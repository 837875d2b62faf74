/** Notes about tools and instructions: which are withheld or suspect, and why. */

import { isDeepStrictEqual } from 'node:util';

import { visibleLetters, type Log } from '@callsign/core';
import { canonicalName, type ToolRef } from '@callsign/naming';

import { judgedName } from './judged-items.js';

/** Why a tool, or the instructions of a server, is withheld or suspect. */
export interface ToolNote {
  readonly ref: ToolRef;
  readonly about: 'changed' | 'new' | 'name' | 'text';
  readonly reason: string;
  /** The changes, line by line. Set for `changed`. */
  readonly difference?: readonly string[];
  /** If true, it is neither listed nor callable. If false, it is only reported. */
  readonly isWithheld: boolean;
}

export class ToolNotes {
  readonly #log: Log;
  readonly #onWithheld: () => void;
  #notes: ReadonlyMap<string, ToolNote> = new Map();

  /** `onWithheld`: called when tools were withheld or released. */
  constructor(log: Log, onWithheld: () => void) {
    this.#log = log;
    this.#onWithheld = onWithheld;
  }

  get(canonical: string): ToolNote | undefined {
    return this.#notes.get(canonical);
  }

  all(): readonly ToolNote[] {
    return [...this.#notes.values()];
  }

  /** Replaces all notes and logs the new ones. */
  replace(all: Iterable<ToolNote>): void {
    const before = this.#notes;
    const notes = new Map<string, ToolNote>();
    for (const note of all) {
      const name = canonicalName(note.ref);
      // One note per tool. A note that withholds it takes precedence.
      if (!notes.get(name)?.isWithheld && (note.isWithheld || !notes.has(name))) {
        notes.set(name, note);
      }
    }
    this.#notes = notes;
    for (const [name, note] of notes) {
      if (!isDeepStrictEqual(before.get(name), note)) this.#say(note);
    }
    if (!isDeepStrictEqual(withheldIn(before), withheldIn(notes))) this.#onWithheld();
  }

  #say({ ref, reason, difference, isWithheld }: ToolNote): void {
    const name = visibleLetters(judgedName(ref.server, ref.tool));
    const advice = difference ? `; see: callsign lock diff ${ref.server}` : '';
    const state = isWithheld ? 'is withheld' : 'is suspect';
    this.#log('warning', `${name} ${state}: ${reason}${advice}`);
  }
}

function withheldIn(notes: ReadonlyMap<string, ToolNote>): Set<string> {
  return new Set([...notes].filter(([, { isWithheld }]) => isWithheld).map(([name]) => name));
}
