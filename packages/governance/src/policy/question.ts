/** The question to a person before a call, and the answers that count as an approval. */

import {
  type Call,
  type Caller,
  type HiddenPart,
  isObject,
  memberText,
  notShown,
  type Question,
  quoted,
  type RedactOptions,
  type Reply,
  showArguments,
  visibleLine,
} from '@callsign/core';
import { explainEffect, type Risk, toolTitle } from '@callsign/effects';

/**
 * What an approval covers: this call, the same arguments, or the tool. The latter two last for the
 * session.
 */
export const SCOPES = ['once', 'call', 'tool'] as const;

export type Scope = (typeof SCOPES)[number];

/** A call as people see it: without secrets, and with a list of what is not shown. */
export interface CallSummary {
  /** `server:tool`. */
  readonly tool: string;
  /** The server and the tool's title: `Files — Delete File`. */
  readonly title: string;
  /** What the tool does, in one sentence. */
  readonly effect: string;
  /** As JSON text, redacted. */
  readonly arguments: string;
  /** The parts of the arguments that are not shown. */
  readonly hidden: readonly HiddenPart[];
  /** Why the person is asked. */
  readonly rule: string;
  /** The calls that a script wants to make. Missing for any other call. Each can be approved alone. */
  readonly calls?: readonly ScriptCall[];
}

/** A call of a script, as people see it. */
export interface ScriptCall {
  /** From 1. */
  readonly number: number;
  /** `server:tool`. */
  readonly tool: string;
  readonly risk: Risk;
  readonly effect: string;
  readonly arguments: string;
  readonly hidden: readonly HiddenPart[];
}

export type SummaryArguments = Pick<CallSummary, 'arguments' | 'hidden' | 'calls'>;

const MAX_NAME = 150;
const MAX_RULE = 300;
/** Characters that a person can read before deciding. What is cut is counted. */
const SHOWN = { maxLength: 8_000, maxText: 4_000 };
const NO = 'No';
const YES: Readonly<Record<Scope, string>> = {
  once: 'Yes, this once',
  call: 'Yes, and every call with these arguments in this session',
  tool: 'Yes, and every call of this tool in this session',
};

export function summaryOf(call: Call, rule: string, redact: RedactOptions): CallSummary {
  const { canonical, displayName, title, hints, item, ref } = call.target!;
  const annotations: unknown = JSON.parse(memberText(item.json, 'annotations') ?? 'null');
  const parts = { displayName, title, annotations };
  return {
    tool: visibleLine(canonical, MAX_NAME),
    title: visibleLine(toolTitle({ ...parts, fallback: ref.tool }) ?? canonical, MAX_NAME),
    effect: explainEffect(hints),
    ...argumentsOf(call, { ...SHOWN, ...redact }),
    rule: visibleLine(rule, MAX_RULE),
  };
}

/** The arguments of a call, redacted, and a list of what is not shown. */
export function argumentsOf(call: Call, redact: RedactOptions): SummaryArguments {
  const given = call.givenJson ?? '{}';
  const schema = memberText(call.target!.item.json, 'inputSchema');
  const { text, hidden } = showArguments(given, schema, redact);
  return { arguments: text, hidden };
}

/** Whether the client can show its user a form. */
export function canShowForm(caller: Caller): boolean {
  if (!caller.can('elicitation')) return false;
  const declared = memberText(caller.capabilities, 'elicitation') ?? '{}';
  const has = (mode: string): boolean => memberText(declared, mode) !== undefined;
  // Clients that declare no mode support forms.
  return has('form') || !has('url');
}

/**
 * The choices are plain words, since not every client shows titles. The first one is harmless.
 * Words of servers and callers are quoted, so that they cannot be mistaken for ours.
 */
export function questionFor(summary: CallSummary, furthest: Scope): Question {
  const { tool, title, effect, rule, hidden } = summary;
  const message = [
    `Allow this call? ${quoted(tool)} (${quoted(title)})`,
    effect,
    `Arguments: ${quoted(summary.arguments)}`,
    notShown(hidden),
    reasonFor(rule),
  ]
    .filter((each) => each !== undefined)
    .join('\n');
  const choices = [NO, ...scopesUpTo(furthest).map((scope) => YES[scope])];
  return {
    method: 'elicitation/create',
    params: JSON.stringify({
      message,
      requestedSchema: {
        type: 'object',
        properties: {
          answer: { type: 'string', title: 'Allow this call?', enum: choices },
        },
        required: ['answer'],
      },
    }),
  };
}

/** What a label is asked for, in words for people. */
const ASKED_BEFORE: Readonly<Record<string, string>> = {
  read: 'calls that read',
  write: 'calls that change something',
  destructive: 'destructive calls',
  openWorld: 'calls that reach other systems',
  contradiction: 'calls of tools whose words contradict the claims of their server',
};

function reasonFor(rule: string): string {
  const [, key = ''] = /^policy\.(\w+) is "confirm"$/.exec(rule) ?? [];
  const calls = ASKED_BEFORE[key];
  return calls === undefined ? `Asked because ${rule}.` : `Your policy asks before ${calls}.`;
}

/** The scope of the approval, or why there is none. `only`: the calls of a script that it covers, if not all. */
export type Answer =
  | { readonly scope: Scope; readonly only?: readonly number[] }
  | { readonly refusal: string };

/** Any answer that is not one of the offered choices is a refusal. */
export function answerIn({ ok, json }: Reply, furthest: Scope): Answer {
  const reply: unknown = ok ? JSON.parse(json) : undefined;
  if (!isObject(reply)) return { refusal: 'the client did not ask its user' };
  const { action, content } = reply;
  if (action === 'decline') return { refusal: 'the user declined' };
  if (action === 'cancel') return { refusal: 'the user dismissed the question' };
  const answer = action === 'accept' && isObject(content) ? content['answer'] : undefined;
  if (answer === NO) return { refusal: 'the user declined' };
  const scope = scopesUpTo(furthest).find((each) => YES[each] === answer);
  return scope ? { scope } : { refusal: 'the answer is not one of the choices' };
}

function scopesUpTo(furthest: Scope): readonly Scope[] {
  return furthest === 'once' ? ['once'] : ['once', furthest];
}
