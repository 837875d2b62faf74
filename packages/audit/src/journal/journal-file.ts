/**
 * The files of one journal, as their writer sees them: blocks of lines in a hash chain, split into
 * parts.
 */

import { hash } from 'node:crypto';
import {
  close,
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';

import { makeFolder } from '@callsign/config/make-folder';

import {
  type Anchor,
  anchorText,
  closeAnchor,
  GENESIS,
  type Place,
  replaceAnchor,
} from './anchor.js';
import { anchorPath, newJournalName, partPath } from './journal-folder.js';

/** Increase it when the format of lines or files changes. */
const FORMAT_VERSION = 1;
/** Blocks up to this size are encoded into memory that is used again. */
const BLOCK_BYTES = 256 * 1024;
const UTF8_BYTES = 3;
const DAY_MS = 24 * 60 * 60 * 1000;

/** The text of a record, given its number. */
export type LineOf<E> = (entry: E, n: number) => string;

export interface JournalFileOptions {
  readonly folder: string;
  /** The size at which the next part begins. */
  readonly rotateBytes: number;
  /** Whether `sync` must also make new files survive a power failure. */
  readonly isDurable: boolean;
}

/** What is missing from the journal. */
export interface Shortfall {
  readonly unwritten: number;
  readonly reason?: string | undefined;
}

/**
 * Writing is synchronous: one `write` by the thread that makes the calls. Only `sync` calls back
 * later.
 */
export class JournalFile {
  readonly name: string;
  readonly writer: string;
  readonly #options: JournalFileOptions;
  #file: number | undefined;
  #anchor: number | undefined;
  #end: Place = GENESIS;
  /** The day of the current part, in days since 1970. Missing if there is no part yet. */
  #day: number | undefined;
  #needsHeader = true;
  /** A write failed half-way. What it left must be cut off before the next write. */
  #hasRemains = false;
  readonly #block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  #synced = -1;
  #isSyncing = false;
  /** Files to close when the sync in progress has ended. */
  readonly #toClose: number[] = [];
  #pruned: Place | undefined;

  constructor(options: JournalFileOptions) {
    this.#options = options;
    const { name, writer } = newJournalName(new Date());
    this.name = name;
    this.writer = writer;
  }

  get end(): Place {
    return this.#end;
  }

  /** Whether a file is open, so that a write needs no new descriptor. */
  get isOpen(): boolean {
    return this.#file !== undefined;
  }

  /** Opens the first file. Throws errors of the file system. */
  open(): void {
    if (this.#file !== undefined) return;
    makeFolder(this.#options.folder);
    // The anchor comes first: a journal without one looks as if its anchor had been deleted.
    if (this.#anchor === undefined) this.anchor({ unwritten: 0 });
    this.#openPart(this.#day === undefined ? 1 : this.#end.part + 1);
  }

  /**
   * Writes lines as one block, with one `write`: all or nothing. Throws errors of the file system.
   */
  append<E>(entries: readonly E[], lineOf: LineOf<E>): void {
    this.#rotate();
    let { n } = this.#end;
    const lines: string[] = [];
    if (this.#needsHeader) lines.push(this.#header(++n));
    for (const entry of entries) lines.push(lineOf(entry, ++n));
    // The first line of a block holds the hash of the block before it. That is the hash chain.
    lines[0] = `{"prev":"${this.#end.hash}",${lines[0]!.slice(1)}`;
    // So that the last line ends too. Joined at once: this is faster than adding line to line.
    lines.push('');
    const bytes = this.#encoded(lines.join('\n'));
    this.#write(bytes);
    // Only after the write: a block that failed must leave the hash chain as it was.
    this.#needsHeader = false;
    const { part, size } = this.#end;
    this.#end = {
      part,
      size: size + bytes.length,
      n,
      hash: hash('sha256', bytes),
    };
  }

  #encoded(text: string): Buffer {
    if (text.length * UTF8_BYTES > BLOCK_BYTES) return Buffer.from(text);
    return this.#block.subarray(0, this.#block.write(text));
  }

  /** Calls back when everything that was written before is on disk. */
  sync(done: (error: Error | null) => void): void {
    const { n } = this.#end;
    if (this.#file === undefined) return void setImmediate(done, new Error('its file was deleted'));
    this.#isSyncing = true;
    fdatasync(this.#file, (error) => {
      this.#isSyncing = false;
      for (const file of this.#toClose.splice(0)) close(file, () => undefined);
      if (!error) this.#synced = Math.max(this.#synced, n);
      done(error);
    });
  }

  /** Writes the anchor in place, without new space or a new descriptor. */
  anchor({ unwritten, reason }: Shortfall): void {
    const anchor: Anchor = {
      journal: this.name,
      end: this.#end,
      ...(this.#pruned ? { pruned: this.#pruned } : {}),
      synced: this.#synced,
      unwritten,
      ...(reason === undefined ? {} : { reason }),
      time: new Date().toISOString(),
      pid: process.pid,
      host: hostname(),
    };
    if (this.#anchor !== undefined) {
      writeSync(this.#anchor, anchorText(anchor), 0, 'utf8');
      return;
    }
    const path = anchorPath(this.#options.folder, this.name, true);
    replaceAnchor(path, anchor);
    this.#anchor = openSync(path, 'r+');
  }

  /** Notes that old parts of this journal are deleted. */
  prune(through: Place): void {
    // Never back: the files before it are gone already.
    if (through.part > (this.#pruned?.part ?? 0)) this.#pruned = through;
  }

  /** Finds out whether our files were deleted. If so, the next block begins another part. */
  findDeleted(): { readonly part?: number; readonly anchor: boolean } {
    const part = isGone(this.#file) ? this.#end.part : undefined;
    const anchor = isGone(this.#anchor);
    if (part !== undefined) this.#closePart();
    if (anchor) {
      closeSync(this.#anchor!);
      this.#anchor = undefined;
    }
    return { ...(part === undefined ? {} : { part }), anchor };
  }

  /**
   * A journal with unwritten records stays marked as open, so that the next start reports what is
   * missing.
   */
  close(shortfall: Shortfall): void {
    const hasAnchor = this.#anchor !== undefined;
    if (hasAnchor) {
      this.anchor(shortfall);
      closeSync(this.#anchor!);
      this.#anchor = undefined;
    }
    this.#closePart();
    if (hasAnchor && shortfall.unwritten === 0) closeAnchor(this.#options.folder, this.name);
  }

  #rotate(): void {
    this.open();
    const isFull = this.#end.size >= this.#options.rotateBytes;
    const isOld = today() !== this.#day;
    if (this.#needsHeader || !(isFull || isOld)) return;
    const before = this.#file!;
    try {
      // `sync` only covers the current file.
      if (this.#options.isDurable) fdatasyncSync(before);
      this.#openPart(this.#end.part + 1);
      if (this.#isSyncing) this.#toClose.push(before);
      else closeSync(before);
    } catch {
      // No descriptor is left: continue with the old part, and try again with the next block.
      this.#file = before;
    }
  }

  #openPart(part: number): void {
    const { folder, isDurable } = this.#options;
    const file = openSync(partPath(folder, this.name, part), 'wx', 0o600);
    if (isDurable) syncFolder(folder);
    this.#file = file;
    this.#day = today();
    this.#needsHeader = true;
    this.#hasRemains = false;
    this.#end = { ...this.#end, part, size: 0 };
  }

  #closePart(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #header(n: number): string {
    return JSON.stringify({
      id: `${this.writer}-${n}`,
      time: new Date().toISOString(),
      kind: 'journal',
      severity: 'info',
      version: FORMAT_VERSION,
      journal: this.name,
      part: this.#end.part,
    });
  }

  #write(bytes: Buffer): void {
    const file = this.#file!;
    const { size } = this.#end;
    try {
      if (this.#hasRemains) ftruncateSync(file, size);
      this.#hasRemains = false;
      let done = 0;
      while (done < bytes.length) {
        done += writeSync(file, bytes, done, bytes.length - done, size + done);
      }
    } catch (error) {
      this.#hasRemains = true;
      throw error;
    }
  }
}

function today(): number {
  return Math.floor(Date.now() / DAY_MS);
}

/** Whether an open file was deleted. */
function isGone(file: number | undefined): boolean {
  return file !== undefined && fstatSync(file).nlink === 0;
}

/** A new file survives a power failure only if its folder is on disk too. */
function syncFolder(folder: string): void {
  // Windows cannot sync folders.
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
