/** Starts one server in a sandbox under strace, and reads afterwards what it did. */

import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Entry } from '@callsign/core';
import { callTool } from '@callsign/gateway/admin';
import {
  deedsIn,
  type Deed,
  type Gateway,
  type GatewayConfig,
  limitsOf,
  type SandboxSettings,
  sandboxFault,
  type ServerConfig,
  type Settings,
  type SandboxWatch,
  type StdioServer,
} from '@callsign/gateway/host';

import type { Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure, usageFailure } from '../command/failure.js';
import { SELF, withRunning } from '../fleet/running-gateway.js';

/** A server while it is watched. */
export interface WatchedServer {
  readonly gateway: Gateway;
  /** Why it did not start; `undefined` if it did. */
  readonly failure: string | undefined;
  readonly tools: readonly Entry[];
  /** Calls a tool, and returns when that was, in seconds since 1970, and how it ended. */
  readonly call: (entry: Entry, args: string) => Promise<WatchedCall>;
}

export interface WatchedCall {
  readonly from: number;
  readonly to: number;
  /** Whether the tool answered without an error. */
  readonly isAnswered: boolean;
}

export interface ObservedRun<T> {
  readonly value: T;
  readonly deeds: readonly Deed[];
  readonly version: string | undefined;
}

/** Long enough for what a server does late in its start, or after an answer. */
const SETTLE_MS = 500;
const CALL_MS = 15_000;
/** A server that does more in a moment is not read to the end. */
const MAX_TRACE = 256 * 1024 * 1024;

/** A server that runs on this machine; fails if observing is not possible here. */
export function requireObservable(server: ServerConfig): StdioServer {
  if (server.transport !== 'stdio') {
    throw usageFailure(`Server "${server.key}" is remote: only a local server can be observed.`);
  }
  const fault = sandboxFault(true);
  if (fault === undefined) return server;
  throw new Failure({
    exit: EXIT.usage,
    code: 'cannot-observe',
    message: `${server.key}: ${fault}.`,
  });
}

/** Tools are called without policy, roles and records: nothing that they do in this sandbox reaches anything. */
export async function runObserved<T>(
  context: Context,
  config: GatewayConfig,
  server: StdioServer,
  sandbox: SandboxSettings,
  work: (server: WatchedServer) => Promise<T>,
  watched: Pick<SandboxWatch, 'onHost' | 'privately'> = {},
): Promise<ObservedRun<T>> {
  const folder = mkdtempSync(join(tmpdir(), 'callsign-observed-'));
  const trace = join(folder, 'trace');
  let version: string | undefined;
  try {
    const { policy: _, roles: __, modules: ___, quota: ____, ...others } = config.settings;
    const settings: Settings = {
      ...others,
      tools: { deny: [] },
      lock: 'off',
      quarantine: 'off',
      audit: { ...others.audit, mode: 'off' },
    };
    // strace makes a start slower.
    const own = { ...server.settings, sandbox, view: 'flat' as const, startTimeoutMs: 120_000 };
    const plain = { ...config, unavailable: [], servers: [{ ...server, settings: own }], settings };
    const watch = { trace, ...watched, onVersion: (said: string) => void (version = said) };
    const value = await withRunning(
      context,
      plain,
      async (gateway, signal) => {
        await sleep(SETTLE_MS);
        const [status] = gateway.status();
        const state = status?.state;
        return work({
          gateway,
          failure: state && 'reason' in state ? state.reason : undefined,
          tools: [...gateway.hub.entries('tool').values()],
          call: (entry, args) => watchedCall(gateway, entry, args, signal),
        });
      },
      { isFresh: true, watch },
    );
    const size = statSync(trace, { throwIfNoEntry: false })?.size ?? 0;
    const text = size === 0 || size > MAX_TRACE ? '' : readFileSync(trace, 'latin1');
    return { value, deeds: deedsIn(text, server.cwd ?? context.cwd), version };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a sandbox with these settings limits on this machine. */
export function limitsHere(
  context: Context,
  { command, args, env, cwd = context.cwd, key }: StdioServer,
  settings: SandboxSettings,
): ReturnType<typeof limitsOf> {
  const whole = { command, args, env: { ...(context.env as Record<string, string>), ...env }, cwd };
  return limitsOf(whole, { key, settings, env: context.env });
}

async function watchedCall(
  gateway: Gateway,
  { canonical }: Entry,
  args: string,
  signal: AbortSignal,
): Promise<WatchedCall> {
  const from = Date.now() / 1_000;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]);
  const client = { name: SELF.name, version: SELF.version };
  const request = { name: canonical, canonical, args, client, canAsk: false, isApproved: true };
  const answer = await callTool(
    gateway,
    request,
    {
      progress: () => undefined,
      waiting: () => undefined,
      ask: () => Promise.resolve({ ok: true, json: '{"action":"decline"}' }),
    },
    limit,
  ).catch(() => undefined);
  await sleep(SETTLE_MS);
  const isAnswered = answer?.ok === true && !/"isError":\s*true/.test(answer.json);
  return { from, to: Date.now() / 1_000, isAnswered };
}
