/** What pages read of a request, each thing once: two programs may choose different ones of two. */

import type { IncomingMessage } from 'node:http';

import { visibleLine } from '@callsign/core';

import type { Person } from './caller-sign-in-state.js';
import type { SignInPage } from './page-markup.js';

/** The person cannot go on. Shown on a page, never sent to a client. */
export class PageProblem extends Error {
  override readonly name = 'PageProblem';
}

/** The body of a request is longer than our forms. */
export class BodyTooLong extends Error {
  override readonly name = 'BodyTooLong';
}

/** A page, or another address. */
export interface Shown {
  readonly page?: SignInPage;
  readonly location?: string;
  readonly status?: number;
  readonly cookies?: readonly string[];
}

export const TOO_OLD = 'This page is too old, or was opened in another browser.';

export function parametersOf({ url = '/' }: IncomingMessage): ReadonlyMap<string, string> {
  return single(new URL(url, 'http://gateway').searchParams);
}

export function single(
  parameters: URLSearchParams,
  fail = (message: string): never => {
    throw new PageProblem(message);
  },
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of parameters) {
    if (found.has(name)) fail('A parameter is there twice.');
    found.set(name, value);
  }
  return found;
}

export function needed(parameters: ReadonlyMap<string, string>, name: string): string {
  const value = parameters.get(name);
  if (value === undefined || value === '')
    throw new PageProblem(`The request has no "${name}". Start again from your client.`);
  return value;
}

export async function bodyOf(request: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) throw new BodyTooLong('The body is too long.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

export function cookieIn(
  { headers: { cookie = '' } }: IncomingMessage,
  name: string,
): string | undefined {
  const pairs = cookie.split(';').map((pair) => pair.trim());
  const found = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
  return found === undefined || found === '' ? undefined : found;
}

/** What people call a person. */
export function shownPerson({ name, label }: Pick<Person, 'name' | 'label'>): string {
  return visibleLine(label ?? name.replace(/^(?:key|person):/, ''), 120);
}
