/**
 * The caller of a call that runs on another instance. Its credential goes with the call, and the instance that
 * runs the call checks it again. Nothing is believed because another instance says so.
 */

import { memberText, withMembers, withoutMembers, type Call, type Caller } from '@callsign/core';

/** The member of `_meta`. It never reaches a server or a client. */
const MEMBER = 'callsign.instances/caller';

interface CarriedCaller {
  readonly id: string;
  readonly client: Caller['client'];
  readonly capabilities: string;
  /** As the caller showed it. Unset: it showed none. */
  readonly credential?: string;
}

/** A call that came from another instance, without what was added on its way. */
export interface CarriedCall {
  readonly call: Call;
  readonly caller: CarriedCaller;
}

export function withCaller(call: Call, credential: string | undefined): Call {
  const { id, client, capabilities } = call.caller;
  const shown = credential === undefined ? {} : { credential };
  const carried: CarriedCaller = { id, client, capabilities, ...shown };
  return call.with({ carried: { ...call.carried, [MEMBER]: JSON.stringify(carried) } });
}

/** `undefined` if the call does not say who makes it. */
export function readCaller(call: Call): CarriedCall | undefined {
  const meta = memberText(call.params, '_meta') ?? '{}';
  const text = memberText(meta, MEMBER);
  if (text === undefined) return undefined;
  const rest = withoutMembers(meta, [MEMBER]);
  const params =
    rest === '{}'
      ? withoutMembers(call.params, ['_meta'])
      : withMembers(call.params, { _meta: rest });
  return { call: call.with({ params }), caller: JSON.parse(text) as CarriedCaller };
}
