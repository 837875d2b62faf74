/**
 * The tasks that servers created for calls: our id, the server's id, and the caller that each
 * belongs to. With a file, tasks survive a restart of the gateway.
 */

import { randomBytes } from 'node:crypto';
import { appendFileSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

import { isRecord, makeFolder, replaceFile } from '@callsign/config';
import type { Caller, Era } from '@callsign/core';

/** A task of a server. One line of the file. */
export interface Task {
  /** Our id, for clients. It cannot be guessed. */
  readonly id: string;
  readonly server: string;
  /** The tool that was called, as its server names it. */
  readonly tool: string;
  /** The server's id. */
  readonly taskId: string;
  /** See `ownerOf`. */
  readonly owner: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** How long the server keeps it. `null`: without limit. */
  readonly ttlMs: number | null;
  readonly hasEnded: boolean;
  /** The era of the client that called. Missing in files of older versions. */
  readonly era?: Era;
}

export type NewTask = Pick<Task, 'server' | 'tool' | 'taskId' | 'owner' | 'ttlMs' | 'era'>;

/** Where tasks are kept, and the clock for their expiry. */
export interface TaskTableOptions {
  /**
   * The file. Asked for when the first task is created or looked up. Default: tasks are kept in
   * memory only.
   */
  readonly file?: () => string | undefined;
  readonly now?: () => number;
}

/** For all callers together. If there are more, the caller with the most loses its oldest. */
const MOST = 10_000;
/** A task without a limit is dropped after a week. */
const WEEK_MS = 7 * 24 * 60 * 60 * 1_000;
/** A server may keep a task a little longer than it says. */
const GRACE_MS = 60_000;
const LONG_FILE = 1024 * 1024;

/**
 * Whose task it is: the name of the principal; else the folder of a client on this machine, which it still has after it
 * has connected again. Empty for all other callers without a credential.
 */
export function ownerOf({
  principal,
  connection,
}: Pick<Caller, 'principal' | 'connection'>): string {
  return principal?.name ?? (connection ? `${IN_FOLDER}${connection.folder}` : '');
}

/** No principal has a name with a line break. */
const IN_FOLDER = '\nfolder:';

/** Whether the owner of a task is a principal. */
export function isPrincipal(owner: string): boolean {
  return owner !== '' && !owner.startsWith(IN_FOLDER);
}

/** 144 random bits, so that an id cannot be guessed. */
export function newTaskId(): string {
  return `task-${randomBytes(18).toString('base64url')}`;
}

/** Appends to its file and reads what other gateways of the same configuration appended. */
export class TaskTable {
  readonly #fileOf: () => string | undefined;
  #file: string | undefined;
  readonly #now: () => number;
  readonly #byId = new Map<string, Task>();
  readonly #byServer = new Map<string, Task>();
  /** The ids of each owner, oldest first. */
  readonly #byOwner = new Map<string, Set<string>>();
  /** Bytes of the file that were read. */
  #read = 0;
  #isOpen = false;
  /** The file was read in this run of code, which nothing interrupts. */
  #isFresh = false;

  constructor({ file = () => undefined, now = Date.now }: TaskTableOptions = {}) {
    this.#fileOf = file;
    this.#now = now;
  }

  /** Adds a task and returns our id for it. A server that was started again may use an id again. */
  add(task: NewTask, id: string = newTaskId()): string {
    this.#open();
    this.#put({ ...task, id, createdAt: this.#now(), hasEnded: false });
    return id;
  }

  /** Adds a task that another process knows, unless it is known here. */
  adopt(task: Task): void {
    this.#open();
    if (!this.#byId.has(task.id)) this.#put(task);
  }

  /**
   * `undefined`: there is no such task, or it belongs to another caller. Callers cannot tell which.
   */
  find(id: string, owner: string): Task | undefined {
    this.#open();
    // Another gateway of this configuration may have created it.
    if (!this.#byId.has(id)) this.#load();
    const task = this.#byId.get(id);
    if (!task || task.owner !== owner || this.#isExpired(task)) return undefined;
    // Not if the server has used its id for a later task.
    return this.#byServer.get(keyOf(task)) === task ? task : undefined;
  }

  /** The latest task of a server with this id. */
  ofServer(server: string, taskId: string): Task | undefined {
    this.#open();
    return this.#byServer.get(keyOf({ server, taskId }));
  }

  /** The tasks of a caller, oldest first. */
  of(owner: string): readonly Task[] {
    this.#open();
    this.#load();
    const ids = [...(this.#byOwner.get(owner) ?? [])];
    return ids.flatMap((id) => this.find(id, owner) ?? []);
  }

  /** Records that a task has ended. True only the first time. */
  end(task: Task): boolean {
    if (this.#byId.get(task.id)?.hasEnded !== false) return false;
    this.#put({ ...task, hasEnded: true });
    return true;
  }

  /** Whether the end of a task was recorded. */
  isOver({ id }: Task): boolean {
    return this.#byId.get(id)?.hasEnded !== false;
  }

  /** Whether any task has no recorded end. */
  get hasOpen(): boolean {
    return [...this.#byId.values()].some(({ hasEnded }) => !hasEnded);
  }

  /** Whether a server still runs a task. Default: any server. */
  isRunning(server?: string): boolean {
    const tasks = [...this.#byId.values()];
    return tasks.some(
      (task) =>
        !task.hasEnded &&
        !this.#isExpired(task) &&
        (server === undefined || task.server === server),
    );
  }

  /** The tasks whose time is over and whose end was not recorded. */
  lapsed(): readonly Task[] {
    this.#open();
    this.#load();
    return [...this.#byId.values()].filter((task) => !task.hasEnded && this.#isExpired(task));
  }

  #put(task: Task): void {
    this.#keep(task);
    if (this.#file === undefined) return;
    const line = `${JSON.stringify(task)}\n`;
    try {
      makeFolder(dirname(this.#file));
      appendFileSync(this.#file, line, { mode: 0o600 });
    } catch {
      // Without the file, tasks are forgotten at a restart. Nothing else is lost.
    }
  }

  #keep(task: Task): void {
    this.#byId.set(task.id, task);
    const own = this.#byOwner.get(task.owner) ?? new Set();
    this.#byOwner.set(task.owner, own.add(task.id));
    const latest = this.#byServer.get(keyOf(task));
    if (!latest || latest.createdAt <= task.createdAt) this.#byServer.set(keyOf(task), task);
    if (this.#byId.size > MOST) this.#forget(this.#oldestOfMost());
  }

  /** The oldest task of the owner that has the most. */
  #oldestOfMost(): Task {
    let most: ReadonlySet<string> = new Set();
    for (const own of this.#byOwner.values()) if (own.size > most.size) most = own;
    const [oldest = ''] = most;
    return this.#byId.get(oldest)!;
  }

  #forget(task: Task): void {
    this.#byId.delete(task.id);
    const own = this.#byOwner.get(task.owner);
    own?.delete(task.id);
    if (own?.size === 0) this.#byOwner.delete(task.owner);
    if (this.#byServer.get(keyOf(task)) === task) this.#byServer.delete(keyOf(task));
  }

  #isExpired({ createdAt, ttlMs }: Task): boolean {
    return this.#now() > createdAt + (ttlMs ?? WEEK_MS) + GRACE_MS;
  }

  #open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#file = this.#fileOf();
    this.#load();
    if (this.#file === undefined || this.#read < LONG_FILE) return;
    try {
      const text = [...this.#byId.values()].map((task) => `${JSON.stringify(task)}\n`).join('');
      replaceFile(this.#file, text, { mode: 0o600 });
      this.#read = Buffer.byteLength(text);
    } catch {
      // The file stays long; it is shortened at a later start.
    }
  }

  /** Reads what was added to the file since the last time, once for all ids of a request. */
  #load(): void {
    if (this.#file === undefined || this.#isFresh) return;
    this.#isFresh = true;
    queueMicrotask(() => {
      this.#isFresh = false;
    });
    try {
      const { size } = statSync(this.#file);
      if (size === this.#read) return;
      const bytes = readFileSync(this.#file);
      // Another gateway has shortened the file.
      const from = size < this.#read ? 0 : this.#read;
      const end = bytes.lastIndexOf('\n') + 1;
      for (const line of bytes.subarray(from, end).toString().split('\n')) {
        const task = line === '' ? undefined : taskIn(line);
        if (task) this.#keep(task);
      }
      // Tasks without a recorded end stay, even if their time is over.
      for (const task of this.#byId.values()) {
        if (task.hasEnded && this.#isExpired(task)) this.#forget(task);
      }
      this.#read = end;
    } catch {
      // There is none yet.
    }
  }
}

function keyOf({ server, taskId }: Pick<Task, 'server' | 'taskId'>): string {
  return `${server}:${taskId}`;
}

function taskIn(line: string): Task | undefined {
  try {
    const task: unknown = JSON.parse(line);
    if (!isRecord(task)) return undefined;
    const { id, server, tool, taskId, owner, createdAt, ttlMs, hasEnded } = task;
    const isWhole =
      [id, server, tool, taskId, owner].every((each) => typeof each === 'string') &&
      typeof createdAt === 'number' &&
      (ttlMs === null || typeof ttlMs === 'number') &&
      typeof hasEnded === 'boolean';
    return isWhole ? (task as unknown as Task) : undefined;
  } catch {
    return undefined;
  }
}
