/** What comes back: a result or an error, as the JSON text that the server sent. */

import type { CallsignError } from './callsign-error.js';
import { membersOf, withMembers } from '../json/json-text.js';

export interface Reply {
  /** `json` is a result; else it is an error object. A tool's own failure is a result. */
  readonly ok: boolean;
  readonly json: string;
  /** Our own failure that the error says, where it is not the server's. */
  readonly fault?: CallsignError;
}

/** Something that a server wants to know from the client, in the middle of a call. */
export interface Question {
  readonly method: string;
  readonly params: string;
}

/** A result that we made ourselves. */
export function resultOf(value: unknown): Reply {
  return { ok: true, json: JSON.stringify(value) };
}

/** The reply with one more entry in its `_meta`; an error, or a result that is no object, stays as it is. */
export function withMeta(reply: Reply, key: string, value: unknown): Reply {
  const { ok, json } = reply;
  const members = ok ? membersOf(json) : undefined;
  if (members === undefined) return reply;
  const range = members.get('_meta');
  const meta = range && json.slice(range.start, range.end);
  const changed = withMembers(meta?.startsWith('{') ? meta : '{}', {
    [key]: JSON.stringify(value),
  });
  return { ok, json: withMembers(json, { _meta: changed }, members) };
}
