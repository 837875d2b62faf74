/** A small file beside a journal that records its end. Without it, a cut-off end would go unnoticed. */

import { readFileSync, renameSync } from 'node:fs';
import { hostname, uptime } from 'node:os';

import { replaceFile } from '@callsign/config';

import { AuditTrouble, isMissing } from '../record/trouble.js';
import { anchorPath, type JournalFiles } from './journal-folder.js';

/** A place in a journal: after a block. */
export interface Place {
  readonly part: number;
  /** Bytes of the part up to here. */
  readonly size: number;
  /** The number of the last record, and the hash of the block that it ends. */
  readonly n: number;
  readonly hash: string;
}

export interface Anchor {
  readonly journal: string;
  /** May lag behind the journal, and is never ahead of it, unless the machine went down. */
  readonly end: Place;
  /** What was deleted for its age or for space: the journal begins after it. */
  readonly pruned?: Place;
  /** The last record that is known to be on disk; a power failure cannot take it. */
  readonly synced: number;
  /** Records that are not written, and the reason. */
  readonly unwritten: number;
  readonly reason?: string;
  /** When it was written, by the machine's clock. */
  readonly time: string;
  /** Which process writes the journal. */
  readonly pid: number;
  readonly host: string;
  /** An alarm about this journal was raised. */
  readonly isAlarmed?: boolean;
}

export const GENESIS: Place = { part: 1, size: 0, n: -1, hash: '0'.repeat(64) };

/** Its size never changes, so that it can be written in place on a full disk. */
const ANCHOR_BYTES = 768;
const ATTEMPTS = 3;

/** Exactly as many bytes as every other anchor. */
export function anchorText(anchor: Anchor): string {
  const reason = anchor.reason?.replaceAll(/[^ -~]/g, '?').slice(0, 80);
  const host = anchor.host.replaceAll(/[^ -~]/g, '?').slice(0, 64);
  const whole = { ...anchor, host, ...(reason === undefined ? {} : { reason }) };
  return `${JSON.stringify(whole).padEnd(ANCHOR_BYTES - 1)}\n`;
}

/** F3: only a file that does not exist is no anchor. Throws if there is one that cannot be read. */
export function readAnchor(path: string | undefined): Anchor | undefined {
  if (path === undefined) return undefined;
  for (let attempt = 1; ; attempt++) {
    try {
      return parseAnchor(readFileSync(path, 'utf8'));
    } catch (error) {
      if (isMissing(error)) return undefined;
      // It may have been read while it was written.
      if (!(error instanceof SyntaxError)) throw error;
      if (attempt === ATTEMPTS) throw new AuditTrouble('its anchor is damaged', error);
    }
  }
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

/** Replaces the anchor of a journal that no process writes any more. */
export function replaceAnchor(path: string, anchor: Anchor): void {
  replaceFile(path, anchorText(anchor), { mode: 0o600 });
}

/** Marks a journal as closed. */
export function closeAnchor(folder: string, name: string): void {
  renameSync(anchorPath(folder, name, true), anchorPath(folder, name, false));
}

/** Whether the process that writes a journal may still be running. */
export function isAlive({ isOpen }: JournalFiles, { pid, host, time }: Anchor): boolean {
  if (!isOpen) return false;
  // Processes of another machine cannot be seen; their anchors grow old.
  if (host !== hostname()) return Date.now() - Date.parse(time) < DAY_MS;
  // In a container every process may have the same number.
  if (pid === process.pid) return Date.parse(time) >= performance.timeOrigin - CLOCK_SLACK_MS;
  try {
    process.kill(pid, 0);
    return !hasRestartedSince(time);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' && !hasRestartedSince(time);
  }
}

const DAY_MS = 24 * 60 * 60 * 1000;
const CLOCK_SLACK_MS = 5_000;

/** Whether this machine was started after a time. */
export function hasRestartedSince(time: string, uptimeSeconds: number = uptime()): boolean {
  return Date.now() - uptimeSeconds * 1000 > Date.parse(time) + CLOCK_SLACK_MS;
}
