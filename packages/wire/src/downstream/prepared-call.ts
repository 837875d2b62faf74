/** Maps MCP methods to a source, for both eras. Independent of the transport. */

import {
  Call,
  type CallContext,
  type Caller,
  CallsignError,
  type Era,
  hasOnce,
  isKnownMethod,
  KINDS,
  type Kind,
  membersOf,
  memberText,
  namesResource,
  type Reply,
  type Route,
  type Slices,
  type Source,
} from '@callsign/core';
import { toolNotFound } from '@callsign/naming';

import { foundWhileStarting, type Starting } from '../extensions/request/while-starting.js';
import { prepareSkills } from '../extensions/skills/prepare-skills.js';
import { Tasks } from '../extensions/tasks/tasks.js';
import { stringAt, type Message } from '../rpc/message/message.js';
import { errorJson, INVALID_REQUEST, nameReply, replyOf } from '../rpc/message/rpc-error.js';
import { inSlices } from '../rpc/stream/in-slices.js';
import type { ServedSource } from './served-source.js';

/** The kind of item that a call names, by method. */
const CALL_KINDS: ReadonlyMap<string, Kind> = new Map([
  ['tools/call', 'tool'],
  ['prompts/get', 'prompt'],
  ['resources/read', 'resource'],
  ['resources/subscribe', 'resource'],
  ['resources/unsubscribe', 'resource'],
]);

export const LIST_KINDS: ReadonlyMap<string, Kind> = new Map([
  ['tools/list', 'tool'],
  ['prompts/list', 'prompt'],
  ['resources/list', 'resource'],
  ['resources/templates/list', 'template'],
]);

const QUOTE = 34;
const OPEN_BRACE = 123;

/** Whether a method is handled as a call to a server. Lists and notifications are not. */
export function isCall(method: string, era: Era): boolean {
  if (CALL_KINDS.has(method) || method === 'completion/complete') return true;
  // A session of another instance carries calls of both eras.
  const isOfTask = Tasks.has(method, era) || (era === 'session' && Tasks.has(method, 'stateless'));
  return isOfTask || namesResource(method) || !isKnownMethod(method);
}

/** Stateless clients subscribe with another request. These two belong to the session era. */
export function isStatelessCall(method: string): boolean {
  return (
    isCall(method, 'stateless') &&
    method !== 'resources/subscribe' &&
    method !== 'resources/unsubscribe'
  );
}

/** A call to send, or the error reply. `unknown`: the name may belong to a starting server. */
export type Prepared =
  | { readonly call: Call; readonly route: Route }
  | { readonly reply: Reply | Promise<Reply>; readonly unknown?: Call };

/** Finds the target of a message with one look-up. The parameters stay text. */
export function prepareCall(
  message: Message,
  method: string,
  view: Source,
  client: Caller,
  context?: CallContext,
  served?: ServedSource,
): Prepared {
  const { params = '{}', tokenStart, tokenEnd } = message;
  const caller = served?.callerOf?.(client, params) ?? client;
  if (method === 'completion/complete') {
    return prepareCompletion(message, method, view, caller, context);
  }
  if (served && Tasks.has(method, caller.era))
    return served.tasks.prepare({ method, params, view, caller, context, starting: served });
  if (served && Tasks.has(method, 'stateless'))
    return { reply: replyOf(new CallsignError('method-not-found', { method })) };
  if (served && method === 'skills/list')
    return prepareSkills(
      { method, params, view, caller, context, starting: served },
      served.whenListed,
    );
  const kind = CALL_KINDS.get(method) ?? namedKind(message, view);
  if (kind === undefined) return unknownMethod(message, method, caller, context);
  // A policy judges one item, and the server might use the other one.
  const namesTwo = message.uriStart !== -1 && message.nameStart !== -1;
  if (namesTwo && !isKnownMethod(method)) return invalid('name one item, with name or with uri');
  const isResource = kind === 'resource';
  const nameStart = isResource ? message.uriStart : message.nameStart;
  const nameEnd = isResource ? message.uriEnd : message.nameEnd;
  if (params.charCodeAt(nameStart) !== QUOTE) {
    return invalid(`${isResource ? 'uri' : 'name'} must be a string`);
  }
  const { argumentsStart, argumentsEnd, answersStart, answersEnd } = message;
  const hasArguments = argumentsStart !== -1;
  if (!isResource && hasArguments && params.charCodeAt(argumentsStart) !== OPEN_BRACE) {
    return invalid('arguments must be an object');
  }
  const name = stringAt(params, nameStart, nameEnd);
  // A rule about a tool's label says nothing about a method that the label does not describe.
  const route =
    view.route(kind, name) ?? (isKnownMethod(method) ? view.denied?.(kind, name) : undefined);
  const target = route?.target;
  const call = new Call({
    method,
    params,
    name,
    nameStart,
    nameEnd,
    tokenStart,
    tokenEnd,
    argumentsJson: hasArguments ? params.slice(argumentsStart, argumentsEnd) : undefined,
    answersJson: answersStart === -1 ? undefined : params.slice(answersStart, answersEnd),
    caller,
    target,
    context,
  });
  return route ? { route, call } : unknown(kind, view, call);
}

/** The kind of item that an unknown method names; `undefined` if the caller sees no such item. */
function namedKind(message: Message, view: Source): Kind | undefined {
  const { params = '', nameStart, nameEnd, uriStart, uriEnd } = message;
  if (params.charCodeAt(uriStart) === QUOTE)
    return view.route('resource', stringAt(params, uriStart, uriEnd)) ? 'resource' : undefined;
  if (params.charCodeAt(nameStart) !== QUOTE) return undefined;
  const name = stringAt(params, nameStart, nameEnd);
  return (['tool', 'prompt'] as const).find((kind) => view.route(kind, name));
}

/** The item that it names, if any, may belong to a starting server. */
function unknownMethod(
  { params = '{}', nameStart, nameEnd, uriStart, uriEnd, tokenStart, tokenEnd }: Message,
  method: string,
  caller: Caller,
  context: CallContext | undefined,
): Prepared {
  const isUri = params.charCodeAt(uriStart) === QUOTE;
  const [start, end] = isUri ? [uriStart, uriEnd] : [nameStart, nameEnd];
  const name = params.charCodeAt(start) === QUOTE ? stringAt(params, start, end) : undefined;
  const error =
    name !== undefined && isUri && namesResource(method)
      ? new CallsignError('resource-not-found', { uri: name })
      : new CallsignError('method-not-found', { method });
  const reply = replyOf(error);
  if (name === undefined) return { reply };
  const spans = { nameStart: start, nameEnd: end, tokenStart, tokenEnd };
  const call = new Call({ method, params, name, ...spans, caller, ...(context && { context }) });
  return { reply, unknown: call };
}

/** The name or URI in a message; `undefined` if it has none. */
export function calledName(message: Message): string | undefined {
  const { params = '', method = '', nameStart, nameEnd, uriStart, uriEnd } = message;
  const isResource = CALL_KINDS.get(method) === 'resource';
  const start = isResource ? uriStart : nameStart;
  const isText = params.charCodeAt(start) === QUOTE;
  return isText ? stringAt(params, start, isResource ? uriEnd : nameEnd) : undefined;
}

export function idInUse(): Reply {
  return { ok: false, json: errorJson(INVALID_REQUEST, 'The request id is already in use.') };
}

function invalid(reason: string): Prepared {
  return { reply: replyOf(new CallsignError('invalid-params', { reason })) };
}

function unknown(kind: Kind, view: Source, call: Call): Prepared {
  const { name } = call;
  if (kind === 'resource' || kind === 'template') {
    const reply = replyOf(new CallsignError('resource-not-found', { uri: name }));
    return { reply, unknown: call };
  }
  return {
    // Only when needed: while servers start, the name is looked up many times.
    get reply() {
      const unavailable = view.explainUnavailable?.(kind, name);
      return unavailable ? replyOf(unavailable) : explained(kind, name, view);
    },
    unknown: call,
  };
}

/** In slices: it compares the name with those of all tools. */
async function explained(kind: 'tool' | 'prompt', name: string, view: Source): Promise<Reply> {
  const work = view.explainUnknown?.(kind, name);
  return nameReply(work ? await inSlices(work) : toolNotFound(name));
}

/** A completion names its target inside `ref`. */
function prepareCompletion(
  message: Message,
  method: string,
  view: Source,
  caller: Caller,
  context: CallContext | undefined,
): Prepared {
  const { params = '{}', tokenStart, tokenEnd } = message;
  const members = membersOf(params);
  const ref = members?.get('ref');
  const argument = members?.get('argument');
  if (!argument || params.charCodeAt(argument.start) !== OPEN_BRACE) {
    return invalid('argument must be an object with a name and a value');
  }
  const text = ref && params.slice(ref.start, ref.end);
  const type = text && memberText(text, 'type');
  const kind =
    type === '"ref/prompt"' ? 'prompt' : type === '"ref/resource"' ? 'template' : undefined;
  const range = text && membersOf(text)?.get(kind === 'prompt' ? 'name' : 'uri');
  const isClear =
    text &&
    hasOnce(params, 'ref') &&
    ['type', kind === 'prompt' ? 'name' : 'uri'].every((key) => hasOnce(text, key));
  if (!ref || !kind || !range || !isClear)
    return invalid('ref must name one prompt or one resource template');
  const [nameStart, nameEnd] = [ref.start + range.start, ref.start + range.end];
  const name: unknown = JSON.parse(params.slice(nameStart, nameEnd));
  if (typeof name !== 'string') return invalid('ref must name a prompt or a resource template');
  const route =
    view.route(kind, name) ??
    (kind === 'template' ? view.route('resource', name) : undefined) ??
    view.denied?.(kind, name);
  const spans = { nameStart, nameEnd, tokenStart, tokenEnd };
  const target = route?.target;
  const call = new Call({
    method,
    params,
    name,
    ...spans,
    caller,
    target,
    ...(context ? { context } : {}),
  });
  return route ? { route, call } : unknown(kind, view, call);
}

/** The client's progress token as JSON text, if it sent one. */
export function tokenOf({ params, tokenStart, tokenEnd }: Message): string | undefined {
  return tokenStart === -1 ? undefined : params!.slice(tokenStart, tokenEnd);
}

/** Views whose names are being rendered. */
const rendering = new WeakMap<Source, Promise<void>>();

/**
 * Renders the names of a view in slices before a call needs them, once for all callers. Resolves when a
 * call of this method can be routed at once. `undefined`: it can be now.
 */
export function namesReady(view: Source, method: string | undefined): Promise<void> | undefined {
  const kind = CALL_KINDS.get(method ?? '');
  const work = kind && view.prepareNames?.(kind);
  if (!work) return undefined;
  const known = rendering.get(view);
  if (known) return known;
  const naming = render(view, work);
  rendering.set(view, naming);
  return naming;
}

/** Never rejects: a call that cannot be routed gets its own error. */
async function render(view: Source, work: Slices<void>): Promise<void> {
  try {
    await inSlices(work);
  } catch {
    // The names are rendered once more, for the call.
  } finally {
    rendering.delete(view);
  }
}

const CANCELLED = 'cancelled';

/** A call to an unknown name while servers start. */
export interface LateTarget {
  readonly served: Starting;
  /** The view of the caller. It may change while the call waits. */
  readonly view: () => Source;
  /** Looks the name up again. */
  readonly prepare: () => Prepared;
  /** Returns false if the call was cancelled. */
  readonly isWanted: () => boolean;
}

/**
 * Resolves when the name is known or all servers have started or failed. `undefined`: cancelled.
 */
export async function foundLater(target: LateTarget): Promise<Prepared | undefined> {
  const { served, view, prepare, isWanted } = target;
  const found = await foundWhileStarting(view, served, () => {
    const prepared = isWanted() ? prepare() : CANCELLED;
    return prepared === CANCELLED || 'call' in prepared ? prepared : undefined;
  });
  if (found === CANCELLED || !isWanted()) return undefined;
  return found ?? prepare();
}

/**
 * The call with its target, if its name belongs to an item that the caller may not see. For the record of
 * a refused call: the caller must not learn of it.
 */
export async function withHidden(call: Call, view: Source): Promise<Call> {
  for (const kind of kindsOf(call.method)) {
    const work = view.hidden?.(kind, call.name);
    const target = work && (await inSlices(work));
    if (target) return call.with({ target });
  }
  return call;
}

/** The method of a completion, or of an unknown extension, does not say what it names. */
function kindsOf(method: string): readonly Kind[] {
  const kind = CALL_KINDS.get(method);
  return kind === undefined ? KINDS : [kind];
}
