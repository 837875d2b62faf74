/** Of a document with faults, the parts that are right by themselves: their meaning can be checked all the same. */

import { type Endpoint, ENDPOINTS } from '@callsign/annotations';

import type { AdapterDocument, OperationDocument } from './adapter-document.js';
import { DOCUMENT_FIELDS } from './document-schema.js';
import { OPERATION } from './operation-schema.js';

/** Operations keep their places in the file; one that cannot be read leaves a hole. */
export interface ReadableDocument extends Partial<Omit<AdapterDocument, 'operations'>> {
  readonly operations: Readonly<
    Partial<Record<Endpoint, readonly (OperationDocument | undefined)[]>>
  >;
}

export function readableParts(value: unknown): ReadableDocument {
  const parts = Object.entries(DOCUMENT_FIELDS).flatMap(([key, schema]) => {
    const parsed = schema.safeParse(memberOf(value, key));
    return parsed.success ? [[key, parsed.data]] : [];
  });
  const operations = ENDPOINTS.map((endpoint) => {
    const list = memberOf(memberOf(value, 'operations'), endpoint);
    return [endpoint, Array.isArray(list) ? list.map(readOperation) : []];
  });
  return {
    ...(Object.fromEntries(parts) as Partial<AdapterDocument>),
    operations: Object.fromEntries(operations) as ReadableDocument['operations'],
  };
}

function readOperation(value: unknown): OperationDocument | undefined {
  return OPERATION.safeParse(value).data;
}

function memberOf(value: unknown, key: string): unknown {
  const isOwn = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
  return isOwn ? (value as Record<string, unknown>)[key] : undefined;
}
