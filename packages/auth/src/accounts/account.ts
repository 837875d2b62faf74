/** A person's account at a server: what the gateway may use there in the name of this person only. */

import { hash, randomBytes } from 'node:crypto';

import * as z from 'zod';

import { SIGN_IN, type SignInRecord } from '../sign-in/sign-in-record.js';

/** Contains secrets: it must not reach logs, errors or records. */
export interface Account {
  /** New with every link, so that a token of an account that was removed never comes back. */
  readonly id: string;
  /** Whose it is, as records show it: `key:ann` or `sub:248289`. */
  readonly person: string;
  /** What people call the person. Nothing is decided by it. */
  readonly label?: string | undefined;
  /** The key of the server. */
  readonly server: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** The tokens of a sign-in at the server's authorization server. */
  readonly signIn?: SignInRecord | undefined;
  /** What the person filled in, by the name of a header or a variable. */
  readonly values?: Readonly<Record<string, string>> | undefined;
  /** The only address to which these values are sent. Missing: the server runs on this machine. */
  readonly url?: string | undefined;
}

/** Whose account at which server. */
export type AccountPlace = Pick<Account, 'person' | 'server'>;

/** The person of clients that show no credential: the operator, who runs the gateway on this machine. */
export const LOCAL_PERSON = 'local';

const ACCOUNT: z.ZodType<Account> = z.lazy(() =>
  z.object({
    id: z.string(),
    person: z.string(),
    label: z.string().optional(),
    server: z.string(),
    createdAt: z.number(),
    signIn: SIGN_IN.optional(),
    values: z.record(z.string(), z.string()).optional(),
    url: z.string().optional(),
  }),
);

/** Reads one account. Throws if the text is not one; the error does not contain the text. */
export function parseAccount(text: string): Account {
  try {
    return ACCOUNT.parse(JSON.parse(text));
  } catch {
    throw new Error('an account cannot be read');
  }
}

/** Names the place of an account in a store, without what it names. */
export function accountKey({ person, server }: AccountPlace): string {
  return hash('sha256', JSON.stringify([person, server]), 'hex');
}

const LONGEST_VALUE = 4_096;

/** Why a value cannot be sent; `undefined`: it can. The message does not quote it. */
export function valueProblem(value: string): string | undefined {
  if (value === '') return 'is empty';
  if (value.length > LONGEST_VALUE) return `has more than ${LONGEST_VALUE} characters`;
  if (!/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value))
    return 'has characters that cannot be sent, such as line ends or letters with accents';
  // Some shells run it.
  return value.startsWith('()') ? 'begins with "()"' : undefined;
}

export function newAccountId(): string {
  return randomBytes(5).toString('hex');
}
