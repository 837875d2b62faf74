/** The MCP servers behind adapters with the transport `mcp`, as the configuration runs them. */

import { NOTHING, type Source } from '@callsign/core';
import { Gateway } from '@callsign/gateway/host';
import type { Adapter } from '@callsign/mcpaql';
import { canonicalName } from '@callsign/naming';

import type { Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';
import { unknownServer } from '../config-file/config-text.js';
import { requireConfig } from '../config-file/required-config.js';
import { extendChain } from '../fleet/chain.js';
import { answerLoose } from '../fleet/loose-question.js';
import { SELF } from '../fleet/running-gateway.js';

export interface Upstreams {
  /** The server that an adapter needs; `undefined` where it needs none. */
  of(adapter: Adapter): Source | undefined;
  close(): Promise<void>;
}

const NONE: Upstreams = { of: () => undefined, close: async () => undefined };

/** Resolves when each server has started or failed. Without servers, no configuration is read. */
export async function openUpstreams(
  context: Context,
  adapters: readonly Adapter[],
): Promise<Upstreams> {
  const keys = new Set(adapters.flatMap((adapter) => serverOf(adapter) ?? []));
  if (keys.size === 0) return NONE;
  const config = await requireConfig(context);
  const unknown = [...keys].find((key) => !config.servers.some((server) => server.key === key));
  if (unknown !== undefined) throw unknownServer(unknown, config.servers);
  const chain = extendChain(context.file, context.env);
  if ('wrong' in chain) {
    throw new Failure({ exit: EXIT.config, code: 'nested-in-itself', message: chain.wrong });
  }
  // An adapter maps to the tools themselves, not to the view that clients see.
  const servers = config.servers
    .filter(({ key }) => keys.has(key))
    .map((server) => ({ ...server, settings: { ...server.settings, view: 'flat' as const } }));
  const gateway = new Gateway(
    { ...config, servers },
    {
      self: SELF,
      log: context.stderr.log,
      env: context.env,
      cwd: context.cwd,
      chain: chain.env,
    },
  );
  gateway.answerLoose = (question, server) => answerLoose([], question, server);
  gateway.start(true);
  await gateway.settled();
  return {
    of(adapter) {
      const key = serverOf(adapter);
      return key === undefined ? undefined : serverIn(gateway, key);
    },
    close: () => gateway.stop(),
  };
}

function serverOf({ target }: Adapter): string | undefined {
  return target.transport === 'mcp' ? target.server : undefined;
}

/** One server of a gateway under its own tool names. Calls keep the gateway's interceptors. */
function serverIn({ hub }: Gateway, server: string): Source {
  return {
    offer: NOTHING,
    route: (kind, name) => hub.route(kind, canonicalName({ server, tool: name })),
    subscribe: () => () => undefined,
    tell: () => undefined,
  };
}
