/** A served source: how it is served, and the state that its listeners and clients share. */

import type { Call, Caller, Principal, Source } from '@callsign/core';
import type { AnnouncedClient } from '@callsign/naming';

import { Tasks } from '../extensions/tasks/tasks.js';
import type { Implementation } from '../rpc/message/protocol.js';
import { EnvelopeReader } from './envelope.js';
import type { Homes } from './homes.js';
import { LogWishes } from './log-wishes.js';
import { ResourceWatch } from './resource-watch.js';

/** How a source is served. */
export interface ServeOptions {
  readonly self: Implementation;
  /** The view for a client, by its name and its principal. Unset: the source itself. */
  readonly viewFor?: (client: AnnouncedClient | undefined, principal?: Principal) => Source;
  /** Resolves when remembered offers are in place; `undefined` after that. `initialize` waits. */
  readonly whenPlaced?: () => Promise<void> | undefined;
  /** Resolves when a client's lists are complete, or when it has waited long enough. */
  readonly whenListed?: (client: AnnouncedClient | undefined) => Promise<void>;
  /** Called after a list was sent. */
  readonly onListed?: () => void;
  /** Resolves after the first start of every server; `undefined` from then on. */
  readonly whenStarted?: () => Promise<void> | undefined;
  /** Whether every server has started or failed, so that the lists are complete. */
  readonly isSettled?: () => boolean;
  /** Whether it is known what each server offers. */
  readonly isKnown?: () => boolean;
  /** Resolves when the lists are complete. A call to an unknown name waits for it. */
  readonly whenSettled?: () => Promise<void>;
  /** The caller of a message with these parameters, if the client is not the caller itself. */
  readonly callerOf?: (client: Caller, params: string) => Caller | undefined;
  /** Called for a call to an unknown or hidden name, before it is refused. */
  readonly onUnknown?: (call: Call) => void;
  /** The tasks that calls have become. Unset: a table in memory. */
  readonly tasks?: Tasks;
  /** Set if there are several instances. */
  readonly homes?: Homes | undefined;
}

type Unset = 'homes' | 'callerOf' | 'onUnknown' | 'onListed';

/** A served source: the state that its listeners and clients share. */
export interface Surface extends Required<Omit<ServeOptions, Unset>> {
  readonly source: Source;
  readonly callerOf?: ServeOptions['callerOf'];
  readonly onUnknown?: ServeOptions['onUnknown'];
  readonly onListed?: ServeOptions['onListed'];
  readonly homes?: ServeOptions['homes'];
  /** Set by a listener that requires credentials. */
  readonly principal?: Principal | undefined;
  readonly watch: ResourceWatch;
  readonly logWishes: LogWishes;
  readonly envelopes: EnvelopeReader;
}

/** One surface per source: its listeners share subscriptions, log levels and tasks. */
export function createSurface(source: Source, options: ServeOptions): Surface {
  const tasks = options.tasks ?? new Tasks();
  tasks.watch(source);
  return {
    viewFor: () => source,
    whenPlaced: () => undefined,
    whenListed: () => LISTED,
    whenStarted: () => undefined,
    isSettled: () => true,
    isKnown: () => true,
    whenSettled: () => LISTED,
    ...options,
    tasks,
    source,
    watch: new ResourceWatch(),
    logWishes: new LogWishes(source),
    envelopes: new EnvelopeReader(),
  };
}

/** For options that are unset: there is nothing to wait for. */
const LISTED: Promise<void> = Promise.resolve();
