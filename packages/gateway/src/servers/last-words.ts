/** Adds what a server printed to warnings and errors about it: a few lines, or the most useful one. */

import { visibleLine, type Log, type LogLevel } from '@callsign/core';

import type { LineOrigin, ServerLog } from './server-log.js';
import type { Redact } from './server-redactor.js';

/** The longest text that callers get. */
const SHOWN = 200;
/** More lines, such as a stack, are replaced by the one that explains them. */
const FEW_LINES = 3;

/** One for each connection to a server. It adds only lines that it has not added before. */
export interface LastWords {
  /** Adds a line that the server printed on standard error. */
  readonly hear: (line: string) => void;
  /** Adds a line of its output that is not a message. */
  readonly stray: (line: string) => void;
  /** Adds what was noticed about it. These are our words, so they are never quoted as its own. */
  readonly note: (notice: string) => void;
  /** A log without secrets that adds the server's last lines to warnings and errors. */
  readonly log: Log;
  /** A reason with the line of the server that explains it best, without secrets. Callers may see it. */
  readonly explain: (cause: string) => string;
}

/** Each line is added once. `redact` hides what the operator gave the server as a secret. */
export function createLastWords(
  key: string,
  log: Log,
  printed: ServerLog,
  redact: Redact,
): LastWords {
  let lastSeq = 0;
  const keep = (level: LogLevel, line: string, from: LineOrigin): void => {
    // At once: after a reload the server may have other secrets.
    const safe = redact(line);
    log(level, `[${key}] ${safe}`);
    printed.add(safe, from);
  };
  return {
    hear: (line) => keep('debug', line, 'stderr'),
    // A server may print on its output why it fails.
    stray: (line) => keep('info', `${line} (on its output, but not a message)`, 'stdout'),
    note: (notice) => keep('info', notice, 'callsign'),
    explain(cause) {
      const safe = redact(asReason(cause, key));
      const line = tellingLine(printed.said().map(({ text }) => text));
      if (line !== undefined) return `${safe}; it said: ${asPart(visibleLine(line, SHOWN))}`;
      const notice = printed.lines().at(-1)?.text;
      return notice === undefined ? safe : `${safe}; ${asPart(visibleLine(notice, SHOWN))}`;
    },
    log(level, message) {
      log(level, redact(message));
      if (level !== 'warning' && level !== 'error') return;
      const fresh = printed.said(lastSeq);
      lastSeq = fresh.at(-1)?.seq ?? lastSeq;
      const texts = fresh.map(({ text }) => text);
      for (const text of summary(texts, key)) log(level, `[${key}]   it said: ${text}`);
    },
  };
}

/** A server that fails at each start prints the same stack each time. */
function summary(texts: readonly string[], key: string): readonly string[] {
  if (texts.length <= FEW_LINES) return texts;
  const line = tellingLine(texts) ?? '';
  return [`${line} (${texts.length - 1} more lines: callsign logs ${key})`];
}

/** The cause as part of a sentence that names the server already. */
function asReason(cause: string, key: string): string {
  const subject = `Server "${key}" `;
  const reason = cause.startsWith(subject) ? `it ${cause.slice(subject.length)}` : cause;
  return asPart(reason);
}

/** A sentence as part of another one: without its full stop. */
function asPart(sentence: string): string {
  return sentence.replace(/(?<!\.)\.$/, '');
}

/** How many lines at the end are searched. */
const SEARCHED = 100;

/** Lines that say nothing by themselves: versions, stack frames, brackets, where npm keeps its log. */
const NOISE = [
  /^Node\.js v\d/,
  /^\s+at /,
  /^[\s^~{}[\],]+$/,
  /^npm notice/,
  /^npm (?:error|ERR!)(?: \d+)?\s*$/,
  /^npm (?:error|ERR!) (?:code|errno|syscall|path|A complete log)\b/,
];
/** npm says the cause first, and then what else could be tried. */
const NPM = /^npm (?:error|ERR!)/;
const ERROR = /^(?:Uncaught )?[\w.]*(?:Error|Exception)\b|^(?:error|fatal|panic)\b|panicked at/i;

/** `undefined` if there is no text at all. */
export function tellingLine(lines: readonly string[]): string | undefined {
  const printed = lines.slice(-SEARCHED).filter((line) => line.trim() !== '');
  const candidates = printed.filter((line) => !NOISE.some((noise) => noise.test(line)));
  const line =
    candidates.find((each) => NPM.test(each)) ??
    candidates.findLast((each) => ERROR.test(each)) ??
    candidates.at(-1) ??
    printed.at(-1);
  return line?.trim();
}
