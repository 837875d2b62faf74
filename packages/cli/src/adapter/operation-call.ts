/** Calling one operation of an adapter, by the tool that it belongs to. */

import { randomUUID } from 'node:crypto';

import type { Parameter } from '@callsign/admin';
import { Call, memberText, type Caller } from '@callsign/core';
import { toolNames, type AdapterSource, type Operation } from '@callsign/mcpaql';

import { isRecord } from '@callsign/config';
import { SELF } from '@callsign/fleet';

/** What an adapter answers, as far as it is read here. */
export interface OperationAnswer {
  /** The whole envelope, as it came. */
  readonly json: string;
  /** Nothing where it worked. */
  readonly error: OperationError | undefined;
}

export interface OperationError {
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Where introspection is at home. */
const INTROSPECT = 'introspect';

export class OperationCaller {
  readonly #source: AdapterSource;
  /** One and the same for all calls: a token is good only for whoever got it. */
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

/** The parameters of an operation, as words of the command line are read by. */
export function parametersOf(operation: Operation | undefined): Parameter[] {
  return Array.from(operation?.params.values() ?? [], (param) => ({
    name: param.name,
    type: param.type,
    isRequired: param.required && param.default === undefined,
    description: param.description ?? '',
    schema: { type: param.type, ...(param.enum ? { enum: param.enum } : {}) },
  }));
}

function answerIn(result: string): OperationAnswer {
  const content: unknown = JSON.parse(memberText(result, 'content') ?? '[]');
  const [block] = Array.isArray(content) ? (content as readonly unknown[]) : [];
  const json = isRecord(block) && typeof block['text'] === 'string' ? block['text'] : '{}';
  const envelope: unknown = JSON.parse(json);
  const error = isRecord(envelope) ? envelope['error'] : undefined;
  if (!isRecord(error)) return { json, error: undefined };
  const { code, message, details } = error;
  return {
    json,
    error: {
      code: String(code),
      message: String(message),
      details: isRecord(details) ? details : {},
    },
  };
}
