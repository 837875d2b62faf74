/** Starts a server by its command and connects to its standard input and output. */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { redact } from '../interceptors/redact.js';
import type { Channel, Message } from './channel.js';

/** How to start a server on stdio, as in the `mcpServers` of a client. */
export interface ServerCommand {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  readonly cwd?: string | undefined;
  /** In addition to the environment of this process. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** How much of the child's standard error is shown. */
const MAX_COMPLAINT = 2000;
/** A server should end when its input ends. After this time it is killed. */
const GRACE_MS = 2000;

export function childChannel({ command, args = [], cwd, env }: ServerCommand): Channel {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env } });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-MAX_COMPLAINT);
  });
  // Writing to a server that has ended also fails here. Its end is reported below.
  child.stdin.on('error', () => {});

  return {
    listen(onMessage, onEnd) {
      child.once('error', ({ message }) => {
        onEnd(new Error(`"${command}" cannot be started: ${message}. Check the command.`));
      });
      child.once('close', (code, signal) => {
        const said = complaint.trim() === '' ? '' : ` It said: ${redact(complaint.trim())}`;
        onEnd(new Error(`The server exited early (${signal ?? `code ${code}`}).${said}`));
      });
      createInterface({ input: child.stdout }).on('line', (line) => {
        const message = parsed(line);
        if (message !== undefined) onMessage(message);
        else if (line.trim() !== '') onEnd(new Error(notJsonRpc(line)));
      });
    },
    send: (message) => child.stdin.write(`${JSON.stringify(message)}\n`),
    close: () => end(child),
  };
}

function parsed(line: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Message) : undefined;
  } catch {
    return undefined;
  }
}

function notJsonRpc(line: string): string {
  const shown = redact(line.slice(0, 200));
  return (
    `The server printed something on standard output that is not JSON-RPC: ${shown} ` +
    'Clients fail on it. Print it on standard error instead.'
  );
}

async function end(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.stdin.end();
  const timer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
  await closed;
  clearTimeout(timer);
}
