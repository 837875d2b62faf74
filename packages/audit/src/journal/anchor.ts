/**
 * A small file beside a journal that records where the journal ends. Without it, a cut-off end
 * would go unnoticed.
 */

import { readFileSync, renameSync } from 'node:fs';

import { mayRun, replaceFile } from '@callsign/config';

import { AuditTrouble, isMissing } from '../record/trouble.js';
import { anchorPath } from './journal-folder.js';

/** A place in a journal, at the end of a block. */
export interface Place {
  readonly part: number;
  /** Bytes of the part up to here. */
  readonly size: number;
  /** The number of the last record before it, and the hash of the block that this record ends. */
  readonly n: number;
  readonly hash: string;
}

/** The content of the file. */
export interface Anchor {
  readonly journal: string;
  /**
   * Where the journal ended when the anchor was written. The journal may be longer. It is shorter
   * only if the machine went down.
   */
  readonly end: Place;
  /** The journal begins after this place: earlier records were deleted for age or space. */
  readonly pruned?: Place;
  /** The last record that is known to be on disk. A power failure cannot lose it. */
  readonly synced: number;
  /** How many records could not be written, and why. */
  readonly unwritten: number;
  readonly reason?: string;
  /** When the anchor was written, by the clock of the machine. */
  readonly time: string;
  /** The process that writes the journal. */
  readonly pid: number;
  readonly host: string;
  /** An alarm about this journal was raised. */
  readonly isAlarmed?: boolean;
}

/** The place before the first record. */
export const GENESIS: Place = { part: 1, size: 0, n: -1, hash: '0'.repeat(64) };

/** The size never changes, so that the anchor can be written in place on a full disk. */
const ANCHOR_BYTES = 768;
const READS = 10;

/** Padded, so that every anchor has the same number of bytes. */
export function anchorText(anchor: Anchor): string {
  const reason = anchor.reason?.replaceAll(/[^ -~]/g, '?').slice(0, 80);
  const host = anchor.host.replaceAll(/[^ -~]/g, '?').slice(0, 64);
  const whole = { ...anchor, host, ...(reason === undefined ? {} : { reason }) };
  return `${JSON.stringify(whole).padEnd(ANCHOR_BYTES - 1)}\n`;
}

/**
 * `undefined` only if the file does not exist. Throws if it exists and cannot be read: that is
 * no proof of tampering.
 */
export function readAnchor(path: string | undefined): Anchor | undefined {
  if (path === undefined) return undefined;
  try {
    return parseAnchor(settledText(path));
  } catch (error) {
    if (isMissing(error)) return undefined;
    if (!(error instanceof SyntaxError)) throw error;
    throw new AuditTrouble('its anchor is damaged', error);
  }
}

/**
 * The writer of an anchor overwrites it in place, so one read can get a mixture of two anchors. Two
 * reads in a row that are the same did not.
 */
function settledText(path: string): string {
  let text = readFileSync(path, 'utf8');
  for (let read = 2; read <= READS; read++) {
    const again = readFileSync(path, 'utf8');
    if (again === text) break;
    text = again;
  }
  return text;
}

/** The anchor of a journal, and whether the journal is still open. */
export interface CurrentAnchor {
  readonly anchor: Anchor;
  readonly isOpen: boolean;
}

/**
 * The anchor as it is named now. A process that ends renames it from open to closed, never back: so
 * the closed name is tried once more after the open one. `undefined`: there is none. Throws as
 * `readAnchor`.
 */
export function currentAnchor(folder: string, name: string): CurrentAnchor | undefined {
  for (const isOpen of [false, true, false]) {
    const anchor = readAnchor(anchorPath(folder, name, isOpen));
    if (anchor) return { anchor, isOpen };
  }
  return undefined;
}

export function parseAnchor(text: string): Anchor {
  const anchor = JSON.parse(text) as Partial<Anchor>;
  const { journal, end } = anchor;
  const isWhole =
    typeof journal === 'string' &&
    Number.isSafeInteger(end?.n) &&
    Number.isSafeInteger(end?.size) &&
    Number.isSafeInteger(end?.part) &&
    /^[0-9a-f]{64}$/.test(String(end?.hash));
  if (!isWhole) throw new SyntaxError('it is not an anchor');
  return anchor as Anchor;
}

/** Writes an anchor that is new, or that no process writes any more. No reader sees a part of it. */
export function replaceAnchor(path: string, anchor: Anchor): void {
  replaceFile(path, anchorText(anchor), { mode: 0o600 });
}

/** Marks a journal as closed, by renaming its anchor. */
export function closeAnchor(folder: string, name: string): void {
  renameSync(anchorPath(folder, name, true), anchorPath(folder, name, false));
}

/** Whether the process that writes a journal may still be running. */
export function isAlive({ isOpen }: { readonly isOpen: boolean }, anchor: Anchor): boolean {
  return isOpen && mayRun(anchor);
}
