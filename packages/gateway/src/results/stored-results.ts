/**
 * Results that were too long for their client, on disk. They are sealed with a key that only this process has, so they
 * cannot be read after it has ended.
 */

import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

import { makeFolder, mayRun, replaceFile, type ProcessMark } from '@callsign/config';
import type { Log } from '@callsign/core';
import { Seal } from '@callsign/instances';

import type { ResultSettings } from '../config/result-settings.js';

/** What is read on: the text of a result, and its data as JSON text if it has any. */
export interface StoredResult {
  readonly text: string;
  readonly data?: string | undefined;
}

interface Entry {
  readonly owner: string;
  readonly file: string;
  readonly bytes: number;
  readonly expiresAt: number;
}

export interface StoredResultsOptions {
  /** Where each gateway has a folder of its own. */
  readonly folder: string;
  readonly settings: () => Pick<ResultSettings, 'keepMs' | 'maxStored' | 'maxStoredBytes'>;
  readonly log: Log;
}

const LABEL = 'callsign result 1';
const MARK = 'process.json';
const ID_BYTES = 15;
const SWEEP_MS = 5_000;

export class StoredResults {
  readonly #options: StoredResultsOptions;
  readonly #seal = new Seal([randomBytes(32).toString('base64url')], LABEL);
  /** By id, the oldest first. */
  readonly #entries = new Map<string, Entry>();
  #folder: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: StoredResultsOptions) {
    this.#options = options;
  }

  /** Stores a result for one caller. `undefined`: it cannot be stored. */
  async add(owner: string, result: StoredResult): Promise<string | undefined> {
    const { settings, log } = this.#options;
    const { keepMs, maxStored, maxStoredBytes } = settings();
    const id = randomBytes(ID_BYTES).toString('base64url');
    const sealed = this.#seal.seal(JSON.stringify(result), placeOf(owner, id));
    if (this.#isClosed || sealed.length > maxStoredBytes) return undefined;
    try {
      const file = join(this.#ownFolder(), id);
      await writeFile(file, sealed, { mode: 0o600, flag: 'wx' });
      if (this.#isClosed) {
        rmSync(file, { force: true });
        return undefined;
      }
      const expiresAt = performance.now() + keepMs;
      this.#entries.set(id, { owner, file, bytes: sealed.length, expiresAt });
    } catch (error) {
      log('warning', `A long result cannot be stored: ${(error as Error).message}`);
      return undefined;
    }
    this.#makeRoom(id, owner, maxStored, maxStoredBytes);
    this.#arm();
    return id;
  }

  /** `undefined`: there is none with this id, it has expired, or it is another caller's. */
  async find(owner: string, id: string): Promise<StoredResult | undefined> {
    const entry = this.#entries.get(id);
    if (entry?.owner !== owner || entry.expiresAt <= performance.now()) return undefined;
    try {
      const text = this.#seal.open(await readFile(entry.file, 'utf8'), placeOf(owner, id));
      return text === undefined ? undefined : (JSON.parse(text) as StoredResult);
    } catch {
      // The file was deleted.
      return undefined;
    }
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#entries.clear();
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Made for the first result. Removes what ended gateways left. */
  #ownFolder(): string {
    if (this.#folder !== undefined) return this.#folder;
    const { folder } = this.#options;
    makeFolder(folder);
    for (const name of readdirSync(folder)) removeIfEnded(join(folder, name));
    const own = join(folder, `${process.pid}-${randomBytes(6).toString('hex')}`);
    makeFolder(own);
    const mark: ProcessMark = {
      pid: process.pid,
      host: hostname(),
      time: new Date().toISOString(),
    };
    replaceFile(join(own, MARK), JSON.stringify(mark), { mode: 0o600 });
    return (this.#folder = own);
  }

  /** The oldest of the caller who stores most go first, so that the other callers keep theirs. */
  #makeRoom(newest: string, owner: string, maxStored: number, maxBytes: number): void {
    const own = [...this.#entries].filter(([, entry]) => entry.owner === owner);
    for (const [id] of own.slice(0, Math.max(0, own.length - maxStored))) this.#remove(id);
    const sums = new Map<string, number>();
    let sum = 0;
    for (const entry of this.#entries.values()) {
      sums.set(entry.owner, (sums.get(entry.owner) ?? 0) + entry.bytes);
      sum += entry.bytes;
    }
    while (sum > maxBytes) {
      let first: readonly [string, Entry] | undefined;
      for (const each of this.#entries) {
        if (each[0] === newest) continue;
        if (!first || sums.get(each[1].owner)! > sums.get(first[1].owner)!) first = each;
      }
      if (!first) return;
      const [id, entry] = first;
      this.#remove(id);
      sum -= entry.bytes;
      sums.set(entry.owner, sums.get(entry.owner)! - entry.bytes);
    }
  }

  #arm(): void {
    this.#timer ??= setInterval(
      () => {
        const now = performance.now();
        for (const [id, { expiresAt }] of this.#entries) if (expiresAt <= now) this.#remove(id);
        if (this.#entries.size > 0) return;
        clearInterval(this.#timer);
        this.#timer = undefined;
      },
      Math.min(SWEEP_MS, this.#options.settings().keepMs),
    ).unref();
  }

  #remove(id: string): void {
    const entry = this.#entries.get(id);
    this.#entries.delete(id);
    if (entry) rmSync(entry.file, { force: true });
  }
}

function placeOf(owner: string, id: string): string {
  return `${id}\n${owner}`;
}

function removeIfEnded(folder: string): void {
  try {
    const mark = JSON.parse(readFileSync(join(folder, MARK), 'utf8')) as ProcessMark;
    if (mayRun(mark)) return;
  } catch {
    // A folder without a mark may be one that another gateway is making now.
    if (!existsSync(join(folder, MARK))) return;
  }
  rmSync(folder, { recursive: true, force: true });
}
