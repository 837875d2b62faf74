/**
 * One script: runs its program again and again from its log, until everything that it wants to do was either made or
 * refused. The first call that a person must confirm makes the rest a rehearsal, so that one question shows all calls.
 */

import type { Given, Program, ProgramLimits, Step, StartProgram } from '../program/steps.js';

/** How a call ended. `unknown`: it was sent, and it is not known whether it took effect. */
export type CallEnd = {
  readonly given: Exclude<Given, { is: 'placeholder' }>;
  readonly is: EndKind;
};

type EndKind = 'made' | 'failed' | 'refused' | 'unknown';

/** A call on its way. It passes everything that a call alone would pass. */
export interface SentCall {
  /**
   * If a person must confirm the call, it waits until then, and this resolves with the arguments that are sent after a yes.
   * `undefined`: no person is asked.
   */
  readonly asks: Promise<string | undefined>;
  readonly ended: Promise<CallEnd>;
  /** Sends a call that waits. */
  approve(): void;
  /** Ends a call that waits. */
  refuse(reason: string): void;
  /** Stops a call that is not wanted any more. */
  cancel(): void;
}

/** One call of a question. Numbered from 1. */
export interface ShownCall {
  readonly number: number;
  readonly tool: string;
  readonly json: string;
}

/** The numbers of the calls that were approved, or why none was. */
export type Answer = { readonly approved: ReadonlySet<number> } | { readonly refusal: string };

export interface ScriptPorts {
  readonly start: StartProgram;
  /** Sends a call. Never throws. */
  readonly send: (tool: string, json: string) => SentCall;
  /**
   * Asks a person about calls. `isAll`: the script ends after them, as far as it is known. `signal`: the question is taken
   * back, because the script was stopped.
   */
  readonly ask: (
    calls: readonly ShownCall[],
    isAll: boolean,
    signal: AbortSignal,
  ) => Promise<Answer>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Told after each call of the script. */
  readonly onProgress?: (made: number) => void;
}

export interface ScriptLimits extends ProgramLimits {
  readonly calls: number;
  readonly parallel: number;
  /** Calls of one question. More are asked about in the next one. */
  readonly shown: number;
  readonly questions: number;
  /** Characters of all calls and their answers. They are remembered until the script ends. */
  readonly logLength: number;
  /** How long a yes is valid. */
  readonly approvalMs: number;
}

/** A call of the script that a person had to confirm, as the result shows it. */
export interface ReportedCall {
  readonly tool: string;
  readonly json: string;
}

export interface ScriptReport {
  /** The result of the program as JSON text. */
  readonly json?: string;
  readonly error?: string;
  readonly printed: string;
  readonly sent: readonly (ReportedCall & { readonly failed?: string })[];
  readonly notSent: readonly (ReportedCall & { readonly why: string })[];
  readonly unknown: readonly ReportedCall[];
  /** How many calls needed no question. */
  readonly reads: number;
  readonly questions: number;
}

/** A call of the real run. Calls of a rehearsal become such calls when they are approved and made again. */
interface Made extends ReportedCall {
  sent: SentCall | undefined;
  /** The arguments that its server gets after a yes. */
  asked: string;
  /** Whether it is known if a person must confirm it. */
  isJudged: boolean;
  /** Waits for a person. */
  isPending: boolean;
  isApproved: boolean;
  /** It was shown, and only others were approved. */
  isLeftOut: boolean;
  end: CallEnd | undefined;
  isDelivered: boolean;
}

/** What a person has approved and was not made yet, in its order. */
interface Approved {
  readonly queue: { readonly call: Made; readonly isApproved: boolean }[];
  readonly until: number;
}

/** Of a call that was shown, when only others were approved. */
const LEFT_OUT = 'a person approved other calls of the script, but not this one';

/** What stops the script: a limit, a refusal, or its caller. */
class Stop extends Error {}

export class Script {
  readonly #code: string;
  readonly #ports: ScriptPorts;
  readonly #limits: ScriptLimits;
  readonly #seed: number;
  readonly #startedAt: number;
  /** All calls of the real run, in their order. */
  readonly #made: Made[] = [];
  /** In which order the program got the answers. */
  readonly #log: { readonly n: number; readonly now: number }[] = [];
  readonly #notSent: (ReportedCall & { why: string })[] = [];
  #approved: Approved = { queue: [], until: 0 };
  #questions = 0;
  #provisional = 0;
  #printed = '';
  #length = 0;
  #program: Program | undefined;
  #question = new AbortController();
  #wake: () => void = () => undefined;
  #stopped: string | undefined;
  #isDone = false;

  constructor(code: string, seed: number, limits: ScriptLimits, ports: ScriptPorts) {
    [this.#code, this.#seed, this.#limits, this.#ports] = [code, seed, limits, ports];
    this.#startedAt = ports.now();
  }

  /** It was stopped, and goes on if it runs again. */
  get isStopped(): boolean {
    return this.#stopped !== undefined;
  }

  /** Characters that it keeps in memory. */
  get length(): number {
    return this.#length;
  }

  /** Runs until the program has ended. After `stop` it can run again, and goes on where it was. */
  async run(): Promise<ScriptReport> {
    this.#stopped = undefined;
    this.#notSent.length = 0;
    let end: Step['end'];
    try {
      while (!end) end = await this.#pass();
    } catch (error) {
      end = { error: this.#stopped ?? (error as Error).message };
    }
    this.#program?.stop();
    this.#letGo();
    const report = this.#report(end);
    this.#isDone = this.#stopped === undefined;
    if (this.#isDone) [this.#made.length, this.#log.length, this.#length] = [0, 0, 0];
    return report;
  }

  /** Sends nothing more, and cancels what is on its way. */
  stop(reason: string): void {
    if (this.#isDone) return;
    this.#stopped ??= reason;
    this.#program?.stop();
    this.#question.abort();
    for (const { sent, end } of this.#made) if (!end) sent?.cancel();
    this.#wake();
  }

  /** Runs the program once from the start. Its end; or `undefined` if a person was asked. */
  async #pass(): Promise<Step['end']> {
    const { start } = this.#ports;
    const program = start({
      code: this.#code,
      seed: this.#seed,
      now: this.#startedAt,
      limits: this.#limits,
    });
    this.#program = program;
    try {
      let seen = 0;
      const take = (step: Step): Step => {
        this.#check();
        this.#printed = step.printed;
        for (const asked of step.calls) this.#register(seen++, asked);
        return step;
      };
      let step = take(await program.begin());
      for (const { n, now } of this.#log) step = take(await program.give(n, this.#givenTo(n), now));
      for (;;) {
        this.#dispatch();
        const next = this.#made.findIndex(({ end, isDelivered }) => end && !isDelivered);
        if (next !== -1) {
          const now = this.#ports.now();
          this.#made[next]!.isDelivered = true;
          this.#log.push({ n: next, now });
          step = take(await program.give(next, this.#givenTo(next), now));
        } else if (this.#made.some(({ sent, isPending, end }) => sent && !isPending && !end)) {
          await this.#change();
        } else if (this.#made.some(({ isPending }) => isPending)) {
          await this.#rehearse(program, step);
          return undefined;
        } else if (step.end) return step.end;
        else throw new Stop('The program waits for something that never comes.');
      }
    } finally {
      program.stop();
    }
  }

  /** Goes on without the calls that wait, notes what the program would do, and asks about all of it. */
  async #rehearse(program: Program, before: Step): Promise<void> {
    const pending = this.#made.flatMap((call, n) => (call.isPending ? [{ n, call }] : []));
    const rehearsed: Made[] = [];
    const first = this.#made.length;
    const { printed } = before;
    let step = before;
    let isFull = pending.length >= this.#limits.shown;
    const take = (next: Step): void => {
      this.#check();
      step = next;
      for (const { tool, json } of next.calls) {
        if (first + rehearsed.length >= this.#limits.calls) isFull = true;
        if (isFull || next.hasStopped) return;
        this.#length += json.length;
        rehearsed.push(newCall(tool, json));
      }
    };
    const isUnderWay = ({ sent, end, isPending }: Made): boolean =>
      sent !== undefined && !end && !isPending;
    /** Each call may be one for the question. So no call is sent that would have no place in it. */
    const send = (): void => {
      let underWay = rehearsed.filter(isUnderWay).length;
      const room = Math.min(this.#limits.parallel, this.#limits.shown - shown().length);
      for (const call of rehearsed) {
        if (underWay >= room) return;
        if (call.sent) continue;
        this.#send(call);
        underWay++;
      }
    };
    const shown = (): Made[] => [
      ...pending.map(({ call }) => call),
      ...rehearsed.filter(({ isPending }) => isPending),
    ];
    try {
      for (const { n } of pending) {
        if (step.hasStopped || isFull) break;
        take(await program.give(n, { is: 'placeholder' }, this.#ports.now()));
      }
      while (!step.hasStopped && !isFull) {
        send();
        const at = rehearsed.findIndex(
          ({ end, isPending, isDelivered }) => (end || isPending) && !isDelivered,
        );
        if (at !== -1) {
          const call = rehearsed[at]!;
          call.isDelivered = true;
          if (shown().length >= this.#limits.shown) isFull = true;
          else {
            const given: Given = call.isPending ? { is: 'placeholder' } : call.end!.given;
            take(await program.give(first + at, given, this.#ports.now()));
          }
        } else if (rehearsed.some(isUnderWay)) await this.#change();
        else break;
      }
      // Calls that were made at the same moment are part of the question, if their answer is a question.
      for (send(); rehearsed.some(isUnderWay); send()) await this.#change();
      this.#check();
    } catch (error) {
      for (const call of rehearsed)
        if (isUnderWay(call)) call.sent!.cancel();
        else this.#refuse(call, 'the script ended');
      throw error;
    }
    this.#printed = printed;
    for (const { json, end } of rehearsed) {
      if (!end) continue;
      this.#provisional++;
      this.#length -= json.length + lengthOf(end.given);
    }
    program.stop();
    const hasEnded = step.end !== undefined && 'json' in step.end;
    const isAll = hasEnded && !isFull && rehearsed.every(({ sent }) => sent);
    await this.#ask(shown(), isAll);
  }

  async #ask(calls: readonly Made[], isAll: boolean): Promise<void> {
    const refuseAll = (why: string): void => {
      for (const call of calls) {
        this.#refuse(call, why);
        [call.sent, call.isJudged] = [undefined, false];
        this.#notSent.push({ tool: call.tool, json: call.json, why });
      }
    };
    if (++this.#questions > this.#limits.questions) {
      refuseAll('too many questions');
      throw new Stop(
        `The script needs more than ${this.#limits.questions} questions. Each question shows the calls that can be known before the answers of others: make them depend on fewer answers.`,
      );
    }
    const shown = calls.map(({ tool, asked }, i) => ({ number: i + 1, tool, json: asked }));
    this.#question = new AbortController();
    const { signal } = this.#question;
    const stopped = new Promise<Answer>((resolve) => {
      signal.addEventListener('abort', () => resolve({ refusal: this.#stopped! }));
    });
    const asked = this.#ports.ask(shown, isAll, signal);
    const answer = await Promise.race([stopped, asked]).catch((): Answer => ({
      refusal: 'no person could be asked',
    }));
    if ('refusal' in answer) {
      refuseAll(answer.refusal);
      throw new Stop(`The calls were not approved: ${answer.refusal}`);
    }
    this.#approved = {
      queue: calls.map((call, i) => ({ call, isApproved: answer.approved.has(i + 1) })),
      until: this.#ports.now() + this.#limits.approvalMs,
    };
    // Those of the real run wait at their places already. The others must be made again by the program.
    for (const call of calls) if (!this.#made.includes(call)) call.isDelivered = false;
  }

  /** A call that the program made in the real run. Of a run from the log it must be the same one. */
  #register(n: number, { tool, json }: ReportedCall): void {
    const known = this.#made[n];
    if (known) {
      if (known.tool === tool && known.json === json) return;
      throw new Stop('The program did something else when it ran again. It cannot go on.');
    }
    if (n >= this.#limits.calls)
      throw new Stop(`The script made more than ${this.#limits.calls} calls.`);
    this.#length += json.length;
    this.#made.push(newCall(tool, json));
  }

  /** Sends what may be sent now. */
  #dispatch(): void {
    for (const [n, call] of this.#made.entries()) {
      if (call.end || (call.sent && !call.isPending)) continue;
      const underWay = this.#made.filter(({ sent, isPending, end }) => sent && !isPending && !end);
      if (underWay.length >= this.#limits.parallel) return;
      const { queue } = this.#approved;
      if (call.isPending) {
        if (queue[0]?.call === call) this.#take(call, queue.shift()!.isApproved);
        continue;
      }
      // Until it is known whether the call before it is one that was shown, no call is taken for the next one.
      if (queue.length > 0 && this.#made.some(({ sent, isJudged }) => sent && !isJudged)) return;
      const [next] = queue;
      if (next && next.call.tool === call.tool && next.call.json === call.json && this.#isValid()) {
        queue.shift();
        // It waits since the rehearsal, and takes the place of the new call.
        this.#made[n] = next.call;
        this.#take(next.call, next.isApproved);
        continue;
      }
      // No call is sent that would have no place in the next question.
      const unclear = this.#made.filter(
        ({ sent, isJudged, isPending }) => isPending || (sent && !isJudged),
      );
      if (unclear.length >= this.#limits.shown) return;
      this.#send(call);
    }
  }

  #take(call: Made, isApproved: boolean): void {
    if (!isApproved) {
      call.isLeftOut = true;
      return this.#refuse(call, LEFT_OUT);
    }
    if (!this.#isValid()) return void this.#dropApproved('the approval has expired');
    call.isPending = false;
    call.isApproved = true;
    call.sent!.approve();
  }

  #isValid(): boolean {
    return this.#ports.now() <= this.#approved.until;
  }

  /** The program went another way, or has ended: what was approved and not made yet is asked for again, if at all. */
  #dropApproved(why: string): readonly Made[] {
    const dropped = this.#approved.queue.splice(0).map(({ call }) => call);
    const left = dropped.filter((call) => !call.end && !this.#made.includes(call));
    for (const call of left) this.#refuse(call, why);
    return left;
  }

  /** Ends the calls that wait. If the script runs again, it makes them again. */
  #letGo(): void {
    const why = this.#stopped ?? 'the script ended';
    for (const { tool, json } of this.#dropApproved(why)) this.#notSent.push({ tool, json, why });
    for (const call of this.#made) {
      if (call.end || call.isApproved) continue;
      if (call.isPending) this.#refuse(call, why);
      else call.sent?.cancel();
      [call.sent, call.isJudged] = [undefined, false];
    }
  }

  #send(call: Made): void {
    const sent = this.#ports.send(call.tool, call.json);
    call.sent = sent;
    void sent.asks.then((asked) => {
      if (call.sent !== sent) return undefined;
      call.isJudged = true;
      call.isPending = asked !== undefined && !call.end;
      call.asked = asked ?? call.json;
      // It must be confirmed and is not the next one that was shown: nothing more is sent as shown.
      if (call.isPending && this.#made.includes(call))
        this.#dropApproved('the program went another way');
      return this.#wake();
    });
    void sent.ended.then((end) => {
      if (call.sent !== sent) return undefined;
      call.end = end;
      this.#length += lengthOf(end.given);
      call.isJudged = true;
      call.isPending = false;
      this.#ports.onProgress?.(this.#made.filter((each) => each.end).length);
      return this.#wake();
    });
  }

  #refuse(call: Made, reason: string): void {
    call.isPending = false;
    call.sent?.refuse(reason);
  }

  #givenTo(n: number): Given {
    return this.#made[n]!.end!.given;
  }

  /** Resolves when something has happened. */
  async #change(): Promise<void> {
    await new Promise<void>((resolve) => {
      const before = this.#wake;
      this.#wake = () => {
        this.#wake = () => undefined;
        before();
        resolve();
      };
    });
    this.#check();
  }

  #check(): void {
    if (this.#stopped !== undefined) throw new Stop(this.#stopped);
    const { logLength } = this.#limits;
    if (this.#length > logLength)
      throw new Stop(
        `The calls of the script and their answers have more than ${logLength / 1e6} million characters. Do less in one script.`,
      );
  }

  #report(end: { readonly json?: string; readonly error?: string }): ScriptReport {
    const confirmed = this.#made.filter(({ isApproved }) => isApproved);
    return {
      ...end,
      printed: this.#printed,
      sent: confirmed
        .filter((call) => call.end && call.end.is !== 'unknown' && call.end.is !== 'refused')
        .map((call) => ({
          ...plain(call),
          ...(call.end!.given.is === 'error' ? { failed: call.end!.given.message } : {}),
        })),
      notSent: [
        ...this.#made
          .filter(({ isLeftOut }) => isLeftOut)
          .map((call) => ({ ...plain(call), why: LEFT_OUT })),
        ...this.#notSent,
        ...confirmed
          .filter((call) => call.end?.is === 'refused')
          .map((call) => ({
            ...plain(call),
            why: (call.end!.given as { message: string }).message,
          })),
      ],
      unknown: confirmed.filter((call) => !call.end || call.end.is === 'unknown').map(plain),
      reads:
        this.#made.filter((call) => call.end && !call.isApproved && !call.isLeftOut).length +
        this.#provisional,
      questions: this.#questions,
    };
  }
}

function lengthOf(given: CallEnd['given']): number {
  return (given.is === 'value' ? given.json : given.message).length;
}

function plain({ tool, json }: ReportedCall): ReportedCall {
  return { tool, json };
}

function newCall(tool: string, json: string): Made {
  return {
    tool,
    json,
    sent: undefined,
    asked: json,
    isJudged: false,
    isPending: false,
    isApproved: false,
    isLeftOut: false,
    end: undefined,
    isDelivered: false,
  };
}
