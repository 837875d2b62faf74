/**
 * What operators are asked about a person who waits. Where instances share a database, questions are in it, and a person
 * who can write there could exchange them. So the code is made from all that is shown, with a key that is not in the
 * database.
 */

import { createHmac } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

/** What an operator decides about. */
export interface OperatorQuestion {
  /** Operators see the question under it. */
  readonly id: string;
  readonly title: string;
  readonly effect: string;
  readonly rule: string;
  /** The name, the client and the code, as JSON text. An answer counts for exactly this text. */
  readonly shown: string;
  readonly client: string;
}

/** What a question is made from. */
export interface PersonWhoAsks {
  readonly id: string;
  readonly name: string;
  /** Where the client belongs, as far as it is proved. */
  readonly client: string;
  /** What the person gets, in one sentence. */
  readonly effect: string;
}

/** Without letters and digits that look like another one. */
const LETTERS = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';
const CODE_LENGTH = 8;

/** The question, and the code that the person tells the operator. */
export function operatorQuestion(
  pageKey: Uint8Array,
  { id, name, client, effect }: PersonWhoAsks,
): OperatorQuestion & { readonly code: string } {
  const mac = createHmac('sha256', pageKey)
    .update(`operator\0${JSON.stringify([id, name, client, effect])}`)
    .digest();
  const letters = Array.from(
    { length: CODE_LENGTH },
    (_, i) => LETTERS[mac.readUInt32BE(4 * i) % LETTERS.length],
  ).join('');
  const code = `${letters.slice(0, CODE_LENGTH / 2)}-${letters.slice(CODE_LENGTH / 2)}`;
  return {
    id,
    title: `Sign-in of ${name}`,
    effect,
    rule: `a person asks to sign in; approve it only if ${name} tells you this code`,
    shown: JSON.stringify({ name, client, code }),
    client,
    code,
  };
}

/** Whether one of the instances has asked exactly this question. */
export function isAsAsked(pageKey: Uint8Array, question: OperatorQuestion): boolean {
  const name = /^\{"name":"([^"]*)"/.exec(question.shown)?.[1];
  if (name === undefined) return false;
  const { code: _, ...asked } = operatorQuestion(pageKey, { ...question, name });
  return isDeepStrictEqual(question, asked);
}
