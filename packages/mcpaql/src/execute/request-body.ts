/** The body of an HTTP request, in the format of its operation. */

import type { Operation, Param } from '../adapter/adapter.js';
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
  { requestFormat, contentType }: Operation,
  payload: BodyPart | undefined,
  parts: readonly BodyPart[],
  folders: UploadFolders,
): Promise<RequestBody> {
  if (!payload && parts.length === 0) return NONE;
  switch (requestFormat) {
    case 'json': {
      const value = payload ? payload.value : objectOf(parts);
      return { body: JSON.stringify(value), contentType: contentType ?? JSON_TYPE };
    }
    case 'form': {
      const fields = payload ? fieldsOf(payload) : parts;
      const pairs = fields.flatMap(({ wireName, value, param }) => pairsOf(wireName, value, param));
      const body = new URLSearchParams(pairs).toString();
      return { body, contentType: 'application/x-www-form-urlencoded' };
    }
    case 'multipart': {
      const form = new Response(await formOf(payload ? fieldsOf(payload) : parts, folders));
      const type = form.headers.get('content-type') ?? undefined;
      return { body: new Uint8Array(await form.arrayBuffer()), contentType: type };
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

async function formOf(parts: readonly BodyPart[], folders: UploadFolders): Promise<FormData> {
  const form = new FormData();
  for (const { wireName, value, param } of parts) {
    const isList = Array.isArray(value) && param.list_style !== 'comma';
    for (const element of isList ? (value as unknown[]) : [joined(value)]) {
      if (element === null || element === undefined) continue;
      const isFile = param.type === 'file' || param.items?.type === 'file';
      if (isFile) form.append(wireName, await readUpload(element, folders, param.name));
      else if (typeof element === 'object')
        form.append(wireName, new Blob([JSON.stringify(element)], { type: JSON_TYPE }));
      else form.append(wireName, String(element));
    }
  }
  return form;
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

function objectOf(parts: readonly BodyPart[]): object {
  return Object.fromEntries(parts.map(({ wireName, value }) => [wireName, value]));
}
