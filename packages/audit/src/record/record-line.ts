/**
 * Writes an entry as one line of the journal. Concatenated by hand, since the common part is
 * already text.
 */

import { hash } from 'node:crypto';

import { memberText } from '@callsign/core';

import type { AuditEntry, CallEntry, EventEntry, IntentEntry } from './audit-entry.js';
import type { EventKind, Severity } from './audit-record.js';
import type { IsoTime } from './iso-time.js';

/** Returns arguments without their secrets, as JSON. */
export type Redact = (argumentsJson: string, inputSchema: string | undefined) => string;

/** The journal that the line is for. */
export interface LinePlace {
  readonly writer: string;
  readonly journal: string;
  readonly times: IsoTime;
  /** Missing if only fingerprints are kept. */
  readonly redact?: Redact | undefined;
}

const EVENT_SEVERITY: Readonly<Record<EventKind, Severity>> = {
  gap: 'error',
  pruned: 'notice',
  torn: 'notice',
  'lost-end': 'warning',
  alarm: 'error',
};

/** The entry must already have its number. */
export function recordLine(entry: AuditEntry, place: LinePlace): string {
  const start = `{"id":"${place.writer}-${entry.n}${timeText(entry.time, place.times)}`;
  switch (entry.kind) {
    case 'intent':
      entry.given = givenText(entry, place.redact);
      return `${start}${callText(entry)}${entry.sizeIn}${entry.given}}`;
    case 'call': {
      const { intent, sizeIn, ms, waitedMs = 0, sizeOut } = entry;
      const isAnnounced = intent !== undefined && intent.n >= 0;
      const given = isAnnounced ? intent.given! : givenText(entry, place.redact);
      const end = isAnnounced ? `,"intent":"${place.writer}-${intent.n}"}` : '}';
      const waited = waitedMs === 0 ? '' : `,"waitedMs":${millisecondsText(waitedMs)}`;
      const took = `,"ms":${millisecondsText(ms)}${waited},"sizeOut":${sizeOut}`;
      return `${start}${callText(entry)}${sizeIn}${given}${took}${end}`;
    }
    default:
      return start + eventText(entry, place.journal);
  }
}

let lastTime = { whole: NaN, text: '' };

/** The end of the id, and the time. Many records are in the same millisecond as the one before. */
function timeText(time: number, times: IsoTime): string {
  const whole = Math.trunc(time);
  if (whole !== lastTime.whole) lastTime = { whole, text: `","time":"${times.text(whole)}",` };
  return lastTime.text;
}

const THOUSANDTHS = Array.from({ length: 1000 }, (_, i) => `.${String(i).padStart(3, '0')}`);

/** To the microsecond. From whole numbers: fractions take several times as long to write. */
function millisecondsText(ms: number): string {
  const microseconds = Math.round(ms * 1000);
  const whole = Math.floor(microseconds / 1000);
  const rest = microseconds - whole * 1000;
  return rest === 0 ? String(whole) : whole + THOUSANDTHS[rest]!;
}

/** What is known before the call, up to the size. */
function callText({ facts, session }: CallEntry | IntentEntry): string {
  if (facts.latest?.session !== session) {
    // Joined into one piece: a line of few pieces is written faster.
    const text = [facts.text, ',"session":', JSON.stringify(session), ',"sizeIn":'].join('');
    facts.latest = { session, text };
  }
  return facts.latest.text;
}

function givenText(entry: CallEntry | IntentEntry, redact: Redact | undefined): string {
  const { argumentsJson } = entry;
  if (argumentsJson === undefined) return '';
  const fingerprint = `,"fingerprint":"${fingerprintOf(argumentsJson)}"`;
  if (!redact) return fingerprint;
  const { definition } = entry.facts;
  const safe = redact(argumentsJson, definition && memberText(definition, 'inputSchema'));
  return `${fingerprint},"arguments":${safe}`;
}

function eventText({ kind, journal, reason, count }: EventEntry, own: string): string {
  const severity = EVENT_SEVERITY[kind];
  return JSON.stringify({ kind, severity, journal: journal ?? own, reason, count }).slice(1);
}

/** The fingerprint of arguments. It is the same for arguments that are written in the same way. */
export function fingerprintOf(argumentsJson: string): string {
  return `sha256:${hash('sha256', argumentsJson)}`;
}
