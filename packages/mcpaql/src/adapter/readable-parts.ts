/** Takes the valid parts of a document with faults, so that their meaning can be checked too. */

import { memberOf } from '@callsign/core';
import { type Endpoint, ENDPOINTS } from '@callsign/effects';

import type { AdapterDocument, OperationDocument } from './adapter-document.js';
import { DOCUMENT_FIELDS } from './document-schema.js';
import { OPERATION, OPERATION_FIELDS } from './operation-schema.js';
import { PARAM } from './param-schema.js';

const TRANSPORTS = ['http', 'native', 'mcp'] as const;

/** Operations keep their index in the file. An unreadable one is `undefined`. */
export interface ReadableDocument extends Partial<Omit<AdapterDocument, 'operations'>> {
  /** The transport, even if other parts of the target have faults. */
  readonly transport?: AdapterDocument['target']['transport'];
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
  const transport = transportOf(value);
  return {
    ...(Object.fromEntries(parts) as Partial<AdapterDocument>),
    ...(transport === undefined ? {} : { transport }),
    operations: Object.fromEntries(operations) as ReadableDocument['operations'],
  };
}

/** An operation with a fault in one key is checked by its other keys. */
function readOperation(value: unknown): OperationDocument | undefined {
  const whole = OPERATION.safeParse(value).data;
  if (whole) return whole;
  const maps_to = memberOf(value, 'maps_to');
  if (typeof maps_to !== 'string') return undefined;
  const parts = Object.entries(OPERATION_FIELDS).flatMap(([key, schema]) => {
    const parsed = schema.safeParse(memberOf(value, key));
    return parsed.success && parsed.data !== undefined ? [[key, parsed.data]] : [];
  });
  const fields = Object.fromEntries(parts) as Partial<OperationDocument>;
  return { name: '', ...fields, maps_to, params: readParams(memberOf(value, 'params')) };
}

/** A parameter with a fault counts as declared. Its fault is reported separately. */
function readParams(value: unknown): OperationDocument['params'] {
  if (typeof value !== 'object' || value === null) return {};
  const params = Object.entries(value).map(([name, param]: [string, unknown]) => {
    return [name, PARAM.safeParse(param).data ?? { type: 'string', required: true }];
  });
  return Object.fromEntries(params) as OperationDocument['params'];
}

/** The transport of a target with faults. */
function transportOf(value: unknown): AdapterDocument['target']['transport'] | undefined {
  const written = memberOf(memberOf(value, 'target'), 'transport');
  return TRANSPORTS.find((transport) => transport === written);
}
