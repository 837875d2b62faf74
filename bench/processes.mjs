// Every process that the bench starts, so that all of them end with the bench.
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const PATIENCE_MS = 20_000;
const STOP_MS = 2_000;
const alive = new Set();

process.once('exit', endAll);
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
]) {
  process.once(signal, () => process.exit(code));
}

/**
 * A process in its own group, which ends together with everything that it started.
 * @param {string[]} args the script and its arguments
 * @param {{ listener: 'stdio' | 'http', env?: Record<string, string>, cwd?: string }} options
 */
export function launch(args, { listener, env = {}, cwd }) {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, args, {
    cwd,
    env: { PATH, HOME, ...env },
    stdio: [
      listener === 'stdio' ? 'pipe' : 'ignore',
      listener === 'stdio' ? 'pipe' : 'ignore',
      'pipe',
    ],
    detached: true,
  });
  alive.add(child.pid);
  const launched = { child, said: '', gone: undefined };
  launched.gone = new Promise((resolve) => {
    child.once('close', (code) => {
      alive.delete(child.pid);
      resolve(code);
    });
  });
  // The end of its output is enough to see what went wrong.
  child.stderr.setEncoding('utf8').on('data', (text) => {
    launched.said = (launched.said + text).slice(-4_000);
  });
  child.stdin?.on('error', () => undefined);
  return launched;
}

/** Waits for a text that a process prints to standard error. */
export function hear({ child, said }, pattern) {
  return new Promise((resolve, reject) => {
    let heard = said;
    const give = (value, error) => {
      clearTimeout(timer);
      child.stderr.off('data', listen);
      child.off('close', close);
      if (error) reject(error);
      else resolve(value);
    };
    const listen = (text) => {
      heard += text;
      const match = pattern.exec(heard);
      if (match) give(match);
    };
    const close = () => give(undefined, new Error(`It ended before it was ready: ${heard}`));
    const late = () => give(undefined, new Error(`It was not ready in time: ${heard}`));
    const timer = setTimeout(late, PATIENCE_MS);
    child.stderr.on('data', listen);
    child.once('close', close);
    listen('');
  });
}

/** Ends a process: SIGTERM first, then SIGKILL. */
export async function stop({ child, gone }) {
  child.stdin?.end();
  child.kill('SIGTERM');
  const timer = setTimeout(() => endGroup(child.pid), STOP_MS);
  await gone;
  clearTimeout(timer);
  endGroup(child.pid);
}

/** Resident memory in megabytes. */
export function megabytes(pid) {
  if (process.platform === 'linux') {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  }
  return Number(spawnSync('ps', ['-o', 'rss=', '-p', String(pid)]).stdout) / 1024;
}

/**
 * The time that a process has spent on a core, in microseconds; `undefined` if the system does not
 * report it.
 */
export function coreTime(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
      const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(
        ' ',
      );
      return sum + Number(nanoseconds) / 1000;
    }, 0);
  } catch {
    return undefined;
  }
}

function endAll() {
  for (const pid of alive) endGroup(pid);
}

function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}
