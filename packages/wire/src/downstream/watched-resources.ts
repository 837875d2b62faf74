/** Resources that one client has subscribed to. The server is told when the last client leaves. */

import { type Call, type Caller, CallsignError, type Reply, type Source } from '@callsign/core';

import { readMessage } from '../rpc/message/message.js';
import { replyOf } from '../rpc/message/rpc-error.js';
import { prepareCall } from './prepared-call.js';
import type { ResourceWatch } from './served-source.js';

/** The limit per client. Each resource costs a request to its server after every restart. */
export const MAX_WATCHED = 1_000;

export class WatchedResources {
  readonly #watch: ResourceWatch;
  /** Identities by the URI that the client sees. Another client may see another URI. */
  readonly #watched = new Map<string, string>();

  /** URIs whose server has not answered yet. A request waits while its server starts. */
  readonly #asking = new Set<string>();
  /** Subscriptions by the client that its server has not answered yet. */
  readonly #unanswered = new Set<string>();

  constructor(watch: ResourceWatch) {
    this.#watch = watch;
  }

  has(uri: string): boolean {
    return this.#watched.has(uri);
  }

  /**
   * The reply to a call that must not reach its server: other clients still watch the resource, or
   * this one watches too many. `undefined`: send the call. A subscription counts from here on, so
   * that no other client ends it at the server.
   */
  begin({ method, name, target }: Call): Reply | undefined {
    const identity = target?.canonical ?? name;
    if (method === 'resources/unsubscribe' && this.#watch.hasOthers(identity, this)) {
      return { ok: true, json: '{}' };
    }
    if (method !== 'resources/subscribe' || this.has(name)) return undefined;
    if (this.#watched.size >= MAX_WATCHED) return replyOf(tooManyWatched());
    this.#unanswered.add(name);
    this.#add(name, identity);
    return undefined;
  }

  /** Call it when such a call has ended. */
  ended({ method, name }: Call, isOk: boolean): void {
    if (method === 'resources/unsubscribe' && isOk) this.#remove(name);
    if (method !== 'resources/subscribe') return;
    if (this.#unanswered.delete(name) && !isOk) this.#remove(name);
  }

  /** Subscribes without a call of the client. */
  subscribe(uri: string, view: Source, caller: Caller): void {
    this.#add(uri, view.route('resource', uri)?.target?.canonical ?? uri);
    if (this.#asking.has(uri)) return;
    this.#asking.add(uri);
    void tellServer('resources/subscribe', uri, view, caller).finally(() =>
      this.#asking.delete(uri),
    );
  }

  /** Subscribes at a server that has started. `server`: unset if there is only one. */
  again(view: Source, caller: Caller, server: string | undefined): void {
    for (const uri of Array.from(this.#watched.keys())) {
      const { target } = view.route('resource', uri) ?? {};
      if (server !== undefined && target?.ref.server !== server) continue;
      // Before the start, its identity may have been unknown.
      this.#remove(uri);
      this.subscribe(uri, view, caller);
    }
  }

  /** The client has left. */
  end(view: Source, caller: Caller): void {
    for (const uri of Array.from(this.#watched.keys())) {
      if (this.#remove(uri)) void tellServer('resources/unsubscribe', uri, view, caller);
    }
  }

  #add(uri: string, identity: string): void {
    this.#watched.set(uri, identity);
    this.#watch.add(identity, this);
  }

  /** True if it was the last subscriber. */
  #remove(uri: string): boolean {
    const identity = this.#watched.get(uri);
    this.#watched.delete(uri);
    return identity !== undefined && this.#watch.remove(identity, this);
  }
}

export function tooManyWatched(): CallsignError {
  return new CallsignError('too-many', { limit: MAX_WATCHED, what: 'watched resources and tasks' });
}

/** Subscribes or unsubscribes at a server for the gateway. Never rejects. `undefined`: no server has it. */
async function tellServer(
  method: 'resources/subscribe' | 'resources/unsubscribe',
  uri: string,
  view: Source,
  caller: Caller,
): Promise<Reply | undefined> {
  try {
    const message = readMessage(`{"method":"${method}","params":{"uri":${JSON.stringify(uri)}}}`)!;
    const prepared = prepareCall(message, method, view, caller);
    return 'reply' in prepared ? undefined : await prepared.route.send(prepared.call);
  } catch (error) {
    return replyOf(error);
  }
}
