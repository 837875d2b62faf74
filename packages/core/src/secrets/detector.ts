/**
 * The secret detector: secrets by name and by form, and what an operator adds to both. The only one
 * in the product.
 */

import { redactedJson } from './json/redacted-json.js';
import { isSecretName, plainName, isSecretSetting } from './names/secret-names.js';
import { redactTokens } from './text/known-tokens.js';
import { redactNamedValues } from './text/named-values.js';
import { redactPrivateKeys } from './text/private-keys.js';
import { REDACTED } from './text/redacted.js';

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
    const named = redactAddresses(url).replaceAll(NAMED, (whole, before: string, name: string) =>
      isSecret(name) ? `${before}${name}=${REDACTED}` : whole,
    );
    return matched(redactTokens(named));
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

/** `scheme://user:password@host`. */
const USER = /\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/?#"'`<>|\\]{1,512}@/gi;
/** `?token=…&sig=…`. A fragment may hold parameters too. */
const PARAMETER = /([?&;#])([\w.~%+-]{1,100})=(?!\[redacted\])([^\s&;#"'`<>|\\]{1,})/g;

/** `server:token=x`: a name that is no URL, and holds a secret all the same. */
const NAMED = /(^|[:/,\s])([\w.-]{1,100})=(?!\[redacted\])[^\s&;#,"'`<>|\\]+/g;

/** Redacts secrets in URLs: users and passwords, and values of query parameters. */
function redactAddresses(text: string): string {
  return text
    .replaceAll(USER, `$1${REDACTED}@`)
    .replaceAll(PARAMETER, (whole, mark: string, name: string) =>
      isSecretSetting(decoded(name)) ? `${mark}${name}=${REDACTED}` : whole,
    );
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Everything up to the flag stays on one line, and within one command of a shell. */
const ARGUMENTS = String.raw`[^|;&<>\r\n\x60]{0,300}?\s`;
/** Ends where a shell would go on, so that no command can hide in it. */
const VALUE = String.raw`(?![$[])[^\s"'|;&<>\x60]+`;

const FLAGS: readonly RegExp[] = [
  String.raw`\b(?:curl|wget|https?|xh)\s(?:${ARGUMENTS})?(?:-u|--user|--proxy-user)[ =]{1,4}["']?[^\s:"'|;&<>\x60]{1,100}:`,
  String.raw`\b(?:mysql|mysqldump|mysqladmin|mariadb)\s(?:${ARGUMENTS})?-p["']?`,
  String.raw`\b(?:docker|podman|helm|oc|az)\s(?:${ARGUMENTS})?login\s(?:${ARGUMENTS})?-p[ =]{1,4}["']?`,
  String.raw`\bsshpass\s{1,4}-p\s{0,4}["']?`,
  String.raw`\bredis-cli\s(?:${ARGUMENTS})?-a\s{1,4}["']?`,
].map((head) => new RegExp(`(${head})${VALUE}`, 'g'));

/** Passwords in the short flags of well-known programs: `curl -u ada:x`, `mysql -px`, `sshpass -p x`. */
function redactProgramFlags(text: string): string {
  return FLAGS.reduce((each, flag) => each.replaceAll(flag, `$1${REDACTED}`), text);
}

/** No character with which a shell would go on, so that no command can hide in a value. */
const PLAIN = String.raw`[^\s"'|;&<>\x60]`;
/** Stays within one statement. */
const WITHIN = String.raw`[^;|&<>\x60]{0,200}?`;

/** What comes before the value, the value, and what comes after it. */
const STATEMENTS: readonly RegExp[] = [
  // `ALTER USER x WITH PASSWORD 'x'`, `CREATE USER x IDENTIFIED BY 'x'`.
  String.raw`(\b(?:alter|create|grant)\s${WITHIN}\b(?:password|identified\s{1,4}(?:with\s{1,4}\S{1,60}\s{1,4})?(?:by|as))\s{1,4}')(${PLAIN}+)(')`,
  String.raw`(\bset\s{1,4}password\s{1,4}for\s${WITHIN}=\s{0,4}')(${PLAIN}+)(')`,
  String.raw`(\b(?:machine\s{1,4}\S{1,200}|default)\s{1,4}login\s{1,4}\S{1,200}\s{1,4}password\s{1,4})(${PLAIN}+)()`,
].map((statement) => new RegExp(statement, 'gi'));

/** `<password>x</password>`. */
const ELEMENT = /(<([\w.:-]{1,100})(?:\s[^<>]{0,200})?>\s{0,4})([^\s"'|;&<>`$]+)(?=\s{0,4}<\/\2>)/g;
/** `<add key="password" value="x"/>`. */
const ATTRIBUTE = /(\b(?:key|name)="([^"<>]{1,100})"\s{1,4}value=")([^"<>`$]+)(?=")/g;

/** What each of them contains. Most texts contain nothing of it, and one search is cheaper than five. */
const SIGN = /password|identified|<\/|value="/i;

/**
 * Redacts passwords that a statement or a file states without a sign after their name: SQL, `.netrc`
 * and XML.
 */
function redactStatements(text: string, isSecret: (name: string) => boolean): string {
  if (!SIGN.test(text)) return text;
  const hidden = (whole: string, before: string, name: string): string =>
    isSecret(name) ? before + REDACTED : whole;
  return STATEMENTS.reduce((rest, each) => rest.replaceAll(each, `$1${REDACTED}$3`), text)
    .replaceAll(ELEMENT, hidden)
    .replaceAll(ATTRIBUTE, hidden);
}
