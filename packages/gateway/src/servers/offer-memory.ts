/**
 * Remembers what each server offered last, one file per server entry, so that the next start can offer it at
 * once. It is a cache: if a file cannot be read or written, only the next start is slower.
 */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { isRecord, replaceFile } from '@callsign/config';
import { byKind, elementsOf, KINDS, type Item, type Log } from '@callsign/core';
import type { CachedOffer } from '@callsign/wire';

/** What identifies a remembered offer: the entry, the settings and the user. */
export interface MemoryKey {
  /** The entry as written. Missing if it is not known, so nothing is remembered. */
  readonly entry: string | undefined;
  /** Settings that change what the server offers. */
  readonly settings?: unknown;
  /** Whose credentials it uses, if they are not part of the entry. */
  readonly holder?: string | undefined;
}

const VERSION = 1;
/** A longer offer is not remembered. */
const MAX_BYTES = 8 * 1024 * 1024;
/** An offer that changes more often than this within the time is written at its end. */
const AT_ONCE = 3;
const PAUSE_MS = 5_000;
/** More than any user has servers. Beyond this number the oldest files are deleted. */
const MAX_FILES = 400;

export interface OfferMemoryOptions {
  /** The folder of the user's state. */
  readonly folder: string;
  readonly log: Log;
  readonly isOn: () => boolean;
}

/** A file that was written a moment ago. */
interface Recent {
  readonly timer: NodeJS.Timeout;
  writes: number;
  /** Waits to be written. */
  next: CachedOffer | undefined;
}

/** Never throws. The files are for the owner only, because lists may describe private systems. */
export class OfferMemory {
  readonly #folder: string;
  readonly #log: Log;
  readonly #isOn: () => boolean;
  readonly #recent = new Map<string, Recent>();
  #isFailing = false;
  #isPruned = false;

  constructor({ folder, log, isOn }: OfferMemoryOptions) {
    this.#folder = join(folder, 'offers');
    this.#log = log;
    this.#isOn = isOn;
  }

  /** `undefined` if no offer is remembered, or its file cannot be read. */
  read(key: MemoryKey): CachedOffer | undefined {
    if (key.entry === undefined || !this.#isOn()) return undefined;
    try {
      const file = this.#fileOf(key);
      if (statSync(file).size > MAX_BYTES) return undefined;
      return offerIn(JSON.parse(readFileSync(file, 'utf8')));
    } catch {
      return undefined;
    }
  }

  /** Never throws. Lists that change all the time are written every few seconds. */
  write(key: MemoryKey, offer: CachedOffer): void {
    if (key.entry === undefined || !this.#isOn()) return;
    const file = this.#fileOf(key);
    const recent = this.#recent.get(file) ?? {
      timer: setTimeout(() => this.#again(file), PAUSE_MS).unref(),
      writes: 0,
      next: undefined,
    };
    this.#recent.set(file, recent);
    if (recent.writes++ < AT_ONCE) this.#save(file, offer);
    else recent.next = offer;
  }

  /** Writes what waits. */
  flush(): void {
    for (const [file, { timer }] of this.#recent) {
      clearTimeout(timer);
      this.#again(file);
    }
  }

  #again(file: string): void {
    const { next } = this.#recent.get(file) ?? {};
    this.#recent.delete(file);
    if (next) this.#save(file, next);
  }

  /** Only the owner can read the file. */
  #save(file: string, { lists, skills, ...about }: CachedOffer): void {
    try {
      const all = [...KINDS.flatMap((kind) => lists[kind]), ...(skills ?? [])];
      const isLong = all.reduce((sum, { json }) => sum + json.length, 0) > MAX_BYTES;
      const texts = byKind((kind) => lists[kind].map(({ name, json }) => [name, json]));
      const named = skills?.map(({ name, json }) => [name, json]);
      const written = { version: VERSION, ...about, skills: named, lists: texts };
      const text = isLong ? '' : JSON.stringify(written);
      if (isLong || Buffer.byteLength(text) > MAX_BYTES) rmSync(file, { force: true });
      else replaceFile(file, text, { mode: 0o600 });
      this.#prune();
    } catch (error) {
      if (this.#isFailing) return;
      this.#isFailing = true;
      const { code = 'unknown' } = error as NodeJS.ErrnoException;
      this.#log(
        'warning',
        `Lists are not remembered: ${this.#folder} cannot be written (${code}).`,
      );
    }
  }

  #fileOf({ entry, settings, holder = '' }: MemoryKey): string {
    const hash = createHash('sha256').update(
      JSON.stringify([VERSION, entry, settings ?? null, holder]),
    );
    return join(this.#folder, `${hash.digest('hex').slice(0, 40)}.json`);
  }

  /** Deletes the oldest files, once per start. */
  #prune(): void {
    if (this.#isPruned) return;
    this.#isPruned = true;
    const files = readdirSync(this.#folder).map((name) => join(this.#folder, name));
    if (files.length <= MAX_FILES) return;
    const byAge = files
      .map((file) => ({ file, at: statSync(file).mtimeMs }))
      .toSorted((a, b) => b.at - a.at);
    for (const { file } of byAge.slice(MAX_FILES)) rmSync(file, { force: true });
  }
}

/** A memory that is written and never read, for `isFresh`. */
export function writeOnly(memory: OfferMemory): Pick<OfferMemory, 'read' | 'write'> {
  return { read: () => undefined, write: (key, offer) => memory.write(key, offer) };
}

/** Throws if the value does not have the form that `write` gives it. */
function offerIn(value: unknown): CachedOffer | undefined {
  if (!isRecord(value) || value['version'] !== VERSION || !isRecord(value['lists']))
    return undefined;
  const { capabilities, otherCapabilities, era, instructions, asksRoots, lists } = value;
  const skills = value['skills'] === undefined ? undefined : itemsIn(value['skills']);
  if (!isObjectText(capabilities)) return undefined;
  const read = byKind((kind) => itemsIn((lists as Record<string, unknown>)[kind]));
  return KINDS.every((kind) => read[kind] !== undefined)
    ? {
        lists: read as Record<(typeof KINDS)[number], readonly Item[]>,
        capabilities,
        ...(skills ? { skills } : {}),
        ...(isObjectText(otherCapabilities) ? { otherCapabilities } : {}),
        ...(era === 'session' || era === 'stateless' ? { era } : {}),
        ...(typeof instructions === 'string' ? { instructions } : {}),
        ...(asksRoots === true ? { asksRoots } : {}),
      }
    : undefined;
}

function isObjectText(text: unknown): text is string {
  return typeof text === 'string' && isRecord(JSON.parse(text));
}

function itemsIn(list: unknown): readonly Item[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const items = list.flatMap((pair: unknown) => {
    const [name, json] = Array.isArray(pair) ? (pair as unknown[]) : [];
    return typeof name === 'string' && typeof json === 'string' ? [{ name, json }] : [];
  });
  // A definition that is not a JSON object would make the whole list invalid.
  const isWhole = items.every(({ json }) => json.startsWith('{'));
  const text = `[${items.map(({ json }) => json).join(',')}]`;
  return isWhole && elementsOf(text)?.length === list.length ? items : undefined;
}
