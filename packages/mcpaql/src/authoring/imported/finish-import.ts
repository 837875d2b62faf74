/** The last step of every import: merges into the existing adapter, writes the text, and checks it. */

import { isObject } from '@callsign/core';

import type { ValueShape } from '../../adapter/adapter-document.js';
import { linkShapes, createLinker } from '../../adapter/link-shapes.js';
import { parseAdapter } from '../../adapter/parse-adapter.js';
import { type Shapes, shareShapes } from '../../adapter/share-shapes.js';
import {
  failedImport,
  type Findings,
  type ImportedOperation,
  type ImportResult,
} from '../spec/import-report.js';
import { joinAdapter, splitAdapter } from './adapter-text.js';
import { byEndpoint, operationsIn, type PlacedOperation } from './flat-fields.js';
import { NO_RECORD, readRecord, withRecord } from './import-record.js';
import { type Generated, mergeImport } from './merge-import.js';
import { snakeName } from './snake-names.js';

/** Without `previous`, this is the first import. */
export interface FinishOptions {
  /** The text of the existing adapter, with a person's edits. */
  readonly previous?: string;
}

export function finishImport(
  generated: Generated,
  body: string,
  operations: readonly ImportedOperation[],
  findings: Findings,
  { previous }: FinishOptions,
): ImportResult {
  if (generated.operations.length === 0 && previous === undefined) {
    findings.note(
      'failed',
      '#',
      'No operation could be imported, and an adapter needs at least one.',
    );
    return { ok: false, report: { operations: [], findings: findings.all() } };
  }
  const known = previous === undefined ? undefined : parseAdapter(previous, 'adapter');
  if (known?.ok === false) {
    return failedImport('The existing adapter has errors; correct them before you import.');
  }
  const there = previous === undefined ? undefined : splitAdapter(previous);
  const written = known?.written;
  const record = there ? readRecord(there.body) : NO_RECORD;
  const merged = mergeImport(generated, written && linkShapes(written), record, findings);
  const text = withRecord(there?.body ?? body, merged.record);
  const adapter = joinAdapter(sharedDocument(merged.document, written), text, there?.frontMatter);
  const result = parseAdapter(adapter, 'adapter.md');
  for (const { path, message, advice } of result.ok ? [] : result.problems) {
    findings.note('failed', '#', `${path === '' ? 'The adapter' : path} ${message}; ${advice}.`);
  }
  const report = { operations, findings: findings.all() };
  return result.ok
    ? { ok: true, adapter, resolved: result.adapter, report }
    : { ok: false, report };
}

type Document = Readonly<Record<string, unknown>>;

/** `previous` is the document before an import. Its shapes keep their names. */
function sharedDocument(document: Document, previous: Document | undefined): Document {
  const placed = operationsIn(document);
  const params = placed.flatMap(paramsOf);
  const { roots: written, shapes } = shareShapes(
    params.map(([, shape]) => shape),
    { known: shapesOf(previous), keys: params.map(([name]) => name), legalName: snakeName },
  );
  if (Object.keys(shapes).length === 0) return document;
  let next = 0;
  const operations = placed.map((each): PlacedOperation => {
    const own = paramsOf(each).map(([name]) => [name, written[next++]]);
    if (own.length === 0) return each;
    return { ...each, document: { ...each.document, params: Object.fromEntries(own) } };
  });
  return { ...document, operations: byEndpoint(operations), shapes };
}

function paramsOf({ document: { params } }: PlacedOperation): [string, ValueShape][] {
  return isObject(params) ? Object.entries(params as Record<string, ValueShape>) : [];
}

function shapesOf(document: Document | undefined): Shapes {
  const shapes = isObject(document?.['shapes']) ? (document['shapes'] as Shapes) : {};
  const link = createLinker(shapes);
  return Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, link(shape)]));
}
