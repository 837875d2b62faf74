/** A tool's result for people: text as text, pictures and sounds as files. */

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { isRecord } from '@callsign/config';
import { indented, printable } from '@callsign/terminal';

export interface ResultText {
  readonly isError: boolean;
  readonly text: string;
  /** A note from Callsign, such as that a name is old. */
  readonly notice: string | undefined;
}

/** File name extensions by media type. Other types get `bin`. */
const ENDINGS: ReadonlyMap<string, string> = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['image/svg+xml', 'svg'],
  ['audio/wav', 'wav'],
  ['audio/mpeg', 'mp3'],
  ['audio/ogg', 'ogg'],
  ['application/pdf', 'pdf'],
]);

/** `isIndented`: texts that are JSON are laid out on several lines. */
export function resultText(json: string, isIndented = false): ResultText {
  const value: unknown = JSON.parse(json);
  const { content, structuredContent, isError, _meta: meta } = isRecord(value) ? value : {};
  const save = createSaver();
  const blocks = Array.isArray(content) ? content.map((block) => blockText(block, save)) : [];
  if (blocks.length === 0 && structuredContent !== undefined) {
    blocks.push(JSON.stringify(structuredContent));
  }
  const notice = isRecord(meta) ? meta['callsign/deprecated'] : undefined;
  return {
    isError: isError === true,
    text: printable(blocks.map((block) => (isIndented ? indented(block) : block)).join('\n')),
    notice: typeof notice === 'string' ? notice : undefined,
  };
}

type Save = (data: string, type: unknown) => string;

function blockText(block: unknown, save: Save): string {
  if (!isRecord(block)) return JSON.stringify(block);
  const { type, text, data, mimeType, resource, uri, name } = block;
  if (type === 'text' && typeof text === 'string') return text;
  if (typeof data === 'string') return `${String(type)}: ${save(data, mimeType)}`;
  if (type === 'resource_link') return `${String(name ?? '')} ${String(uri ?? '')}`.trim();
  if (type === 'resource' && isRecord(resource)) return resourceText(resource, save);
  return JSON.stringify(block);
}

function resourceText(resource: Readonly<Record<string, unknown>>, save: Save): string {
  const { uri, text, blob, mimeType } = resource;
  if (typeof text === 'string') return `${String(uri)}\n${text}`;
  return typeof blob === 'string' ? `${String(uri)}: ${save(blob, mimeType)}` : String(uri);
}

/** Saves each piece of data as a file in one new temporary folder and returns its path. */
function createSaver(): Save {
  let folder: string | undefined;
  let count = 0;
  return (data, type) => {
    folder ??= mkdtempSync(join(tmpdir(), 'callsign-'));
    const ending = ENDINGS.get(String(type)) ?? 'bin';
    const file = join(folder, `${++count}.${ending}`);
    writeFileSync(file, Buffer.from(data, 'base64'), { mode: 0o600 });
    return file;
  };
}
