/** A tool's identity, and its one written form: `server:tool`. How a client sees it is another matter. */

import { malformedName, missingPrefix, type NameError } from './name-error.js';

/** Which tool of which server. The only thing in the house that identifies a tool. */
export interface ToolRef {
  /** The key of the server in the configuration, kept to the letter. */
  readonly server: string;
  /** The name by which that server itself knows the tool. */
  readonly tool: string;
}

export type ParsedRef =
  | { readonly ok: true; readonly ref: ToolRef }
  | { readonly ok: false; readonly error: NameError };

/** `server:tool`, as people write it in configs, policies and commands. */
export function canonicalName(ref: ToolRef): string {
  return `${ref.server}:${ref.tool}`;
}

/** The inverse of {@link canonicalName}: splits on the first colon, so a tool's name may hold more. */
export function parseCanonicalName(text: string): ParsedRef {
  const colon = text.indexOf(':');
  if (colon === -1) return { ok: false, error: missingPrefix(text) };
  const ref = { server: text.slice(0, colon), tool: text.slice(colon + 1) };
  if (ref.server === '' || ref.tool === '') return { ok: false, error: malformedName(text) };
  return { ok: true, ref };
}

const CONTROL_CHARACTER = /\p{Cc}/u;

/** What is wrong with a server key, as advice; `undefined` when nothing is. */
export function serverKeyProblem(key: string): string | undefined {
  if (key === '') return 'A server key must not be empty; give the server a short name.';
  if (key.includes(':')) {
    return `Server key "${key}" holds a colon, which separates server and tool; write "${key.replaceAll(':', '-')}".`;
  }
  if (CONTROL_CHARACTER.test(key)) {
    return `Server key ${JSON.stringify(key)} holds a control character; remove it.`;
  }
  return undefined;
}

/** A valid key that clients will have to spell otherwise: advice, not a refusal. */
export function serverKeyAdvice(key: string): string | undefined {
  if (/^[A-Za-z0-9_-]*$/.test(key)) return undefined;
  return `Server key ${JSON.stringify(key)} is best made of letters, digits, "-" and "_", which every client shows as they are.`;
}
