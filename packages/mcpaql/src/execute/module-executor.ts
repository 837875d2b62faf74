/** Runs operations as functions of a module on this machine. */

import { dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

import { CallsignError } from '@callsign/core';

import type { NativeTarget } from '../adapter/adapter-document.js';
import { ProtocolError } from '../protocol/protocol-error.js';
import type { Executor } from '../protocol/executor.js';

/** A function of the module. */
type Native = (
  params: Readonly<Record<string, unknown>>,
  context: { readonly signal: AbortSignal },
) => unknown;

export function createModuleExecutor(
  file: string,
  { module, timeout_ms }: NativeTarget & { readonly module: string },
): Executor {
  const path = resolve(dirname(file), module);
  return async ({ operation, params, signal }) => {
    const { name } = operation.mapsTo as { readonly name: string };
    const limit = new AbortController();
    const late = sleep(timeout_ms, undefined, { signal: limit.signal, ref: false }).then(() => {
      throw new ProtocolError('TRANSPORT_TIMEOUT', `It took longer than ${timeout_ms / 1000} s.`);
    });
    const given = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new CallsignError('call-cancelled')), {
        once: true,
      });
    });
    late.catch(() => undefined);
    try {
      const work = load(path, name).then((found) => {
        // The call may have ended while the module was loading.
        if (signal.aborted || limit.signal.aborted) throw new CallsignError('call-cancelled');
        return call(found, Object.fromEntries(params), signal);
      });
      return { data: (await Promise.race([work, late, given])) ?? null };
    } finally {
      limit.abort();
    }
  };
}

/** The message of a thrown `Error` goes to the caller. Anything else that is thrown is hidden. */
async function call(
  native: Native,
  params: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<unknown> {
  try {
    return await native(params, { signal });
  } catch (error) {
    const message = error instanceof Error ? error.message : 'The function failed.';
    throw new ProtocolError('INTERNAL_ERROR', message.slice(0, 300));
  }
}

async function load(path: string, name: string): Promise<Native> {
  let module: Readonly<Record<string, unknown>>;
  try {
    module = (await import(pathToFileURL(path).href)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    // Without its message, which may name files of this machine.
    const { code, name: kind = 'unknown' } = error as Partial<NodeJS.ErrnoException>;
    throw invalid(
      `The module of this adapter cannot be loaded (${code ?? kind}); check target.module.`,
    );
  }
  const found = Object.hasOwn(module, name) ? module[name] : undefined;
  if (typeof found === 'function') return found as Native;
  throw invalid(`The module of this adapter exports no function '${name}'.`);
}

function invalid(message: string): ProtocolError {
  return new ProtocolError('PROTOCOL_INVALID_MAPPING', message);
}
