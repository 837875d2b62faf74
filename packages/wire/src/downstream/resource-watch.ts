/** Subscriptions to resources. A server is told of every new subscriber, and when the last one leaves. */

import { CallsignError, type Call, type Reply } from '@callsign/core';

import { replyOf } from '../message/rpc-error.js';

/** Resources that one client may watch. Each costs a request to its server after every change of its list. */
export const MAX_WATCHED = 1_000;

export class ResourceWatch {
  readonly #watchers = new Map<string, Set<object>>();

  add(uri: string, watcher: object): void {
    this.#watchers.set(uri, (this.#watchers.get(uri) ?? new Set()).add(watcher));
  }

  /** True if it was the last subscriber, so that the server may stop. */
  remove(uri: string, watcher: object): boolean {
    const those = this.#watchers.get(uri);
    if (!those?.delete(watcher) || those.size > 0) return false;
    this.#watchers.delete(uri);
    return true;
  }

  /** The reply to a call that its server need not see; `watched` is what this client watches. */
  ownReply(call: Call, watcher: object, watched: ReadonlySet<string>): Reply | undefined {
    const { method, name } = call;
    if (method === 'resources/unsubscribe' && this.#hasOthers(name, watcher)) {
      return { ok: true, json: '{}' };
    }
    const isFull = watched.size >= MAX_WATCHED && !watched.has(name);
    return method === 'resources/subscribe' && isFull ? replyOf(tooManyWatched()) : undefined;
  }

  #hasOthers(uri: string, watcher: object): boolean {
    const those = this.#watchers.get(uri);
    return those !== undefined && [...those].some((each) => each !== watcher);
  }
}

export function tooManyWatched(): CallsignError {
  return new CallsignError('too-many', { limit: MAX_WATCHED, what: 'watched resources' });
}
