/** The routing of sessions and pending calls among several instances. Implemented by `peers`. */

import type { IncomingMessage, ServerResponse } from 'node:http';

import { memberText } from '@callsign/core';

import type { Message } from '../rpc/message/message.js';
import type { StatedCaller } from './http/authenticate.js';

/** Ids of stored results that any instance can find begin with this. The rest is a marked text. */
export const RESULT_ID_PREFIX = 'callsign-result.';

/** Seals ids together with their instance, and finds the way back. */
export interface SessionRouting {
  /** Seals a text with the name of this instance. Clients bring the result back. */
  mark(text: string): string;
  /** Opens a sealed text; `undefined` if no instance sealed it. */
  open(marked: string): Marked | undefined;
  /** The way to another instance that accepts new sessions; `undefined` if there is none. */
  elsewhere(): Relay | undefined;
}

/** A sealed text after it was opened. */
export interface Marked {
  readonly text: string;
  /** The way to the instance that sealed it. Default: this instance. */
  readonly relay?: Relay | undefined;
}

/** Sends a request to another instance and its response to the client. */
export type Relay = (
  request: IncomingMessage,
  response: ServerResponse,
  options: RelayOptions,
) => void;

/** What the relay cannot find out itself. */
export interface RelayOptions {
  /** The body of the request, if it was already read. */
  readonly body?: string;
  /** Who has sent it. Default: no authentication. */
  readonly caller?: StatedCaller | undefined;
  /** Called instead of a response if that instance does not run any more. */
  readonly gone: () => void;
  /** Called instead of a response if it cannot be found out now whether that instance runs. */
  readonly unknown: () => void;
}

/** The marked text of the stored result that a request reads; `undefined` if it reads none. */
export function markedResultIn({ method, params = '' }: Message): string | undefined {
  // Almost no request has one, and a search is much cheaper than a scan.
  if (!params.includes(RESULT_ID_PREFIX)) return undefined;
  const text =
    method === 'tools/call'
      ? memberText(memberText(params, 'arguments') ?? '', 'id')
      : memberText(params, 'uri');
  const id: unknown = text?.startsWith('"') ? JSON.parse(text) : undefined;
  if (typeof id !== 'string') return undefined;
  const start = id.indexOf(RESULT_ID_PREFIX);
  return start === -1 ? undefined : id.slice(start + RESULT_ID_PREFIX.length);
}
