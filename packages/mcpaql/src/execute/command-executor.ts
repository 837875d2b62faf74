/** Runs operations as programs on this machine: one process per call, never a shell. */

import { spawn } from 'node:child_process';
import { dirname } from 'node:path';

import { CallsignError } from '@callsign/core';
import { ChildGroups, GROUP_SPAWN_OPTIONS, signalGroup } from '@callsign/wire/rpc';

import type { NativeTarget } from '../adapter/adapter-document.js';
import type { Operation } from '../adapter/adapter.js';
import { type Mapping, placeholdersOf, type TemplatePart } from '../adapter/maps-to.js';
import type { Executed, Executor } from '../protocol/executor.js';
import { LIMITS, tooLarge } from '../protocol/limits.js';
import { parseExact } from '../protocol/exact-json.js';
import { ProtocolError } from '../protocol/protocol-error.js';
import type { Params } from '../protocol/validate.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that most programs need. */
const SAFE_VARIABLES = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'PATHEXT'];
const GRACE_MS = 2000;
/** How long output may still come after the program has ended. */
const DRAIN_MS = 200;
/** Ends programs if this process is killed. */
const GROUPS = new ChildGroups();
const MAX_MESSAGE = 300;

export function createCommandExecutor(
  file: string,
  { command, env: wanted, timeout_ms }: NativeTarget & { readonly command: readonly string[] },
  env: Environment,
): Executor {
  const [program = '', ...first] = command;
  const names = [...SAFE_VARIABLES, ...wanted].filter((name) => env[name] !== undefined);
  const childEnv = Object.fromEntries(names.map((name) => [name, env[name]]));
  return async ({ operation, params, signal }) => {
    const mapping = operation.mapsTo as Mapping & { readonly kind: 'command' };
    const args = [...first, ...mapping.words.flatMap((word) => argument(word, params) ?? [])];
    const input = restOf(operation, params);
    const child = { program, args, cwd: dirname(file), env: childEnv, timeoutMs: timeout_ms };
    const output = await run(child, input, signal);
    if (operation.response.format === 'text') return { data: output };
    return parsed(output);
  };
}

/** Builds exactly one argument for any values. It is omitted if a value is missing. */
function argument(word: readonly TemplatePart[], params: Params): string | undefined {
  let text = '';
  for (const part of word) {
    if (part.kind === 'text') {
      text += part.text;
      continue;
    }
    const value = params.get(part.name);
    if (value === undefined || value === null) return undefined;
    const written = typeof value === 'object' ? JSON.stringify(value) : String(value);
    if (written.includes('\0') || (text === '' && written.startsWith('-'))) {
      const message = `Parameter '${part.name}' would be read as an option; it must not start with '-'.`;
      throw new ProtocolError('VALIDATION_INVALID_VALUE', message, { param_name: part.name });
    }
    text += written;
  }
  return text;
}

/** Parameters that are in no argument go to standard input, as JSON. */
function restOf({ mapsTo, params: declared }: Operation, params: Params): string {
  const placed = placeholdersOf(mapsTo);
  const rest = [...params].filter(([name]) => !placed.includes(name));
  return JSON.stringify(
    Object.fromEntries(rest.map(([name, value]) => [declared.get(name)?.as ?? name, value])),
  );
}

interface Child {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Record<string, string | undefined>;
  readonly timeoutMs: number;
}

/**
 * Settles at the time limit, and when the program has ended, even if a process that it started keeps
 * its output open.
 */
function run(
  { program, args, cwd, env, timeoutMs }: Child,
  input: string,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, shell: false, ...GROUP_SPAWN_OPTIONS });
    const { pid } = child;
    const group = pid === undefined ? undefined : GROUPS.watch(pid);
    const output: Buffer[] = [];
    let size = 0;
    let words = '';
    let draining: NodeJS.Timeout | undefined;
    const settle = (failure?: Error): void => {
      clearTimeout(late);
      clearTimeout(draining);
      signal.removeEventListener('abort', onAbort);
      for (const stream of [child.stdout, child.stderr]) stream?.destroy();
      if (failure) reject(failure);
      else resolve(Buffer.concat(output).toString('utf8'));
    };
    const stop = (reason: Error): void => {
      settle(reason);
      if (pid === undefined) return;
      signalGroup(pid, 'SIGTERM');
      setTimeout(() => {
        signalGroup(pid, 'SIGKILL');
        group?.release();
      }, GRACE_MS).unref();
    };
    const end = (code: number | null): void =>
      settle(code === 0 ? undefined : exitFailure(code, words));
    const onAbort = (): void => stop(new CallsignError('call-cancelled'));
    const late = setTimeout(() => {
      stop(new ProtocolError('TRANSPORT_TIMEOUT', `It took longer than ${timeoutMs / 1000} s.`));
    }, timeoutMs);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();

    child.on('error', () => {
      const message = 'The program of this adapter cannot be started; check target.command.';
      settle(new ProtocolError('PROTOCOL_INVALID_MAPPING', message));
    });
    // Without descriptors there are no pipes.
    child.stdout?.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= LIMITS.max_response_size) output.push(chunk);
      else stop(tooLarge('response_size', LIMITS.max_response_size, size, 'bytes'));
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      words = (words + chunk.toString()).slice(0, MAX_MESSAGE);
    });
    // A program that does not read its input may close it early.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
    child.on('exit', (code) => {
      draining = setTimeout(() => end(code), DRAIN_MS);
    });
    child.on('close', (code) => {
      group?.release();
      end(code);
    });
  });
}

function exitFailure(code: number | null, words: string): ProtocolError {
  const said =
    words
      .trim()
      .split('\n')[0]
      ?.replace(/\p{Cc}+/gu, ' ') ?? '';
  const message =
    said === '' ? `The program ended with code ${code}.` : `The program says: ${said}`;
  return new ProtocolError('INTERNAL_ERROR', message, { exit_code: code });
}

function parsed(output: string): Executed {
  if (output.trim() === '') return { data: null };
  try {
    return { data: parseExact(output) };
  } catch {
    const message = 'The program printed something that is not JSON; see response.format: text.';
    throw new ProtocolError('SERIALIZATION_PARSE_ERROR', message, {
      preview: output.slice(0, 200),
    });
  }
}
