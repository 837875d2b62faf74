/** A Source with tools of a server, which answers as the test says and records every call. */

import {
  type Call,
  type Item,
  NOTHING,
  type Reply,
  type Source,
  type SourceEvent,
} from '@callsign/core';

export interface ServerTool {
  readonly name: string;
  readonly [member: string]: unknown;
}

export interface Server {
  readonly source: Source;
  /** The parameters that the server would get, with our progress token `7`. */
  readonly received: readonly string[];
  readonly calls: readonly Call[];
  offer(tools: readonly ServerTool[]): void;
}

export function serverWith(
  tools: readonly ServerTool[],
  answer: (call: Call) => Promise<Reply> | Reply = () => ({ ok: true, json: '{"content":[]}' }),
): Server {
  const itemsOf = (list: readonly ServerTool[]): Item[] =>
    list.map((tool) => ({
      name: tool.name,
      json: JSON.stringify({ inputSchema: { type: 'object' }, ...tool }),
    }));
  const received: string[] = [];
  const calls: Call[] = [];
  const listeners = new Set<(event: SourceEvent) => void>();
  let offer = { ...NOTHING, tool: itemsOf(tools) };
  return {
    received,
    calls,
    offer(list) {
      offer = { ...NOTHING, tool: itemsOf(list) };
      for (const listener of listeners) listener({ type: 'changed', kinds: ['tool'] });
    },
    source: {
      get offer() {
        return offer;
      },
      route(kind, name) {
        const item = offer[kind].find((each) => each.name === name);
        if (!item) return undefined;
        return {
          item,
          async send(call) {
            received.push(call.paramsWith(JSON.stringify(name), '7'));
            calls.push(call);
            return answer(call);
          },
        };
      },
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      tell: () => undefined,
    } satisfies Source,
  };
}
