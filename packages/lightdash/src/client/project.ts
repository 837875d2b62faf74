/** Projects as Lightdash describes them. */

/** A project in a list. */
export interface ProjectSummary {
  readonly projectUuid: string;
  readonly name: string;
  readonly slug?: string;
  readonly type: 'DEFAULT' | 'PREVIEW';
  readonly createdByUserUuid: string | null;
  readonly createdByUserName: string | null;
  readonly createdAt: string;
  readonly upstreamProjectUuid: string | null;
  readonly warehouseType?: string;
  readonly expiresAt: string | null;
}

/** A project with its connections, of which tools return only the kind. */
export interface Project {
  readonly organizationUuid: string;
  readonly projectUuid: string;
  readonly name: string;
  readonly slug?: string;
  readonly type: 'DEFAULT' | 'PREVIEW';
  /** May contain hosts, branches and names of variables. */
  readonly dbtConnection: { readonly type: string; readonly [key: string]: unknown };
  /** May contain hosts and names of databases. */
  readonly warehouseConnection?: { readonly type: string; readonly [key: string]: unknown };
  readonly dbtVersion: string;
  readonly schedulerTimezone: string;
  readonly queryTimezone: string | null;
  readonly useProjectTimezoneInFilters: boolean;
  readonly schedulerFailureNotifyRecipients: boolean;
  readonly schedulerFailureIncludeContact: boolean;
  readonly schedulerFailureContactOverride: string | null;
  readonly createdByUserUuid: string | null;
  readonly hasDefaultUserSpaces: boolean;
  readonly colorPaletteUuid: string | null;
  readonly expiresAt: string | null;
  readonly agentSqlScope: object | null;
  readonly pinnedListUuid?: string;
  readonly upstreamProjectUuid?: string;
}
