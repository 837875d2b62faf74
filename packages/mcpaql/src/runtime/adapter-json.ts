/** A resolved adapter as JSON and back. A generated package keeps its adapter this way: data that no compiler reads. */

import type { Adapter, Operation } from '../adapter/adapter.js';
import type { HttpTarget } from '../adapter/adapter-document.js';

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
}

/** Without the path of its file, which means nothing elsewhere. */
export function writeAdapter(adapter: Adapter): string {
  const operations = Array.from(adapter.operations.values(), (operation) => ({
    ...operation,
    params: [...operation.params],
    fieldPresets: [...operation.fieldPresets],
  }));
  const written = {
    ...adapter,
    file: '',
    headers: [...adapter.headers],
    types: [...adapter.types],
    operations,
  };
  return `${JSON.stringify(written, null, 1)}\n`;
}

/** Takes what `writeAdapter` wrote for an adapter over HTTP. */
export function readAdapter(json: string): Adapter & { readonly target: HttpTarget } {
  const written = JSON.parse(json) as WrittenAdapter;
  const operations = written.operations.map((operation): [string, Operation] => [
    operation.name,
    {
      ...operation,
      params: new Map(operation.params),
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
