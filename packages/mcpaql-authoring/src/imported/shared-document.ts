/** Writes repeated shapes of a large document once. `linkShapes` is the inverse. */

import { createLinker, type Shapes, shareShapes, type ValueShape } from '@callsign/mcpaql';

import { byEndpoint, operationsIn, type PlacedOperation } from './flat-fields.js';
import { isRecord } from '../spec/spec-node.js';

type Document = Readonly<Record<string, unknown>>;

/** `previous` is the document before an import. Its shapes keep their names. */
export function sharedDocument(document: Document, previous: Document | undefined): Document {
  const placed = operationsIn(document);
  const roots = placed.flatMap((each) => paramsOf(each).map(([, shape]) => shape));
  const { roots: written, shapes } = shareShapes(roots, shapesOf(previous));
  if (Object.keys(shapes).length === 0) return document;
  let next = 0;
  const operations = placed.map((each): PlacedOperation => {
    const params = paramsOf(each).map(([name]) => [name, written[next++]]);
    if (params.length === 0) return each;
    return { ...each, document: { ...each.document, params: Object.fromEntries(params) } };
  });
  return { ...document, operations: byEndpoint(operations), shapes };
}

function paramsOf({ document: { params } }: PlacedOperation): [string, ValueShape][] {
  return isRecord(params) ? Object.entries(params as Record<string, ValueShape>) : [];
}

function shapesOf(document: Document | undefined): Shapes {
  const shapes = isRecord(document?.['shapes']) ? (document['shapes'] as Shapes) : {};
  const link = createLinker(shapes);
  return Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, link(shape)]));
}
