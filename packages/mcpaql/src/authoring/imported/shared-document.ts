/** Writes repeated shapes of a large document once. `linkShapes` is the inverse. */

import { isObject } from '@callsign/core';

import type { ValueShape } from '../../adapter/adapter-document.js';
import { createLinker } from '../../adapter/link-shapes.js';
import { type Shapes, shareShapes } from '../../adapter/share-shapes.js';
import { byEndpoint, operationsIn, type PlacedOperation } from './flat-fields.js';
import { snakeName } from './snake-names.js';

type Document = Readonly<Record<string, unknown>>;

/** `previous` is the document before an import. Its shapes keep their names. */
export function sharedDocument(document: Document, previous: Document | undefined): Document {
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
