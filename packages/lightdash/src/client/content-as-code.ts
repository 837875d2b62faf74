/** Reads and writes charts and dashboards as code, on old and new versions of Lightdash. */

import type { CallOptions } from './call-options.js';
import type { CodeKind, ContentsAsCode } from './content.js';
import { isMissingEndpoint } from './lightdash-error.js';
import type { LightdashHttp } from './lightdash-http.js';
import { path, type ApiPath } from './path.js';
import { asList, asObject } from './shape.js';

/** The slugs to read, and how many to skip. */
export interface CodeQuery {
  readonly ids?: readonly string[] | undefined;
  readonly offset?: number | undefined;
}

/** Lists charts or dashboards as code. Older servers have another address for it. */
export async function listAsCode<K extends CodeKind>(
  http: LightdashHttp,
  project: string,
  kind: K,
  query: CodeQuery,
  options?: CallOptions,
): Promise<ContentsAsCode<K>> {
  const read = async (address: ApiPath): Promise<ContentsAsCode<K>> => {
    const what = `the ${kind} as code`;
    const found = await http.get(address, options, { ...query });
    const results = asObject<ContentsAsCode<K>>(found, what);
    return { ...results, [kind]: asList(results[kind], what) };
  };
  try {
    return await read(path`/api/v1/projects/${project}/code/${kind}`);
  } catch (error) {
    if (!isMissingEndpoint(error)) throw error;
    return read(path`/api/v1/projects/${project}/${kind}/code`);
  }
}

/** Which chart or dashboard to write. */
export interface CodeTarget {
  readonly project: string;
  readonly kind: CodeKind;
  readonly slug: string;
}

/** Writes a chart or a dashboard as code. Older servers have another address for it. */
export async function writeAsCode(
  http: LightdashHttp,
  { project, kind, slug }: CodeTarget,
  content: object,
  options?: CallOptions,
): Promise<unknown> {
  try {
    const address = path`/api/v1/projects/${project}/code/${kind}/${slug}`;
    return await http.write('POST', address, options, content);
  } catch (error) {
    if (!isMissingEndpoint(error)) throw error;
    const address = path`/api/v1/projects/${project}/${kind}/${slug}/code`;
    return http.write('POST', address, options, content);
  }
}
