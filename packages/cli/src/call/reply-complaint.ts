/** Why a call came back without a result, as an exit code and a sentence. */

import type { CallsignErrorCode, Reply } from '@callsign/core';
import type { Gateway } from '@callsign/gateway';
import { parseCanonicalName } from '@callsign/naming';

import { isRecord } from '@callsign/config';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';
import { notStarted } from '../fleet/not-started.js';
import type { Complaint } from '../command/stderr.js';

/** Our own failures that are not the tool's. */
const EXITS: ReadonlyMap<CallsignErrorCode, number> = new Map([
  ['access-denied', EXIT.denied],
  ['policy-denied', EXIT.denied],
  ['not-approved', EXIT.denied],
  ['not-recorded', EXIT.denied],
  ['upstream-closed', EXIT.unreachable],
  ['upstream-timeout', EXIT.unreachable],
  ['upstream-unavailable', EXIT.unreachable],
  ['call-cancelled', EXIT.interrupted],
]);

export function replyComplaint(tool: string, { json, fault }: Reply): Complaint {
  const error: unknown = JSON.parse(json);
  const message = isRecord(error) && typeof error['message'] === 'string' ? error['message'] : json;
  const exit = (fault && EXITS.get(fault.code)) ?? EXIT.toolError;
  const code = fault?.code ?? 'tool-error';
  return { exit, code, message: fault ? message : `${tool} answered: ${message}` };
}

/** A tool that is remembered, and that its server does not offer now. */
export function unavailable(gateway: Gateway, tool: string): Failure {
  const parsed = parseCanonicalName(tool);
  const key = parsed.ok ? parsed.ref.server : tool;
  const state = gateway.status().find((server) => server.key === key)?.state;
  if (state && 'reason' in state) return notStarted(key, state.reason);
  const message = `Server "${key}" no longer offers ${tool}.\nTo see what there is: callsign tools --refresh`;
  return new Failure({ exit: EXIT.usage, code: 'unknown-tool', message });
}
