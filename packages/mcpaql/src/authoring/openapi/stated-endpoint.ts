/** Reads the endpoint from a known extension of the document, such as `x-kubernetes-action`. */

import { type Endpoint, ENDPOINTS } from '@callsign/effects';

import { type SpecNode, textOf } from '../spec/spec-node.js';

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

export function statedEndpoint(operation: SpecNode): Endpoint | undefined {
  const own = textOf(operation, 'x-mcpaql-endpoint')?.toLowerCase();
  const found = ENDPOINTS.find((endpoint) => endpoint === own);
  return found ?? KUBERNETES.get(textOf(operation, 'x-kubernetes-action') ?? '');
}
