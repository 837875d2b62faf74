/** Holds a call until a person approves it. Anything but a clear yes is a refusal. */

import {
  type Call,
  type CallingScript,
  type Clock,
  CallsignError,
  type Next,
  type Reply,
} from '@callsign/core';

import { visibleLine } from '@callsign/core';
import type { AnswerStore } from './answer-store.js';
import type { Approvals, Ticket } from './approvals.js';
import { Continuations } from './continuations.js';
import type { PolicySettings } from './policy-settings.js';
import {
  type Answer,
  answerIn,
  argumentsOf,
  canShowForm,
  questionFor,
  type Scope,
  summaryOf,
} from './question.js';
import { type ArgumentsError, readArguments } from './read-arguments.js';
import { AnswerCache } from './answer-cache.js';
import { SharedAnswers } from './shared-answers.js';

export interface ConfirmationOptions {
  /** The current settings: a reload may change them. */
  readonly settings: () => PolicySettings;
  /** The queue for calls whose client cannot ask. */
  readonly approvals: Approvals;
  readonly clock: Clock;
  /** Answers that all instances remember. Default: only this instance remembers. */
  readonly answers?: AnswerStore | undefined;
}

/** The step after the modules in the record of a call. */
const APPROVAL = 'approval';
const MAX_NAME = 100;
/** For the person who is told of the refusal. */
const WAIT_ADVICE =
  'to let such calls wait for you, set callsign.policy.confirm.whenClientCannotAsk to "wait"; docs/policy.md shows it for "careful"';
/** Characters of arguments that a call may have after a yes that is remembered. */
const MAX_ARGUMENTS = 4 * 1024 * 1024;
/** Characters that a person is asked about. A person cannot judge more, and each is searched for secrets. */
const MAX_ASKED = 256 * 1024;

/** Asks the client's user if the client can show forms, otherwise the operator. */
export class Confirmation {
  readonly #settings: () => PolicySettings;
  readonly #approvals: Approvals;
  readonly #clock: Clock;
  readonly #answers: AnswerCache;
  readonly #continuations: Continuations;
  readonly #shared: SharedAnswers | undefined;
  /** What ends the wait of each call that waits for a person. */
  readonly #waits = new Set<() => void>();
  #hasEnded = false;

  constructor({ settings, approvals, clock, answers }: ConfirmationOptions) {
    this.#shared = answers && new SharedAnswers(answers);
    this.#settings = settings;
    this.#approvals = approvals;
    this.#clock = clock;
    this.#answers = new AnswerCache(clock);
    this.#continuations = new Continuations(clock);
  }

  /** Sends the call after it is approved. Throws `not-approved` otherwise. */
  async confirm(call: Call, next: Next): Promise<Reply> {
    // First: unclear arguments must not be shown, approved or remembered.
    checkArguments(call);
    if (await this.#continues(call)) note(call, 'it continues an approved call');
    else if (asksItself(call)) note(call, 'it asks about its own calls');
    else if (call.context.script) {
      await this.#approvalOfScript(call, call.context.script);
      note(call, 'approved with the other calls of its script');
      call.context.isConfirmed = true;
    } else if (call.context.isApproved) note(call, 'approved by the operator in advance');
    else if (await this.#isCached(call)) note(call, 'approved earlier in this session');
    else {
      const { scope, by } = await this.#approval(call);
      if (scope !== 'once') {
        this.#answers.add(call, scope);
        await this.#shared?.add(call, scope);
      }
      note(call, `approved by the ${by}`);
      call.context.isConfirmed = true;
    }
    const reply = await next();
    this.#continuations.note(call, reply);
    await this.#shared?.note(call, reply);
    return reply;
  }

  /** The gateway stops: calls that wait for a person are not made, and no more of them may wait. */
  end(): void {
    this.#hasEnded = true;
    for (const end of this.#waits) end();
  }

  /** What was approved in this session does not count: the question shows every call of a script. */
  async #approvalOfScript(call: Call, script: CallingScript): Promise<void> {
    checkLength(call);
    if (this.#hasEnded) throw lost(call);
    const answer = script.confirm(call.target!, call.givenJson ?? '{}').then(
      (): Answer => ({ scope: 'once' }),
      (error: unknown): Answer => ({ refusal: (error as Error).message }),
    );
    await this.#scopeOf(call, { answer, withdraw: () => undefined });
  }

  /** Asks both, even if the first says yes: a continuation works only once. */
  async #continues(call: Call): Promise<boolean> {
    const isOwn = this.#continuations.take(call);
    return (await this.#shared?.take(call)) === true || isOwn;
  }

  async #isCached(call: Call): Promise<boolean> {
    const { remember } = this.#settings().confirm;
    if (this.#answers.has(call, remember)) return true;
    return (await this.#shared?.has(call, remember)) === true;
  }

  async #approval(call: Call): Promise<{ readonly scope: Scope; readonly by: string }> {
    checkLength(call);
    if (this.#hasEnded) throw lost(call);
    const { redact, confirm } = this.#settings();
    const { remember, timeoutMs, whenClientCannotAsk } = confirm;
    const summary = summaryOf(call, call.context.verdict!.rule, redact);
    const isForgotten = remember === 'never' || !this.#answers.knows(call.caller);
    const furthest: Scope = isForgotten ? 'once' : remember;
    if (call.context.ask !== undefined && canShowForm(call.caller)) {
      let takeBack!: () => void;
      const withdrawn = new Promise<void>((resolve) => {
        takeBack = resolve;
      });
      const asked = call.context.ask({ ...questionFor(summary, furthest), withdrawn });
      const answer = asked.then((reply) => answerIn(reply, furthest));
      const ticket = this.#inTime(answer, timeoutMs);
      return { by: 'user', scope: await this.#scopeOf(call, ticket, takeBack) };
    }
    const mayWait = whenClientCannotAsk === 'task' && call.context.mayBeTask;
    if (whenClientCannotAsk === 'wait' || mayWait) {
      const { principal, client } = call.caller;
      const name = principal && visibleLine(principal.name, MAX_NAME);
      const caller = { name, client: visibleLine(client.name, MAX_NAME) };
      const wholeArguments = () => argumentsOf(call, { ...redact, isWhole: true });
      const request = { summary, caller, timeoutMs, furthest, wholeArguments };
      const ticket = this.#approvals.request(request);
      if (ticket.id !== undefined) await call.context.onWaiting?.(ticket.id);
      const scope = await this.#scopeOf(call, ticket);
      await call.context.onWaiting?.(undefined);
      return { by: 'operator', scope };
    }
    throw notApproved(call, 'this client cannot ask its user', WAIT_ADVICE);
  }

  /**
   * The scope of the approval. Throws if there is none, if the caller cancels first, or if the gateway
   * stops. `takeBack`: takes the question back from the client.
   */
  async #scopeOf(
    call: Call,
    { answer, withdraw }: Omit<Ticket, 'id'>,
    takeBack: () => void = () => undefined,
  ): Promise<Scope> {
    const { context } = call;
    let [giveUp, end] = [withdraw, withdraw];
    const ended = new Promise<never>((_, reject) => {
      // Before `withdraw`, which answers with a refusal and would win the race.
      giveUp = () => {
        reject(new CallsignError('call-cancelled'));
        withdraw();
      };
      end = () => {
        reject(lost(call));
        withdraw();
        takeBack();
      };
      context.onCancel(giveUp);
      this.#waits.add(end);
      if (context.isCancelled) giveUp();
      else if (this.#hasEnded) end();
    });
    try {
      const person = Promise.race([ended, answer]);
      const given = await context.whileWaiting(person, () => this.#clock.now());
      if ('refusal' in given) throw notApproved(call, given.refusal);
      return given.scope;
    } finally {
      context.offCancel(giveUp);
      this.#waits.delete(end);
    }
  }

  /** A client that fails or takes too long has not approved. */
  #inTime(answer: Promise<Answer>, timeoutMs: number): Omit<Ticket, 'id'> {
    let stop!: () => void;
    const late = new Promise<Answer>((resolve) => {
      const refusal = `the user did not answer within ${timeoutMs / 1000} s`;
      stop = this.#clock.after(timeoutMs, () => resolve({ refusal }));
    });
    const failed = answer.catch(() => ({ refusal: 'the client could not ask its user' }));
    return { answer: Promise.race([failed, late]).finally(stop), withdraw: stop };
  }
}

/** A script asks about everything that it changes. So it is asked about itself only if a rule of the operator says so. */
function asksItself({ target, context }: Call): boolean {
  const isScript = target!.canonical === 'callsign:run';
  return isScript && /^policy\.(?:destructive|openWorld) is /.test(context.verdict!.rule);
}

/** People must see exactly what the server reads, so unclear arguments are refused. */
function checkArguments(call: Call): void {
  try {
    readArguments(call.params, MAX_ARGUMENTS);
  } catch (error) {
    const { message } = error as ArgumentsError;
    throw notApproved(call, `its arguments are not clear: ${message}`);
  }
}

function checkLength(call: Call): void {
  const length = call.argumentsJson?.length ?? 0;
  if (length <= MAX_ASKED) return;
  const limit = `a person is asked about at most ${MAX_ASKED}`;
  throw notApproved(call, `its arguments have ${length} characters, and ${limit}`);
}

function notApproved(call: Call, rule: string, advice?: string): CallsignError {
  call.context.note({ module: APPROVAL, decision: 'deny', rule });
  const reason = advice === undefined ? rule : `${rule}; ${advice}`;
  return new CallsignError('not-approved', { tool: call.target!.canonical, reason });
}

/** The gateway stops before a person has answered. */
function lost(call: Call): CallsignError {
  call.context.note({ module: APPROVAL, decision: 'deny', rule: 'the gateway stopped' });
  return new CallsignError('approval-lost', { tool: call.target!.canonical });
}

/** Adds to the record who approved the call. */
function note({ context }: Call, how: string): void {
  const { rule } = context.verdict!;
  context.verdict = { decision: 'confirm', rule: `${rule}; ${how}` };
  context.note({ module: APPROVAL, decision: 'allow', rule: how });
}
