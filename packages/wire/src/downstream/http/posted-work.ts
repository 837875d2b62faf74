/** Passes the messages of a POST to the leg for their era, or to another instance. */

import type { Source } from '@callsign/core';

import { INVALID_REQUEST } from '../../rpc/message/rpc-error.js';
import { errorText } from '../../rpc/message/rpc-text.js';
import { BadMessage } from '../client-message.js';
import { isStatelessMessage } from '../envelope.js';
import type { HeldCalls } from '../held-calls.js';
import type { Surface } from '../surface.js';
import type { Body } from './body.js';
import { isStateless, mismatch, single } from './headers.js';
import type { Arrival, InstanceRelay } from './instance-relay.js';
import { readPosted } from './posted-messages.js';
import { refuse } from './refuse.js';
import type { SessionLeg } from './session-leg.js';
import type { StatelessLeg } from './stateless-leg.js';

export interface PostedWorkOptions {
  readonly session: SessionLeg;
  readonly stateless: StatelessLeg;
  readonly relay: InstanceRelay;
  readonly held: HeldCalls;
}

export class PostedWork {
  readonly #options: PostedWorkOptions;

  constructor(options: PostedWorkOptions) {
    this.#options = options;
  }

  /** `view`: the view that the path names. Unset: the view that fits the client. */
  take(body: Body, arrival: Arrival, own: Surface, view?: Source): void {
    const { session, stateless, relay, held } = this.#options;
    const { request, answer } = arrival;
    if (relay.takesSession(arrival, body.text)) return;
    const read = readPosted(body);
    if (read instanceof BadMessage) return answer.json(400, read.reply);
    const { messages, isBatch } = read;
    const [first] = messages;
    const surface = view ? { ...own, viewFor: () => view } : own;
    const hasStateless = messages.some((message) => isStateless(request, message));
    if (!hasStateless) {
      if (relay.takesWork(arrival, messages, body.text)) return;
      return session.post(request, messages, answer, surface);
    }
    if (isBatch) {
      const reason = 'Invalid Request: this protocol version has no batches';
      return refuse(answer, 400, reason, INVALID_REQUEST);
    }
    if (first.method === 'initialize' && !isStatelessMessage(first)) {
      const said = single(request.headers['mcp-protocol-version'])!;
      const wrong = mismatch(said, 'initialize belongs to earlier versions');
      return answer.json(400, errorText(first.id, wrong));
    }
    const here = (): void =>
      stateless.post(request, first, answer, { surface, held, ...(view ? { view } : {}) });
    if (!relay.takesState(arrival, first, body.text, here)) here();
  }
}
