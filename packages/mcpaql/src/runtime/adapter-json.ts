/**
 * Writes a resolved adapter as JSON and reads it back. Generated packages contain their adapter as
 * data.
 */

import type { Adapter, Operation, Param } from '../adapter/adapter.js';
import type { HttpTarget } from '../adapter/adapter-document.js';
import { createLinker } from '../adapter/link-shapes.js';
import { type Shapes, shareShapes } from '../adapter/share-shapes.js';

type Entries<M> = M extends ReadonlyMap<infer K, infer V> ? readonly (readonly [K, V])[] : never;

interface WrittenOperation extends Omit<Operation, 'params' | 'fieldPresets'> {
  readonly params: Entries<Operation['params']>;
  readonly fieldPresets: Entries<Operation['fieldPresets']>;
}

interface WrittenAdapter extends Omit<Adapter, 'headers' | 'operations' | 'types' | 'target'> {
  readonly target: HttpTarget;
  readonly headers: Entries<Adapter['headers']>;
  readonly types: Entries<Adapter['types']>;
  readonly operations: readonly WrittenOperation[];
  /** Missing if there are no references to shapes. */
  readonly shapes?: Shapes;
}

export interface SharedParams {
  /** The parameters of each operation, by name. Those of a large adapter refer to `shapes`. */
  readonly params: ReadonlyMap<string, readonly (readonly [name: string, param: Param])[]>;
  readonly shapes: Shapes;
}

/** Moves repeated parts of parameters into `shapes`, if the adapter is large enough for that. */
export function sharedParams({ operations }: Adapter): SharedParams {
  const all = Array.from(operations.values(), ({ params }) => [...params.values()]).flat();
  const { roots, shapes } = shareShapes(all);
  let next = 0;
  const params = Array.from(operations.values(), ({ name, params: own }) => {
    return [name, Array.from(own.keys(), (key) => [key, roots[next++]!] as const)] as const;
  });
  return { params: new Map(params), shapes };
}

/** Without the path of its file, which has no meaning on other machines. */
export function writeAdapter(adapter: Adapter): string {
  const { params, shapes } = sharedParams(adapter);
  const operations = Array.from(adapter.operations.values(), (operation) => ({
    ...operation,
    params: params.get(operation.name),
    fieldPresets: [...operation.fieldPresets],
  }));
  const written = {
    ...adapter,
    file: '',
    headers: [...adapter.headers],
    types: [...adapter.types],
    operations,
    ...(Object.keys(shapes).length === 0 ? {} : { shapes }),
  };
  return `${JSON.stringify(written, null, 1)}\n`;
}

/** Takes what `writeAdapter` wrote for an adapter over HTTP. */
export function readAdapter(json: string): Adapter & { readonly target: HttpTarget } {
  const { shapes = {}, ...written } = JSON.parse(json) as WrittenAdapter;
  const link = createLinker(shapes);
  const operations = written.operations.map((operation): [string, Operation] => [
    operation.name,
    {
      ...operation,
      params: new Map(operation.params.map(([name, param]) => [name, link(param)])),
      fieldPresets: new Map(operation.fieldPresets),
    },
  ]);
  return {
    ...written,
    headers: new Map(written.headers),
    types: new Map(written.types),
    operations: new Map(operations),
  };
}
