/**
 * The identity of a tool, and its one written form: `server:tool`. The name that a client sees may
 * differ.
 */

import { malformedName, missingPrefix, type NameError } from './name-error.js';

/** Which tool of which server. Nothing else identifies a tool. Prompts and resources use it too. */
export interface ToolRef {
  /** The key of the server in the configuration, unchanged. */
  readonly server: string;
  /** The tool's name on that server. */
  readonly tool: string;
}

/** The result of `parseCanonicalName`. */
export type ParsedRef =
  | { readonly ok: true; readonly ref: ToolRef }
  | { readonly ok: false; readonly error: NameError };

/** `server:tool`, as people write it in configs, policies and commands. */
export function canonicalName(ref: ToolRef): string {
  return `${ref.server}:${ref.tool}`;
}

/**
 * The inverse of {@link canonicalName}. Splits at the first colon, so a tool's name may contain
 * colons.
 */
export function parseCanonicalName(text: string): ParsedRef {
  const colon = text.indexOf(':');
  if (colon === -1) return { ok: false, error: missingPrefix(text) };
  const ref = { server: text.slice(0, colon), tool: text.slice(colon + 1) };
  if (ref.server === '' || ref.tool === '') return { ok: false, error: malformedName(text) };
  return { ok: true, ref };
}

const CONTROL_CHARACTER = /\p{Cc}/u;

/** What is wrong with a server key, and how to fix it. `undefined`: the key is valid. */
export function serverKeyProblem(key: string): string | undefined {
  if (key === '') return 'A server key must not be empty; give the server a short name.';
  if (key.includes(':')) {
    return `Server key "${key}" contains a colon, which separates server and tool; write "${key.replaceAll(':', '-')}".`;
  }
  if (CONTROL_CHARACTER.test(key)) {
    return `Server key ${JSON.stringify(key)} contains a control character; remove it.`;
  }
  return undefined;
}

/** The key of the gateway's own tools: `callsign:read_result`. */
export const OWN_SERVER_KEY = 'callsign';

/** `serverKeyProblem` for the key of a server that people configure. */
export function configuredKeyProblem(key: string): string | undefined {
  if (key !== OWN_SERVER_KEY) return serverKeyProblem(key);
  return `Server key "${key}" is reserved for tools of the gateway itself; give the server another name.`;
}

/**
 * Advice about a valid key that some clients cannot show unchanged. `undefined`: every client can.
 */
export function serverKeyAdvice(key: string): string | undefined {
  if (/^[A-Za-z0-9_-]*$/.test(key)) return undefined;
  return `Server key ${JSON.stringify(key)} should have only letters, digits, "-" and "_", which every client shows unchanged.`;
}
