/** Users' modules: from `modules` in the configuration, or passed in code. */

import type { Problem } from '@callsign/config';
import type { Module } from '@callsign/core';

import type { GatewayConfig } from '../config/gateway-config.js';
import type { ModuleEntry } from '../config/settings.js';
import type { UserModule } from '../config/user-module.js';
import { guardedModule } from './guarded-module.js';
import { importEntry, type Report, reportAt } from './import-entry.js';
import { place, type PlacedModule } from './module-host.js';

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
      const index = names.indexOf(before);
      if (index === -1) {
        throw new Error(`There is no module "${before}". Known modules: ${names.join(', ')}.`);
      }
      const placed = place(this.#guard(module), () => settings);
      all.splice(index, 0, placed);
    }
    return all;
  }

  #guard(module: Module<never>): Module<unknown> {
    const known = this.#guarded.get(module) ?? guardedModule(module as Module<unknown>);
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
