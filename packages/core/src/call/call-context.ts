/** The mutable state of one call: cancellation, decisions, and the channel back to the client. */

import type { Question, Reply } from './reply.js';
import type { Target } from './target.js';

/**
 * Tells the interceptor that limits a call's time how the call is doing. That interceptor sets it.
 */
export interface CallTimer {
  /** The server has reported progress. */
  restart(): void;
  /** The client is being asked a question. Until `resume`, time does not count as the server's. */
  pause(): void;
  resume(): void;
}

/** A decision about a call, and the rule that made it. */
export interface Verdict {
  /**
   * `confirm`: a person must approve the call first. `dry-run`: it is answered without being sent.
   */
  readonly decision: 'allow' | 'confirm' | 'deny' | 'dry-run';
  /** The rule, in its author's words. */
  readonly rule: string;
}

/** A verdict and the module that gave it. */
export interface ModuleVerdict extends Verdict {
  readonly module: string;
}

/**
 * The record that was written before a call was sent. The record of the call's end refers to it.
 */
export interface Intent {
  /** Its number in the journal. Negative: not written yet. */
  readonly n: number;
  /** The arguments as they were recorded. */
  readonly given: string | undefined;
}

/** The script that makes a call. It asks about all of its calls at once. */
export interface CallingScript {
  readonly id: string;
  /**
   * Resolves when a person has approved the call of this target with these arguments. Rejects with the reason if not.
   */
  confirm(target: Target, argumentsJson: string): Promise<void>;
}

/** `reason` is for the log and for the server. `undefined`: none was given. */
export type CancelListener = (reason: string | undefined) => void;

/**
 * One per call, created by its listener. Listeners add what their client supports: `ask`,
 * `progress`, `log` and `onWaiting` are absent if the client does not support them.
 */
export class CallContext {
  /** How often the call was sent to its server again. */
  retries = 0;
  /** How often its server was found to have moved to another instance. */
  moves = 0;
  /** Its server refused it, as if the session had ended. If a new session refuses it too, the fault is in the call. */
  wasRefused = false;
  /** Missing if no interceptor limits the call's time. */
  timer: CallTimer | undefined;
  /** The verdict that applies to the call. */
  verdict: Verdict | undefined;
  /** Asks every module again. Set once modules have decided; call it after every wait. */
  recheck: (() => Promise<void> | void) | undefined;
  /**
   * The operator approved the call in advance (`callsign call --yes`). No message from a client sets
   * this.
   */
  isApproved = false;
  /** A person saw this call, with its arguments, and approved it. */
  isConfirmed = false;
  /** The call becomes a task if it waits for the operator, so its caller keeps no request open. */
  mayBeTask = false;
  /** Set by the journal before the call is sent. Missing if nothing was written in advance. */
  intent: Intent | undefined;
  /** The tool that gets the call, if the client called another tool that leads to it. */
  reached: Target | undefined;
  /** Missing if a client makes the call itself. No message from a client sets this. */
  script: CallingScript | undefined;
  /** The id of the script that this call runs. Only calls of `callsign:run` have one. */
  runs: string | undefined;
  /** The id of the client's request, as JSON text. Missing if no request of a client made the call. */
  declare readonly requestId?: string | undefined;
  /** Waits for a person that are over, in milliseconds. */
  #waitedMs = 0;
  /** Waits for a person that go on, and since when the first of them does. */
  #waits = 0;
  #waitsSince = 0;
  #decisions: ModuleVerdict[] | undefined;
  #isCancelled = false;
  #isStopped = false;
  /** Most calls have one listener and need no list. */
  #first: CancelListener | undefined;
  #others: CancelListener[] | undefined;

  /** Asks the client a question. */
  ask?(question: Question): Promise<Reply>;
  /**
   * Receives the parameters of a progress notification and the position of the token in them.
   * Returns false if the client reads too slowly to get it.
   */
  progress?(params: string, tokenStart: number, tokenEnd: number): boolean | void;
  /** Receives a log message that the server sent for this call. */
  log?(params: string): void;
  /**
   * The call waits for the operator under this id. `undefined`: it was approved; it is sent when
   * the promise resolves, and refused if it rejects.
   */
  onWaiting?(id: string | undefined): void | Promise<void>;

  /**
   * The server runs the call as a task of the other era. `message`: what the server says about it.
   * Present only if the caller can get a task of the gateway instead.
   */
  onLasting?(message: string | undefined): void;

  /** The caller has cancelled the call. */
  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  /** The work on the call was stopped: nothing more may be sent for it. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Waits for a person: for an approval, an answer or a sign-in. `now` is `performance.now`. */
  async whileWaiting<T>(person: Promise<T>, now: () => number): Promise<T> {
    if (this.#waits++ === 0) this.#waitsSince = now();
    try {
      return await person;
    } finally {
      if (--this.#waits === 0) this.#waitedMs += now() - this.#waitsSince;
    }
  }

  /** How long the call has waited for a person, in milliseconds. */
  waitedMs(now: number): number {
    return this.#waitedMs + (this.#waits === 0 ? 0 : now - this.#waitsSince);
  }

  /** The decision of each module, in the order of the modules. */
  get decisions(): readonly ModuleVerdict[] {
    return this.#decisions ?? [];
  }

  /** Records a module's decision. It replaces the module's earlier one. */
  note(verdict: ModuleVerdict): void {
    const decisions = (this.#decisions ??= []);
    const before = decisions.findIndex(({ module }) => module === verdict.module);
    if (before === -1) decisions.push(verdict);
    else decisions[before] = verdict;
  }

  /**
   * Adds a listener. Each is called at most once, the latest first, so inner interceptors stop
   * before outer ones. A listener that is added after the cancellation is not called: check
   * `isStopped` first.
   */
  onCancel(listener: CancelListener): void {
    if (this.#first === undefined) this.#first = listener;
    else (this.#others ??= []).push(listener);
  }

  offCancel(listener: CancelListener): void {
    if (this.#first === listener) this.#first = undefined;
    else this.#others = this.#others?.filter((other) => other !== listener);
  }

  /** Cancels the call for its caller. */
  cancel(reason?: string): void {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    this.stop(reason);
  }

  /** Stops the work on the call. Unlike with `cancel`, the caller still waits for an answer. */
  stop(reason?: string): void {
    this.#isStopped = true;
    const [first, others = []] = [this.#first, this.#others];
    // Cleared first, so that no listener is called twice if one of them stops the call again.
    this.#first = this.#others = undefined;
    for (const listener of others.toReversed()) listener(reason);
    first?.(reason);
  }
}
