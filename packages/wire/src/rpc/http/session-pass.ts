/** The headers of a session over HTTP, from its handshake until the server has dropped it. */

import type { IncomingHttpHeaders } from 'node:http';

import { memberText } from '@callsign/core';

import { METHOD_NOT_FOUND } from '../message/rpc-error.js';
import type { HttpFailure } from './http-failure.js';

/** The id and the version that each request of a session repeats. One for each session. */
export class SessionPass {
  #id: string | undefined;
  #version: string | undefined;

  /** Default: the server has no sessions, or there was no handshake yet. */
  get id(): string | undefined {
    return this.#id;
  }

  /** Reads the answer to the handshake. Returns false if the server refused. */
  open(headers: IncomingHttpHeaders, answer: string): boolean {
    const result = memberText(answer, 'result');
    const version = result === undefined ? undefined : memberText(result, 'protocolVersion');
    if (version === undefined) return false;
    const id = headers['mcp-session-id'];
    this.#id = typeof id === 'string' && /^[\x21-\x7e]+$/.test(id) ? id : undefined;
    this.#version = /^"([\x21-\x7e]+)"$/.exec(version)?.[1];
    return true;
  }

  headers(): Record<string, string> {
    return {
      ...(this.#id === undefined ? {} : { 'mcp-session-id': this.#id }),
      ...(this.#version === undefined ? {} : { 'mcp-protocol-version': this.#version }),
    };
  }

  /** Whether a failure means that the server no longer knows this session. */
  isEndedBy({ status, refusal }: HttpFailure): boolean {
    if (this.#id === undefined) return false;
    if (status === 404) return refusal?.code !== METHOD_NOT_FOUND;
    // Many servers, copied from one example, answer like this after a restart. A server that
    // repeats our id, which is a number, has understood the request and means something else.
    const isUnread = refusal !== undefined && !/^\d/.test(refusal.id ?? '');
    return status === 400 && isUnread && /session|not initialized/i.test(refusal.message);
  }
}
