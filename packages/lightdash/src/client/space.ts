/** Spaces as Lightdash describes them: nested folders of charts and dashboards. */

import type { Chart, SpaceDashboard } from './content.js';

/** What a user or a group may do in one space. */
export type SpaceRole = 'viewer' | 'editor' | 'admin';

/** Fields of every answer about a space. */
export interface SpaceIdentity {
  readonly organizationUuid: string;
  readonly projectUuid: string;
  readonly uuid: string;
  readonly name: string;
  readonly slug: string;
  readonly path: string;
  readonly parentSpaceUuid: string | null;
  readonly inheritParentPermissions: boolean;
  readonly inheritsFromOrgOrProject: boolean;
  readonly projectMemberAccessRole: SpaceRole | null;
  readonly pinnedListUuid: string | null;
  readonly pinnedListOrder: number | null;
}

/** The access of one user. An inherited role comes from elsewhere, such as the organization. */
export interface SpaceAccess {
  readonly userUuid: string;
  readonly role: SpaceRole;
  readonly hasDirectAccess: boolean;
  readonly inheritedRole?: string;
  readonly inheritedFrom?: string;
}

/** A space in a list: counts of its contents instead of the contents. */
export interface SpaceSummary extends SpaceIdentity {
  readonly chartCount: number;
  readonly dashboardCount: number;
  readonly childSpaceCount: number;
  readonly appCount: number;
  /** Users with direct access. */
  readonly access: readonly string[];
  readonly userAccess?: SpaceAccess;
}

/** A user with access to a space, with the profile that Lightdash shows. */
export interface SpaceShare extends SpaceAccess {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly isInternal: boolean;
  readonly avatarUrl?: string | null;
  readonly avatarGradient?: string | null;
}

/** Access that the members of a group have to a space. */
export interface GroupAccess {
  readonly groupUuid: string;
  readonly groupName: string;
  readonly spaceRole: SpaceRole;
}

/** A space with its content. `queries` are its charts, in the words of the API. */
export interface Space extends SpaceIdentity {
  readonly queries: readonly Chart[];
  readonly dashboards: readonly SpaceDashboard[];
  readonly childSpaces: readonly SpaceIdentity[];
  readonly access: readonly SpaceShare[];
  readonly groupsAccess: readonly GroupAccess[];
  readonly colorPaletteUuid: string | null;
  readonly breadcrumbs?: readonly {
    readonly uuid: string;
    readonly name: string;
    readonly hasAccess: boolean;
  }[];
}
