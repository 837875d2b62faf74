/**
 * Runs one operation of an adapter. The order matters: permission, parameters, confirmation, rate limit,
 * request, selection of fields. A token is consumed and a call is counted only when all checks before passed.
 */

import { isObject, type Call } from '@callsign/core';

import type { Adapter, Operation } from '../adapter/adapter.js';
import { placeholdersOf } from '../adapter/maps-to.js';
import { callVerdict, isAccepted, type TrustLevel, trustNeededFor } from '../adapter/trust.js';
import type { Executed, Executor } from '../protocol/executor.js';
import { acceptedParams } from '../protocol/accepted-params.js';
import { Confirmations } from './confirmations.js';
import { type Envelope, success, type Warning } from '../protocol/envelope.js';
import {
  fieldWarnings,
  FIELDS_PARAM,
  parseFields,
  type Selection,
  selectFields,
} from '../protocol/fields.js';
import { LIMITS, tooLarge } from '../protocol/limits.js';
import { type PagePlan, pageOf, planPage } from '../protocol/paging.js';
import { ProtocolError } from '../protocol/protocol-error.js';
import { RateLimiter } from '../protocol/rate-limiter.js';
import { readParams } from '../protocol/request.js';
import { type Params, validateParams } from '../protocol/validate.js';

/** Rejects with the reason, usually a ProtocolError. */
export type RunOperation = (operation: Operation, params: string, call: Call) => Promise<Envelope>;

export interface RunnerOptions {
  readonly now?: () => number;
}

export function createRunner(
  adapter: Adapter,
  execute: Executor,
  options: RunnerOptions = {},
): RunOperation {
  const confirmations = new Confirmations(options);
  const limiter = new RateLimiter(adapter.rateLimits, options);

  return async function runOperation(operation, text, call) {
    // First, so that an operation that is not allowed reveals nothing about its parameters.
    const verdict = gate(operation, adapter);
    const given = new Map(readParams(text));
    // An operation may have its own parameter of this name.
    const takeOurs = (name: string): unknown =>
      operation.params.has(name) ? undefined : take(given, name);
    const [token, otherToken] = [take(given, '_confirmation'), takeOurs('confirmation_token')];
    const fields = operation.supportsFields ? takeOurs(FIELDS_PARAM.name) : undefined;
    const selection = parseFields(fields, operation);
    const accepted = { operation: operation.name, params: acceptedParams(operation) };
    const params = validateParams(withInput(given, operation), accepted);
    const plan = planPage(operation, params);
    if (verdict === 'confirm') {
      // A stateless caller has no lasting id, so its token is bound only to the parameters.
      const owner = call.caller.era === 'session' ? call.caller.id : '';
      const shown = token ?? otherToken;
      if (shown === undefined) throw confirmations.request(operation, params, owner);
      confirmations.redeem(shown, operation, params, owner);
    }
    limiter.take(operation);
    const executed = await execute({
      operation,
      params: plan?.params ?? params,
      query: plan?.query ?? new Map(),
      signal: signalOf(call),
      call,
    }).catch((error: unknown) => {
      throw honoured(error, limiter);
    });
    const { data, whole } = shaped(operation, executed, plan, selection);
    const cut = isPage(data) ? data.items : data;
    return enveloped(operation, data, plan, fieldWarnings(fields, operation, whole, cut));
  };
}

/** Throws if the adapter's trust does not allow the operation. */
function gate(operation: Operation, { trust, name }: Adapter): 'allow' | 'confirm' {
  const { level } = operation.danger;
  const verdict = callVerdict(operation, trust);
  if (verdict.is !== 'deny') return verdict.is;
  if (verdict.because === 'not-reviewed') {
    throw new ProtocolError(
      'PERMISSION_REVIEW_REQUIRED',
      `'${operation.name}' was imported, and its current definition has not been reviewed. The owner of the adapter '${name}' can review it: callsign adapter review FILE`,
      { operation: operation.name, danger_level: level, trust_level: trust },
    );
  }
  const needed = trustNeededFor(level);
  const reason = isAccepted(trust)
    ? `'${operation.name}' is ${level}, and the adapter '${name}' is only ${trust}.`
    : `The adapter '${name}' is not reviewed, so '${operation.name}' cannot be called.`;
  throw new ProtocolError(
    level === 'forbidden'
      ? 'PERMISSION_DANGER_LEVEL_DENIED'
      : 'PERMISSION_TRUST_LEVEL_INSUFFICIENT',
    `${reason} ${adviceFor(needed, trust)}`,
    {
      operation: operation.name,
      danger_level: level,
      trust_level: trust,
      required_trust_level: needed,
    },
  );
}

/** A review gives an adapter the level `validated`. Only a person writes a higher one. */
function adviceFor(needed: TrustLevel, trust: TrustLevel): string {
  const review = 'The owner of the adapter can review it: callsign adapter review FILE';
  const write = `write trust.level: ${needed} into its file`;
  if (isAccepted(trust)) return `The owner of the adapter can ${write}.`;
  return isAccepted(needed) && needed !== 'validated' ? `${review}, and then ${write}.` : review;
}

/**
 * An update may group the changed fields in `input`. If the operation has no such parameter, the fields are
 * sent to the target one by one. Parameters of the path identify the resource and must not be in `input`.
 */
function withInput(given: Map<string, unknown>, operation: Operation): Params {
  const input = given.get('input');
  if (operation.endpoint !== 'update' || operation.params.has('input')) return given;
  if (!isObject(input)) return given;
  const identifiers = placeholdersOf(operation.mapsTo);
  const inside = identifiers.filter((name) => Object.hasOwn(input, name));
  if (inside.length > 0) {
    const message = `'${inside.join("', '")}' identifies what to update; send it next to 'input', not inside it.`;
    throw new ProtocolError('VALIDATION_UNKNOWN_FIELD', message, { unknown_fields: inside });
  }
  given.delete('input');
  return new Map([...Object.entries(input), ...given]);
}

function shaped(
  operation: Operation,
  executed: Executed,
  plan: PagePlan | undefined,
  selection: Selection,
): { readonly data: unknown; readonly whole: unknown } {
  const page = plan ? pageOf(operation, plan, executed) : undefined;
  if (!isPage(page)) {
    return { data: selectFields(executed.data, selection), whole: executed.data };
  }
  return { data: { ...page, items: selectFields(page.items, selection) }, whole: page.items };
}

function isPage(page: unknown): page is { readonly items: readonly unknown[] } {
  return typeof page === 'object' && page !== null && 'items' in page && Array.isArray(page.items);
}

function enveloped(
  operation: Operation,
  data: unknown,
  plan: PagePlan | undefined,
  more: readonly Warning[],
): Envelope {
  const warnings: Warning[] = [...(plan?.warnings ?? []), ...more];
  if (operation.deprecated !== undefined) {
    const message = `'${operation.name}' is deprecated. ${operation.deprecated}`;
    warnings.push({ code: 'DEPRECATION_WARNING', message });
  }
  const envelope = success(data, warnings);
  const size = Buffer.byteLength(JSON.stringify(envelope));
  if (size > LIMITS.max_response_size) {
    throw tooLarge('response_size', LIMITS.max_response_size, size, 'bytes');
  }
  return envelope;
}

/**
 * If the target asked for a pause, starts it: no call is sent until it is over. Returns the same
 * error.
 */
function honoured(error: unknown, limiter: RateLimiter): unknown {
  if (error instanceof ProtocolError && error.code === 'RATE_LIMIT_EXCEEDED') {
    const seconds = Number(error.details?.['retry_after_seconds']);
    if (seconds > 0) limiter.pause(seconds * 1000);
  }
  return error;
}

/** A signal that aborts when the caller cancels. */
function signalOf(call: Call): AbortSignal {
  const controller = new AbortController();
  if (call.context.isStopped) controller.abort();
  call.context.onCancel(() => controller.abort());
  return controller.signal;
}

function take(given: Map<string, unknown>, name: string): unknown {
  const value = given.get(name);
  given.delete(name);
  return value;
}
