/** The question to a person before a call, and the answers that count as approval. */

import { explain, toolTitle } from '@callsign/annotations';
import { type Call, type Caller, memberText, type Question, type Reply } from '@callsign/core';

import { visibleLine } from '@callsign/core';
import { redactArguments, type RedactOptions } from '@callsign/core';

/** The scope of an approval: this call, the same arguments, or the tool. The latter two last for the session. */
export const SCOPES = ['once', 'call', 'tool'] as const;

export type Scope = (typeof SCOPES)[number];

/** A call as people see it: no secrets, nothing hidden. */
export interface CallSummary {
  /** `server:tool`. */
  readonly tool: string;
  readonly title: string;
  /** Its purpose, in one sentence. */
  readonly effect: string;
  /** As JSON text, redacted. */
  readonly arguments: string;
  /** Why the person is asked. */
  readonly rule: string;
}

const MAX_NAME = 150;
const MAX_RULE = 300;
const NO = 'No';
const YES: Readonly<Record<Scope, string>> = {
  once: 'Yes, this once',
  call: 'Yes, and for the same arguments in this session',
  tool: 'Yes, and for this tool in this session',
};

export function summaryOf(call: Call, rule: string, redact: RedactOptions): CallSummary {
  const { canonical, displayName, title, hints, item, ref } = call.target!;
  const annotations: unknown = JSON.parse(memberText(item.json, 'annotations') ?? 'null');
  const parts = { displayName, title, annotations };
  return {
    tool: visibleLine(canonical, MAX_NAME),
    title: visibleLine(toolTitle({ ...parts, fallback: ref.tool }) ?? canonical, MAX_NAME),
    effect: explain(hints),
    arguments: argumentsOf(call, redact),
    rule: visibleLine(rule, MAX_RULE),
  };
}

/** The arguments of a call as JSON text, redacted. */
export function argumentsOf({ params, target }: Call, redact: RedactOptions): string {
  const given = memberText(params, 'arguments') ?? '{}';
  return redactArguments(given, memberText(target!.item.json, 'inputSchema'), redact);
}

/** Whether the client can show its user a form. */
export function canShowForm(caller: Caller): boolean {
  if (!caller.can('elicitation')) return false;
  const declared = memberText(caller.capabilities, 'elicitation') ?? '{}';
  const has = (mode: string): boolean => memberText(declared, mode) !== undefined;
  // Clients that declare no mode support forms.
  return has('form') || !has('url');
}

/** The choices are plain words, since not every client shows titles. The first one is harmless. */
export function questionFor(summary: CallSummary, furthest: Scope): Question {
  const { tool, title, effect, rule } = summary;
  const message = [
    `Allow this call? ${title} (${tool})`,
    effect,
    `Arguments: ${summary.arguments}`,
    `Asked because ${rule}.`,
  ].join('\n');
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

/** The result: the scope of the approval, or why there is none. */
export type Answer = { readonly scope: Scope } | { readonly refusal: string };

/** Anything but an offered choice is a refusal. */
export function answerIn({ ok, json }: Reply, furthest: Scope): Answer {
  const reply: unknown = ok ? JSON.parse(json) : undefined;
  if (!isObject(reply)) return { refusal: 'the client did not ask its user' };
  const { action, content } = reply;
  if (action === 'decline') return { refusal: 'the user declined' };
  if (action === 'cancel') return { refusal: 'the user dismissed the question' };
  const answer = action === 'accept' && isObject(content) ? content['answer'] : undefined;
  if (answer === NO) return { refusal: 'the user declined' };
  const scope = scopesUpTo(furthest).find((each) => YES[each] === answer);
  return scope ? { scope } : { refusal: 'the answer is none of the choices' };
}

function scopesUpTo(furthest: Scope): readonly Scope[] {
  return furthest === 'once' ? ['once'] : ['once', furthest];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
