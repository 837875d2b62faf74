/**
 * Calls to servers that run on one instance, and instances that drain meanwhile. Where a server runs, and what its
 * holder answers, is decided by the real code; the server itself and the connections are simulated.
 */

import type { ServerOwner } from '@callsign/instances/peers';

import type { SimulatedCluster, SimulatedInstance } from './simulated-cluster.js';

type Answer = 'ok' | NonNullable<ReturnType<ServerOwner['refusal']>> | 'no connection';

/** One call that reached a server, from its start to its answer. */
export interface Made {
  readonly call: number;
  readonly server: string;
  readonly instance: string;
  readonly from: number;
  to: number | undefined;
}

/** `broken`: sent, and no answer came. `unsent`: given up without having been sent. */
export type Outcome = 'ok' | 'broken' | 'unsent';

/** As in the real code: how often a call may find its server moved, and how long it waits for a server. */
const MAX_MOVES = 5;
const WAIT_MS = 30_000;
const START_MS = 800;
const LOOK_MS = 20;
/** A few calls take so long that others look for their server again and again while it is handed over. */
const LONG = 0.01;
const LONG_MS = 9_000;
const TIMEOUT_MS = 12_000;

export class SimulatedCalls {
  readonly made: Made[] = [];
  /** How each call ended, by its number. A call that is missing has not ended. */
  readonly outcomes = new Map<number, Outcome>();
  /** Calls that were sent again because the first holder had not run them. */
  moved = 0;
  drained = 0;
  begun = 0;
  readonly #cluster: SimulatedCluster;
  readonly #draining = new Set<SimulatedInstance>();
  /** Instances that ended in order: their machines still refuse connections. */
  readonly #ended = new Set<string>();
  /** When the process of a server has started, by server and fence. */
  readonly #started = new Map<string, number>();
  readonly #sending = new Map<string, number>();

  constructor(cluster: SimulatedCluster) {
    this.#cluster = cluster;
  }

  /** Instances that take calls of clients. */
  get ready(): SimulatedInstance[] {
    return this.#cluster.alive.filter((instance) => !this.#draining.has(instance));
  }

  /** A call of a client that has reached this instance. */
  async call(instance: SimulatedInstance, server: string): Promise<void> {
    const call = this.begun++;
    const outcome = await this.#counted(`client ${instance.id}`, () =>
      this.#send(instance, server, call).catch(() => 'unsent' as const),
    );
    this.outcomes.set(call, outcome);
  }

  /** SIGTERM: leaves its servers to others, finishes its calls and ends. */
  async drain(instance: SimulatedInstance): Promise<void> {
    this.#draining.add(instance);
    const { pending, membership, id } = instance;
    await membership.change({ state: 'draining' }).catch(() => undefined);
    await Promise.all(
      Array.from(pending, async ([server, { place }]) => {
        place.resign();
        await this.#idle(`${server} ${id}`);
        await place.release();
      }),
    );
    await this.#idle(`client ${id}`);
    // The others have heard that it ends once nothing is under way to it.
    await this.#idle(`to ${id}`);
    if (!instance.isAlive) return;
    this.#ended.add(id);
    instance.isAlive = false;
    this.drained++;
    await instance.places.close();
    await membership.close();
  }

  async #send(instance: SimulatedInstance, server: string, call: number): Promise<Outcome> {
    const { place } = instance.pending.get(server)!;
    const end = this.#cluster.time.now + WAIT_MS;
    for (let moves = 0; moves <= MAX_MOVES && this.#cluster.time.now < end;) {
      const at = await place.where();
      if (at.at === 'here') {
        await this.#run(instance, server, at.fence, call);
        return 'ok';
      }
      const { instance: holder, fence } = at;
      const answer = await this.#counted(`to ${holder.id}`, () =>
        this.#cluster.network
          .request(
            instance.id,
            holder.id,
            () => this.#take(holder.id, server, fence, call),
            TIMEOUT_MS,
          )
          .catch(() => 'broken' as const),
      );
      if (answer === 'ok' || answer === 'broken') return answer;
      // The real link meets the other two when it opens, before it sends a call.
      if (answer === 'moved') moves++;
      if (answer === 'moved') this.moved++;
      if (answer === 'no connection') await this.#sleep(LOOK_MS);
      else place.refused(fence, answer);
    }
    return 'unsent';
  }

  async #take(id: string, server: string, fence: number, call: number): Promise<Answer> {
    const holder = this.#cluster.instances.find((instance) => instance.id === id)!;
    if (this.#ended.has(id)) return 'no connection';
    if (!holder.isAlive) return new Promise(() => undefined);
    const refusal = holder.pending.get(server)!.place.refusal(fence);
    if (refusal) return refusal;
    await this.#run(holder, server, fence, call);
    return 'ok';
  }

  /** Waits for the server's process and makes the call. */
  async #run(holder: SimulatedInstance, server: string, fence: number, call: number) {
    const { time, random } = this.#cluster;
    await this.#counted(`${server} ${holder.id}`, async () => {
      const process = `${server} ${fence}`;
      const startedAt = this.#started.get(process) ?? time.now + START_MS * (0.5 + random());
      this.#started.set(process, startedAt);
      if (startedAt > time.now) await this.#sleep(startedAt - time.now);
      const made: Made = { call, server, instance: holder.id, from: time.now, to: undefined };
      this.made.push(made);
      await this.#sleep(random() < LONG ? LONG_MS : 20 + random() * 600);
      made.to = time.now;
    });
  }

  async #counted<T>(what: string, run: () => Promise<T>): Promise<T> {
    this.#sending.set(what, (this.#sending.get(what) ?? 0) + 1);
    return run().finally(() => this.#sending.set(what, this.#sending.get(what)! - 1));
  }

  async #idle(what: string): Promise<void> {
    while ((this.#sending.get(what) ?? 0) > 0) await this.#sleep(LOOK_MS);
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#cluster.time.after(ms, resolve);
    });
  }
}
