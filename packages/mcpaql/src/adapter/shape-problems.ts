/** Checks shapes and references: unknown names, cycles, and shapes that become too large. */

import type { Path } from '@callsign/config/problems';

import type { ValueShape } from './adapter-document.js';
import type { ReadableDocument } from './readable-parts.js';
import { shapeParts } from './shape-parts.js';
import { VALUE_KEYS } from './value-keys.js';
import type { Report } from './written-document.js';

type Shapes = ReadonlyMap<string, ValueShape>;

/**
 * How many parts a parameter may have with its shapes. A few nested references could fill the
 * memory.
 */
const MAX_PARTS = 10_000;

/** The deepest nesting that is counted. No request may be nested so deeply. */
const MAX_DEPTH = 64;

/**
 * Returns whether references can be followed safely. Reports each shape once, at its definition.
 */
export function reportShapes(document: ReadableDocument, tell: Report): boolean {
  let isSound = true;
  const report: Report = (...problem) => {
    isSound = false;
    tell(...problem);
  };
  const shapes: Shapes = new Map(Object.entries(document.shapes ?? {}));
  const sizes = new Map<string, number>();
  for (const [name, shape] of shapes) {
    const path = ['shapes', name];
    if (shape.nullable !== undefined) {
      const advice = 'write it where the shape is referred to';
      report('wrong-shape', [...path, 'nullable'], 'cannot be part of a named shape', advice);
    }
    reportReferences(shape, shapes, path, report);
    reportSize(sizeOf(shape, shapes, sizes), path, report);
  }
  for (const [endpoint, operations = []] of Object.entries(document.operations)) {
    for (const [i, operation] of operations.entries()) {
      for (const [name, param] of Object.entries(operation?.params ?? {})) {
        reportReferences(param, shapes, ['operations', endpoint, i, 'params', name], report);
      }
    }
  }
  for (const [name, { fields = {} }] of Object.entries(document.types ?? {})) {
    for (const [key, field] of Object.entries(fields)) {
      reportReferences(field, shapes, ['types', name, 'fields', key], report);
    }
  }
  return isSound;
}

function reportReferences(shape: ValueShape, shapes: Shapes, path: Path, report: Report): void {
  if (shape.shape !== undefined) reportReference(shape, shape.shape, shapes, path, report);
  for (const [place, part] of shapeParts(shape)) {
    reportReferences(part, shapes, [...path, ...place], report);
  }
}

function reportReference(
  shape: ValueShape,
  name: string,
  shapes: Shapes,
  path: Path,
  report: Report,
): void {
  const found = shapes.get(name);
  if (!found) {
    const advice = `add it: shapes.${name}`;
    report('wrong-shape', [...path, 'shape'], `"${name}" is not a shape of this file`, advice);
    return;
  }
  if (found.type !== shape.type) {
    const advice = `write type: ${found.type}`;
    report(
      'wrong-shape',
      [...path, 'type'],
      `differs from the type of the shape "${name}"`,
      advice,
    );
  }
  const stray = VALUE_KEYS.find((key) => shape[key] !== undefined);
  if (stray === undefined) return;
  const advice = 'keep one of the two';
  report('wrong-shape', [...path, stray], `belongs to the shape "${name}"`, advice);
}

function reportSize(size: number, path: Path, report: Report): void {
  if (Number.isNaN(size)) {
    const advice = 'leave the innermost part open: type: object, additional_properties: true';
    report('wrong-shape', path, 'contains itself', advice);
  } else if (size > MAX_PARTS) {
    const message = `has more than ${MAX_PARTS} parts with the shapes that it refers to`;
    report('wrong-shape', path, message, 'leave inner parts open');
  }
}

/** The number of parts of a shape with its references, or `NaN` if it contains itself. */
function sizeOf(shape: ValueShape, shapes: Shapes, sizes: Map<string, number>, depth = 0): number {
  const { shape: name } = shape;
  if (depth > MAX_DEPTH) return Infinity;
  const own = shapeParts(shape).reduce(
    (sum, [, part]) => sum + sizeOf(part, shapes, sizes, depth + 1),
    1,
  );
  if (name === undefined) return own;
  const known = sizes.get(name);
  if (known !== undefined) return own + known;
  // Requested again while it is being counted: it contains itself.
  sizes.set(name, Number.NaN);
  const found = shapes.get(name);
  const size = found ? sizeOf(found, shapes, sizes, depth + 1) : 0;
  sizes.set(name, size);
  return own + size;
}
