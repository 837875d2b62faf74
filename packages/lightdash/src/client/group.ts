/** Groups of members as Lightdash describes them. */

/** A group without its members, as lists show it. */
export interface Group {
  readonly uuid: string;
  readonly name: string;
  readonly organizationUuid: string;
  readonly createdAt: string;
  readonly createdByUserUuid: string | null;
  readonly updatedAt: string;
  readonly updatedByUserUuid: string | null;
}

/** A member, as its group shows it. */
export interface GroupMember {
  readonly userUuid: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
}

/** A group, when its members are requested too. */
export interface GroupWithMembers extends Group {
  readonly members: readonly GroupMember[];
  readonly memberUuids: readonly string[];
}
