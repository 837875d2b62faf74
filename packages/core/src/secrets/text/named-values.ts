/**
 * Redacts values after a secret's name in text: `password: x`, `"token": "x"`, `--api-key x`,
 * headers.
 */

import { REDACTED } from './redacted.js';

/**
 * A name and its separator. A name must start where a word starts, so that long words take linear
 * time.
 */
const PAIR =
  /(?<![\p{L}\p{M}\p{N}_$.-])([\p{L}\p{M}\p{N}_$.-]{1,200})(\\{0,3}["']?)(\s{0,4}[:=：＝]\s{0,4})("""|'''|\\{0,3}["'])?/gu;
const FLAG = /(?<![\w-])(--?[A-Za-z][\w-]{0,63})(\s{1,4})(["'])?(?=[^\s-])/g;
/** Headers whose whole line is secret, up to a character at which a shell command ends. */
const HEADER =
  /\b((?:proxy-)?authorization|x-[a-z-]{0,30}(?:key|token))(\s{0,4}:\s{0,4})(?!\[redacted\])[^\s"'\\|;&<>`][^\r\n"'\\|;&<>`]*/gi;
const COOKIE =
  /\b((?:set-)?cookie)(\s{0,4}:\s{0,4})(?!\[redacted\])[^\s"'\\|&<>`][^\r\n"'\\|&<>`]*/gi;

/** What people call a secret when they write sentences. */
const SECRET =
  'pass(?:word|wort|phrase|code|wd)|kennwort|wachtwoord|mot de passe|contraseña|senha|пароль|token|secret|' +
  '(?:api|access|secret|private|auth)[ -]key|passkey';
const BEFORE = String.raw`(?<![\p{L}\p{N}_-])`;
const AFTER = String.raw`(?![\p{L}\p{N}_-])`;
/** `the password is x`, `API key: x`, `change my password to x`. Group: the word between. */
const STATED = new RegExp(
  String.raw`${BEFORE}(?:${SECRET})(?: for [\p{L} ]{1,30})?(?: (?:should|must|will))?` +
    String.raw`(?:\s{1,3}(is|was|be|to|ist|lautet|est|es|é|è)${AFTER}:?|\s{0,3}[:=—–])\s{1,3}(["'])?`,
  'giu',
);
/** `use token x`, `log in with the password x`. */
const USED = new RegExp(
  String.raw`${BEFORE}(?:with|use|using|try)\s{1,3}(?:(?:the|my|your|this)\s{1,3})?(?:${SECRET})\s{1,3}()(["'])?`,
  'giu',
);
/** Languages without spaces: `密码是x`. */
const JOINED =
  /(?:密码|密钥|口令|パスワード|암호)\s{0,3}([是は：:])\s{0,3}(["'])?(?=[\x21-\x7e])/gu;
/** What each of these sentences contains. */
const SIGN =
  /pass|token|secret|key|kennwort|wachtwoord|contraseña|senha|пароль|密|口令|パス|암호/iu;
/** A password of letters alone is recognised only at the end of a plain sentence about a password. */
const PASSWORD = /^pass/i;

/** Words that follow such a name in sentences: `token: the variable is not set`. */
const PROSE: ReadonlySet<string> = new Set(
  (
    'a an the is are was were has have had not no must may can cannot should will would of for in on to from with ' +
    'and or if as at by it its this that your our my set unset missing required optional invalid valid expired wrong ' +
    'incorrect unknown empty denied refused failed found null none true false undefined string number boolean ***'
  ).split(' '),
);

export function redactNamedValues(text: string, isSecret: (name: string) => boolean): string {
  const lines = text.replaceAll(HEADER, `$1$2${REDACTED}`).replaceAll(COOKIE, `$1$2${REDACTED}`);
  const pairs = replaceValues(lines, PAIR, (match) => {
    const [, name = '', nameQuote = '', separator = '', quote = ''] = match;
    const last = name.slice(name.lastIndexOf('.') + 1);
    const isQuery = separator === '=' && /signature$/i.test(last);
    if (!isSecret(last) && !isQuery) return undefined;
    // A JSON member whose value has no quotes: the result must stay JSON.
    const isMember = quote === '' && /["']$/.test(nameQuote) && separator.includes(':');
    return { quote, around: isMember ? nameQuote : '' };
  });
  const flags = replaceValues(pairs, FLAG, ([, flag = '', , quote = '']) =>
    isSecret(flag) ? { quote, around: '' } : undefined,
  );
  if (!SIGN.test(flags)) return flags;
  return [STATED, USED, JOINED].reduce(
    (rest, form) =>
      replaceValues(rest, form, ([head, word, quote = '']) => {
        const mayBeWord = word === 'is' && PASSWORD.test(head);
        return { quote, around: '', accepts: (value) => isStated(value, mayBeWord) };
      }),
    flags,
  );
}

/** Whether a word of a sentence is a value: with a digit or sign in it, or very long. */
function isStated(value: string, mayBeWord: boolean): boolean {
  const bare = value.replace(/[.!?:…]+$/, '');
  if (bare.length < 4) return false;
  if (/\d/.test(bare) || /\p{Ll}\p{Lu}/u.test(bare) || bare.length >= 20) return true;
  if (/[^\p{L}\p{M}'’-]/u.test(bare)) return true;
  return mayBeWord && !ADJECTIVE.test(bare);
}

/** What else is said about a password: `the password is case-sensitive`. */
const ADJECTIVE =
  /(?:able|al|ant|ary|ed|ely|en|ent|ful|ible|ic|id|ing|ive|less|ly|ory|ous|own|ure)$|-|^(?:a|an|about|also|always|because|case|correct|different|fine|good|here|just|like|long|made|more|never|now|ok|okay|only|part|reset|same|safe|sent|short|shown|still|strong|there|too|used|very|weak|what|when|where|why|your)$/i;

/** How a value is quoted. */
interface Found {
  /** The quote that opened the value, or nothing. */
  readonly quote: string;
  /** The quote to put around the replacement. */
  readonly around: string;
  /** Whether a value without quotes is one. Default: it is. */
  readonly accepts?: (value: string) => boolean;
}

function replaceValues(
  text: string,
  heads: RegExp,
  find: (match: RegExpExecArray) => Found | undefined,
): string {
  const parts: string[] = [];
  let done = 0;
  for (const match of text.matchAll(heads)) {
    const start = match.index + match[0].length;
    if (match.index < done) continue;
    const found = find(match);
    if (!found) continue;
    const end = valueEnd(text, start, found.quote);
    const value = text.slice(start, end);
    if (!isHidden(value, found.quote)) continue;
    if (found.quote === '' && found.accepts?.(value) === false) continue;
    parts.push(text.slice(done, start), found.around, REDACTED, found.around);
    done = end;
  }
  return done === 0 ? text : parts.join('') + text.slice(done);
}

/**
 * Whether a value is replaced. Not replaced: empty values, words of a sentence, references to
 * variables, nested JSON, and values that are already redacted.
 */
function isHidden(value: string, quote: string): boolean {
  if (value === '' || value.startsWith(REDACTED.slice(0, -1))) return false;
  if (/^\$(?:\{|\(|[A-Z_])/.test(value)) return false;
  if (quote !== '') return true;
  return !/^[{[]/.test(value) && !PROSE.has(value.toLowerCase().replace(/(?<![.:])[.:]+$/, ''));
}

/**
 * Ends a value without quotes. Includes the shell's separators, so that no command can hide after a
 * secret's name.
 */
const STOPS: ReadonlySet<string> = new Set(' \t\r\n\f\v"\'`&,;)]}|<>');

/**
 * The end of a value. `quote` opened it: `"` or `'`, either with backslashes before it, or nothing.
 */
function valueEnd(text: string, start: number, quote: string): number {
  if (quote === '') return bareEnd(text, start);
  for (let i = start; i < text.length; i++) {
    const char = text[i];
    if (char === '\r' || char === '\n') return i;
    if (text.startsWith(quote, i)) return i;
    // Within plain quotes a backslash escapes the next character.
    if (char === '\\' && quote.length === 1) i++;
  }
  return text.length;
}

function bareEnd(text: string, start: number): number {
  let i = start;
  while (i < text.length && !STOPS.has(text[i]!)) {
    if (text[i] === '\\' && (text[i + 1] === '"' || text[i + 1] === "'")) break;
    i++;
  }
  return i;
}
