/** What a sandbox refused, as far as it can be known: what the proxy refused, and errors that name a path. */

import { isRecord } from '@callsign/config';

/** The error of a write to a file system that is read-only, or of an access to a hidden path. */
const REFUSED =
  /\b(?:EROFS|EACCES|EPERM)\b|read-only file system|permission denied|operation not permitted/i;
const NO_NETWORK =
  /\b(?:ENETUNREACH|EAI_AGAIN|ENETDOWN)\b|network is unreachable|temporary failure in name resolution/i;
/** In quotes a path may have spaces. */
const QUOTED = /(?<quote>['"`])(?<path>\/[^'"`\n]{1,1000})\k<quote>/;
const PATH = /['"`\s(:](?<path>\/[^'"`\s,;:()]+)/;
/** A path in quotes, from the working folder. */
const RELATIVE = /'(?<path>[^'\n]{1,200})'/;
/** Only the beginning of a long error is searched. */
const SEARCHED = 4_000;
const MOST = 50;

/** What a sandbox refused lately, for all processes of one server. */
export class Refusals {
  /** From what was refused to how often. */
  readonly #counts = new Map<string, number>();
  #total = 0;

  add(what: string): void {
    this.#total += 1;
    const before = this.#counts.get(what) ?? 0;
    this.#counts.delete(what);
    this.#counts.set(what, before + 1);
    const [oldest] = this.#counts.keys();
    if (this.#counts.size > MOST && oldest !== undefined) this.#counts.delete(oldest);
  }

  /** How many there were. */
  get total(): number {
    return this.#total;
  }

  /** The newest is the last. */
  get list(): readonly string[] {
    return [...this.#counts.keys()];
  }
}

/** What the text of an error says that the sandbox refused. */
export function refusalIn(text: string, hasNetwork: boolean): string | undefined {
  const part = text.slice(0, SEARCHED);
  if (REFUSED.test(part)) {
    const found = QUOTED.exec(part) ?? PATH.exec(part) ?? RELATIVE.exec(part);
    return found?.groups?.['path'];
  }
  return !hasNetwork && NO_NETWORK.test(part) ? 'the network' : undefined;
}

/** The text of an error in an answer; `undefined` if the answer is no error. */
export function errorTextIn(answer: string): string | undefined {
  if (!answer.includes('"isError"') && !answer.includes('"error"')) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(answer);
  } catch {
    return undefined;
  }
  if (!isRecord(value)) return undefined;
  const { error, result } = value;
  if (isRecord(error)) return String(error['message']);
  if (!isRecord(result) || result['isError'] !== true || !Array.isArray(result['content']))
    return undefined;
  const parts = result['content'].map((part: unknown) => (isRecord(part) ? part['text'] : ''));
  return parts.filter((part) => typeof part === 'string').join('\n');
}

/** The same answer with a sentence about the sandbox. */
export function withSentence(answer: string, sentence: string): string {
  const value = JSON.parse(answer) as {
    error?: { message: string };
    result?: { content: object[] };
  };
  if (value.error) value.error.message = `${value.error.message} ${sentence}`;
  else value.result?.content.push({ type: 'text', text: sentence });
  return JSON.stringify(value);
}
