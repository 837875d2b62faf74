/** Users' modules: from `modules` in the configuration, or passed in code. */

import type { Problem } from '@callsign/config';
import type { Module, Target } from '@callsign/core';

import type { GatewayConfig } from '../config/gateway-config.js';
import type { ModuleEntry } from '../config/settings.js';
import type { UserModule } from '../config/user-module.js';
import { guardedModule } from './guarded-module.js';
import { importEntry, type Report, reportAt } from './import-entry.js';
import { place, type ModuleWithSettings } from './module-host.js';

const POLICY = 'policy';

export class UserModules {
  /**
   * Each module is wrapped once for each side of the policy. A reload recognises a module by the
   * identity of its wrapper.
   */
  readonly #before = new WeakMap<Module<never>, Module<unknown>>();
  readonly #after = new WeakMap<Module<never>, Module<unknown>>();
  readonly #limitMs: (target: Target) => number;

  /** `limitMs`: how long a module may take with a call. */
  constructor(limitMs: (target: Target) => number) {
    this.#limitMs = limitMs;
  }

  /** Puts users' modules among ours. Throws if a place or a name is wrong. */
  placedAmong(
    builtIn: readonly ModuleWithSettings[],
    users: readonly UserModule[],
  ): readonly ModuleWithSettings[] {
    const all = [...builtIn];
    for (const { module, before = POLICY, settings } of users) {
      const names = all.map((placed) => placed.module.name);
      if (names.includes(module.name)) {
        throw new Error(`There are two modules with the name "${module.name}". Rename one.`);
      }
      const index = names.indexOf(before);
      if (index === -1) {
        throw new Error(`There is no module "${before}". Known modules: ${names.join(', ')}.`);
      }
      const mayChange = index <= names.indexOf(POLICY);
      const placed = place(this.#guard(module, mayChange), () => settings);
      all.splice(index, 0, placed);
    }
    return all;
  }

  #guard(module: Module<never>, mayChange: boolean): Module<unknown> {
    const guarded = mayChange ? this.#before : this.#after;
    const options = { mayChange, limitMs: this.#limitMs };
    const known = guarded.get(module) ?? guardedModule(module as Module<unknown>, options);
    guarded.set(module, known);
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
