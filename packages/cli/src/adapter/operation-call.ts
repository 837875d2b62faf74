/** Calls one operation of an adapter through the tool that it belongs to. */

import { randomUUID } from 'node:crypto';

import { Call, type Caller } from '@callsign/core';
import type { ParameterData } from '@callsign/gateway/admin';
import {
  type AdapterSource,
  type Operation,
  readEnvelope,
  toolNames,
  type ToolResult,
} from '@callsign/mcpaql';

import { SELF } from '../fleet/running-gateway.js';

/** The parts of an adapter's answer that are read here. */
export interface OperationAnswer {
  /** The whole envelope, unchanged. */
  readonly json: string;
  /** Missing if it succeeded. */
  readonly error: OperationError | undefined;
}

export interface OperationError {
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The endpoint of introspection. */
const INTROSPECT = 'introspect';

export class OperationCaller {
  readonly #source: AdapterSource;
  /** One caller for all calls: a confirmation token works only for the caller that got it. */
  readonly #caller: Caller = {
    id: randomUUID(),
    era: 'session',
    client: { name: SELF.name, version: SELF.version },
    capabilities: '{}',
    can: () => false,
  };

  constructor(source: AdapterSource) {
    this.#source = source;
  }

  /** `params` is an object as JSON text. */
  async call(operation: string, params: string, signal: AbortSignal): Promise<OperationAnswer> {
    const { adapter } = this.#source;
    const endpoint = adapter.operations.get(operation)?.endpoint ?? 'read';
    const name = toolNames(adapter).get(endpoint)!;
    const route = this.#source.route('tool', name)!;
    const call = this.#callOf(
      name,
      `{"operation":${JSON.stringify(operation)},"params":${params}}`,
    );
    signal.addEventListener('abort', () => call.context.cancel('The user interrupted it.'), {
      once: true,
    });
    return answerIn((await route.send(call)).json);
  }

  #callOf(name: string, args: string): Call {
    const nameJson = JSON.stringify(name);
    const nameStart = '{"name":'.length;
    return new Call({
      method: 'tools/call',
      params: `{"name":${nameJson},"arguments":${args}}`,
      name,
      nameStart,
      nameEnd: nameStart + nameJson.length,
      tokenStart: -1,
      tokenEnd: -1,
      caller: this.#caller,
    });
  }
}

/** The names that can be called. */
export function operationNames({ adapter }: AdapterSource): string[] {
  return [INTROSPECT, ...adapter.operations.keys()];
}

/** The parameters of an operation, for reading words of the command line. */
export function parametersOf(operation: Operation | undefined): ParameterData[] {
  return Array.from(operation?.params.values() ?? [], (param) => ({
    name: param.name,
    type: param.type,
    isRequired: param.required && param.default === undefined,
    description: param.description ?? '',
    schema: {
      // Text for these is read as JSON if it is JSON.
      ...(param.type === 'any' || param.type === 'union' ? {} : { type: param.type }),
      ...(param.enum ? { enum: param.enum } : {}),
    },
  }));
}

function answerIn(result: string): OperationAnswer {
  const envelope = readEnvelope(JSON.parse(result) as ToolResult);
  const json = JSON.stringify(envelope);
  if (envelope.success) return { json, error: undefined };
  const { code, message, details = {} } = envelope.error;
  return { json, error: { code, message, details } };
}
