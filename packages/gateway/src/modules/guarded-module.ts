/** Wraps a user's module, so that its errors have its name and do not end other work. */

import {
  Call,
  CALLSIGN_ERRORS,
  CallsignError,
  type CallsignErrorCode,
  type Clock,
  type Decision,
  type Interceptor,
  isObject,
  memberText,
  type Module,
  type ModuleContext,
  type Next,
  type Parts,
  type Reply,
  type Target,
  visibleLine,
} from '@callsign/core';
import { redactText } from '@callsign/core/secrets';

/** What a user's module may do, and for how long. */
export interface GuardOptions {
  /** It runs before the policy decides, so it may change what the server gets. */
  readonly mayChange: boolean;
  /** How long it may take with a call to this item, in milliseconds. */
  readonly limitMs: (target: Target) => number;
}

/**
 * If a part throws, the call fails with the name of the module. If `sees` throws, the item is
 * hidden.
 */
export function guardedModule(module: Module<unknown>, options: GuardOptions): Module<unknown> {
  const { name } = module;
  return {
    name,
    create(context) {
      const parts = module.create(context);
      return parts && guardedParts(name, bound(parts), context, options);
    },
  };
}

/** Parts that are unset stay unset. */
type Guards = { readonly [part in keyof Parts]?: Parts[part] | undefined };

function guardedParts(
  name: string,
  parts: Parts,
  { clock, log }: Pick<ModuleContext, 'clock' | 'log'>,
  options: GuardOptions,
): Parts {
  const { intercept, observe, decide, sees, admits, denies, admitsText, settled } = parts;
  const { mayWait, watch } = parts;
  const reason = (error: unknown): string => failure(name, error, NOT_MADE).message;
  const report = (error: unknown): void => log('error', reason(error));
  const quietly = (what: string, run: () => void): void =>
    attempt(run, (error) =>
      log('error', `Module "${name}" failed to ${what}: ${thrownText(error)}`),
    );
  const notify = (run: () => void): void => quietly('observe a call', run);
  const guards: Guards = {
    intercept: intercept && guardedIntercept(name, intercept, clock, options),
    observe: observe && {
      begin: (call) => notify(() => observe.begin?.(frozen(call))),
      end: (ended) => notify(() => observe.end({ ...ended, call: frozen(ended.call) })),
      taskEnded: (ended) =>
        notify(() => observe.taskEnded?.({ ...ended, call: frozen(ended.call) })),
      unknown: (call) => notify(() => observe.unknown?.(frozen(call))),
    },
    decide:
      decide &&
      (async (call) => {
        const time = new ModuleTime(clock, options.limitMs(call.target!));
        try {
          return checkedDecision(await time.limit(async () => decide(frozen(call))));
        } catch (error) {
          throw failure(name, error, NOT_MADE);
        }
      }),
    sees:
      sees &&
      ((principal, target) => {
        // A resource that is not listed needs a template that may be seen. A promise is not a yes.
        const needed = target.template ? [target, target.template] : [target];
        return attempt(
          () => needed.every((each) => sees(principal, each) === true),
          () => false,
        );
      }),
    admits: admits && ((target) => attempt(() => admits(target), reason)),
    denies: denies && ((target) => attempt(() => denies(target), reason)),
    admitsText: admitsText && ((server, text) => attempt(() => admitsText(server, text), reason)),
    settled:
      settled &&
      (() =>
        attempt(
          () => settled()?.catch(report),
          (error) => void report(error),
        )),
    mayWait:
      mayWait &&
      ((target) =>
        attempt(
          () => mayWait(target) === true,
          () => false,
        )),
    watch:
      watch &&
      ((server, source) =>
        attempt(
          () => {
            const stop = watch(server, source);
            return () => quietly('stop watching a server', () => stop?.());
          },
          (error) => {
            report(error);
            return () => undefined;
          },
        )),
  };
  const present = Object.entries(guards).filter(([, part]) => part !== undefined);
  return { ...parts, ...(Object.fromEntries(present) as Parts) };
}

function attempt<T>(run: () => T, otherwise: (error: unknown) => T): T {
  try {
    return run();
  } catch (error) {
    return otherwise(error);
  }
}

/** Every part there is. A part that is missing here does not compile. */
const PARTS: Readonly<Record<keyof Parts, true>> = {
  decide: true,
  intercept: true,
  observe: true,
  sees: true,
  seesOnlyRoles: true,
  admits: true,
  denies: true,
  admitsText: true,
  settled: true,
  mayWait: true,
  watch: true,
  pages: true,
  open: true,
  close: true,
  reload: true,
};

/**
 * The parts may be an instance of a class: its methods are not its own properties, and they need it
 * as `this`. All of them get the same object, so what `open` sets is seen by `decide`.
 */
function bound(parts: Parts): Parts {
  const all = (Object.keys(PARTS) as (keyof Parts)[]).flatMap((key) => {
    const part: unknown = parts[key];
    if (!part) return [];
    return [[key, typeof part === 'function' ? (part.bind(parts) as unknown) : part] as const];
  });
  return Object.fromEntries(all) as Parts;
}

/** Runs around a call within the module's own time, and checks what it sends and what it returns. */
function guardedIntercept(
  name: string,
  intercept: Interceptor,
  clock: Clock,
  { mayChange, limitMs }: GuardOptions,
): Interceptor {
  return async (call, next) => {
    const time = new ModuleTime(clock, limitMs(call.target!));
    const own = frozen(call);
    /** Errors of what comes after the module. They are ours, and their words are safe. */
    const passedOn = new Set<unknown>();
    const answers: string[] = [];
    let wasSent = false;
    const guardedNext: Next = async (other = own) => {
      const sent = other === own ? call : changedCall(call, other, mayChange);
      if (time.isOver) throw new TypeError('its time is over, so the call cannot be sent any more');
      wasSent = true;
      time.pause();
      try {
        const reply = await next(sent);
        answers.push(reply.json);
        return parsed(reply);
      } catch (error) {
        passedOn.add(error);
        throw error;
      } finally {
        time.resume();
      }
    };
    try {
      return checkedReply(await time.limit(async () => intercept(own, guardedNext)), answers);
    } catch (error) {
      if (passedOn.has(error)) throw error;
      throw failure(name, error, wasSent ? MAYBE_MADE : NOT_MADE);
    }
  };
}

/** One copy of each call, because modules may recognise a call by its identity. */
const copies = new WeakMap<Call, Call>();

/** The call as modules of users get it. They are JavaScript: only a frozen object stays as it is. */
function frozen(call: Call): Call {
  const copy = copies.get(call) ?? call.with({});
  copies.set(call, copy);
  Object.freeze(copy);
  return copy;
}

/**
 * The call with the parameters of another one. What is called stays the same, because modules and
 * people have decided about it.
 */
function changedCall(call: Call, other: unknown, mayChange: boolean): Call {
  if (!(other instanceof Call)) {
    throw new TypeError('next() takes nothing, or a call made with call.with()');
  }
  const { params, carried } = other;
  if (params === call.params) return call.with({ carried });
  if (!mayChange) {
    throw new TypeError(
      'it changed the call after the policy had decided. Put it before "policy", and the policy sees the change',
    );
  }
  if (!isObject(parsedJson(params)))
    throw new TypeError('params must be the JSON text of an object');
  for (const key of ['name', 'uri']) {
    if (memberText(params, key) !== memberText(call.params, key)) {
      throw new TypeError(`it changed the ${key} in params, and only other members may change`);
    }
  }
  return call.with({ params: onOneLine(params), carried });
}

/**
 * The time that a module itself takes with a call. It does not run while the rest of the path has
 * the call: that has limits of its own, and a person may be asked.
 */
class ModuleTime {
  readonly #clock: Clock;
  readonly #ms: number;
  #left: number;
  #since = 0;
  #sent = 0;
  #cancel: () => void = () => undefined;
  #expire: () => void = () => undefined;
  isOver = false;

  constructor(clock: Clock, ms: number) {
    this.#clock = clock;
    this.#ms = ms;
    this.#left = ms;
  }

  /** Rejects when the time is up. */
  limit<T>(work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#expire = () => {
        this.isOver = true;
        reject(new Error(`it did not finish within ${this.#ms / 1000} s`));
      };
      this.#run();
      work()
        .then(resolve, reject)
        .finally(() => {
          this.isOver = true;
          this.#cancel();
        });
    });
  }

  pause(): void {
    if (this.#sent++ > 0) return;
    this.#cancel();
    this.#left -= this.#clock.now() - this.#since;
  }

  resume(): void {
    if (--this.#sent === 0 && !this.isOver) this.#run();
  }

  #run(): void {
    this.#since = this.#clock.now();
    this.#cancel = this.#clock.after(Math.max(0, this.#left), this.#expire);
  }
}

const NOT_MADE = 'The call was not made.';
const MAYBE_MADE = 'It is not known whether the call took effect; check before you make it again.';

/** The error that the caller gets. The words of the module may contain a secret. */
function failure(module: string, error: unknown, effect: string): CallsignError {
  const own = ownError(error);
  if (own) return own;
  return new CallsignError('module-failed', { module, reason: thrownText(error), effect });
}

const MAX_REASON = 500;

/** Anything can be thrown. */
function thrownText(error: unknown): string {
  const text = attempt(
    () => String((error as Partial<Error> | undefined)?.message ?? error),
    () => 'something that is not text',
  );
  return visibleLine(redactText(text), MAX_REASON).replace(/\.$/, '');
}

/** By its code: a module may bring a copy of the class. Its values are words of the module. */
function ownError(error: unknown): CallsignError | undefined {
  const { code, details } = (error ?? {}) as Partial<CallsignError>;
  if (typeof code !== 'string' || !Object.hasOwn(CALLSIGN_ERRORS, code)) return undefined;
  const safe = Object.entries(isObject(details) ? details : {}).map(([key, value]) => {
    return [key, typeof value === 'number' ? value : thrownText(value)];
  });
  return new CallsignError(
    code as CallsignErrorCode,
    Object.fromEntries(safe) as CallsignError['details'],
  );
}

/** Parsed when it is first read. */
function parsed(reply: Reply): Reply {
  let result: { readonly value: unknown } | undefined;
  return {
    ...reply,
    get result() {
      return (result ??= { value: JSON.parse(reply.json) as unknown }).value;
    },
  };
}

/** `answers`: what `next` returned. It may be long, and needs no check. */
function checkedReply(reply: Partial<Reply> | null | undefined, answers: readonly string[]): Reply {
  const { ok, json, fault, isDryRun } = reply ?? {};
  if (typeof ok !== 'boolean' || typeof json !== 'string') {
    throw new TypeError(
      'intercept must return the reply of next(), or one of result() and toolError()',
    );
  }
  const marks = {
    ...(fault instanceof CallsignError ? { fault } : {}),
    ...(isDryRun === true ? { isDryRun } : {}),
  };
  if (answers.includes(json)) return { ok, json, ...marks };
  const value = parsedJson(json);
  if (!isObject(value)) throw new TypeError('the result that it returned is not a JSON object');
  if (!ok && !(Number.isInteger(value['code']) && typeof value['message'] === 'string')) {
    throw new TypeError('the error that it returned has no code or no message');
  }
  return { ok, json: onOneLine(json), ...marks };
}

/** `undefined` if the text is not JSON. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A message is one line. Outside of strings, which cannot hold them, line ends mean nothing in JSON. */
function onOneLine(json: string): string {
  return json.replaceAll(/[\r\n]+/g, ' ');
}

const DECISIONS: ReadonlySet<unknown> = new Set(['allow', 'confirm', 'deny', 'dry-run']);

/** `undefined`: no objection. */
function checkedDecision(decision: Decision | undefined): Decision | undefined {
  if (decision === undefined) return undefined;
  const { decision: word, rule, answer }: Partial<Decision> = decision ?? {};
  if (!DECISIONS.has(word) || typeof rule !== 'string') {
    throw new TypeError('decide must return { decision, rule }');
  }
  if (word === 'dry-run' && !answer) throw new TypeError('a dry run needs an answer');
  return decision;
}
