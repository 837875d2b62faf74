/** Members of the organization as Lightdash describes them. */

/** The role of a member in the whole organization, from the least rights to the most. */
export type OrganizationRole =
  | 'member'
  | 'viewer'
  | 'interactive_viewer'
  | 'editor'
  | 'developer'
  | 'admin';

/** `isPending`: invited, and has not signed in yet. */
export interface Member {
  readonly userUuid: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly organizationUuid: string;
  readonly role: OrganizationRole;
  readonly isActive: boolean;
  readonly isPending?: boolean;
  readonly isInviteExpired?: boolean;
  readonly userCreatedAt: string;
  readonly userUpdatedAt: string;
  readonly avatarUrl?: string | null;
  readonly avatarGradient?: string | null;
}
