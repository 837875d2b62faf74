/** The one question about all calls of a script, and its answers. Every call is shown, each on a line of its own. */

import { notShown, type Question, quoted, type Reply, visibleLine, isObject } from '@callsign/core';
import { numbersIn, type ScriptCall } from '@callsign/governance';

import type { Answer } from '../run/script.js';

export interface ScriptQuestion {
  readonly calls: readonly ScriptCall[];
  /** What the model says that the script is for. */
  readonly purpose: string;
  /** Whether the script ends after these calls, as far as it is known. */
  readonly isAll: boolean;
}

const MAX_PURPOSE = 300;
const MAX_NAME = 150;
const NO = 'No';
const SOME = 'Yes, but only the calls in "only"';
const ONLY_TITLE = 'Only these calls';
const yes = (count: number): string => (count === 1 ? 'Yes, this call' : `Yes, all ${count} calls`);

/** `14 × wiki:delete_page (destructive), 2 × chat:post_message (destructive)`. */
export function countsOf(calls: readonly ScriptCall[]): string {
  const counts = new Map<string, { count: number; risk: string }>();
  for (const { tool, risk } of calls) {
    const known = counts.get(tool);
    if (known) known.count++;
    else counts.set(tool, { count: 1, risk });
  }
  return Array.from(counts)
    .toSorted(([, a], [, b]) => dangerOf(b.risk) - dangerOf(a.risk))
    .map(([tool, { count, risk }]) => `${count} × ${quoted(visibleLine(tool, MAX_NAME))} (${risk})`)
    .join(', ');
}

function dangerOf(risk: string): number {
  return risk === 'destructive' ? 1 : 0;
}

/** The text for people. Words of servers and callers are quoted, so that they cannot be mistaken for ours. */
export function scriptText({ calls, purpose, isAll }: ScriptQuestion): string {
  const lines = [
    `Allow ${calls.length === 1 ? 'this call' : `these ${calls.length} calls`} of a script? ${countsOf(calls)}`,
    `The model says that it is for: ${quoted(visibleLine(purpose, MAX_PURPOSE))}`,
  ];
  let last: string | undefined;
  for (const { number, tool, effect, arguments: given, hidden } of calls) {
    // Neighbours of one tool share its line.
    if (tool !== last) lines.push(`${quoted(visibleLine(tool, MAX_NAME))}: ${effect}`);
    last = tool;
    const left = notShown(hidden);
    lines.push(`  ${number}. ${quoted(given)}${left === undefined ? '' : ` ${left}`}`);
  }
  lines.push(
    isAll
      ? 'Nothing else is changed without another question.'
      : 'The script goes on after these calls. You will be asked about what it wants to change then.',
  );
  return lines.join('\n');
}

export function questionForScript(question: ScriptQuestion): Question {
  const { length } = question.calls;
  const some =
    length === 1
      ? {}
      : {
          only: {
            type: 'string',
            title: ONLY_TITLE,
            description: 'Numbers, such as 1-3, 7',
          },
        };
  return {
    method: 'elicitation/create',
    params: JSON.stringify({
      message: scriptText(question),
      requestedSchema: {
        type: 'object',
        properties: {
          answer: {
            type: 'string',
            title: 'Allow these calls?',
            enum: [NO, yes(length), ...(length === 1 ? [] : [SOME])],
          },
          ...some,
        },
        required: ['answer'],
      },
    }),
  };
}

/**
 * For a client that asks for one field after the other: whether the numbers of calls are needed after the other answers.
 * `undefined`: it is another field.
 */
export function needsNumbers(
  { name, schema }: { readonly name: string; readonly schema: Readonly<Record<string, unknown>> },
  given: ReadonlyMap<string, unknown>,
): boolean | undefined {
  if (name !== 'only' || schema['title'] !== ONLY_TITLE) return undefined;
  return given.get('answer') === SOME;
}

/** Any answer that is not clear is a refusal. */
export function answerOfScript({ ok, json }: Reply, count: number): Answer {
  const reply: unknown = ok ? JSON.parse(json) : undefined;
  if (!isObject(reply)) return { refusal: 'the client did not ask its user' };
  const { action, content } = reply;
  if (action === 'cancel') return { refusal: 'the user dismissed the question' };
  const given = action === 'accept' && isObject(content) ? content : undefined;
  if (!given || given['answer'] === NO) return { refusal: 'the user declined' };
  if (given['answer'] === yes(count)) return { approved: new Set(numbersTo(count)) };
  if (given['answer'] !== SOME || count === 1)
    return { refusal: 'the answer is not one of the choices' };
  const approved = numbersIn(given['only'], count);
  return approved ? { approved } : { refusal: 'the numbers of the calls are not clear' };
}

function numbersTo(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i + 1);
}
