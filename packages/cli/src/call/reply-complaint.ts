/** Turns a call without a result into an exit code and a message. */

import { isRecord } from '@callsign/config';
import type { CallsignErrorCode } from '@callsign/core';
import type { ToolCallAnswer } from '@callsign/gateway/admin';
import { parseCanonicalName } from '@callsign/naming';

import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';
import type { Complaint } from '../command/stderr.js';
import { notStarted } from '../fleet/not-started.js';
import type { OfferedServer } from '../fleet/offered-server.js';

/** Exit codes for errors of the gateway. All others count as errors of the tool. */
const EXITS: ReadonlyMap<CallsignErrorCode, number> = new Map([
  ['access-denied', EXIT.denied],
  ['account-needed', EXIT.authentication],
  ['credential-needed', EXIT.authentication],
  ['policy-denied', EXIT.denied],
  ['not-approved', EXIT.denied],
  ['not-recorded', EXIT.denied],
  ['upstream-closed', EXIT.unreachable],
  ['upstream-timeout', EXIT.unreachable],
  ['upstream-unavailable', EXIT.unreachable],
  ['upstream-moved', EXIT.unreachable],
  ['call-cancelled', EXIT.interrupted],
]);

/** What to do about some of them. */
const ADVICE: Partial<Readonly<Record<CallsignErrorCode, string>>> = {
  'credential-needed':
    'Run this command on the machine of that instance, or call over HTTP with an API key.',
  'not-approved': 'To approve it in advance: callsign call --yes',
};

export function replyComplaint(tool: string, { json, code }: ToolCallAnswer): Complaint {
  const error: unknown = JSON.parse(json);
  const said = isRecord(error) && typeof error['message'] === 'string' ? error['message'] : json;
  if (!code)
    return { exit: EXIT.toolError, code: 'tool-error', message: `${tool} answered: ${said}` };
  const advice = ADVICE[code];
  const message = advice === undefined ? said : `${said}\n${advice}`;
  return { exit: EXITS.get(code) ?? EXIT.toolError, code, message };
}

/** The failure for a tool that its server offers, but the lock or the quarantine withholds. */
export function withheld(tool: string, server: string, reason: string): Failure {
  const message = `${tool} is withheld: ${reason}.\nTo compare it with the lock file: callsign lock status ${server}`;
  return new Failure({ exit: EXIT.denied, code: 'withheld-tool', message });
}

/** The failure for a tool that its server does not offer now, with why its server is down, if it is. */
export function unavailable(
  tool: string,
  { failure, isGivenUp }: Pick<OfferedServer, 'failure' | 'isGivenUp'> = {},
): Failure {
  const parsed = parseCanonicalName(tool);
  const key = parsed.ok ? parsed.ref.server : tool;
  if (failure !== undefined) return notStarted(key, failure, isGivenUp);
  const message = `Server "${key}" no longer offers ${tool}.\nTo list the current tools: callsign tools --refresh`;
  return new Failure({ exit: EXIT.usage, code: 'unknown-tool', message });
}
