/** Wraps a user's module, so that its errors have its name and do not end other work. */

import {
  CALLSIGN_ERRORS,
  CallsignError,
  type CallsignErrorCode,
  type Decision,
  type Log,
  type Module,
  type Parts,
  type Reply,
} from '@callsign/core';

/**
 * If a part throws, the call fails with the name of the module. If `sees` throws, the item is
 * hidden.
 */
export function guardedModule(module: Module<unknown>): Module<unknown> {
  const { name } = module;
  return {
    name,
    create(context) {
      const parts = module.create(context);
      return parts && guardedParts(name, bound(parts), context.log);
    },
  };
}

/** Parts that are unset stay unset. */
type Guards = { readonly [part in keyof Parts]?: Parts[part] | undefined };

function guardedParts(name: string, parts: Parts, log: Log): Parts {
  const { intercept, observe, decide, sees, admits, denies, admitsText, settled } = parts;
  const { mayWait, watch } = parts;
  const failure = (error: unknown): CallsignError =>
    ownError(error) ??
    new CallsignError('module-failed', { module: name, reason: (error as Error).message });
  const reason = (error: unknown): string => failure(error).message;
  const report = (error: unknown): void => log('error', reason(error));
  const quietly = (what: string, run: () => void): void =>
    attempt(run, (error) =>
      log('error', `Module "${name}" failed to ${what}: ${(error as Error).message}`),
    );
  const notify = (run: () => void): void => quietly('observe a call', run);
  const guards: Guards = {
    intercept:
      intercept &&
      (async (call, next) => {
        try {
          return checkedReply(await intercept(call, async (other) => parsed(await next(other))));
        } catch (error) {
          throw failure(error);
        }
      }),
    observe: observe && {
      begin: (call) => notify(() => observe.begin?.(call)),
      end: (ended) => notify(() => observe.end(ended)),
      taskEnded: (ended) => notify(() => observe.taskEnded?.(ended)),
      unknown: (call) => notify(() => observe.unknown?.(call)),
    },
    decide:
      decide &&
      (async (call) => {
        try {
          return checkedDecision(await decide(call));
        } catch (error) {
          throw failure(error);
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

/** By its code: a module may bring a copy of the class. */
function ownError(error: unknown): CallsignError | undefined {
  if (error instanceof CallsignError) return error;
  const { code, details } = (error ?? {}) as Partial<CallsignError>;
  if (typeof code !== 'string' || !Object.hasOwn(CALLSIGN_ERRORS, code)) return undefined;
  return new CallsignError(code as CallsignErrorCode, details ?? {});
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

function checkedReply(reply: Partial<Reply> | null | undefined): Reply {
  const { ok, json, fault } = reply ?? {};
  if (typeof ok === 'boolean' && typeof json === 'string') {
    return fault === undefined ? { ok, json } : { ok, json, fault };
  }
  throw new TypeError(
    'intercept must return the reply of next(), or one of result() and toolError()',
  );
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
