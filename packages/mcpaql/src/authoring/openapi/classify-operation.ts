/** Decides the endpoint of an HTTP operation, and its danger: by what the document states, else by the judge. */

import { EFFECT_ENDPOINTS, type Endpoint, ENDPOINTS, type Judgement } from '@callsign/effects';

import { assumedDanger, type DangerLevel, isAtLeast, isHarmful } from '../../adapter/danger.js';
import type { HttpMethod } from '../../adapter/maps-to.js';
import { type SpecNode, textOf } from '../spec/spec-node.js';

/** The decision. `because` is part of the import report. */
export interface OperationClass {
  readonly endpoint: Endpoint;
  readonly because: string;
  /** Whether a person should check it. */
  readonly isGuess: boolean;
}

export function classifyOperation(
  { likely = 'runs', certainty, because }: Judgement,
  method: HttpMethod,
  stated?: Endpoint,
): OperationClass {
  if (stated !== undefined && isPossible(stated, method)) {
    return { endpoint: stated, because: 'what the document states', isGuess: false };
  }
  return { endpoint: EFFECT_ENDPOINTS[likely], because, isGuess: certainty !== 'clear' };
}

/** What a document states cannot make a change harmless. */
function isPossible(stated: Endpoint, method: HttpMethod): boolean {
  if (stated === 'read') return method === 'GET';
  return stated !== 'create' || method !== 'DELETE';
}

/** The level for the adapter's file: the worse of words and name. `undefined` for a harmless operation. */
export function dangerOf(
  name: string,
  endpoint: Endpoint,
  { likely, evidence }: Judgement,
): DangerLevel | undefined {
  if (endpoint === 'read' || endpoint === 'create') return undefined;
  const assumed = assumedDanger(name, endpoint);
  if (isAtLeast(assumed, 'destructive')) return assumed;
  const harms = [{ effect: likely, word: '' }, ...evidence].some(isHarmful);
  return harms ? 'destructive' : undefined;
}

/** Actions of operations in Kubernetes documents. */
const KUBERNETES: ReadonlyMap<string, Endpoint> = new Map([
  ['get', 'read'],
  ['list', 'read'],
  ['watch', 'read'],
  ['watchlist', 'read'],
  ['post', 'create'],
  ['put', 'update'],
  ['patch', 'update'],
  ['delete', 'delete'],
  ['deletecollection', 'delete'],
  ['connect', 'execute'],
]);

/** The endpoint that an extension of the document states. */
export function statedEndpoint(operation: SpecNode): Endpoint | undefined {
  const own = textOf(operation, 'x-mcpaql-endpoint')?.toLowerCase();
  const found = ENDPOINTS.find((endpoint) => endpoint === own);
  return found ?? KUBERNETES.get(textOf(operation, 'x-kubernetes-action') ?? '');
}
