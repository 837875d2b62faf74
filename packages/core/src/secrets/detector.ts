/**
 * The secret detector: secrets by name and by form, and what an operator adds to both. The only one
 * in the product.
 */

import { redactedJson } from './json/redacted-json.js';
import { isSecretName, plainName } from './names/secret-names.js';
import { redactAddresses } from './text/addresses.js';
import { redactTokens } from './text/known-tokens.js';
import { redactNamedValues } from './text/named-values.js';
import { redactPrivateKeys } from './text/private-keys.js';
import { redactProgramFlags } from './text/program-flags.js';
import { REDACTED } from './text/redacted.js';
import { redactStatements } from './text/statements.js';

/** What an operator adds. */
export interface SecretDetectorOptions {
  /** More parts of names whose values are secret. */
  readonly names?: readonly string[];
  /** Each says whether a word of a text is a secret. */
  readonly matchers?: readonly ((word: string) => boolean)[];
}

/** Its methods never throw and take time in proportion to their input. */
export interface SecretDetector {
  /** Whether a value with this name is a secret. */
  isSecretName(name: string): boolean;
  /** The text with `[redacted]` in place of its secrets. JSON stays JSON. */
  redactText(text: string): string;
  /** The URL without its password and without secret parameters. */
  redactUrl(url: string): string;
  /** A copy of a JSON value without its secrets. JSON inside strings is redacted too. */
  redactJson(value: unknown): unknown;
}

/** Levels of JSON inside strings of JSON. Deeper text is redacted as text only. */
const MAX_NESTED = 3;
/** Characters. Longer text is not parsed as JSON, only redacted as text. */
const MAX_JSON = 100_000;

/**
 * The order of the steps matters: private keys and URLs are redacted as a whole before their parts
 * could match as named values or tokens.
 */
export function createSecretDetector(options: SecretDetectorOptions = {}): SecretDetector {
  const { names = [], matchers = [] } = options;
  const more = names.map(plainName).filter((name) => name !== '');
  const isSecret = (name: string): boolean => isSecretName(name, more);

  function redactUrl(url: string): string {
    return matched(redactTokens(redactAddresses(url)));
  }

  function redactText(text: string, nested = 0): string {
    const bare = redactNamedValues(redactAddresses(redactPrivateKeys(text)), isSecret);
    const stated = redactStatements(redactProgramFlags(bare), isSecret);
    const safe = matched(redactTokens(stated));
    return nested < MAX_NESTED && mayBeJson(safe) ? withoutMembers(safe, nested) : safe;
  }

  /**
   * Redacts text that is JSON by its structure: only that shows a secret whose name is in another
   * member.
   */
  function withoutMembers(text: string, nested: number): string {
    try {
      const value: unknown = JSON.parse(text);
      const after = JSON.stringify(structured(value, nested + 1));
      return after === JSON.stringify(value) ? text : after;
    } catch {
      // Not JSON, or nested too deeply: it was redacted as text.
      return text;
    }
  }

  function structured(value: unknown, nested: number): unknown {
    const redactString = (text: string): string => redactText(text, nested);
    return redactedJson(value, { isSecretName: isSecret, redactText: redactString });
  }

  function matched(text: string): string {
    if (matchers.length === 0) return text;
    return text.replaceAll(/\S+/g, (word) =>
      matchers.some((matches) => matches(word)) ? REDACTED : word,
    );
  }

  return {
    isSecretName: isSecret,
    redactText: (text) => redactText(text),
    redactUrl,
    redactJson: (value) => structured(value, 0),
  };
}

function mayBeJson(text: string): boolean {
  return text.length <= MAX_JSON && /^\s{0,100}[[{]/.test(text);
}

const USUAL: SecretDetector = createSecretDetector();

/** `SecretDetector.redactText` with the default rules only. `createSecretDetector` adds an operator's rules. */
export const redactText: SecretDetector['redactText'] = USUAL.redactText;
/** `SecretDetector.redactUrl` with the default rules only. */
export const redactUrl: SecretDetector['redactUrl'] = USUAL.redactUrl;
/** `SecretDetector.redactJson` with the default rules only. */
export const redactJson: SecretDetector['redactJson'] = USUAL.redactJson;
