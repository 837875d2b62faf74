/** Finds what a Lightdash address refers to, without a request. */

import { READ_ONLY_DEFAULT } from '@callsign/toolkit';
import * as z from 'zod';

import { answer } from '../answer.js';
import type { Toolbox } from '../toolbox.js';

type Kind = 'chart' | 'dashboard' | 'space' | 'explore' | 'sql chart';

/** The part of an address after the project, and its kind of page. */
const KINDS: ReadonlyMap<string, Kind> = new Map([
  ['saved', 'chart'],
  ['dashboards', 'dashboard'],
  ['spaces', 'space'],
  ['tables', 'explore'],
  ['sql-runner', 'sql chart'],
]);
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const RESOLVED = z.object({
  kind: z.enum(['project', 'chart', 'dashboard', 'space', 'explore', 'sql chart']),
  projectUuid: z.string(),
  uuid: z.string().optional().describe('Of a chart, a dashboard or a space.'),
  slug: z.string().optional().describe('If the address has a slug in place of the UUID.'),
  exploreId: z.string().optional(),
});

export function registerUrlTools({ server, registerToolSafe, client, scope }: Toolbox): void {
  registerToolSafe(
    server,
    'resolve_url',
    {
      title: 'Resolve URL',
      description:
        'Finds what the address of a Lightdash page refers to: a project, chart, dashboard, space or explore, with the ids that other tools take.',
      inputSchema: z.strictObject({
        url: z.string().min(1).max(4_000).describe('The address, as a browser shows it.'),
      }),
      outputSchema: RESOLVED,
      annotations: READ_ONLY_DEFAULT,
    },
    ({ url }) => {
      const resolved = resolve(url, client.url);
      if (!scope.allows(resolved.projectUuid)) {
        throw new RangeError('This address belongs to a project that this server may not use.');
      }
      return answer({ ...resolved });
    },
  );
}

function resolve(text: string, own: URL): z.infer<typeof RESOLVED> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) throw new RangeError('This is not an address. It must begin with https://.');
  if (url.origin !== own.origin) {
    throw new RangeError(`This address does not belong to the Lightdash at ${own.origin}.`);
  }
  const base = own.pathname.replace(/\/$/, '');
  const inside = url.pathname.startsWith(`${base}/`) ? url.pathname.slice(base.length) : '';
  const [, projects, project = '', page = '', id = ''] = inside.split('/').map(decoded);
  if (projects !== 'projects' || !UUID.test(project)) {
    throw new RangeError('This address does not name a project.');
  }
  const projectUuid = project.toLowerCase();
  const kind = KINDS.get(page);
  if (kind === undefined || id === '') return { kind: 'project', projectUuid };
  if (kind === 'explore') return { kind, projectUuid, exploreId: id };
  return UUID.test(id)
    ? { kind, projectUuid, uuid: id.toLowerCase() }
    : { kind, projectUuid, slug: id };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
