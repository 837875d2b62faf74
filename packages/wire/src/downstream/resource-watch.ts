/** Subscriptions of all clients. A server hears of each new one, and when the last one ends. */

export class ResourceWatch {
  readonly #watchers = new Map<string, Set<object>>();

  /** `identity` is the canonical name of the resource. */
  add(identity: string, watcher: object): void {
    this.#watchers.set(identity, (this.#watchers.get(identity) ?? new Set()).add(watcher));
  }

  /** True: it was the last subscriber, so the server may be told to stop. */
  remove(identity: string, watcher: object): boolean {
    const those = this.#watchers.get(identity);
    if (!those?.delete(watcher) || those.size > 0) return false;
    this.#watchers.delete(identity);
    return true;
  }

  hasOthers(identity: string, watcher: object): boolean {
    const those = this.#watchers.get(identity);
    return those !== undefined && [...those].some((each) => each !== watcher);
  }
}
