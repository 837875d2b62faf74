/** What a client gets in place of a long result: its beginning, its end, its shape, and how to read on. */

import { type Reply, withMembers } from '@callsign/core';

import type { ResultParts } from './result-parts.js';

export interface PreviewOptions {
  readonly id: string;
  readonly parts: ResultParts;
  /** The shape of its JSON. Missing if it is no JSON. */
  readonly shape: string | undefined;
  /** The most characters that the client gets at once. */
  readonly limit: number;
  readonly keepMs: number;
}

/** Resource links lead to stored results by this URI. */
const URI_BASE = 'callsign://results/';
export const URI_TEMPLATE = `${URI_BASE}{id}`;

/** The parts of a result that are shown, of the limit. */
const HEAD = 0.4;
const TAIL = 0.1;
const MINUTE_MS = 60_000;

export function idIn(uri: string): string {
  return uri.slice(URI_BASE.length);
}

/** The text that is read on by ranges and lines. */
export function readableText({ text, data = '' }: Pick<ResultParts, 'text' | 'data'>): string {
  return text === '' ? data : text;
}

/**
 * Some clients show a model only the text, others only `structuredContent`: so both have the preview. All other members
 * and all other blocks stay the same.
 */
export function previewOf({ json }: Reply, options: PreviewOptions): Reply {
  const { id, parts, shape, limit, keepMs } = options;
  const text = readableText(parts);
  const lines = text.split('\n', MOST_LINES).length;
  const begins = whole(text.slice(0, Math.floor(limit * HEAD)));
  const ends = whole(text.slice(-Math.floor(limit * TAIL)));
  const uri = `${URI_BASE}${id}`;
  const size = `${text.length} characters in ${lines}${lines === MOST_LINES ? ' or more' : ''} ${lines === 1 ? 'line' : 'lines'}`;
  const note =
    `This is a preview. The result has ${size}, and is stored for ${Math.ceil(keepMs / MINUTE_MS)} min. ` +
    `To read on, call the tool read_result of Callsign (callsign:read_result) with the id "${id}" and one of: ` +
    `"range": [${begins.length}, ${begins.length + limit}] (characters), "lines": [1, 100]` +
    (shape === undefined ? '.' : ', "jmespath": an expression over its JSON.');
  const shown = [
    note,
    ...(shape === undefined ? [] : [`The shape of its JSON: ${shape}`]),
    `It begins:\n${begins}`,
    `It ends:\n${ends}`,
  ].join('\n\n');
  const link = {
    type: 'resource_link',
    uri,
    name: `result ${id}`,
    mimeType: shape === undefined ? 'text/plain' : 'application/json',
    size: Buffer.byteLength(text),
  };
  const blocks = [JSON.stringify({ type: 'text', text: shown }), JSON.stringify(link)];
  const preview = { id, uri, note, characters: text.length, lines, shape, begins, ends };
  return {
    ok: true,
    json: withMembers(json, {
      content: `[${[...blocks, ...parts.others].join(',')}]`,
      ...(parts.data === undefined
        ? {}
        : { structuredContent: JSON.stringify({ callsignPreview: preview }) }),
    }),
  };
}

/** Lines are counted up to here. */
const MOST_LINES = 1_000_000;

/** A text that was cut, without half a character at its ends. */
function whole(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]/, '').replace(/[\uD800-\uDBFF]$/, '');
}
