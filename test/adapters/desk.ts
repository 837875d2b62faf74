/** Calls the tools of a Source as a listener would, and parses the returned envelopes. */

import { Call, type Caller, membersOf, type Reply, type Source } from '@callsign/core';

export interface Envelope {
  readonly success: boolean;
  readonly data?: unknown;
  readonly warnings?: readonly { readonly code: string; readonly message: string }[];
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly details: Readonly<Record<string, unknown>>;
  };
  readonly [member: string]: unknown;
}

export interface Desk {
  readonly source: Source;
  /** The tool whose name is this, or ends in it: `read` is `…_mcpaql_read`. */
  tool(name: string): string;
  /** `args` is a value, or JSON text that must arrive unchanged. */
  ask(tool: string, args: unknown, caller?: Caller): Promise<Envelope>;
  /** The definitions, as a client reads them. */
  list(): Record<string, unknown>[];
}

export const CALLER: Caller = {
  id: 'caller',
  era: 'session',
  client: { name: 'test', version: '1' },
  capabilities: '{}',
  can: () => false,
};

/** A call, with the positions of the name and the progress token in its parameters. */
export function callOf(params: string, caller: Caller = CALLER): Call {
  const members = membersOf(params)!;
  const name = members.get('name')!;
  const meta = members.get('_meta');
  const token = meta && membersOf(params.slice(meta.start, meta.end))?.get('progressToken');
  return new Call({
    method: 'tools/call',
    params,
    name: JSON.parse(params.slice(name.start, name.end)) as string,
    nameStart: name.start,
    nameEnd: name.end,
    tokenStart: token ? meta.start + token.start : -1,
    tokenEnd: token ? meta.start + token.end : -1,
    caller,
  });
}

export function send(source: Source, name: string, args: unknown, caller?: Caller): Promise<Reply> {
  const route = source.route('tool', name);
  if (!route) throw new Error(`no route to ${name}`);
  const text = typeof args === 'string' ? args : JSON.stringify(args);
  return route.send(callOf(`{"name":${JSON.stringify(name)},"arguments":${text}}`, caller));
}

export function deskFor(source: Source): Desk {
  const tool = (name: string): string => {
    const names = source.offer.tool.map((item) => item.name);
    const found =
      names.find((each) => each === name) ?? names.find((each) => each.endsWith(`_${name}`));
    if (found === undefined) throw new Error(`no tool ${name} among ${names.join(', ')}`);
    return found;
  };
  return {
    source,
    tool,
    async ask(name, args, caller) {
      return envelopeIn(await send(source, tool(name), args, caller));
    },
    list: () => source.offer.tool.map(({ json }) => JSON.parse(json) as Record<string, unknown>),
  };
}

export function envelopeIn({ json }: Reply): Envelope {
  const { content } = JSON.parse(json) as { content: { text: string }[] };
  return JSON.parse(content[0]!.text) as Envelope;
}
