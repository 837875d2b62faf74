/** The body of an HTTP request, in the format of its operation. */

import { randomUUID } from 'node:crypto';

import type { Operation, Param } from '../adapter/adapter.js';
import { exactJson } from '../protocol/exact-json.js';
import { pairsOf } from './param-text.js';
import { readUpload, type UploadFolders } from './upload-file.js';

export interface RequestBody {
  readonly body: string | Uint8Array | undefined;
  readonly contentType: string | undefined;
}

/** A value for a body, with its parameter. */
export interface BodyPart {
  readonly wireName: string;
  readonly value: unknown;
  readonly param: Param;
}

const JSON_TYPE = 'application/json';
const NONE: RequestBody = { body: undefined, contentType: undefined };

/** `payload` is the whole body; `parts` are its fields. */
export async function writeBody(
  { requestFormat, contentType, alwaysHasBody }: Operation,
  payload: BodyPart | undefined,
  parts: readonly BodyPart[],
  folders: UploadFolders,
): Promise<RequestBody> {
  const isEmpty = !payload && parts.length === 0;
  const hasFields = requestFormat !== 'text' && requestFormat !== 'binary';
  if (isEmpty && !(alwaysHasBody && hasFields)) return NONE;
  switch (requestFormat) {
    case 'json': {
      const body = payload ? exactJson(payload.value, payload.param) : jsonOf(parts);
      return { body, contentType: contentType ?? JSON_TYPE };
    }
    case 'form': {
      const fields = payload ? fieldsOf(payload) : parts;
      const pairs = fields.flatMap(({ wireName, value, param }) => pairsOf(wireName, value, param));
      return { body: pairs.join('&'), contentType: 'application/x-www-form-urlencoded' };
    }
    case 'multipart': {
      const boundary = `callsign-${randomUUID()}`;
      const body = await formOf(payload ? fieldsOf(payload) : parts, boundary, folders);
      return { body, contentType: `multipart/form-data; boundary=${boundary}` };
    }
    case 'text':
      return {
        body: String(payload?.value ?? ''),
        contentType: contentType ?? 'text/plain; charset=utf-8',
      };
    case 'binary': {
      const file = await readUpload(payload?.value, folders, payload?.param.name ?? 'body');
      const type = file.type || contentType || 'application/octet-stream';
      return { body: new Uint8Array(await file.arrayBuffer()), contentType: type };
    }
  }
}

/** Written here, because `FormData` calls every part with a type a file, with a file name. */
async function formOf(
  parts: readonly BodyPart[],
  boundary: string,
  folders: UploadFolders,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for (const { wireName, value, param } of parts) {
    const isList = Array.isArray(value) && param.list_style !== 'comma';
    for (const element of isList ? (value as unknown[]) : [joined(value)]) {
      if (element === null || element === undefined) continue;
      const { head, body } = await formPart(wireName, element, param, folders);
      const start = Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`);
      chunks.push(start, body, Buffer.from('\r\n'));
    }
  }
  return Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]);
}

async function formPart(
  wireName: string,
  element: unknown,
  param: Param,
  folders: UploadFolders,
): Promise<{ readonly head: string; readonly body: Uint8Array }> {
  const named = `Content-Disposition: form-data; name="${quotedName(wireName)}"`;
  const isFile = param.type === 'file' || param.items?.type === 'file';
  if (isFile) {
    const file = await readUpload(element, folders, param.name);
    const type = file.type || param.content_type || 'application/octet-stream';
    const head = `${named}; filename="${quotedName(file.name)}"\r\nContent-Type: ${type}`;
    return { head, body: new Uint8Array(await file.arrayBuffer()) };
  }
  const isJson = typeof element === 'object';
  const type = param.content_type ?? (isJson ? JSON_TYPE : undefined);
  const text = isJson ? exactJson(element, param.items ?? param) : String(element);
  const head = type === undefined ? named : `${named}\r\nContent-Type: ${type}`;
  return { head, body: Buffer.from(text) };
}

/** Line breaks and quotes would end the name. */
function quotedName(name: string): string {
  return name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
}

/** A list that is one text with commas. */
function joined(value: unknown): unknown {
  return Array.isArray(value) ? value.join(',') : value;
}

/** The fields of a whole body that is an object. */
function fieldsOf({ value, param }: BodyPart): BodyPart[] {
  const { properties = {} } = param;
  return Object.entries(value as object).map(([wireName, inner]) => {
    const shape = properties[wireName] ?? { type: 'string' as const };
    return {
      wireName,
      value: inner as unknown,
      param: { ...shape, name: wireName, required: false },
    };
  });
}

function jsonOf(parts: readonly BodyPart[]): string {
  const value = Object.fromEntries(parts.map((part) => [part.wireName, part.value]));
  const properties = Object.fromEntries(parts.map((part) => [part.wireName, part.param]));
  return exactJson(value, { type: 'object', properties });
}
