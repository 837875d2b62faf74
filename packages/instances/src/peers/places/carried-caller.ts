/**
 * Writes the caller of a call into the call, and reads it, when the server runs on another instance. It is sealed, since
 * the rest of the call comes from a client. The caller's credential is not part of it.
 */

import {
  type Call,
  type Caller,
  membersOf,
  memberText,
  withMembers,
  withoutMembers,
} from '@callsign/core';
import type { StatedCaller } from '@callsign/wire';
import { META } from '@callsign/wire/rpc';

import type { CallerSeal } from '../keys/caller-seal.js';

/** Members of `_meta` between instances. Neither servers nor clients ever get them. */
const CALLER = 'callsign.instances/caller';
const ENVELOPE = 'callsign.instances/envelope';
/**
 * Members by which a stateless request describes its client. Between instances there are only
 * sessions.
 */
const ENVELOPE_KEYS: readonly string[] = Object.values(META);

export interface CarriedCaller extends Pick<Caller, 'id' | 'era' | 'client' | 'capabilities'> {
  /** Who it is. Missing if it has shown no credential. */
  readonly stated?: StatedCaller;
}

/** How an instance reads what another one has sealed for it. */
export type OpenCaller = Pick<CallerSeal, 'open'>;

/** A call from another instance, without the members that were added for the way. */
export interface CarriedCall {
  readonly call: Call;
  readonly caller: CarriedCaller;
}

/** The call with its caller in it. `seal`: for the instance that runs the call. */
export function withCaller(
  call: Call,
  stated: StatedCaller | undefined,
  seal: (caller: CarriedCaller) => string,
): Call {
  const { id, era, client, capabilities } = call.caller;
  const sealed = seal({ id, era, client, capabilities, ...(stated ? { stated } : {}) });
  return call.with({ carried: { ...call.carried, [CALLER]: JSON.stringify(sealed) } });
}

/**
 * Hides the members of a stateless request, so that the other instance does not take it for one.
 */
export function packEnvelope(params: string): string {
  const meta = memberText(params, '_meta') ?? '{}';
  const members = membersOf(meta);
  const keys = ENVELOPE_KEYS.filter((key) => members?.has(key));
  if (keys.length === 0) return params;
  const packed = keys.map((key) => {
    const { start, end } = members!.get(key)!;
    return `${JSON.stringify(key)}:${meta.slice(start, end)}`;
  });
  const rest = withoutMembers(meta, keys, members);
  // Encoded: the listener searches the text of a message for these keys.
  const envelope = Buffer.from(`{${packed.join(',')}}`).toString('base64url');
  return withMembers(params, { _meta: withMembers(rest, { [ENVELOPE]: `"${envelope}"` }) });
}

/**
 * The inverse of `withCaller` and `packEnvelope`. `undefined`: no instance has named the caller of this call.
 */
export function readCaller(call: Call, seal: OpenCaller): CarriedCall | undefined {
  const caller = callerIn(call.params, seal);
  if (caller === undefined) return undefined;
  const meta = memberText(call.params, '_meta') ?? '{}';
  const encoded = memberText(meta, ENVELOPE)?.slice(1, -1) ?? '';
  const envelope = Buffer.from(encoded, 'base64url').toString() || '{}';
  const packed = Array.from(membersOf(envelope) ?? [], ([key, { start, end }]) => {
    return [key, envelope.slice(start, end)] as const;
  });
  const rest = withMembers(withoutMembers(meta, [CALLER, ENVELOPE]), Object.fromEntries(packed));
  const params =
    rest === '{}'
      ? withoutMembers(call.params, ['_meta'])
      : withMembers(call.params, { _meta: rest });
  return { call: call.with({ params }), caller };
}

/** The caller that parameters carry. */
export function callerIn(params: string, seal: OpenCaller): CarriedCaller | undefined {
  const text = memberText(memberText(params, '_meta') ?? '{}', CALLER);
  return text?.startsWith('"') ? seal.open<CarriedCaller>(text.slice(1, -1)) : undefined;
}
