/** Answers calls of the five tools: finds the named operations, one or a batch, and runs them. */

import { CallsignError, memberText, type Call, type Reply } from '@callsign/core';
import type { Endpoint } from '@callsign/effects';

import { INTROSPECT } from '../adapter/reserved-operations.js';
import { introspect } from '../introspect/introspect.js';
import type { CatalogueEntry, OperationCatalogue } from '../introspect/operation-catalogue.js';
import { unknownOperation } from '../introspect/suggest-operations.js';
import { Attachments } from '../protocol/binary-answer.js';
import {
  type Envelope,
  envelopeReply,
  failure,
  success,
  type Warning,
} from '../protocol/envelope.js';
import { checkSize } from '../protocol/limits.js';
import { ProtocolError } from '../protocol/protocol-error.js';
import { type OperationRequest, parseRequest, readParams } from '../protocol/request.js';
import { exposedNames } from './exposed-names.js';

/**
 * The outcome of one operation: our envelope, or a server's reply, which is passed on
 * unchanged.
 */
type Outcome =
  | { readonly kind: 'envelope'; readonly envelope: Envelope }
  | { readonly kind: 'reply'; readonly reply: Reply };

/** Runs one operation. `params` is the JSON text of an object. */
export type Run<E> = (entry: E, params: string, call: Call) => Promise<Outcome>;

/** Answers a call of an endpoint's tool. `notices` are added to the answer. */
export type Dispatch = (
  endpoint: Endpoint,
  call: Call,
  notices?: readonly Warning[],
) => Promise<Reply>;

const SEARCH_ADVICE = 'To search: operation \'introspect\' with params {"search": "keywords"}.';

export function createDispatcher<E extends CatalogueEntry>(
  /** The operations for the caller. */
  catalogue: (call: Call) => OperationCatalogue<E>,
  run: Run<E>,
  /** Answers an operation that the caller does not see. `undefined`: to the caller it is unknown. */
  refuse?: (request: OperationRequest, call: Call) => Promise<Reply> | undefined,
): Dispatch {
  return async function dispatch(endpoint, call, notices = []): Promise<Reply> {
    try {
      const text = call.argumentsJson ?? '{}';
      // Without limits of our own, the server decides what is too large.
      if (catalogue(call).limits) checkSize(text);
      const request = parseRequest(text);
      if (request.kind === 'batch') return await sendBatch(request.items, endpoint, call, notices);
      const outcome = await sendOne(request.item, endpoint, call);
      if (outcome.kind === 'reply') return outcome.reply;
      const { envelope } = outcome;
      if (!envelope.success) return envelopeReply(JSON.stringify(envelope), true);
      const told = success(envelope.data, [...(envelope.warnings ?? []), ...notices]);
      const attachments = new Attachments();
      return envelopeReply(attachments.textOf(told), false, attachments.content);
    } catch (error) {
      // Errors of the gateway, such as a refusal by policy, must reach the client as errors.
      if (error instanceof CallsignError) throw error;
      return envelopeReply(JSON.stringify(failure(error)), true);
    }
  };

  async function sendOne(item: OperationRequest, endpoint: Endpoint, call: Call): Promise<Outcome> {
    const current = catalogue(call);
    const known = { ...current, toolNames: exposedNames(call, current.toolNames, endpoint) };
    if (item.operation === INTROSPECT) {
      const envelope = success(introspect(known, readParams(item.params)));
      return { kind: 'envelope', envelope };
    }
    const refused = known.operations.has(item.operation) ? undefined : refuse?.(item, call);
    if (refused) return { kind: 'reply', reply: await refused };
    return run(find(known, item.operation, endpoint), item.params, call);
  }

  /** Runs operations one after the other. A failure does not stop the rest; a required confirmation does. */
  async function sendBatch(
    items: readonly OperationRequest[],
    endpoint: Endpoint,
    call: Call,
    notices: readonly Warning[],
  ): Promise<Reply> {
    const results: string[] = [];
    const attachments = new Attachments();
    let succeeded = 0;
    let halted: { readonly index: number; readonly text: string } | undefined;
    for (const [index, item] of items.entries()) {
      if (call.context.isStopped) break;
      const outcome = await sendOne(item, endpoint, call).catch(failed);
      const text = `{"index":${index},"operation":${JSON.stringify(item.operation)},"result":${jsonOf(outcome, attachments)}}`;
      if (needsConfirmation(outcome)) {
        halted = { index, text };
        break;
      }
      if (hasSucceeded(outcome)) succeeded++;
      results.push(text);
    }
    const summary = { total: items.length, succeeded, failed: results.length - succeeded };
    const text = batchText(results, summary, halted, items, notices);
    return envelopeReply(text, false, attachments.content);
  }
}

function batchText(
  results: readonly string[],
  summary: object,
  halted: { readonly index: number; readonly text: string } | undefined,
  items: readonly OperationRequest[],
  notices: readonly Warning[],
): string {
  const counted = halted
    ? { ...summary, halted: true, pending: items.length - halted.index }
    : summary;
  const members = [`"results":[${results.join(',')}]`, `"summary":${JSON.stringify(counted)}`];
  if (halted) {
    const pending = items.slice(halted.index).map(({ operation, params }, i) => {
      return `{"index":${halted.index + i},"operation":${JSON.stringify(operation)},"params":${params}}`;
    });
    members.push(`"halted_at":${halted.text}`, `"pending_operations":[${pending.join(',')}]`);
  }
  if (notices.length > 0) members.push(`"warnings":${JSON.stringify(notices)}`);
  return `{"success":true,"data":null,${members.join(',')}}`;
}

function failed(error: unknown): Outcome {
  return { kind: 'envelope', envelope: failure(error) };
}

/** The operation, if it belongs to this endpoint. Throws before anything is sent if it does not. */
function find<E extends CatalogueEntry>(
  { operations, toolNames }: OperationCatalogue<E>,
  operation: string,
  actual: Endpoint,
): E {
  const found = operations.get(operation);
  if (!found) throw unknownOperation(operation, operations.keys(), SEARCH_ADVICE);
  if (found.endpoint === actual) return found;
  throw new ProtocolError(
    'VALIDATION_ENDPOINT_MISMATCH',
    `'${operation}' belongs to ${found.endpoint.toUpperCase()}, not ${actual.toUpperCase()}: call '${toolNames.get(found.endpoint)}' with it.`,
    {
      operation,
      expected_endpoint: found.endpoint,
      actual_endpoint: actual,
      expected_tool: toolNames.get(found.endpoint),
    },
  );
}

function jsonOf(outcome: Outcome, attachments: Attachments): string {
  return outcome.kind === 'reply' ? outcome.reply.json : attachments.textOf(outcome.envelope);
}

function hasSucceeded(outcome: Outcome): boolean {
  if (outcome.kind === 'envelope') return outcome.envelope.success;
  return outcome.reply.ok && memberText(outcome.reply.json, 'isError') !== 'true';
}

function needsConfirmation(outcome: Outcome): boolean {
  if (outcome.kind === 'reply' || outcome.envelope.success) return false;
  return outcome.envelope.error.code === 'CONFIRMATION_REQUIRED';
}
