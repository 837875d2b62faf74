/**
 * Writes an entry as one line of the journal. Concatenated by hand, since the common part is
 * already text.
 */

import { memberText } from '@callsign/core';

import type { AuditEntry, CallEntry, EventEntry, IntentEntry } from './audit-entry.js';
import type { EventKind, Severity } from './audit-record.js';
import { fingerprintOf } from './fingerprint.js';
import type { IsoTime } from './iso-time.js';

/** Returns arguments without their secrets, as JSON. */
export type Redact = (argumentsJson: string, inputSchema: string | undefined) => string;

/** The journal that the line is for. */
export interface LinePlace {
  readonly writer: string;
  readonly journal: string;
  readonly times: IsoTime;
  /** Unset: only fingerprints are kept. */
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
  const start = `{"id":"${place.writer}-${entry.n}","time":"${place.times.text(entry.time)}",`;
  switch (entry.kind) {
    case 'intent':
      entry.given = givenText(entry, place.redact);
      return `${start}${callText(entry, entry.given)}}`;
    case 'call': {
      const { intent, ms, sizeOut } = entry;
      const isAnnounced = intent !== undefined && intent.n >= 0;
      const given = isAnnounced ? intent.given! : givenText(entry, place.redact);
      const end = `,"ms":${millisecondsText(ms)},"sizeOut":${sizeOut}`;
      const announced = isAnnounced ? `,"intent":"${place.writer}-${intent.n}"` : '';
      return `${start}${callText(entry, given)}${end}${announced}}`;
    }
    default:
      return start + eventText(entry, place.journal);
  }
}

function callText({ facts, session, sizeIn }: CallEntry | IntentEntry, given: string): string {
  return `${facts.text},"session":${sessionText(session)},"sizeIn":${sizeIn}${given}`;
}

/** To the microsecond. From whole numbers: fractions take several times as long to write. */
function millisecondsText(ms: number): string {
  const microseconds = Math.round(ms * 1000);
  const whole = Math.floor(microseconds / 1000);
  const rest = microseconds - whole * 1000;
  return rest === 0 ? String(whole) : `${whole}.${String(rest).padStart(3, '0')}`;
}

let lastSession = { session: '', json: '""' };

/** Most records belong to the same session as the one before. */
function sessionText(session: string): string {
  if (session !== lastSession.session) lastSession = { session, json: JSON.stringify(session) };
  return lastSession.json;
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
