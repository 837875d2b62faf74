/** Creates the executor for an adapter's target. */

import type { Source } from '@callsign/core';
import type { Lookup } from '@callsign/outbound';

import type { Adapter } from '../adapter/adapter.js';
import { ProtocolError } from '../protocol/protocol-error.js';
import type { Executor, OwnedExecutor } from '../protocol/executor.js';
import { createHttpExecutor } from './http-executor.js';
import { createCommandExecutor } from './command-executor.js';
import { createModuleExecutor } from './module-executor.js';
import { createToolExecutor } from './tool-executor.js';

/** Values of the machine that an adapter's file must not contain. */
export interface ExecutorOptions {
  /** Where credentials are read from. Default: the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Replaces the address in the adapter. */
  readonly baseUrl?: string;
  /** The folder for binary answers. Default: that of the adapter. */
  readonly downloads?: string;
  /** The MCP server behind an adapter whose transport is `mcp`. */
  readonly upstream?: Source;
  /** Resolves host names. Default: the system does. */
  readonly lookup?: Lookup;
}

/** For targets that keep no connection open. */
const close = async (): Promise<void> => undefined;

export function createExecutor(adapter: Adapter, options: ExecutorOptions): OwnedExecutor {
  const { target } = adapter;
  const env = options.env ?? process.env;
  switch (target.transport) {
    case 'http':
      return createHttpExecutor({ ...adapter, target }, { ...options, env });
    case 'mcp':
      if (options.upstream) return { execute: createToolExecutor(options.upstream), close };
      return { execute: withoutServer(target.server), close };
    case 'native': {
      const { module, command } = target;
      const run = command
        ? createCommandExecutor(adapter.file, { ...target, command }, env)
        : undefined;
      const call =
        module === undefined
          ? undefined
          : createModuleExecutor(adapter.file, { ...target, module });
      return { execute: (execution) => (run ?? call!)(execution), close };
    }
  }
}

function withoutServer(server: string): Executor {
  return () => {
    const message = `The server '${server}' is not available; serve the adapter together with it.`;
    return Promise.reject(new ProtocolError('PROTOCOL_INVALID_MAPPING', message));
  };
}
