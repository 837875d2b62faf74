/**
 * The processes and sessions of servers at which callers have accounts: one for each account, never shared. What happens to
 * one person's account affects no one else.
 */

import type { Account } from '@callsign/auth';
import type { Source } from '@callsign/core';
import type { HttpCredentials } from '@callsign/wire';

import type { Accounts } from '../auth/accounts.js';
import type { GatewayConfig } from '../config/gateway-config.js';
import { processKey, type RemoteServer, type ServerConfig } from '../config/server-config.js';
import { linkedSource, unlinkedSource } from './account-source.js';
import { JoinedLists } from './joined-lists.js';
import type { ServerProcess } from './server-process.js';
import type { ProcessStatus } from './server-status.js';

export interface AccountProcessesOptions {
  readonly accounts: Accounts;
  readonly config: () => GatewayConfig;
  /** Opens the process of an account, and starts it. */
  readonly open: (config: ServerConfig, account: OpenedAccount) => ServerProcess;
  /** Ends a process at once: its account does not count any more. */
  readonly end: (running: ServerProcess) => void;
  /** The process of a server that is used for lists. */
  readonly lists: (server: string) => Source | undefined;
  /** Accounts have changed. Sources must be looked up again. */
  readonly onPlaces: () => void;
}

export interface OpenedAccount {
  readonly person: string;
  readonly credentials: (server: RemoteServer) => HttpCredentials | undefined;
}

/** What one person has of one server. */
interface AccountProcess {
  /** If it changes, the person gets another source. */
  readonly basis: string;
  readonly source: Source;
  readonly running?: ServerProcess;
}

interface ServerAccounts {
  readonly judged: JoinedLists;
  readonly people: Map<string, AccountProcess>;
  /** The source of lists for everyone, among those that are judged. */
  shared?: Source | undefined;
}

/** How long a call waits for its user to link an account. */
const LINK_MS = 5 * 60_000;

export class AccountProcesses {
  readonly #options: AccountProcessesOptions;
  readonly #servers = new Map<string, ServerAccounts>();
  /** Called after each change of accounts. */
  readonly #waiting = new Set<() => void>();

  constructor(options: AccountProcessesOptions) {
    this.#options = options;
  }

  /** What a person uses of each server with accounts. Processes are opened here. */
  of(person: string): ReadonlyMap<string, Source> {
    const found = new Map<string, Source>();
    for (const server of this.#options.config().servers)
      if (server.settings.accounts) found.set(server.key, this.source(person, server));
    return found;
  }

  source(person: string, server: ServerConfig): Source {
    return this.#processOf(person, server).source;
  }

  /** What modules judge in place of the lists of single accounts. `undefined`: the server has no accounts. */
  judged(server: string): JoinedLists | undefined {
    const config = this.#options.config().servers.find(({ key }) => key === server);
    return config?.settings.accounts && this.#of(server).judged;
  }

  /** Accounts or settings have changed. What does not count any more ends now. */
  refresh(): void {
    const { servers } = this.#options.config();
    for (const [key, { people }] of this.#servers) {
      const server = servers.find((each) => each.key === key);
      for (const [person, own] of people) {
        const isCurrent = server?.settings.accounts && own.basis === this.#basis(person, server);
        if (!isCurrent) this.#drop(key, person);
      }
    }
    for (const tell of this.#waiting) tell();
  }

  /** The clients of a person have gone. */
  release(person: string): void {
    for (const key of this.#servers.keys()) this.#drop(key, person);
  }

  isBusy(person: string): boolean {
    return this.processes(person).some(({ upstream }) => upstream.isBusy);
  }

  /** Of one person. Default: of all. */
  processes(person?: string): readonly ServerProcess[] {
    return [...this.#servers.values()].flatMap(({ people }) =>
      [...people].flatMap(([name, { running }]) =>
        running && (person === undefined || name === person) ? [running] : [],
      ),
    );
  }

  /** The process of one person at one server. `undefined`: they have no account there. */
  process(person: string, server: string): ServerProcess | undefined {
    return this.#servers.get(server)?.people.get(person)?.running;
  }

  /** Starts the processes of a server again. */
  restart(server: string): void {
    for (const person of this.#of(server).people.keys()) this.#drop(server, person);
    this.#options.onPlaces();
  }

  status(server: string): ProcessStatus[] {
    return [...(this.#servers.get(server)?.people ?? [])].flatMap(([person, { running }]) =>
      running
        ? [{ state: running.upstream.state.is, clients: 1, reason: `account of ${person}` }]
        : [],
    );
  }

  #processOf(person: string, server: ServerConfig): AccountProcess {
    this.#judgeShared(server);
    const { judged, people } = this.#of(server.key);
    const basis = this.#basis(person, server);
    const known = people.get(person);
    if (known?.basis === basis) return known;
    this.#drop(server.key, person);
    const account = this.#options.accounts.of(person, server);
    const own: AccountProcess = account
      ? { basis, ...this.#linked(account, server) }
      : { basis, source: this.#unlinked(person, server) };
    people.set(person, own);
    if (own.running) judged.add(own.source);
    return own;
  }

  #linked(account: Account, server: ServerConfig): Pick<AccountProcess, 'source' | 'running'> {
    const { accounts, open } = this.#options;
    const { person } = account;
    const running = open(accounts.serverFor(server, account), {
      person,
      credentials: (remote) => accounts.credentials(remote, account),
    });
    const isCurrent = (): boolean => accounts.counts(account);
    const source = linkedSource(person, running.upstream, {
      isCurrent,
      needed: () => accounts.needed(person, server.key),
      onGone: () => this.#gone(),
    });
    return { running, source };
  }

  #unlinked(person: string, server: ServerConfig): Source {
    const { accounts, lists } = this.#options;
    const { key, settings } = server;
    const linked = (): ServerProcess | undefined => {
      const now = this.#options.config().servers.find((each) => each.key === key);
      if (!now || !accounts.of(person, now)) return undefined;
      return this.#processOf(person, now).running;
    };
    return unlinkedSource({
      server: key,
      person,
      title: settings.displayName ?? key,
      needed: () => accounts.needed(person, key),
      link: () => accounts.link(person, key),
      lists: settings.accounts?.lists === 'shared' ? lists(key) : undefined,
      linked: () => {
        const running = linked();
        return running && this.#of(key).people.get(person)?.source;
      },
      whenLinked: async () => {
        const running = await this.#appears(linked);
        await running?.upstream.settled;
        // The store may not have told of the account yet, and the person's next call needs its tools.
        if (running) this.#options.onPlaces();
        return running !== undefined;
      },
    });
  }

  /** Waits until there is a process, for some minutes at most. */
  #appears(find: () => ServerProcess | undefined): Promise<ServerProcess | undefined> {
    return new Promise((resolve) => {
      const look = (): void => {
        const found = find();
        if (found) end(found);
      };
      const end = (found?: ServerProcess): void => {
        clearTimeout(timer);
        this.#waiting.delete(look);
        resolve(found);
      };
      const timer = setTimeout(end, LINK_MS).unref();
      this.#waiting.add(look);
      look();
    });
  }

  /** Modules judge the lists for everyone too. */
  #judgeShared({ key, settings }: ServerConfig): void {
    const of = this.#of(key);
    const now = settings.accounts?.lists === 'shared' ? this.#options.lists(key) : undefined;
    if (now === of.shared) return;
    if (of.shared) of.judged.delete(of.shared);
    of.shared = now;
    if (now) of.judged.add(now);
  }

  /** A call has noticed that an account is gone, before the store has said so. */
  #gone(): void {
    setImmediate(() => {
      this.refresh();
      this.#options.onPlaces();
    });
  }

  #drop(server: string, person: string): void {
    const { judged, people } = this.#of(server);
    const own = people.get(person);
    people.delete(person);
    if (!own?.running) return;
    judged.delete(own.source);
    this.#options.end(own.running);
  }

  #basis(person: string, server: ServerConfig): string {
    const { accounts, lists } = this.#options;
    const account = accounts.of(person, server);
    // A shared process may have been replaced.
    const shown =
      account || server.settings.accounts?.lists !== 'shared' ? '' : idOf(lists(server.key));
    return JSON.stringify([
      processKey(server),
      server.settings.displayName,
      account?.id ?? '',
      shown,
    ]);
  }

  #of(server: string): ServerAccounts {
    const known = this.#servers.get(server);
    if (known) return known;
    const made = { judged: new JoinedLists(), people: new Map<string, AccountProcess>() };
    this.#servers.set(server, made);
    return made;
  }
}

const ids = new WeakMap<Source, number>();
let lastId = 0;

function idOf(source: Source | undefined): number {
  if (!source) return 0;
  const id = ids.get(source) ?? ++lastId;
  ids.set(source, id);
  return id;
}
