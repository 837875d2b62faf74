/**
 * The process group of a child: the child and everything that it starts. A group ends as a whole,
 * even if this process is killed.
 */

import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const isPosix = process.platform !== 'win32';

/**
 * Makes a child the leader of its own group, so that a signal reaches everything that it started.
 */
export const GROUP_SPAWN_OPTIONS: { detached: boolean; windowsHide: boolean } = {
  detached: isPosix,
  windowsHide: true,
};

/** Sends a signal to the whole group. Does nothing if the group has ended. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    if (isPosix) process.kill(-pid, signal);
    else {
      const killer = spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' });
      killer.on('error', () => undefined).unref();
    }
  } catch {
    // ESRCH: no process is left.
  }
}

/** Whether a process of the group is still running. Zombies do not count. */
export function isGroupAlive(pid: number): boolean {
  if (!isPosix) return false;
  try {
    process.kill(-pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return process.platform !== 'linux' || hasLivingMember(pid);
}

/**
 * Zombies stay in their group until their parent reaps them. In a container there may be no such
 * parent.
 */
function hasLivingMember(group: number): boolean {
  try {
    return readdirSync('/proc').some((name) => /^\d+$/.test(name) && isLivingMember(name, group));
  } catch {
    return true;
  }
}

function isLivingMember(pid: string, group: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state, , own] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(own) === group && state !== 'Z' && state !== 'X';
  } catch {
    return false;
  }
}

/*
 * After a kill -9 no code of this process runs, so a shell runs beside it. The shell reads the ids
 * of the groups. When the pipe from this process closes, it ends the groups that are left. (Some
 * shells do not support `kill -TERM -- -N`.)
 */
const WATCH = `
groups=" "
while read -r what pid; do
  case "$what" in
    add) groups="$groups$pid " ;;
    del)
      rest=" "
      for each in $groups; do [ "$each" = "$pid" ] || rest="$rest$each "; done
      groups=$rest ;;
  esac
done
for pid in $groups; do kill -s TERM -- "-$pid" 2>/dev/null; done
[ "$groups" = " " ] || sleep 1
for pid in $groups; do kill -s KILL -- "-$pid" 2>/dev/null; done
`;

/** Ends the groups of children if this process ends first. One shell watches all groups. */
export class ChildGroups {
  readonly #watched = new Set<number>();
  #watcher: ChildProcess | undefined;
  #isClosed = false;

  /** Call `release` when the group has ended. */
  watch(pid: number): { release(): void } {
    if (!isPosix) return { release: () => undefined };
    this.#watched.add(pid);
    this.#tell(`add ${pid}`);
    return {
      release: () => {
        if (!this.#watched.delete(pid)) return;
        this.#tell(`del ${pid}`);
        if (this.#isClosed) this.close();
      },
    };
  }

  /** Ends the shell, now or when the last group has ended. */
  close(): void {
    this.#isClosed = true;
    if (this.#watched.size > 0) return;
    this.#watcher?.stdin?.end();
    this.#watcher = undefined;
  }

  #tell(line: string): void {
    if (this.#watcher) this.#watcher.stdin?.write(`${line}\n`);
    else this.#watcher = this.#start();
  }

  /** Starts the shell and tells it all groups. If it dies, the next group starts a new one. */
  #start(): ChildProcess {
    const child = spawn('sh', ['-c', WATCH], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
      env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
    });
    const forget = (): void => {
      if (this.#watcher === child) this.#watcher = undefined;
    };
    child.on('error', forget);
    child.on('exit', forget);
    child.unref();
    // Out of file descriptors, Node gives a child without pipes.
    const stdin = child.stdin as (typeof child.stdin & { unref?: () => void }) | undefined;
    stdin?.on('error', () => undefined);
    stdin?.unref?.();
    for (const pid of this.#watched) stdin?.write(`add ${pid}\n`);
    return child;
  }
}
