/** Parses the text of an OpenAPI document, YAML or JSON, within limits. */

import { withoutBom } from '@callsign/core';
import { parseDocument } from 'yaml';

/** The largest known API documents are smaller. */
const MAX_CHARACTERS = 64 * 1024 * 1024;
/** Nested aliases could fill the memory. */
const MAX_ALIASES = 1000;

/** `message` says what is wrong, and is shown to the user. */
export type ParsedSpec =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string };

export function parseSpec(text: string): ParsedSpec {
  const source = withoutBom(text);
  if (source.length > MAX_CHARACTERS) {
    return { ok: false, message: 'The document is larger than 64 MB; split it.' };
  }
  try {
    return { ok: true, value: JSON.parse(source) as unknown };
  } catch {
    // Parsed as YAML, whose errors are clearer.
  }
  try {
    const document = parseDocument(source, {
      prettyErrors: true,
      version: '1.2',
      // Not in YAML 1.2, but documents use it and other tools read it.
      merge: true,
      logLevel: 'error',
    });
    const [error] = document.errors;
    if (error) {
      const [line = ''] = error.message.split('\n', 1);
      return { ok: false, message: `The document is neither JSON nor YAML: ${line}` };
    }
    return { ok: true, value: document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown };
  } catch {
    const message = 'The document is nested too deeply, or has too many aliases.';
    return { ok: false, message };
  }
}
