/** Creates and reloads the modules, and folds them into one path for calls. */

import { isDeepStrictEqual } from 'node:util';

import {
  type Call,
  type Clock,
  type HttpPage,
  type Interceptor,
  type Log,
  type Module,
  type ModuleContext,
  type ModuleVerdict,
  observe,
  outcomeOfReply,
  type Parts,
  type Principal,
  resultOf,
  type ServerInfo,
  type Source,
  type Target,
  toolErrorOf,
  type Unsubscribe,
  type Withheld,
} from '@callsign/core';
import { gate, type DecidingModule, type GateOptions } from '@callsign/governance';
import type { TaskEnd } from '@callsign/wire/extensions';

import type { GatewayConfig } from '../config/gateway-config.js';
import { SYSTEM_CLOCK } from './system-clock.js';
import { WatchedServers } from './watched-servers.js';

/** A module in its place, and the location of its settings in the configuration. */
export interface ModuleWithSettings<S = never> {
  readonly module: Module<S>;
  readonly settings: (config: GatewayConfig) => S;
}

/** Only here are the settings known to fit the module: a list of modules forgets their types. */
export function place<S>(
  module: Module<S>,
  settings: (config: GatewayConfig) => S,
): ModuleWithSettings {
  return { module, settings } as unknown as ModuleWithSettings;
}

export interface ModuleHostOptions extends Pick<GateOptions, 'confirm' | 'current'> {
  readonly clock: Clock;
  readonly log: Log;
  /** Rebuilds all lists. */
  readonly refresh: () => void;
}

/** A module, what it was created with, and its parts. */
interface Running {
  readonly module: Module<unknown>;
  readonly settings: unknown;
  /** The servers that the module was told about. */
  readonly servers: readonly ServerInfo[];
  /** `undefined`: not configured. */
  readonly parts: Parts | undefined;
}

export class ModuleHost {
  readonly #options: ModuleHostOptions;
  #running: readonly Running[] = [];
  #path: readonly Interceptor[] = [];
  #deciding: readonly DecidingModule[] = [];
  #isOpen = false;
  #willRefresh = false;
  readonly #watched = new WatchedServers();

  constructor(options: ModuleHostOptions) {
    this.#options = options;
  }

  /** The interceptors of all modules, the first one outermost. */
  get path(): readonly Interceptor[] {
    return this.#path;
  }

  /** The modules in the path, in order. */
  get names(): readonly string[] {
    return this.#configured.map(({ module }) => module.name);
  }

  /**
   * Applies a configuration. Modules keep their parts, and so their state, where nothing changed
   * for them.
   */
  apply(config: GatewayConfig, modules: readonly ModuleWithSettings[]): void {
    const servers = config.servers.map(({ key, settings: { displayName } }) => ({
      key,
      displayName,
    }));
    const before = new Map(this.#running.map((running) => [running.module.name, running]));
    this.#running = modules.map(({ module, settings }) => {
      const known = before.get(module.name);
      before.delete(module.name);
      return this.#renew(module as Module<unknown>, settings(config), servers, known);
    });
    // Not awaited: a module that closes slowly must not delay calls under the new configuration.
    for (const { parts } of before.values()) this.#close(parts);
    this.#path = this.#fold();
  }

  /** Starts the modules. Throws, with a message for people, if one cannot start. */
  open(): void {
    this.#isOpen = true;
    for (const { parts } of this.#configured) parts.open?.();
  }

  async close(): Promise<void> {
    for (const { parts } of this.#configured) this.#watched.stop(parts);
    await Promise.all(this.#configured.map(({ parts }) => parts.close?.()));
  }

  /** A test for the items that a caller may see; `undefined`: everything. */
  sight(principal: Principal | undefined): ((target: Target) => boolean) | undefined {
    const judges = this.#configured.filter(({ parts }) => parts.sees);
    if (judges.length === 0) return undefined;
    return (target) => judges.every(({ parts }) => parts.sees!(principal, target));
  }

  /** Whether callers with the same roles see the same items. */
  get seesOnlyRoles(): boolean {
    return this.#configured.every(({ parts }) => !parts.sees || parts.seesOnlyRoles === true);
  }

  /**
   * Why an item is not offered. `undefined`: it is. Called for every item at every rebuild: must be
   * quick.
   */
  withholds(target: Target): Withheld | undefined {
    const isAdmitted = ({ parts }: Running): boolean => (parts?.admits?.(target) ?? true) === true;
    if (!this.#configured.every(isAdmitted)) return 'hidden';
    const isDenied = this.#configured.some(({ parts }) => parts.denies?.(target) !== undefined);
    return isDenied ? 'denied' : undefined;
  }

  /** Whether clients may get these instructions of a server. */
  admitsText(server: string, text: string): boolean {
    return this.#configured.every(
      ({ parts }) => (parts.admitsText?.(server, text) ?? true) === true,
    );
  }

  /** Whether calls of an item may wait for an operator. `undefined`: no call does. */
  get mayWait(): ((target: Target) => boolean) | undefined {
    const asked = this.#configured.filter(({ parts }) => parts.mayWait);
    if (asked.length === 0) return undefined;
    return (target) => asked.some(({ parts }) => parts.mayWait!(target));
  }

  /** Resolves when the modules have judged everything that is offered now. `undefined`: they have. */
  settled(): Promise<void> | undefined {
    const waits = this.#configured.flatMap(({ parts }) => parts.settled?.() ?? []);
    if (waits.length === 0) return undefined;
    // Lists are rebuilt in a microtask of their own.
    return Promise.all(waits).then(() => new Promise((resolve) => setImmediate(resolve)));
  }

  /**
   * Must be called before a source is listed: a module that admits items needs to see them first.
   */
  watch(server: string, source: Source): Unsubscribe {
    const modules = this.#configured.map(({ parts }) => parts);
    return this.#watched.add(server, source, modules);
  }

  /**
   * Reports a call to an unknown or hidden name, which runs through no interceptor. A hidden item is
   * the call's target: its caller must not learn of it, but its operator must.
   */
  unknown(call: Call): void {
    const modules = this.#configured.map(({ module: { name }, parts }) => ({ name, parts }));
    if (call.target) return endHidden(call, call.target, modules);
    for (const { parts } of modules) parts.observe?.unknown?.(call);
  }

  /** A call that had become a task has ended. It began at its call, which was observed then. */
  taskEnded({ call, reply, ms }: TaskEnd): void {
    const now = performance.now();
    const outcome = outcomeOfReply(reply);
    const waitedMs = call.context.waitedMs(now);
    const ended = { call, outcome, startedAt: now - ms, ms, waitedMs, size: reply.json.length };
    for (const { parts } of this.#configured) parts.observe?.taskEnded?.(ended);
  }

  pageAt(path: string): HttpPage | undefined {
    const pages = this.#configured.flatMap(({ parts }) => parts.pages ?? []);
    return pages.find((page) => page.path === path);
  }

  get #configured(): (Running & { readonly parts: Parts })[] {
    return this.#running.filter((running): running is Running & { parts: Parts } =>
      Boolean(running.parts),
    );
  }

  #renew(
    module: Module<unknown>,
    settings: unknown,
    servers: readonly ServerInfo[],
    known: Running | undefined,
  ): Running {
    const { clock, log } = this.#options;
    const refresh = (): void => this.#refreshSoon();
    const helpers = { result: resultOf, toolError: toolErrorOf };
    const context: ModuleContext = { settings, servers, clock, log, refresh, ...helpers };
    if (known?.module === module) {
      const isSame = isDeepStrictEqual(known.settings, settings);
      const hasSameServers = isDeepStrictEqual(known.servers, servers);
      if (isSame && (hasSameServers || !known.parts?.reload)) return known;
      const { parts } = known;
      // A module that cannot reload in place returns false and is created again.
      if (parts?.reload && this.#reload(module, parts, context)) {
        return { module, settings, servers, parts };
      }
    }
    const parts = this.#create(module, context, known);
    if (parts !== known?.parts) this.#close(known?.parts);
    return { module, settings, servers, parts };
  }

  #reload({ name }: Module<unknown>, parts: Parts, context: ModuleContext): boolean {
    try {
      return parts.reload?.(context) !== false;
    } catch (error) {
      const { message } = error as Error;
      this.#options.log('error', `Module "${name}" cannot be reloaded: ${message}`);
      return false;
    }
  }

  #close(parts: Parts | undefined): void {
    if (!parts) return;
    this.#watched.stop(parts);
    const close = async (): Promise<void> => parts.close?.();
    close().catch((error: unknown) =>
      this.#options.log('error', `A module cannot close: ${(error as Error).message}`),
    );
  }

  /** A module that fails on a reload keeps its old parts. At the first start it throws instead. */
  #create(
    module: Module<unknown>,
    context: ModuleContext,
    known: Running | undefined,
  ): Parts | undefined {
    let parts: Parts | undefined;
    try {
      parts = module.create(context);
      if (this.#isOpen && parts) {
        parts.open?.();
        this.#watched.start(parts);
      }
      return parts;
    } catch (error) {
      const message = `Module "${module.name}" cannot be used: ${(error as Error).message}`;
      if (!this.#isOpen) throw new Error(message, { cause: error });
      if (parts) this.#watched.stop(parts);
      this.#options.log('error', `${message} It keeps its previous settings.`);
      return known?.parts;
    }
  }

  /**
   * All observers run at the place of the first observer. All deciding modules share the place of
   * the last one, but none is later than the policy: users' modules before it may change a call, and
   * what is decided about must be what the server gets.
   */
  #fold(): Interceptor[] {
    const { confirm, current } = this.#options;
    const configured = this.#configured;
    const observers = configured.flatMap(({ parts }) => parts.observe ?? []);
    this.#deciding = configured
      .filter(({ parts }) => parts.decide ?? parts.sees)
      .map(({ module, parts }) => ({ name: module.name, parts }));
    const gateAt = this.#gatePlace();
    const path: Interceptor[] = [];
    for (const [i, { parts }] of this.#running.entries()) {
      if (parts?.observe && parts.observe === observers[0]) {
        path.push(observe(observers, SYSTEM_CLOCK.now));
      }
      if (i === gateAt) path.push(gate({ modules: () => this.#deciding, confirm, current }));
      if (parts?.intercept) path.push(parts.intercept);
    }
    return path;
  }

  /** The index of the module before which calls are decided; -1 if no module decides. */
  #gatePlace(): number {
    const last = this.#running.findLastIndex(({ parts }) => parts?.decide ?? parts?.sees);
    const policy = this.#running.findIndex(({ module }) => module.name === 'policy');
    return policy === -1 ? last : Math.min(last, policy);
  }

  /** Once for all changes that come together. */
  #refreshSoon(): void {
    if (this.#willRefresh) return;
    this.#willRefresh = true;
    queueMicrotask(() => {
      this.#willRefresh = false;
      this.#options.refresh();
    });
  }
}

interface NamedParts {
  readonly name: string;
  readonly parts: Pick<Parts, 'admits' | 'sees' | 'observe'>;
}

/**
 * Ends a call to an item that is hidden from its caller. No interceptor gets it. Observers get it as one that was denied.
 */
function endHidden(call: Call, target: Target, modules: readonly NamedParts[]): void {
  const verdict = whyHidden(call, target, modules);
  call.context.verdict = { decision: verdict.decision, rule: verdict.rule };
  call.context.note(verdict);
  const observers = modules.flatMap(({ parts }) => parts.observe ?? []);
  for (const observer of observers) observer.begin?.(call);
  const startedAt = performance.now();
  for (const observer of observers)
    observer.end({ call, outcome: 'access-denied', startedAt, ms: 0, waitedMs: 0, size: 0 });
}

function whyHidden(
  { caller: { principal } }: Call,
  target: Target,
  modules: readonly NamedParts[],
): ModuleVerdict {
  for (const { name, parts } of modules) {
    const admitted = parts.admits?.(target) ?? true;
    if (admitted !== true) return { module: name, decision: 'deny', rule: admitted };
    if (parts.sees?.(principal, target) === false) return hiddenBy(name);
  }
  return hiddenBy('gateway');
}

function hiddenBy(module: string): ModuleVerdict {
  return { module, decision: 'deny', rule: 'it is hidden from this caller' };
}
