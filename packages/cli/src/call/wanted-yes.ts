/** Reads the confirmation that an adapter asks for, and adds the answer to the next call. */

import { memberText, withMembers } from '@callsign/core';

import { isRecord } from '@callsign/config';
import { onOneLine } from '@callsign/terminal';

export interface WantedYes {
  /** On one line. */
  readonly question: string;
  /** The token of the confirmation, for this call only. */
  readonly token: string;
}

/** Reads the details of an operation's error; `undefined` if it wants something else. */
export function wantedYes(error: unknown): WantedYes | undefined {
  if (!isRecord(error) || error['code'] !== 'CONFIRMATION_REQUIRED') return undefined;
  const { confirmation_message: question, confirmation_token: token } = isRecord(error['details'])
    ? error['details']
    : {};
  if (typeof token !== 'string') return undefined;
  return { question: onOneLine(String(question)), token };
}

/** Reads a tool's result, as JSON text, because the adapter answers through a tool. */
export function wantedByResult(json: string): WantedYes | undefined {
  try {
    const { content } = JSON.parse(json) as { readonly content?: unknown };
    const [block] = Array.isArray(content) ? (content as unknown[]) : [];
    const text = isRecord(block) ? block['text'] : undefined;
    const answer: unknown = typeof text === 'string' ? JSON.parse(text) : undefined;
    return isRecord(answer) ? wantedYes(answer['error']) : undefined;
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
