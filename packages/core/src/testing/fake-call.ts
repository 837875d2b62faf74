/** Creates calls as a listener does, from the text of their parameters. */

import { Call, type CallOptions, spansIn } from '../call/call.js';
import type { Caller } from '../call/caller.js';
import { memberText } from '../json/json-text.js';
import type { Kind } from '../call/kind.js';
import { type Reply, resultOf, toolErrorOf } from '../call/reply.js';
import type { ModuleContext } from '../source/module.js';
import type { Source } from '../source/source.js';

/** A client that can answer no questions. */
export const CALLER: Caller = {
  id: 'caller',
  era: 'session',
  client: { name: 'test', version: '1' },
  capabilities: '{}',
  can: () => false,
};

/** What a module's `create` gets to make replies. */
export const REPLIES: Pick<ModuleContext, 'result' | 'toolError'> = {
  result: resultOf,
  toolError: toolErrorOf,
};

const METHODS: Readonly<Record<Kind, string>> = {
  tool: 'tools/call',
  prompt: 'prompts/get',
  resource: 'resources/read',
  template: 'completion/complete',
};

/**
 * Finds the name or URI and the progress token in the parameters, as the wire does while it reads
 * them.
 */
export function fakeCall(
  params: string,
  method = 'tools/call',
  options: Pick<CallOptions, 'context'> = {},
): Call {
  const spans = spansIn(params);
  const { nameStart, nameEnd } = spans;
  const name = nameStart === -1 ? '' : (JSON.parse(params.slice(nameStart, nameEnd)) as string);
  return new Call({ method, params, name, ...spans, caller: CALLER, ...options });
}

/** Calls an item by its name; fails if there is no route. */
export function sendTo(source: Source, name: string, kind: Kind = 'tool'): Promise<Reply> {
  const route = source.route(kind, name);
  if (!route) throw new Error(`no route to ${kind} ${name}`);
  const member = kind === 'resource' || kind === 'template' ? 'uri' : 'name';
  return route.send(fakeCall(JSON.stringify({ [member]: name }), METHODS[kind]));
}

/** The names, URIs or URI templates in the definitions of a list, as a client reads them. */
export function listed(source: Source, kind: Kind = 'tool'): unknown[] {
  const member = { tool: 'name', prompt: 'name', resource: 'uri', template: 'uriTemplate' }[kind];
  return source.offer[kind].map(({ json }) => JSON.parse(memberText(json, member) ?? 'null'));
}
