/**
 * Records what an import wrote, as fingerprints in a comment at the end of the adapter's file. By them the
 * next import finds out what a person has changed since.
 */

import { escapeHidden, isObject } from '@callsign/core';

import { fingerprint } from '../../adapter/review.js';

/** An object in flat form: `description`, `params.flag`, `target.base_url`. */
export type Fields = ReadonlyMap<string, unknown>;

/** From the path of a field to the hash of the value that the import wrote. */
export type Fingerprints = ReadonlyMap<string, string>;

export interface RecordedOperation {
  /** Its name in the adapter. */
  readonly name: string;
  readonly fields: Fingerprints;
}

/** A field whose current hash differs from the record was changed by a person. */
export interface ImportRecord {
  readonly document: Fingerprints;
  /** By their key in the source, such as `GET /ships`. */
  readonly operations: ReadonlyMap<string, RecordedOperation>;
}

const START =
  '<!-- callsign:import. Fingerprints of what was imported; the next import needs them.';
const END = '-->';
const MARK = '<!-- callsign:import.';

export const NO_RECORD: ImportRecord = { document: new Map(), operations: new Map() };

export function fingerprints(fields: Fields): Fingerprints {
  return new Map(Array.from(fields, ([key, value]) => [key, fingerprint(value)]));
}

/** The record in a body. Empty if it is missing or unreadable. */
export function readRecord(body: string): ImportRecord {
  const { record } = parted(body);
  let document: Fingerprints = new Map();
  const operations = new Map<string, RecordedOperation>();
  for (const line of record.split('\n').filter((each) => each.startsWith('{'))) {
    const { source, name, fields } = parsed(line);
    const prints = new Map(Object.entries(isObject(fields) ? fields : {}).filter(isPrint));
    if (typeof source !== 'string') document = prints;
    else if (typeof name === 'string') operations.set(source, { name, fields: prints });
  }
  return { document, operations };
}

/** Replaces the record in a body. */
export function withRecord(body: string, { document, operations }: ImportRecord): string {
  const lines = [
    { fields: Object.fromEntries(document) },
    ...Array.from(operations, ([source, { name, fields }]) => {
      return { source, name, fields: Object.fromEntries(fields) };
    }),
  ].map(lineOf);
  const { before, after } = parted(body);
  const rest = `${before.trimEnd()}\n${after}`.trimEnd();
  return `${rest}\n\n${START}\n${lines.join('\n')}\n${END}\n`;
}

/** Splits a body into the text before its record, the record, and the text after it. */
function parted(body: string): { before: string; record: string; after: string } {
  const start = body.indexOf(MARK);
  const close = start === -1 ? -1 : body.indexOf(END, start);
  if (close === -1) return { before: body, record: '', after: '' };
  const end = close + END.length;
  return { before: body.slice(0, start), record: body.slice(start, end), after: body.slice(end) };
}

/** Untrusted text cannot end the comment, and hides nothing in it. */
function lineOf(value: unknown): string {
  const json = JSON.stringify(value).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e');
  return escapeHidden(json, (character) =>
    Array.from({ length: character.length }, (_, i) => {
      return `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`;
    }).join(''),
  );
}

function parsed(line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function isPrint(entry: [string, unknown]): entry is [string, string] {
  return typeof entry[1] === 'string';
}
