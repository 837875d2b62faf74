/** Groups of members as Lightdash describes them. */

export interface Group {
  readonly uuid: string;
  readonly name: string;
  readonly organizationUuid: string;
  readonly createdAt: string;
  readonly createdByUserUuid: string | null;
  readonly updatedAt: string;
  readonly updatedByUserUuid: string | null;
}

export interface GroupMember {
  readonly userUuid: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
}

export interface GroupWithMembers extends Group {
  readonly members: readonly GroupMember[];
  readonly memberUuids: readonly string[];
}
