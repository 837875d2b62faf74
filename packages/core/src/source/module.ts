/** A module adds behaviour around calls. Our modules and users' modules have the same form. */

import type { Call } from '../call/call.js';
import type { Verdict } from '../call/call-context.js';
import type { Principal } from '../call/caller.js';
import type { Clock } from '../call/clock.js';
import type { Interceptor } from './interceptor.js';
import type { Log } from '../call/log.js';
import type { Observer } from './observer.js';
import type { Reply } from '../call/reply.js';
import type { Source, Unsubscribe } from './source.js';
import type { Target } from '../call/target.js';

/**
 * `S` is the type of its settings. State belongs into the result of `create`, not into the module.
 */
export interface Module<S = unknown> {
  /** Unique among modules. Shown in records and errors. */
  readonly name: string;
  /** Checks the settings and fills in defaults. Default: any settings are accepted. */
  readonly settings?: SettingsSchema<S>;
  /**
   * Called at start and after a change of settings. `undefined`: nothing is configured, so the
   * module is not in the path of calls.
   */
  create(context: ModuleContext<S>): Parts<S> | undefined;
}

/** A zod schema, or any object with the same method. */
export interface SettingsSchema<S> {
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data: S }
    | { readonly success: false; readonly error: { readonly issues: readonly SettingsIssue[] } };
}

/** One problem of settings: where it is, and what is wrong. */
export interface SettingsIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** What a module gets when it is created or reloaded. */
export interface ModuleContext<S = unknown> {
  readonly settings: S;
  /** The servers of the configuration, in its order. */
  readonly servers: readonly ServerInfo[];
  readonly clock: Clock;
  readonly log: Log;
  /**
   * Rebuilds all lists. Call it whenever `sees`, `admits` or `denies` would answer differently than before.
   */
  readonly refresh: () => void;
  /** Makes a reply: the result of a call, as a value. */
  readonly result: (value: unknown) => Reply;
  /** Makes a reply: the tool failed, for this reason. The model reads it. */
  readonly toolError: (text: string) => Reply;
}

/** A configured server, whether it runs or not. */
export interface ServerInfo {
  readonly key: string;
  readonly displayName: string;
}

/** The parts of a module. All are optional. */
export interface Parts<S = unknown> {
  /**
   * Whether a call may be made. `undefined`: no objection. Must be pure and repeatable: it is asked
   * again after every wait.
   */
  decide?(call: Call): Decision | undefined | Promise<Decision | undefined>;
  /** Around every call. */
  readonly intercept?: Interceptor;
  /** Observes how calls end. */
  readonly observe?: Observer;
  /**
   * Whether a caller may see and use an item. `principal` is `undefined` for a caller without a
   * credential.
   */
  sees?(principal: Principal | undefined, target: Target): boolean;
  /**
   * Whether `sees` reads nothing of a principal but its roles. Then callers with the same roles
   * share their lists. Default: each principal has its own.
   */
  readonly seesOnlyRoles?: boolean;
  /** True, or the reason why an item is listed for no caller. No name reaches it. */
  admits?(target: Target): true | string;
  /**
   * The rule by which `decide` denies every call of an item. The item is not listed, and a call to
   * it is answered as denied.
   */
  denies?(target: Target): string | undefined;
  /** True, or the reason why the instructions of a server are shown to no client. */
  admitsText?(server: string, text: string): true | string;
  /**
   * Resolves when `admits` has judged everything that is offered now. `undefined`: it already has.
   */
  settled?(): Promise<void> | undefined;
  /**
   * Whether calls of an item may wait for an operator. Clients that support tasks may call it as a
   * task.
   */
  mayWait?(target: Target): boolean;
  /**
   * Called with every server's source before its items are listed. The result is called when the
   * server leaves, and before `close`.
   */
  watch?(server: string, source: Source): Unsubscribe;
  /** Pages of the HTTP listener. */
  readonly pages?: readonly HttpPage[];
  /** Called when the gateway starts to use the parts. Read and write nothing before. */
  open?(): void;
  /**
   * Called when the gateway stops, and when other parts have taken the place of these. The others
   * are open by then, because these stay in use if the others cannot be created.
   */
  close?(): void | Promise<void>;
  /**
   * Applies changed settings or servers. If it is missing, or returns false: new parts are created, and these are
   * closed.
   */
  reload?(context: ModuleContext<S>): boolean | void;
}

/** A verdict, and for `dry-run` the reply. */
export interface Decision extends Verdict {
  /** The reply to a call that is not sent, for `dry-run`. */
  readonly answer?: () => Reply;
}

/** A page at a path besides MCP, such as metrics. */
export interface HttpPage {
  readonly path: string;
  /** Its media type. */
  readonly type: string;
  /** Served without a credential, even if one is required elsewhere. */
  readonly isPublic?: boolean;
  /** Whether a caller may read it. Default: every caller that the listener accepts. */
  readonly mayRead?: (principal: Principal | undefined) => boolean;
  readonly text: () => string | Promise<string>;
}
