/** What the body of an error says to a model: a message, and the parts that help to correct a call. */

import { isObject, memberOf, valueAt } from '@callsign/core';
import { isSecretValue, REDACTED } from '@callsign/core/secrets';

export interface ErrorBody {
  readonly message?: string;
  /** The rest of the body. Missing if the message says everything. */
  readonly rest?: unknown;
}

/** A longer text is hardly a message, and it costs the caller tokens. */
const MAX_MESSAGE = 300;
/** Characters of the rest, as JSON. */
const MAX_REST = 2_000;
const MAX_ELEMENTS = 20;
const MAX_DEPTH = 6;
const WORD = /[^\s"'`<>()[\],;]+/g;
/** Keys for the developers of the target. They name files and code. */
const INTERNAL =
  /^(?:stack_?trace|stack|trace|traceback|backtrace|exception|debug(?:_?info)?|inner_?exception)$/i;
/** Keys whose value is in the message, or in the status. */
const SAID = new Set([
  'message',
  'error',
  'detail',
  'title',
  'status',
  'statusCode',
  'success',
  'ok',
]);

/** Reads JSON, and plain text. Other bodies, such as HTML, say nothing to a model. */
export function readErrorBody(text: string, contentType: string): ErrorBody {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return /^text\/plain\b/i.test(contentType) ? withMessage(lineOf(text)) : {};
  }
  const message = lineOf(body) ?? messageIn(body);
  const rest = fitting(withoutSaid(body, message));
  const isSaid = rest === undefined || isSaidIn(rest, message);
  return { ...withMessage(message), ...(isSaid ? {} : { rest }) };
}

function withMessage(message: string | undefined): ErrorBody {
  return message === undefined ? {} : { message };
}

function messageIn(body: unknown): string | undefined {
  const [title, detail] = [lineOf(memberOf(body, 'title')), lineOf(memberOf(body, 'detail'))];
  // A problem of RFC 9457 has a title for its kind, and a detail for this case.
  if (title !== undefined && detail !== undefined) return lineOf(`${title}: ${detail}`);
  const found = [
    memberOf(body, 'message'),
    valueAt(body, ['error', 'message']),
    memberOf(body, 'error_description'),
    memberOf(body, 'error'),
    detail,
    title,
    valueAt(body, ['errors', 0, 'message']),
    valueAt(body, ['errors', 0, 'detail']),
    valueAt(body, ['errors', 0]),
  ];
  for (const each of found) {
    const line = lineOf(each);
    if (line !== undefined) return line;
  }
  return undefined;
}

function lineOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  // A little more than is kept, so that no half of a token is taken for a word.
  const line = value
    .slice(0, 10 * MAX_MESSAGE)
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
  const safe = line.replace(WORD, (word) => (isSecretValue(word) ? REDACTED : word));
  return safe === '' ? undefined : safe.slice(0, MAX_MESSAGE);
}

/** Without what the message repeats. */
function withoutSaid(body: unknown, message = ''): unknown {
  if (!isObject(body)) return body;
  const members = Object.entries(body).flatMap(([key, value]): [string, unknown][] => {
    const isTold = typeof value !== 'object' && message.includes(String(value));
    if (SAID.has(key) && (isTold || typeof value === 'number' || typeof value === 'boolean'))
      return [];
    if (key !== 'error' || !isObject(value)) return [[key, value]];
    const inner = withoutSaid(value, message);
    return inner === undefined ? [] : [[key, inner]];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

/** Whether every text in a value is part of the message. */
function isSaidIn(value: unknown, message = ''): boolean {
  if (typeof value === 'string') return value !== '' && message.includes(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).every((inner) => isSaidIn(inner, message));
}

/** Cut in depth and length, so that an error costs few tokens. */
function fitting(value: unknown): unknown {
  for (const length of [MAX_ELEMENTS, 5, 2]) {
    const part = cut(value, length, 0);
    if (part === undefined || JSON.stringify(part).length <= MAX_REST) return part;
  }
  return undefined;
}

function cut(value: unknown, length: number, depth: number): unknown {
  if (typeof value === 'string') return lineOf(value) ?? '';
  if (typeof value !== 'object' || value === null) return value;
  if (depth === MAX_DEPTH) return '…';
  if (Array.isArray(value)) {
    return value.slice(0, length).map((each: unknown) => cut(each, length, depth + 1));
  }
  const members = Object.entries(value).filter(([key]) => !INTERNAL.test(key));
  return Object.fromEntries(
    members
      .slice(0, length)
      .map(([key, inner]) => [lineOf(key) ?? '', cut(inner, length, depth + 1)]),
  );
}
