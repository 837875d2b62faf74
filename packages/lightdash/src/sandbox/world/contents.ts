/** Spaces, charts and dashboards of one project of the sandbox. */

import type { Chart, Content, Dashboard } from '../../client/content.js';
import type { SpaceIdentity } from '../../client/space.js';
import { ADMIN, ORGANIZATION } from './people.js';
import type { SandboxProject } from './projects.js';
import { dateOf, numberOf, uuidOf } from './uuid.js';

const MEASURES =
  'Orders,Revenue,Average order value,Refunds,New customers,Returning customers,Churn,Items sold,Gross margin,Shipping cost,Delivery time,Sessions,Conversion rate,Basket size,Discounts,Tax,Payments,Failed payments,Support tickets,Reviews'.split(
    ',',
  );
const DIMENSIONS =
  'status,month,week,day,country,region,city,product,category,channel,campaign,device,customer segment,payment method,store,hour of day'.split(
    ',',
  );
const KINDS = ['vertical_bar', 'line', 'area', 'table', 'big_number', 'pie', 'horizontal_bar'];
/** The tree of spaces, by path. */
const SPACES = [
  'Sales',
  'Sales/Europe',
  'Sales/Europe/Weekly reports',
  'Sales/Americas',
  'Marketing',
  'Marketing/Campaigns',
  'Finance',
  'Operations',
  'Operations/Logistics',
  'Archive',
];

export function createSpaces({ summary }: SandboxProject): SpaceIdentity[] {
  const { projectUuid: project, name } = summary;
  return [name, ...SPACES].map((path) => {
    const names = path.split('/');
    const parent = path === name ? undefined : names.slice(0, -1).join('/');
    return {
      organizationUuid: ORGANIZATION,
      projectUuid: project,
      uuid: uuidOf('space', project, path),
      name: path === name ? name : names.at(-1)!,
      slug: slugOf(path),
      path: path.toLowerCase().replaceAll(' ', '_').replaceAll('/', '.'),
      parentSpaceUuid: parent ? uuidOf('space', project, parent) : null,
      inheritParentPermissions: true,
      inheritsFromOrgOrProject: parent === undefined || parent === '',
      projectMemberAccessRole: null,
      pinnedListUuid: null,
      pinnedListOrder: null,
    };
  });
}

export function createCharts(
  { charts, summary }: SandboxProject,
  spaces: readonly SpaceIdentity[],
): Chart[] {
  return Array.from({ length: charts }, (_, index) => {
    const measure = MEASURES[index % MEASURES.length]!;
    const dimension = DIMENSIONS[Math.floor(index / MEASURES.length) % DIMENSIONS.length]!;
    const name = `${measure} by ${dimension}`;
    const content = contentOf('chart', name, summary.projectUuid, spaces);
    const kind = KINDS[numberOf(KINDS.length, 'kind', content.uuid)]!;
    return {
      ...content,
      spaceName: spaces.find(({ uuid }) => uuid === content.spaceUuid)!.name,
      dashboardUuid: null,
      dashboardName: null,
      dashboardSlug: null,
      chartType: ['table', 'big_number', 'pie'].includes(kind) ? kind : 'cartesian',
      chartKind: kind,
      source: 'dbt_explore',
    };
  });
}

export function createDashboards(
  { dashboards, summary }: SandboxProject,
  spaces: readonly SpaceIdentity[],
): Dashboard[] {
  return Array.from({ length: dashboards }, (_, index) => {
    const measure = MEASURES[index % MEASURES.length]!;
    const name = `${measure} ${['overview', 'in depth', 'this week'][Math.floor(index / 20)]!}`;
    return {
      ...contentOf('dashboard', name, summary.projectUuid, spaces),
      tileTypes: index % 3 === 0 ? ['saved_chart', 'markdown'] : ['saved_chart'],
    };
  });
}

function contentOf(
  kind: string,
  name: string,
  projectUuid: string,
  spaces: readonly SpaceIdentity[],
): Content {
  const uuid = uuidOf(kind, projectUuid, name);
  const isVerified = numberOf(10, 'verified', uuid) === 0;
  const author = { userUuid: ADMIN, firstName: 'Ada', lastName: 'Admin' };
  return {
    uuid,
    name,
    slug: slugOf(name),
    description: `${name}, from the orders model.`,
    organizationUuid: ORGANIZATION,
    projectUuid,
    spaceUuid: spaces[numberOf(spaces.length, 'space', uuid)]!.uuid,
    pinnedListUuid: null,
    pinnedListOrder: null,
    updatedAt: dateOf(numberOf(7_000, 'updated', uuid)),
    updatedByUser: author,
    views: numberOf(900, 'views', uuid),
    firstViewedAt: dateOf(numberOf(600, 'viewed', uuid)),
    verification: isVerified ? { verifiedAt: dateOf(7_100), verifiedBy: author } : null,
  };
}

function slugOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}
