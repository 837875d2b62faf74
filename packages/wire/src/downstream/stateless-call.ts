/**
 * The context of a stateless call: sends its messages back to the client. A call that waits for
 * answers outlives its request and is attached to the next one.
 */

import { CallContext, type Question, type Reply } from '@callsign/core';

import { notificationText } from '../rpc/message/rpc-text.js';
import { passesLevel, type LogLevel } from './log-level.js';

/** The request that waits for the reply. */
export interface WaitingRequest {
  /** The client's progress token as JSON text, if it sent one. */
  readonly token: string | undefined;
  /** Unset: the client wants no log messages. */
  readonly logLevel: LogLevel | undefined;
  readonly send: (text: string) => boolean | void;
}

export class StatelessCall extends CallContext {
  /** Unset between two requests of the client. Messages are then dropped. */
  request: WaitingRequest | undefined;
  /** Carries a question to the client with the reply to its request. Set before sending. */
  onQuestion: ((question: Question) => Promise<Reply>) | undefined;

  override ask(question: Question): Promise<Reply> {
    return this.onQuestion!(question);
  }

  override progress(params: string, start: number, end: number): boolean | void {
    const { token, send } = this.request ?? {};
    if (token === undefined || !send) return;
    return send(
      notificationText(
        'notifications/progress',
        params.slice(0, start) + token + params.slice(end),
      ),
    );
  }

  override log(params: string): void {
    const { logLevel, send } = this.request ?? {};
    if (logLevel === undefined || !send || !passesLevel(params, logLevel)) return;
    send(notificationText('notifications/message', params));
  }
}
