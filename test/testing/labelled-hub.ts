/** A hub over one server in memory that has a tool of each risk, behind the interceptors under test. */

import { Call, Hub, NOTHING, resultOf, type Caller, type Interceptor } from '@callsign/core';
import type { Item, Reply, Source } from '@callsign/core';

const TOOLS: readonly Item[] = [
  tool('read_file', { readOnlyHint: true }),
  tool('write_file', { readOnlyHint: false, destructiveHint: false }),
  tool('delete_file', { readOnlyHint: false, destructiveHint: true }),
  // Its label `read` follows from its words alone.
  tool('list_files', {}),
];

export const CALLER: Caller = {
  id: 'session-1',
  era: 'session',
  client: { name: 'test', version: '1' },
  capabilities: '{}',
  can: () => false,
};

export interface LabelledHub {
  readonly hub: Hub;
  /** The names of the calls that reached the server, in order. */
  readonly reached: string[];
  call(tool: string, args?: object, caller?: Caller): Promise<Reply>;
}

export interface LabelledHubOptions {
  readonly interceptors: readonly Interceptor[];
  /** The key of the server. */
  readonly key?: string;
  /** How the server answers. */
  readonly answer?: (call: Call) => Reply | Promise<Reply>;
}

export function labelledHub({
  interceptors,
  key = 'fs',
  answer = () => resultOf({ content: [] }),
}: LabelledHubOptions): LabelledHub {
  const reached: string[] = [];
  const source: Source = {
    offer: { ...NOTHING, tool: TOOLS },
    route(kind, name) {
      const item = kind === 'tool' ? TOOLS.find((each) => each.name === name) : undefined;
      if (!item) return undefined;
      return {
        item,
        async send(call) {
          reached.push(name);
          return answer(call);
        },
      };
    },
    subscribe: () => () => undefined,
    tell: () => undefined,
  };
  const hub = new Hub({ interceptors, label: () => ({ trust: 'full' }) });
  hub.set(key, source);
  return {
    hub,
    reached,
    call(name, args, caller = CALLER) {
      const route = hub.route('tool', `${key}:${name}`);
      if (!route) throw new Error(`there is no ${key}:${name}`);
      return route.send(callOf(`${key}__${name}`, args, caller));
    },
  };
}

/** A call as a listener makes it. */
export function callOf(name: string, args?: object, caller: Caller = CALLER): Call {
  const quoted = JSON.stringify(name);
  const rest = args === undefined ? '' : `,"arguments":${JSON.stringify(args)}`;
  return new Call({
    method: 'tools/call',
    params: `{"name":${quoted}${rest}}`,
    name,
    nameStart: 8,
    nameEnd: 8 + quoted.length,
    tokenStart: -1,
    tokenEnd: -1,
    caller,
  });
}

function tool(name: string, annotations: object): Item {
  const inputSchema = { type: 'object', properties: { pin: { type: 'string', writeOnly: true } } };
  return { name, json: JSON.stringify({ name, inputSchema, annotations }) };
}
