/** The smallest adapter for an HTTP API, with one operation, as a starting point. */

import { displayName as displayNameOf } from '@callsign/naming';

import type { AdapterProblem } from '../../adapter/adapter-problem.js';
import { parseAdapter } from '../../adapter/parse-adapter.js';
import { joinAdapter } from './adapter-text.js';

/** What `adapter init` asks for. */
export interface MinimalOptions {
  readonly name: string;
  readonly baseUrl: string;
  readonly displayName?: string;
}

/** The text of the file, or the problems of the given values. */
export type MinimalAdapter =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problems: readonly AdapterProblem[] };

/** The result always passes `adapter validate`. */
export function minimalAdapter({ name, baseUrl, displayName }: MinimalOptions): MinimalAdapter {
  const title = displayNameOf(name, displayName);
  const document = {
    name,
    type: 'adapter',
    version: '0.1.0',
    description: `What ${title} can do`,
    ...(displayName === undefined ? {} : { display_name: displayName }),
    target: { transport: 'http', base_url: baseUrl.replace(/\/+$/, '') },
    auth: { type: 'none' },
    operations: {
      read: [{ name: 'list_things', maps_to: 'GET /things', description: 'Lists the things.' }],
    },
  };
  const text = joinAdapter(document, `\n# ${title.replace(/[<>]/g, '')}\n`);
  const parsed = parseAdapter(text, `${name}.adapter.md`);
  return parsed.ok ? { ok: true, text } : parsed;
}
