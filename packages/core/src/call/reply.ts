/** A reply: a result or an error, as the JSON text that the server sent. */

import type { CallsignError } from './callsign-error.js';
import { membersOf, withMembers } from '../json/json-text.js';

/**
 * What a route returns for every call that was answered. A rejected promise means that no answer
 * came.
 */
export interface Reply {
  /** True if `json` is a result, which may be a tool's own failure; false if it is an error object. */
  readonly ok: boolean;
  readonly json: string;
  /** The result or error, parsed. Only in replies that a user's module gets from `next`. */
  readonly result?: unknown;
  /** Our own error, if the error or the failure is not the server's. */
  readonly fault?: CallsignError;
  /** The call was described instead of made. */
  readonly isDryRun?: true;
}

/** A server's question to the client during a call. */
export interface Question {
  readonly method: string;
  readonly params: string;
  /** Resolves if no answer is needed any more. Missing if that cannot happen. */
  readonly withdrawn?: Promise<void>;
  /** Resolves when the person has used the page of the question. The client is told. */
  readonly completed?: Promise<void>;
}

/** A result that we make ourselves. */
export function resultOf(value: unknown): Reply {
  return { ok: true, json: JSON.stringify(value) };
}

/** A tool's own failure, in words that a model can act on. */
export function toolErrorOf(text: string): Reply {
  return resultOf({ content: [{ type: 'text', text }], isError: true });
}

/**
 * Adds an entry to the `_meta` of a result. An error, or a result that is not an object, stays the
 * same.
 */
export function withMeta(reply: Reply, key: string, value: unknown): Reply {
  const { ok, json } = reply;
  const members = ok ? membersOf(json) : undefined;
  if (members === undefined) return reply;
  const range = members.get('_meta');
  const meta = range && json.slice(range.start, range.end);
  const changed = withMembers(meta?.startsWith('{') ? meta : '{}', {
    [key]: JSON.stringify(value),
  });
  const marked = { ok, json: withMembers(json, { _meta: changed }, members) };
  return reply.isDryRun ? { ...marked, isDryRun: true } : marked;
}
