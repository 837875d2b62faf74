/** Calls the operations of an adapter that are proven to read, and reports what the API answers. */

import type { Adapter, Operation, Param } from '../../adapter/adapter.js';
import { callVerdict } from '../../adapter/trust.js';
import type { Envelope, Failure } from '../../protocol/envelope.js';
import { shapeDifferences } from './answer-shape.js';

export interface TriedOperation {
  readonly operation: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** What went wrong, or why it was not called. */
  readonly detail?: string;
  /** `ok`, or the code of the error. */
  readonly status?: string;
  readonly httpStatus?: number;
  /** Whether the answer has the declared type. `undeclared`: the adapter names none. */
  readonly shape?: 'fits' | 'differs' | 'undeclared';
  readonly milliseconds?: number;
}

/** Values of parameters by operation. Those under `*` are for every operation that has them. */
export type GivenParams = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface TryOptions {
  readonly given?: GivenParams;
  /** Only these operations. */
  readonly only?: readonly string[];
  readonly call: (operation: string, params: object) => Promise<Envelope>;
  readonly report?: (tried: TriedOperation) => void;
}

/** One operation after the other, so that no limit of the API is reached sooner than by a person. */
export async function tryReads(
  adapter: Adapter,
  { given = {}, only = [], call, report = () => {} }: TryOptions,
): Promise<TriedOperation[]> {
  const tried: TriedOperation[] = [];
  for (const operation of adapter.operations.values()) {
    if (only.length > 0 && !only.includes(operation.name)) continue;
    const one = await tryOne(operation, adapter, given, call);
    tried.push(one);
    report(one);
  }
  return tried;
}

async function tryOne(
  operation: Operation,
  adapter: Adapter,
  given: GivenParams,
  call: TryOptions['call'],
): Promise<TriedOperation> {
  const { name } = operation;
  const reason = reasonToSkip(operation, adapter);
  if (reason !== undefined) return { operation: name, outcome: 'skipped', detail: reason };
  const { params, missing, isGiven } = paramsFor(operation, given);
  if (missing.length > 0) {
    const detail = `No value for ${missing.join(', ')}; give one with --params.`;
    return { operation: name, outcome: 'skipped', detail };
  }
  const start = performance.now();
  const envelope = await call(
    name,
    operation.supportsFields ? { fields: 'full', ...params } : params,
  );
  const milliseconds = Math.round(performance.now() - start);
  if (!envelope.success) return { ...failed(name, envelope, isGiven), milliseconds };
  const differences = shapeDifferences(envelope.data, operation, adapter);
  const shape = !differences ? 'undeclared' : differences.length === 0 ? 'fits' : 'differs';
  const isFine = shape !== 'differs';
  return {
    operation: name,
    outcome: isFine ? 'passed' : 'failed',
    status: 'ok',
    shape,
    milliseconds,
    ...(isFine ? {} : { detail: `${differences!.join('; ')}.` }),
  };
}

function reasonToSkip(operation: Operation, { trust }: Adapter): string | undefined {
  if (operation.endpoint !== 'read' || !operation.isProvenRead) {
    return operation.endpoint === 'read' ? 'It is not proven to read.' : 'It does not only read.';
  }
  const verdict = callVerdict(operation, trust).is;
  if (verdict === 'deny') return `The adapter is only ${trust}.`;
  return verdict === 'confirm' ? 'It asks for a confirmation.' : undefined;
}

/** The values of a person count first, then those of the adapter's first example. */
function paramsFor(
  { name, params: declared, examples: [example] }: Operation,
  given: GivenParams,
): { params: Record<string, unknown>; missing: string[]; isGiven: boolean } {
  const everywhere = Object.entries(given['*'] ?? {}).filter(([key]) => declared.has(key));
  const own = { ...Object.fromEntries(everywhere), ...given[name] };
  const required = [...declared.values()].filter(isNeeded);
  const found = required.flatMap((param): [string, unknown][] => {
    const value = example?.params[param.name] ?? param.enum?.[0];
    return value === undefined ? [] : [[param.name, value]];
  });
  const params = { ...Object.fromEntries(found), ...own };
  const missing = required.filter((param) => !Object.hasOwn(params, param.name));
  const isGiven = required.every((param) => Object.hasOwn(own, param.name));
  return { params, missing: missing.map((param) => param.name), isGiven };
}

function isNeeded({ required, default: standard }: Param): boolean {
  return required && standard === undefined;
}

/** An example may name a thing that this account does not have. That says nothing about the adapter. */
function failed(name: string, { error }: Failure, isGiven: boolean): TriedOperation {
  const { code, message, details = {} } = error;
  const { http_status } = details;
  const status = {
    operation: name,
    status: code,
    ...(typeof http_status === 'number' ? { httpStatus: http_status } : {}),
  };
  if (code === 'NOT_FOUND_RESOURCE' && !isGiven) {
    const detail =
      'The API has nothing under the values of the example; give others with --params.';
    return { ...status, outcome: 'skipped', detail };
  }
  const isUntried = code === 'PERMISSION_REVIEW_REQUIRED' || code === 'RATE_LIMIT_EXCEEDED';
  return { ...status, outcome: isUntried ? 'skipped' : 'failed', detail: message };
}
