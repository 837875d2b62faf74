/** Users' modules: from `modules` in the configuration, or passed in code. */

import { CallsignError } from '@callsign/core';
import type { Call, Decision, Module, Parts } from '@callsign/core';
import type { Problem } from '@callsign/config';

import type { GatewayConfig } from '../config/gateway-config.js';
import type { ModuleEntry } from '../config/settings.js';
import type { UserModule } from '../config/user-module.js';
import { importEntry, type Report, reportAt } from './import-entry.js';
import type { PlacedModule } from './module-host.js';

const DEFAULT_PLACE = 'policy';

export class UserModules {
  /** Each module is wrapped once. A reload recognises a module by the identity of its wrapper. */
  readonly #guarded = new WeakMap<Module<never>, Module<unknown>>();

  /** Puts users' modules among ours. Throws if a place or a name is wrong. */
  placedAmong(
    builtIn: readonly PlacedModule[],
    users: readonly UserModule[],
  ): readonly PlacedModule[] {
    const all = [...builtIn];
    for (const { module, before = DEFAULT_PLACE, settings } of users) {
      const names = all.map((placed) => placed.module.name);
      if (names.includes(module.name)) {
        throw new Error(`There are two modules with the name "${module.name}". Rename one.`);
      }
      const place = names.indexOf(before);
      if (place === -1) {
        throw new Error(`There is no module "${before}". Known modules: ${names.join(', ')}.`);
      }
      const placed = { module: this.#guard(module), settings: () => settings };
      all.splice(place, 0, placed as unknown as PlacedModule);
    }
    return all;
  }

  #guard(module: Module<never>): Module<unknown> {
    const known = this.#guarded.get(module) ?? guarded(module as Module<unknown>);
    this.#guarded.set(module, known);
    return known;
  }
}

export type LoadedModules =
  | { readonly ok: true; readonly modules: readonly UserModule[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Imports the modules and checks their settings. Node caches imports: changed code needs a restart. */
export async function loadModules(config: GatewayConfig): Promise<LoadedModules> {
  const modules: UserModule[] = [];
  const problems: Problem[] = [];
  for (const [i, entry] of (config.settings.modules ?? []).entries()) {
    const path = `callsign.modules[${i}]`;
    const report = reportAt(problems, config.file, path);
    const module = await importEntry(entry.use, config.file, MODULE, report);
    if (!module) continue;
    const checked = checkedSettings(module, entry, report, `${path}.settings`);
    if (!checked.ok) continue;
    const { before } = entry;
    modules.push({
      module,
      settings: checked.settings,
      ...(before === undefined ? {} : { before }),
    });
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, modules };
}

const MODULE = {
  is: isModule,
  noun: 'a module of Callsign',
  advice: 'its default export must have a "name" and a "create" function',
};

function isModule(value: unknown): value is Module<never> {
  if (typeof value !== 'object' || value === null) return false;
  const { name, create } = value as Partial<Module>;
  return typeof name === 'string' && name !== '' && typeof create === 'function';
}

function checkedSettings(
  { name, settings: schema }: Module<never>,
  { settings }: ModuleEntry,
  report: Report,
  path: string,
): { readonly ok: true; readonly settings: unknown } | { readonly ok: false } {
  if (!schema) return { ok: true, settings };
  const checked = schema.safeParse(settings ?? {});
  if (checked.success) return { ok: true, settings: checked.data };
  for (const { path: inner, message } of checked.error.issues) {
    const at = [path, ...inner.map(String)].join('.');
    report(message, `see the settings of module "${name}"`, at);
  }
  return { ok: false };
}

/**
 * Wraps a user's module. If it throws, the call fails with its name; if `sees` throws, the item is
 * hidden.
 */
function guarded(module: Module<unknown>): Module<unknown> {
  const { name } = module;
  return {
    name,
    create(context) {
      const parts = module.create(context);
      return parts && guardedParts(name, parts, context.log);
    },
  };
}

function guardedParts(
  name: string,
  parts: Parts,
  log: (level: 'error', message: string) => void,
): Parts {
  const failure = (error: unknown): CallsignError =>
    error instanceof CallsignError
      ? error
      : new CallsignError('module-failed', { module: name, reason: (error as Error).message });
  const own = bound(parts);
  const { intercept, observe, decide, sees, admits, admitsText, settled, mayWait, watch } = own;
  const fail = (error: unknown): void => log('error', failure(error).message);
  const quietly = (what: string, run: () => void): void => {
    try {
      run();
    } catch (error) {
      log('error', `Module "${name}" failed to ${what}: ${(error as Error).message}`);
    }
  };
  const notify = (run: () => void): void => quietly('observe a call', run);
  return {
    ...own,
    ...(intercept
      ? {
          async intercept(call, next) {
            try {
              return await intercept(call, next);
            } catch (error) {
              throw failure(error);
            }
          },
        }
      : {}),
    ...(observe
      ? {
          observe: {
            begin: (call) => notify(() => observe.begin?.(call)),
            end: (ended) => notify(() => observe.end(ended)),
            taskEnded: (ended) => notify(() => observe.taskEnded?.(ended)),
            unknown: (call) => notify(() => observe.unknown?.(call)),
          },
        }
      : {}),
    ...(decide
      ? {
          async decide(call: Call) {
            try {
              return checkedDecision(await decide(call));
            } catch (error) {
              throw failure(error);
            }
          },
        }
      : {}),
    ...(sees
      ? {
          sees(principal, target) {
            // A resource that is not listed needs a template that may be seen. A promise is not a yes.
            const needed = target.template ? [target, target.template] : [target];
            try {
              return needed.every((each) => sees(principal, each) === true);
            } catch {
              return false;
            }
          },
        }
      : {}),
    ...(admits
      ? {
          admits(target) {
            try {
              return admits(target);
            } catch (error) {
              return failure(error).message;
            }
          },
        }
      : {}),
    ...(admitsText
      ? {
          admitsText(server, text) {
            try {
              return admitsText(server, text);
            } catch (error) {
              return failure(error).message;
            }
          },
        }
      : {}),
    ...(settled
      ? {
          settled() {
            try {
              return settled()?.catch(fail);
            } catch (error) {
              return void fail(error);
            }
          },
        }
      : {}),
    ...(mayWait
      ? {
          mayWait(target) {
            try {
              return mayWait(target) === true;
            } catch {
              return false;
            }
          },
        }
      : {}),
    ...(watch
      ? {
          watch(server, source) {
            try {
              const stop = watch(server, source);
              return () => quietly('stop watching a server', () => stop?.());
            } catch (error) {
              fail(error);
              return () => undefined;
            }
          },
        }
      : {}),
  };
}

/** Every part there is. A part that is missing here does not compile. */
const PARTS: Readonly<Record<keyof Parts, true>> = {
  decide: true,
  intercept: true,
  observe: true,
  sees: true,
  seesOnlyRoles: true,
  admits: true,
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
