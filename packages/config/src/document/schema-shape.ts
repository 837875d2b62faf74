/** A JSON Schema as a source of advice: the keys, words and examples that it allows at a path. */

import type { Path } from './problem.js';

/** The part of a JSON Schema that advice needs. */
interface Shape {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Shape>>;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape | false;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly examples?: readonly unknown[];
}

/** The value of the document at a path; `undefined` if there is none. */
export type ValueAt = (path: Path) => unknown;

export interface SchemaShape {
  keysAt(path: Path): string[];
  /** The allowed words, from all forms that the schema has at this path. */
  wordsAt(path: Path): unknown[];
  exampleAt(path: Path): unknown;
}

/** `valueAt` decides between several forms: `type: bearer` selects the form for bearers. */
export function createSchemaShape(schema: object, valueAt: ValueAt): SchemaShape {
  const root = schema as Shape;

  function resolved(shape: Shape | undefined): Shape | undefined {
    const name = shape?.$ref?.split('/').at(-1);
    if (name === undefined) return shape;
    const { $ref: _, ...own } = shape!;
    return { ...root.$defs?.[name], ...own };
  }

  /** The shape itself, then the forms that it allows. */
  function formsOf(shape: Shape | undefined): Shape[] {
    const known = resolved(shape);
    if (!known) return [];
    const forms = [...(known.anyOf ?? []), ...(known.oneOf ?? [])];
    return [known, ...forms.map((form) => resolved(form)!)];
  }

  /** The forms at a path. Forms whose constants match the document come first. */
  function formsAt(path: Path): Shape[] {
    const matches = (form: Shape): boolean =>
      Object.entries(form.properties ?? {}).every(
        ([key, { const: word }]) => word === undefined || valueAt([...path, key]) === word,
      );
    return formsOf(shapeAt(path)).toSorted((a, b) => Number(matches(b)) - Number(matches(a)));
  }

  function shapeAt(path: Path): Shape | undefined {
    const key = path.at(-1);
    if (key === undefined) return root;
    for (const form of formsAt(path.slice(0, -1))) {
      const shape = memberShape(form, key);
      if (shape) return resolved(shape);
    }
    return undefined;
  }

  return {
    keysAt: (path) => formsOf(shapeAt(path)).flatMap((form) => Object.keys(form.properties ?? {})),
    wordsAt(path) {
      const key = path.at(-1);
      if (key === undefined) return [];
      return formsOf(shapeAt(path.slice(0, -1))).flatMap((form) => {
        const shape = resolved(memberShape(form, key));
        return shape?.enum ?? (shape && 'const' in shape ? [shape.const] : []);
      });
    },
    exampleAt: (path) => formsOf(shapeAt(path)).find((form) => form.examples)?.examples?.[0],
  };
}

function memberShape(form: Shape, key: string | number): Shape | undefined {
  if (typeof key === 'number') return form.items;
  return form.properties?.[key] ?? (form.additionalProperties || undefined);
}
