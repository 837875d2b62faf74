/** Creates all data of the sandbox. Each sandbox has its own copy, because requests change it. */

import type { Chart, Dashboard } from '../../client/content.js';
import type { Explore } from '../../client/explore.js';
import type { Member } from '../../client/member.js';
import type { GroupAccess, SpaceIdentity, SpaceRole } from '../../client/space.js';
import { createCharts, createDashboards, createSpaces } from './contents.js';
import { createExplores, type SandboxQuery } from './explores.js';
import { createGroups, createMembers, type SandboxGroup } from './people.js';
import { createProjects, type SandboxProject } from './projects.js';

export interface Library {
  readonly project: SandboxProject;
  readonly spaces: SpaceIdentity[];
  readonly charts: Chart[];
  readonly dashboards: Dashboard[];
  readonly explores: readonly Explore[];
}

export interface RunningQuery {
  readonly query: SandboxQuery;
  readonly project: string;
  /** How many more times it answers that it is not done. */
  pending: number;
  isCancelled: boolean;
}

export interface World {
  readonly members: Map<string, Member>;
  readonly groups: Map<string, SandboxGroup>;
  readonly libraries: ReadonlyMap<string, Library>;
  /** Access to spaces, by space and user. */
  readonly userShares: Map<string, Map<string, SpaceRole>>;
  readonly groupShares: Map<string, Map<string, GroupAccess>>;
  readonly queries: Map<string, RunningQuery>;
  /** Projects that were validated. */
  readonly validated: Set<string>;
}

export function createWorld(): World {
  const members = createMembers();
  const libraries = createProjects().map((project): [string, Library] => {
    const spaces = createSpaces(project);
    const charts = createCharts(project, spaces);
    const dashboards = createDashboards(project, spaces);
    const explores = createExplores();
    return [project.summary.projectUuid, { project, spaces, charts, dashboards, explores }];
  });
  const groups = createGroups(members);
  const firstGroup = groups[0]!.group;
  const [, firstLibrary] = libraries[0]!;
  const access: GroupAccess = {
    groupUuid: firstGroup.uuid,
    groupName: firstGroup.name,
    spaceRole: 'viewer',
  };
  return {
    members: new Map(members.map((member) => [member.userUuid, member])),
    groups: new Map(groups.map((each) => [each.group.uuid, each])),
    libraries: new Map(libraries),
    userShares: new Map(),
    groupShares: new Map([[firstLibrary.spaces[0]!.uuid, new Map([[access.groupUuid, access]])]]),
    queries: new Map(),
    validated: new Set(),
  };
}
