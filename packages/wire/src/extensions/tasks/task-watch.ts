/** Subscriptions to tasks at a stateless server, one for each task that a client listens to. */

import { keepListening, type ListeningConnection } from '../../rpc/message/resumable-stream.js';
import { UNWATCH_TASK, WATCH_TASK } from '../../rpc/message/protocol.js';

export interface TaskWatchOptions {
  /** The `_meta` of our requests, as JSON text. */
  readonly meta: string;
  /** The stateless connection; `undefined` if the server has none. */
  readonly connection: () => Promise<ListeningConnection | undefined>;
}

interface Watched {
  /** The clients' subscriptions that need it. */
  readonly subscriptions: Set<string>;
  stop: () => void;
}

const AGAIN_MS = 1_000;

/** Ends a subscription when no client listens any more. */
export class TaskWatch {
  readonly #options: TaskWatchOptions;
  readonly #watched = new Map<string, Watched>();

  constructor(options: TaskWatchOptions) {
    this.#options = options;
  }

  /** `params`: the server's id of a task and a client's subscription, as a JSON list. */
  heed(method: string, params: string): boolean {
    if (method !== WATCH_TASK && method !== UNWATCH_TASK) return false;
    const [taskId, subscription] = JSON.parse(params) as [string, string];
    if (method === WATCH_TASK) this.#watch(taskId, subscription);
    else this.#unwatch(taskId, subscription);
    return true;
  }

  #watch(taskId: string, subscription: string): void {
    const known = this.#watched.get(taskId);
    if (known) return void known.subscriptions.add(subscription);
    const watched: Watched = { subscriptions: new Set([subscription]), stop: () => undefined };
    this.#watched.set(taskId, watched);
    void this.#listen(taskId, watched);
  }

  #unwatch(taskId: string, subscription: string): void {
    const watched = this.#watched.get(taskId);
    if (!watched?.subscriptions.delete(subscription) || watched.subscriptions.size > 0) return;
    this.#watched.delete(taskId);
    watched.stop();
  }

  async #listen(taskId: string, watched: Watched): Promise<void> {
    const connection = await this.#options.connection();
    const isWanted = (): boolean => this.#watched.get(taskId) === watched;
    if (!connection || connection.isClosed || !isWanted()) return;
    const { meta } = this.#options;
    watched.stop = keepListening(connection, {
      params: `{"notifications":{"taskIds":${JSON.stringify([taskId])}},"_meta":${meta}}`,
      onOver: () => {
        if (!isWanted()) return;
        // A closed connection may be opened again. Otherwise the server has refused.
        if (!connection.isClosed) this.#watched.delete(taskId);
        else setTimeout(() => void this.#listen(taskId, watched), AGAIN_MS).unref();
      },
    });
  }
}
