/** A module adds behaviour around calls. Ours and a user's are made in the same way. */

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

export interface Module<S = unknown> {
  /** Unique among modules. Records and errors show it. */
  readonly name: string;
  /** Checks the settings and fills in defaults. Absent: the module takes any. */
  readonly settings?: SettingsSchema<S>;
  /** Returns `undefined` if nothing is configured; then the module is not in the path of calls. */
  create(context: ModuleContext<S>): Parts<S> | undefined;
}

/** A zod schema fits; so does anything else that answers like one. */
export interface SettingsSchema<S> {
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data: S }
    | { readonly success: false; readonly error: { readonly issues: readonly SettingsIssue[] } };
}

export interface SettingsIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

export interface ModuleContext<S = unknown> {
  readonly settings: S;
  /** The servers of the configuration, in its order. */
  readonly servers: readonly ServerInfo[];
  readonly clock: Clock;
  readonly log: Log;
  /** Makes all lists again. To be called when `sees` or `admits` would answer differently. */
  readonly refresh: () => void;
}

export interface ServerInfo {
  readonly key: string;
  readonly displayName: string;
}

/** What a module does. Everything is optional. */
export interface Parts<S = unknown> {
  /** Whether a call may be made. Pure and repeatable: it is asked again after every wait. */
  decide?(call: Call): Decision | Promise<Decision>;
  /** Around every call. */
  readonly intercept?: Interceptor;
  /** Hears how calls end. */
  readonly observe?: Observer;
  /** Whether a caller may know of a thing and use it. `undefined` is a caller without a credential. */
  sees?(principal: Principal | undefined, target: Target): boolean;
  /** True, or the reason why a thing is listed for no caller. */
  admits?(target: Target): true | string;
  /** Told of every server's source before its things are listed. */
  watch?(server: string, source: Source): Unsubscribe;
  /** Pages of the HTTP listener. */
  readonly pages?: readonly HttpPage[];
  /** Called when the gateway starts. Until then nothing may be read or written. */
  open?(): void;
  close?(): void | Promise<void>;
  /** Takes changed settings or servers. Absent, or false: the parts are closed and created again. */
  reload?(context: ModuleContext<S>): boolean | void;
}

export interface Decision extends Verdict {
  /** The reply to a call that is not sent, for `dry-run`. */
  readonly answer?: () => Reply;
}

/** Something to read at a path besides MCP, such as metrics. */
export interface HttpPage {
  readonly path: string;
  /** Its media type. */
  readonly type: string;
  /** Served without a credential even where one is asked for. */
  readonly isPublic?: boolean;
  readonly text: () => string | Promise<string>;
}
