/** MCP's methods onto a view: what both eras have in common. How messages travel is not its matter. */

import { Call, HouseError, memberText, membersOf, type Caller, type Kind } from '@callsign/core';
import type { Ability, Hub, Principal, Reply, Route, View } from '@callsign/core';
import type { AnnouncedClient } from '@callsign/naming';

import { stringAt, type Message } from '../message.js';
import type { Implementation } from '../protocol.js';
import { nameReply, replyOf } from '../rpc-error.js';
import { EVERYTHING } from './greeting.js';

export interface SurfaceOptions {
  readonly hub: Hub;
  /** The view for a client, by what it announces and by who stands behind it. */
  readonly viewFor: (client: AnnouncedClient | undefined, principal?: Principal) => View;
  /** Who stands behind those that are served, where the door asks for credentials. */
  readonly principal?: Principal | undefined;
  readonly self: Implementation;
  readonly instructions?: () => string | undefined;
  /** Resolves when the servers have come up, or have had their time. */
  readonly whenListed: () => Promise<void>;
  /** Whether every server has come up or failed: only then is what we offer all that we will. */
  readonly isSettled: () => boolean;
  /** Told of a call of something that there is not, or not for this caller, before it is refused. */
  readonly onUnknown?: (call: Call) => void;
}

export const LIST_KINDS: ReadonlyMap<string, Kind> = new Map([
  ['tools/list', 'tool'],
  ['prompts/list', 'prompt'],
  ['resources/list', 'resource'],
  ['resources/templates/list', 'template'],
]);

const CALL_KINDS: ReadonlyMap<string, Kind> = new Map([
  ['tools/call', 'tool'],
  ['prompts/get', 'prompt'],
  ['resources/read', 'resource'],
  ['resources/subscribe', 'resource'],
  ['resources/unsubscribe', 'resource'],
]);

const QUOTE = 34;

export function isCall(method: string): boolean {
  return CALL_KINDS.has(method) || method === 'completion/complete';
}

/** A call that can be sent, or the reply that says why not; what is unknown now may come with a server. */
export type Prepared =
  | { readonly call: Call; readonly route: Route }
  | { readonly reply: Reply; readonly unknown?: Call };

/** Finds what a message calls. One look-up; the parameters stay text. */
export function prepareCall(
  message: Message,
  method: string,
  view: View,
  caller: Caller,
): Prepared {
  if (method === 'completion/complete') return prepareCompletion(message, method, view, caller);
  const { params = '{}', tokenStart, tokenEnd } = message;
  const kind = CALL_KINDS.get(method)!;
  const isResource = kind === 'resource';
  const nameStart = isResource ? message.uriStart : message.nameStart;
  const nameEnd = isResource ? message.uriEnd : message.nameEnd;
  if (params.charCodeAt(nameStart) !== QUOTE) {
    return invalid(`${isResource ? 'uri' : 'name'} must be a string`);
  }
  const name = stringAt(params, nameStart, nameEnd);
  const call = new Call({ method, params, name, nameStart, nameEnd, tokenStart, tokenEnd, caller });
  const route = view.route(kind, name);
  return route ? { route, call } : { reply: unknown(kind, name, view), unknown: call };
}

/** The name or URI that a message calls, in its own words; `undefined` if it has none. */
export function calledName(message: Message): string | undefined {
  const { params = '', method = '', nameStart, nameEnd, uriStart, uriEnd } = message;
  const isResource = CALL_KINDS.get(method) === 'resource';
  const start = isResource ? uriStart : nameStart;
  const isText = params.charCodeAt(start) === QUOTE;
  return isText ? stringAt(params, start, isResource ? uriEnd : nameEnd) : undefined;
}

function invalid(reason: string): Prepared {
  return { reply: replyOf(new HouseError('invalid-params', { reason })) };
}

function unknown(kind: Kind, name: string, view: View): Reply {
  if (kind === 'tool' || kind === 'prompt') return nameReply(view.explainUnknown(kind, name));
  return replyOf(new HouseError('resource-not-found', { uri: name }));
}

/** Completions name what they complete inside `ref`. */
function prepareCompletion(message: Message, method: string, view: View, caller: Caller): Prepared {
  const { params = '{}', tokenStart, tokenEnd } = message;
  const ref = membersOf(params)?.get('ref');
  const text = ref && params.slice(ref.start, ref.end);
  const type = text && memberText(text, 'type');
  const kind =
    type === '"ref/prompt"' ? 'prompt' : type === '"ref/resource"' ? 'template' : undefined;
  const range = text && membersOf(text)?.get(kind === 'prompt' ? 'name' : 'uri');
  if (!ref || !kind || !range) return invalid('ref must name a prompt or a resource template');
  const [nameStart, nameEnd] = [ref.start + range.start, ref.start + range.end];
  const name: unknown = JSON.parse(params.slice(nameStart, nameEnd));
  if (typeof name !== 'string') return invalid('ref must name a prompt or a resource template');
  const route =
    view.route(kind, name) ?? (kind === 'template' ? view.route('resource', name) : undefined);
  const call = new Call({ method, params, name, nameStart, nameEnd, tokenStart, tokenEnd, caller });
  return route ? { route, call } : { reply: unknown(kind, name, view), unknown: call };
}

/** What we can really serve. While servers are still coming up it is all that they might bring. */
export function announcedCapabilities({
  hub,
  isSettled,
}: SurfaceOptions): Readonly<Record<string, object>> {
  if (!isSettled()) return EVERYTHING;
  const { abilities, prompt, resource, template } = hub.offer;
  const has = (ability: Ability): boolean => abilities.has(ability);
  const listChanged = true;
  return {
    tools: { listChanged },
    ...(prompt.length > 0 ? { prompts: { listChanged } } : {}),
    ...(resource.length > 0 || template.length > 0
      ? { resources: { listChanged, ...(has('subscribe') ? { subscribe: true } : {}) } }
      : {}),
    ...(has('completions') ? { completions: {} } : {}),
    ...(has('logging') ? { logging: {} } : {}),
  };
}
