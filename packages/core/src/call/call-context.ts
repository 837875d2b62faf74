/** What goes with a call while it is under way: cancellation, what was decided, and the way back to the client. */

import type { Question, Reply } from './reply.js';

/** Hears how a call goes. Set by the interceptor that limits its time. */
export interface Pulse {
  /** A sign of life from the server. */
  beat(): void;
  /** The client is being asked a question. That is not the server's time. */
  hold(): void;
  release(): void;
}

/** What was decided about a call, and by which rule. */
export interface Verdict {
  readonly decision: 'allow' | 'confirm' | 'deny' | 'dry-run';
  /** In the words of the rule's author. */
  readonly rule: string;
}

/** A verdict and the module that gave it. */
export interface ModuleVerdict extends Verdict {
  readonly module: string;
}

export type CancelListener = (reason: string | undefined) => void;

/**
 * One per call, made by the listener that took it. Listeners extend it with what their client can do: `ask`,
 * `progress` and `log` are absent where the client has no use for them.
 */
export class CallContext {
  /** How often the call was sent to its server again. */
  retries = 0;
  pulse: Pulse | undefined;
  /** The verdict that the call goes by. */
  verdict: Verdict | undefined;
  /** Asks every module again. Set once modules have decided; to be called after every wait. */
  recheck: (() => Promise<void> | void) | undefined;
  #decisions: ModuleVerdict[] | undefined;
  #isCancelled = false;
  /** Most calls have one listener, and need no list. */
  #first: CancelListener | undefined;
  #others: CancelListener[] | undefined;

  /** Puts a question to the client. */
  ask?(question: Question): Promise<Reply>;
  /** Takes a progress notification's parameters, with the place of the token in them. */
  progress?(params: string, tokenStart: number, tokenEnd: number): void;
  /** Takes a log message that the server sent on behalf of this call. */
  log?(params: string): void;

  /** The caller no longer wants an answer. */
  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  /** What each module decided, in the order in which they were asked. */
  get decisions(): readonly ModuleVerdict[] {
    return this.#decisions ?? [];
  }

  /** Notes what a module decided, in place of what it decided before. */
  note(verdict: ModuleVerdict): void {
    const decisions = (this.#decisions ??= []);
    const before = decisions.findIndex(({ module }) => module === verdict.module);
    if (before === -1) decisions.push(verdict);
    else decisions[before] = verdict;
  }

  /** Any number may listen; each is called once, the latest first. */
  onCancel(listener: CancelListener): void {
    if (this.#first === undefined) this.#first = listener;
    else (this.#others ??= []).push(listener);
  }

  offCancel(listener: CancelListener): void {
    if (this.#first === listener) this.#first = undefined;
    else this.#others = this.#others?.filter((other) => other !== listener);
  }

  /** The caller gives up. */
  cancel(reason?: string): void {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    this.stop(reason);
  }

  /** Stops the work on the call. The caller still waits for an answer, unless it gave up. */
  stop(reason?: string): void {
    const [first, others = []] = [this.#first, this.#others];
    this.#first = this.#others = undefined;
    for (const listener of others.toReversed()) listener(reason);
    first?.(reason);
  }
}
