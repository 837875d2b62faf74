/** A call that a script makes. It passes everything that a call of its client would pass. */

import {
  Call,
  CallContext,
  CallsignError,
  elementsOf,
  memberText,
  outcomeOfReply,
  type Reply,
  type Route,
  spansIn,
} from '@callsign/core';

import type { CallEnd, SentCall } from '../run/script.js';

export interface InnerCallOptions {
  /** `server:tool`. */
  readonly tool: string;
  readonly route: Pick<Route, 'send'>;
  readonly json: string;
  readonly script: string;
  /** The call of `callsign:run` that waits for the script now. */
  readonly outer: Call;
}

/** Such a call may have taken effect. */
const UNKNOWN = new Set([
  'upstream-closed',
  'upstream-timeout',
  'instance-lost',
  'call-cancelled',
  'internal-error',
  'answer-unreadable',
  'task-end-unknown',
]);
/** Such a call never reached its server. */
const REFUSED = new Set([
  'account-needed',
  'access-denied',
  'policy-denied',
  'not-approved',
  'module-failed',
  'not-recorded',
  'limit-reached',
  'too-many',
  'server-resting',
  'upstream-unavailable',
  'upstream-busy',
  'upstream-moved',
  'approval-lost',
]);

export function sendInner(options: InnerCallOptions): SentCall {
  const { tool, route, json, script, outer } = options;
  const asks = deferred<string | undefined>();
  const answer = deferred<undefined>();
  answer.promise.catch(() => undefined);
  let isSent = false;
  const context = new CallContext();
  context.script = {
    id: script,
    async confirm({ canonical }, argumentsJson) {
      // A module may have changed the arguments: people see what is sent. Of a view they see the call of the view.
      asks.resolve(canonical === tool ? argumentsJson : json);
      await answer.promise;
      isSent = true;
    },
  };
  // A question of the server goes to the user of the client that waits for the script.
  if (outer.context.ask) context.ask = (question) => outer.context.ask!(question);
  const params = `{"name":${JSON.stringify(tool)},"arguments":${json}}`;
  const call = new Call({
    method: 'tools/call',
    params,
    name: tool,
    argumentsJson: json,
    ...spansIn(params),
    caller: outer.caller,
    context,
  });
  const ended = route.send(call).then(endOfReply, (error: unknown) => endOfError(error, isSent));
  void ended.then(() => asks.resolve(undefined));
  return {
    // Nothing tells that a read is on its way to its server. Its answer does.
    asks: asks.promise,
    ended,
    approve: () => answer.resolve(undefined),
    refuse: (reason) => answer.reject(new Error(reason)),
    cancel: () => context.cancel('The script was stopped.'),
  };
}

/** A call that cannot be made. */
export function refusedCall(message: string): SentCall {
  const given = { is: 'error', name: 'Error', message } as const;
  return {
    asks: Promise.resolve(undefined),
    ended: Promise.resolve({ given, is: 'refused' }),
    approve: () => undefined,
    refuse: () => undefined,
    cancel: () => undefined,
  };
}

/** What an outcome says about a call, in a reply or in a record. */
export function kindOfOutcome(outcome: string): CallEnd['is'] {
  if (outcome === 'ok') return 'made';
  if (outcome === 'dry-run' || REFUSED.has(outcome)) return 'refused';
  return UNKNOWN.has(outcome) ? 'unknown' : 'failed';
}

function endOfReply(reply: Reply): CallEnd {
  const outcome = outcomeOfReply(reply);
  const is = kindOfOutcome(outcome);
  if (outcome === 'ok' || outcome === 'dry-run')
    return { given: { is: 'value', json: valueIn(reply.json) }, is };
  const message = reply.ok
    ? textIn(reply.json)
    : String(JSON.parse(memberText(reply.json, 'message') ?? '""'));
  return { given: { is: 'error', name: 'ToolError', message }, is };
}

function endOfError(error: unknown, isSent: boolean): CallEnd {
  const isOurs = error instanceof CallsignError;
  const message = isOurs ? error.message : 'The gateway failed.';
  const isUnknown = isSent && UNKNOWN.has(isOurs ? error.code : 'internal-error');
  return {
    given: { is: 'error', name: 'CallError', message },
    is: isUnknown ? 'unknown' : 'refused',
  };
}

/** Structured content; or else the text, parsed where it is JSON; or else all content. As JSON text. */
function valueIn(json: string): string {
  const structured = memberText(json, 'structuredContent');
  if (structured !== undefined) return structured;
  const content = memberText(json, 'content') ?? 'null';
  const blocks = elementsOf(content);
  const text = blocks?.length === 1 ? memberText(blocks[0]!, 'text') : undefined;
  if (text === undefined) return content;
  const words = JSON.parse(text) as string;
  return isJson(words) ? words : text;
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function textIn(json: string): string {
  const blocks = elementsOf(memberText(json, 'content') ?? '') ?? [];
  const texts = blocks.flatMap((block) => memberText(block, 'text') ?? []);
  return texts.map((text) => JSON.parse(text) as string).join('\n') || 'The tool failed.';
}

interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

function deferred<T>(): Deferred<T> {
  let [resolve, reject]: [Deferred<T>['resolve'], Deferred<T>['reject']] = [
    () => undefined,
    () => undefined,
  ];
  const promise = new Promise<T>((yes, no) => {
    [resolve, reject] = [yes, no];
  });
  return { promise, resolve, reject };
}
