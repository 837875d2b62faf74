/** Errors for unknown names: of a server which is not available, or of a prompt. */

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

/** Only for servers whose items of that name this client would see. */
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

/** The identity that a name stands for, if it can be read without a list. */
function readName(name: string, options: NameTableOptions): ToolRef | undefined {
  const { aliases = {} } = options;
  const parsed = parseCanonicalName(Object.hasOwn(aliases, name) ? aliases[name]! : name);
  return parsed.ok ? parsed.ref : createNameReader(options)(name);
}

/** The entry of an item of which only the name is known. */
function unlistedEntry(kind: Kind, ref: ToolRef): Entry {
  const item = { name: ref.tool, json: '{}' };
  const send = (): never => {
    throw new RangeError(`${ref.tool} is not listed`);
  };
  return createEntry({ kind, ref, item, route: { item, send }, displayName: ref.server });
}

/** Prompts are named like tools; the convention speaks of tools only. */
export function explained(kind: 'tool' | 'prompt', error: NameError): NameError {
  if (kind === 'tool') return error;
  const message = error.message.replace(/tool/i, (word) => (word === 'Tool' ? 'Prompt' : 'prompt'));
  return { ...error, message };
}
