/** Information about processes from the system. A zombie counts as ended. */

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

interface ProcessState {
  readonly state: string;
  readonly parent: number;
}

function stateOf(pid: number): ProcessState | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may contain any characters, brackets included.
    const [state = '', parent = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state, parent: Number(parent) };
  } catch {
    return undefined;
  }
}

export function isAlive(pid: number): boolean {
  const found = stateOf(pid);
  return found !== undefined && found.state !== 'Z' && found.state !== 'X';
}

function allPids(): number[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
}

/** Every living process that descends from this one, through parents that still live. */
export function descendantsOf(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const each of allPids()) {
    const parent = stateOf(each)?.parent ?? 0;
    children.set(parent, [...(children.get(parent) ?? []), each]);
  }
  const found: number[] = [];
  for (const queue = [pid]; queue.length > 0;) {
    const next = children.get(queue.shift()!) ?? [];
    found.push(...next.filter(isAlive));
    queue.push(...next);
  }
  return found;
}

/** Every living process that was started with this variable, wherever it runs now. */
export function processesWith(variable: string): number[] {
  return allPids().filter((pid) => {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
      return environment.includes(variable) && isAlive(pid);
    } catch {
      return false;
    }
  });
}

/** The command line of a process; empty after its end. */
export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/** The peak memory of a process, in megabytes. */
export function peakMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

/** Ports on which a process listens. */
export function listeningSockets(pid: number): string[] {
  const own = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        return [];
      }
    }),
  );
  return ['tcp', 'tcp6', 'udp', 'udp6'].flatMap((protocol) =>
    readFileSync(`/proc/${pid}/net/${protocol}`, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode]) => own.has(inode ?? '') && state !== '01')
      .map(([, address = '']) => `${protocol} ${address}`),
  );
}
