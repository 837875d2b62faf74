/**
 * An adapter wants a second call with a token before it destroys something. Where a person has just
 * approved the call, the gateway makes the second call itself.
 */

import {
  type Call,
  isObject,
  memberText,
  type Module,
  type Next,
  type Reply,
  withMembers,
} from '@callsign/core';

/** What an adapter asks for. */
export interface WantedYes {
  readonly question: string;
  /** Valid for this call only. */
  readonly token: string;
}

/** Innermost but for retries: both calls are one for everything outside. */
export const adapterConfirmationModule: Module<undefined> = {
  name: 'confirmed',
  create: () => ({
    intercept: (call, next) =>
      call.context.isConfirmed || call.context.isApproved ? sendTwice(call, next) : next(),
  }),
};

async function sendTwice(call: Call, next: Next): Promise<Reply> {
  const reply = await next();
  if (!reply.ok || call.context.isStopped) return reply;
  const wanted = wantedByResult(reply.json);
  if (!wanted) return reply;
  const args = argumentsWithYes(call.argumentsJson ?? '{}', wanted);
  return next(call.with({ params: withMembers(call.params, { arguments: args }) }));
}

/** Reads an operation's error; `undefined` if it wants something else. */
export function wantedYes(error: unknown): WantedYes | undefined {
  if (!isObject(error) || error['code'] !== 'CONFIRMATION_REQUIRED') return undefined;
  const { confirmation_message: question, confirmation_token: token } = isObject(error['details'])
    ? error['details']
    : {};
  return typeof token === 'string' ? { question: String(question), token } : undefined;
}

/** Reads a tool's result, as JSON text, because the adapter answers through a tool. */
export function wantedByResult(json: string): WantedYes | undefined {
  // A search before parsing: results can be large.
  if (!json.includes('CONFIRMATION_REQUIRED')) return undefined;
  try {
    const { content } = JSON.parse(json) as { readonly content?: unknown };
    const [block] = Array.isArray(content) ? (content as unknown[]) : [];
    const text = isObject(block) ? block['text'] : undefined;
    const answer: unknown = typeof text === 'string' ? JSON.parse(text) : undefined;
    return isObject(answer) ? wantedYes(answer['error']) : undefined;
  } catch {
    return undefined;
  }
}

/** The parameters of an operation, as JSON text, with the confirmation. */
export function paramsWithYes(params: string, { token }: WantedYes): string {
  return withMembers(params, { _confirmation: JSON.stringify(token) });
}

/** The arguments of an adapter's tool, as JSON text, with the confirmation. */
export function argumentsWithYes(args: string, wanted: WantedYes): string {
  const params = memberText(args, 'params') ?? '{}';
  return withMembers(args, { params: paramsWithYes(params, wanted) });
}
