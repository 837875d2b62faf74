/** The context of a call in a session: sends its messages back to the client. */

import { CallContext, type Question, type Reply } from '@callsign/core';

import type { Message } from '../rpc/message/message.js';
import { notificationText } from '../rpc/message/rpc-text.js';

/** The part of a session that its calls use. `about`: the id of the request behind a message. */
export interface SessionLink {
  askAbout(question: Question, about: string): Promise<Reply>;
  sendAbout(text: string, about: string): boolean;
  logAbout(params: string, about: string): void;
}

/** The client's progress token as JSON text, if it sent one. */
export function tokenOf({ params, tokenStart, tokenEnd }: Message): string | undefined {
  return tokenStart === -1 ? undefined : params!.slice(tokenStart, tokenEnd);
}

export class SessionCall extends CallContext {
  readonly #session: SessionLink;
  readonly #id: string;
  readonly #token: string | undefined;

  /** `token`: the client's progress token as JSON text, if it sent one. */
  constructor(session: SessionLink, id: string, token: string | undefined) {
    super();
    this.#session = session;
    this.#id = id;
    this.#token = token;
  }

  override ask(question: Question): Promise<Reply> {
    return this.#session.askAbout(question, this.#id);
  }

  override progress(params: string, start: number, end: number): boolean {
    if (this.#token === undefined) return true;
    const own = params.slice(0, start) + this.#token + params.slice(end);
    return this.#session.sendAbout(notificationText('notifications/progress', own), this.#id);
  }

  override log(params: string): void {
    this.#session.logAbout(params, this.#id);
  }
}
