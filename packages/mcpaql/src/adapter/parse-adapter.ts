/** Parses an adapter: Markdown with front matter, YAML or JSON. Reports all problems at once. */

import { readFile } from 'node:fs/promises';

import { checkSchema, fileProblem, type Notation } from '@callsign/config/problems';
import { withoutBom } from '@callsign/core';

import type { Adapter } from './adapter.js';
import type { AdapterProblem, AdapterProblemCode } from './adapter-problem.js';
import { ADAPTER_DOCUMENT } from './document-schema.js';
import { linkShapes } from './link-shapes.js';
import { reportMeaning } from './meaning-problems.js';
import { readableParts } from './readable-parts.js';
import { resolveAdapter } from './resolve-adapter.js';
import { readDocument } from './written-document.js';

/** The adapter, or all problems in the order of the file. */
export type AdapterResult =
  | {
      readonly ok: true;
      readonly adapter: Adapter;
      /** As in the file: without defaults, and with references to shapes. */
      readonly written: Readonly<Record<string, unknown>>;
    }
  | { readonly ok: false; readonly problems: readonly AdapterProblem[] };

/** More than any usable adapter needs. */
const MAX_CHARACTERS = 64 * 1024 * 1024;
const YAML_NOTATION: Notation = {
  key: 'key',
  string: 'text; put it in quotes if it looks like a number',
  word: String,
  member: (key, example) => `${key}: ${example}`,
};
const FENCE = /^---[ \t]*\r?$/gm;

/** `file`: the path for problems and for relative paths. It is not read. */
export function parseAdapter(text: string, file: string): AdapterResult {
  const source = withoutBom(text);
  if (source.length > MAX_CHARACTERS) {
    const advice = 'import a part of the API: --tag, --path, --only, --exclude';
    return refused(file, 'file-too-large', 'is larger than 64 MB', advice);
  }
  const yaml = frontMatter(source, file);
  if (yaml === undefined) {
    const advice = 'start the file with a line --- and end the adapter with another ---';
    return refused(file, 'front-matter', 'has no front matter', advice);
  }
  return check(yaml, file);
}

/** Loads an adapter from a file. Never rejects: an unreadable file is reported as a problem. */
export async function loadAdapter(file: string): Promise<AdapterResult> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR'
      ? refused(file, 'file-not-found', 'does not exist', 'check the path')
      : refused(
          file,
          'file-unreadable',
          `cannot be read (${code})`,
          'check the path, and that you may read the file',
        );
  }
  try {
    return parseAdapter(new TextDecoder('utf-8', { fatal: true }).decode(bytes), file);
  } catch {
    return refused(file, 'file-not-utf8', 'is not UTF-8 text', 'save it as UTF-8');
  }
}

function check(yaml: string, file: string): AdapterResult {
  const written = readDocument(yaml, file);
  const document =
    written.problems().length === 0
      ? checkSchema(ADAPTER_DOCUMENT, written.value, written, YAML_NOTATION)
      : undefined;
  if (written.value !== undefined) reportMeaning(document ?? readableParts(written.value), written);
  const problems = written.problems();
  if (!document || problems.length > 0) return { ok: false, problems };
  return {
    ok: true,
    adapter: resolveAdapter(linkShapes(document), file),
    written: written.value as Readonly<Record<string, unknown>>,
  };
}

/**
 * The first `---` line is kept: it is valid YAML, and without it all line numbers would be wrong.
 */
function frontMatter(text: string, file: string): string | undefined {
  const [first, second] = text.startsWith('---') ? text.matchAll(FENCE) : [];
  if (first?.index === 0 && second) return text.slice(0, second.index);
  return /\.(?:md|markdown)$/i.test(file) ? undefined : text;
}

/** A file that cannot be read at all. */
function refused(
  file: string,
  code: AdapterProblemCode,
  message: string,
  advice: string,
): AdapterResult {
  return { ok: false, problems: [fileProblem(code, file, message, advice)] };
}
