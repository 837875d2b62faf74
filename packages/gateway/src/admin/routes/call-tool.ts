/** Makes a call for the operator. It runs through the same interceptors as a call of a client. */

import { randomUUID } from 'node:crypto';

import {
  Call,
  CallContext,
  type Caller,
  CallsignError,
  type CallsignErrorCode,
  type Principal,
  type Question,
  type Reply,
  spansIn,
  withNames,
} from '@callsign/core';
import { replyOf } from '@callsign/wire/rpc';

import type { Gateway } from '../../gateway/gateway.js';

/** A call from the command line or from the console. */
export interface ToolCallRequest {
  /** The name as it was typed. */
  readonly name: string;
  /** `server:tool`, used if `name` is a name that only some clients have. */
  readonly canonical: string;
  /** As JSON text. */
  readonly args: string;
  readonly client: Caller['client'];
  /** The names by which the caller knows tools, if they are not those of a view: by our names. */
  readonly knownAs?: Readonly<Record<string, string>>;
  /** Who signed in with an API key. Default: the user who runs the gateway. */
  readonly principal?: Principal | undefined;
  /** Whether a person can answer questions. */
  readonly canAsk: boolean;
  /** Whether the operator approves the call in advance. */
  readonly isApproved: boolean;
}

/** The callbacks to the operator while the call runs. */
export interface ToolCallClient {
  /** Receives the parameters of a progress notification, as JSON text. */
  progress(params: string): void;
  /** Called when the call waits for an approval under this id. */
  waiting(id: string): void;
  ask(question: Question): Promise<Reply>;
}

/** `ok` is false for an error of the protocol, and true for a result with `isError`. */
export interface ToolCallAnswer {
  readonly ok: boolean;
  /** The result or the error, as JSON text. */
  readonly json: string;
  /** The code of our own error, if it is one. */
  readonly code?: CallsignErrorCode;
}

const CANCELLED: Reply = replyOf(new CallsignError('call-cancelled'));

/** `undefined`: no server offers the tool now. */
export async function callTool(
  gateway: Gateway,
  request: ToolCallRequest,
  client: ToolCallClient,
  signal: AbortSignal,
): Promise<ToolCallAnswer | undefined> {
  const view = gateway.viewFor(undefined, request.principal);
  // Prefers the typed name, so that an old name is reported as old.
  const name = view.route('tool', request.name) ? request.name : request.canonical;
  const route = view.route('tool', name) ?? view.denied('tool', name);
  if (!route) return undefined;
  const context = new OperatorContext(client, request);
  signal.addEventListener('abort', () => context.cancel('The user interrupted it.'), {
    once: true,
  });
  try {
    return answerOf(await route.send(callOf(name, request, operatorOf(gateway, request), context)));
  } catch (error) {
    if (!(error instanceof CallsignError)) throw error;
    const { code, message } = error;
    return { ok: false, json: JSON.stringify({ code: -32_000, message, data: { code } }), code };
  }
}

class OperatorContext extends CallContext {
  readonly #client: ToolCallClient;

  constructor(client: ToolCallClient, { canAsk, isApproved }: ToolCallRequest) {
    super();
    this.#client = client;
    this.isApproved = isApproved;
    if (canAsk) this.ask = (question) => this.#ask(question);
  }

  /** The server always gets an answer, even if the operator leaves without one. */
  async #ask(question: Question): Promise<Reply> {
    if (this.isCancelled) return CANCELLED;
    let onCancel!: () => void;
    const cancelled = new Promise<void>((resolve) => {
      onCancel = resolve;
    });
    this.onCancel(onCancel);
    const withdrawn = Promise.race([
      cancelled,
      ...(question.withdrawn ? [question.withdrawn] : []),
    ]);
    const answer = this.#client.ask({ ...question, withdrawn });
    return Promise.race([answer, withdrawn.then(() => CANCELLED)]).finally(() =>
      this.offCancel(onCancel),
    );
  }

  override progress(params: string): void {
    this.#client.progress(params);
  }

  override onWaiting(id: string | undefined): void {
    if (id !== undefined) this.#client.waiting(id);
  }
}

function callOf(
  name: string,
  request: ToolCallRequest,
  caller: Caller,
  context: CallContext,
): Call {
  const token = '"_meta":{"progressToken":0}';
  const params = `{"name":${JSON.stringify(name)},"arguments":${request.args},${token}}`;
  const call = new Call({
    method: 'tools/call',
    params,
    name,
    caller,
    context,
    ...spansIn(params),
  });
  return request.knownAs ? withNames(call, request.knownAs) : call;
}

const operators = new WeakMap<Gateway, Map<string, Caller>>();

/**
 * All calls of an operator belong to one session of the gateway, so that approvals for the session and
 * confirmation tokens of adapters hold from one command to the next.
 */
function operatorOf(gateway: Gateway, request: ToolCallRequest): Caller {
  const { client, canAsk, principal } = request;
  const known = operators.get(gateway) ?? new Map<string, Caller>();
  operators.set(gateway, known);
  const key = JSON.stringify([client.name, client.version, canAsk, principal]);
  const other = [...known.values()].find((one) => one.principal?.name === principal?.name);
  const caller: Caller = known.get(key) ?? {
    id: other?.id ?? randomUUID(),
    era: 'session',
    client,
    ...(principal ? { principal } : {}),
    capabilities: canAsk ? '{"elicitation":{}}' : '{}',
    can: (capability) => canAsk && capability === 'elicitation',
  };
  known.set(key, caller);
  return caller;
}

function answerOf({ ok, json, fault }: Reply): ToolCallAnswer {
  return { ok, json, ...(fault ? { code: fault.code } : {}) };
}
