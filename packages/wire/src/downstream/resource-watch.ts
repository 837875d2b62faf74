/** Subscriptions to resources. A server is told of every new subscriber, and when the last one leaves. */

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

  hasOthers(uri: string, watcher: object): boolean {
    const those = this.#watchers.get(uri);
    return those !== undefined && [...those].some((each) => each !== watcher);
  }
}
