/** A tool behind interceptors in a hub, with a test in place of its server. */

import type { StatedHints } from '@callsign/effects';

import type { Call } from '../call/call.js';
import { CallsignError, type CallsignErrorCode } from '../call/callsign-error.js';
import type { Reply } from '../call/reply.js';
import { Hub } from '../hub/hub.js';
import { changedSource } from '../source/changed-source.js';
import type { Interceptor } from '../source/interceptor.js';
import { fakeCall } from './fake-call.js';
import { fakeSource, type FakeSource } from './fake-source.js';

/** A call that is ready to be sent, and the server behind it. */
export interface Guarded {
  readonly server: FakeSource;
  readonly call: Call;
  /** Sends the call, or another one to the same tool. */
  send(call?: Call): Promise<Reply>;
}

/**
 * `tool` is its name. It states no hints, so its words count where `hints` are unset. `account`: whose account its calls use.
 */
export function guarded(
  interceptors: readonly Interceptor[],
  hints: StatedHints = {},
  tool = 'tool',
  account?: string,
): Guarded {
  const server = fakeSource({ tools: [tool] });
  const hub = new Hub({ interceptors, label: () => ({ override: hints }) });
  const { source } = server;
  hub.set('server', account === undefined ? source : changedSource(source, { account }));
  const call = fakeCall(`{"name":"server:${tool}","_meta":{"progressToken":1}}`);
  return {
    server,
    call,
    send: (other = call) => hub.route('tool', `server:${tool}`)!.send(other),
  };
}

/** The wire's reply to an error of its own. */
export function faultReply(
  code: CallsignErrorCode,
  details: Record<string, string | number> = {},
): Reply {
  const fault = new CallsignError(code, { server: 'server', ...details });
  return { ok: false, json: JSON.stringify({ message: fault.message }), fault };
}
