/** The parameters of one operation under their names in the adapter. */

import type { OperationDocument, ParamDocument } from '../../adapter/adapter-document.js';
import type { HttpMethod } from '../../adapter/maps-to.js';
import { SnakeNames } from '../imported/snake-names.js';
import type { WireParam } from './parameter-reader.js';

export interface NamedParam {
  readonly name: string;
  readonly wire: WireParam;
  readonly param: ParamDocument;
}

/** A path parameter that is not declared is text. A declared one that is not in the path is omitted. */
export function withPathParams(
  params: readonly WireParam[],
  path: string,
  pointer: string,
): WireParam[] {
  const inPath = placeholders(path);
  const usable = params.filter(({ place, wireName }) => place !== 'path' || inPath.has(wireName));
  const known = new Set(
    usable.flatMap(({ place, wireName }) => (place === 'path' ? wireName : [])),
  );
  const forgotten = [...inPath].filter((name) => !known.has(name));
  const added = forgotten.map((wireName): WireParam => ({
    wireName,
    preferredName: wireName,
    place: 'path',
    param: { type: 'string', required: true },
    pointer,
  }));
  return [...added, ...usable];
}

/**
 * Makes names unique within the operation. Place and target name are written only if not the
 * default.
 */
export function nameParams(params: readonly WireParam[], method: HttpMethod): NamedParam[] {
  const names = new SnakeNames();
  const usual = method === 'GET' || method === 'DELETE' ? 'query' : 'body';
  return params.map((wire) => {
    const { wireName, place, preferredName, param } = wire;
    const name = names.take(
      preferredName,
      `${preferredName}_${place}`,
      `${place}_${preferredName}`,
    );
    // Only the style `matrix` writes the name of a parameter into the path.
    const isNamed = place !== 'payload' && (place !== 'path' || param.path_style === 'matrix');
    return {
      name,
      wire,
      param: {
        ...param,
        ...(place === 'path' || place === usual ? {} : { in: place }),
        ...(isNamed && wireName !== name ? { as: wireName } : {}),
      },
    };
  });
}

export function paramsOf(named: readonly NamedParam[]): OperationDocument['params'] {
  return Object.fromEntries(named.map(({ name, param }) => [name, param]));
}

/** The path with our names. White space is encoded. */
export function mappedPath(path: string, params: readonly NamedParam[]): string {
  const names = new Map(
    params.flatMap(({ wire, name }) => (wire.place === 'path' ? [[wire.wireName, name]] : [])),
  );
  // A fragment only distinguishes paths. It is never sent.
  const [sent = ''] = path.split('#', 1);
  return sent.replace(/\{([^{}]*)\}|\s/g, (whole, name: string | undefined) =>
    name === undefined ? encodeURIComponent(whole) : `{${names.get(name) ?? name}}`,
  );
}

function placeholders(path: string): Set<string> {
  return new Set(Array.from(path.matchAll(/\{([^{}]*)\}/g), ([, name]) => name!));
}
