/** Errors for names that no list has: the name may belong to a server that is not available. */

import { createNameReader, parseCanonicalName } from '@callsign/naming';
import type { NameError, NameTableOptions, ToolRef } from '@callsign/naming';

import { CallsignError } from '../call/callsign-error.js';
import { createEntry } from '../source/create-entry.js';
import type { Entry } from '../source/entry.js';
import type { Kind } from '../call/kind.js';
import type { Sight } from '../call/sight.js';
import type { Catalogue } from '../source/source.js';

export interface UnavailabilityOptions extends NameTableOptions {
  readonly sees?: Sight;
}

/**
 * `undefined`: no unavailable server can have the name, or this client may not see its items. Then
 * the caller reports "not found", so that hidden servers stay hidden.
 */
export function unavailability(
  kind: Kind,
  name: string,
  catalogue: Catalogue,
  options: UnavailabilityOptions,
): CallsignError | undefined {
  const ref = readName(name, options);
  const reason = ref && catalogue.whyUnavailable?.(ref.server);
  if (!ref || reason === undefined || !catalogue.admits(kind, ref)) return undefined;
  if (options.sees?.(unlistedEntry(kind, ref)) === false) return undefined;
  return new CallsignError('upstream-unavailable', { server: ref.server, reason });
}

/** The identity behind a name, as far as it can be read from the name alone. */
function readName(name: string, options: NameTableOptions): ToolRef | undefined {
  const { aliases = {} } = options;
  const parsed = parseCanonicalName(Object.hasOwn(aliases, name) ? aliases[name]! : name);
  return parsed.ok ? parsed.ref : createNameReader(options)(name);
}

/** An entry of which only the name is known, to ask whether the client would see it. */
function unlistedEntry(kind: Kind, ref: ToolRef): Entry {
  const item = { name: ref.tool, json: '{}' };
  const send = (): never => {
    throw new RangeError(`${ref.tool} is not listed`);
  };
  return createEntry({ kind, ref, item, route: { item, send }, displayName: ref.server });
}

/** The error for a tool, in words for a prompt. Prompts are named like tools. */
export function explained(kind: 'tool' | 'prompt', error: NameError): NameError {
  if (kind === 'tool') return error;
  const message = error.message.replace(/tool/i, (word) => (word === 'Tool' ? 'Prompt' : 'prompt'));
  return { ...error, message };
}
