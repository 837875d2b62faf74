/** Charts and dashboards in lists of Lightdash, and results of its search. */

/** A user, as content names its authors. */
export interface Author {
  readonly userUuid: string;
  readonly firstName: string;
  readonly lastName: string;
}

/** Who marked a chart or a dashboard as trustworthy. */
export interface Verification {
  readonly verifiedAt: string;
  readonly verifiedBy: Author;
}

/** Fields that charts and dashboards share. */
export interface Content {
  readonly uuid: string;
  readonly name: string;
  readonly slug: string;
  readonly description?: string;
  readonly organizationUuid: string;
  readonly projectUuid: string;
  readonly spaceUuid: string;
  readonly pinnedListUuid: string | null;
  readonly pinnedListOrder: number | null;
  readonly updatedAt: string;
  readonly updatedByUser?: Author;
  readonly views: number;
  readonly firstViewedAt: string | null;
  readonly verification: Verification | null;
}

/** `dashboardUuid` is `null` for a chart that belongs to a space and not to one dashboard. */
export interface Chart extends Content {
  readonly spaceName: string;
  readonly dashboardUuid: string | null;
  readonly dashboardName: string | null;
  readonly dashboardSlug?: string | null;
  readonly chartType?: string;
  readonly chartKind?: string;
  readonly source?: 'dbt_explore' | 'sql';
}

/** A dashboard in the description of a space. */
export type SpaceDashboard = Content;

/** A dashboard in a list of all dashboards, which also says what kinds of tiles it has. */
export interface Dashboard extends SpaceDashboard {
  readonly tileTypes: readonly string[];
}

/** What the search finds, and what it can be limited to. */
export type ContentType = 'chart' | 'dashboard' | 'space';

/** One result of the search over all content. */
export interface ContentFind {
  readonly contentType: ContentType;
  readonly uuid: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string | null;
  readonly project: { readonly uuid: string; readonly name: string };
  readonly space: { readonly uuid: string; readonly name: string } | null;
  readonly views?: number;
  readonly lastUpdatedAt: string | null;
  readonly [key: string]: unknown;
}

/** Lists default to all projects, or all types. */
export interface ContentQuery {
  readonly search: string;
  readonly projectUuids?: readonly string[];
  readonly contentTypes?: readonly ContentType[];
}

/** A chart or a dashboard as code. */
export interface ContentAsCode {
  readonly slug: string;
  readonly name: string;
  readonly [key: string]: unknown;
}

export type CodeKind = 'charts' | 'dashboards';

/** Part of the list, under the name of its kind. */
export type ContentsAsCode<K extends CodeKind> = Readonly<Record<K, readonly ContentAsCode[]>> & {
  readonly missingIds: readonly string[];
  readonly total: number;
  readonly offset: number;
};

/** One page of charts as code. `missingIds` are requested ids that Lightdash does not know. */
export type ChartsAsCode = ContentsAsCode<'charts'>;
/** One page of dashboards as code. `missingIds` are requested ids that Lightdash does not know. */
export type DashboardsAsCode = ContentsAsCode<'dashboards'>;

/** The change to a chart or a dashboard: created, updated, or none. */
interface Upserted {
  readonly action: string;
  readonly data?: { readonly uuid?: string };
}

/** What Lightdash did with a chart that was sent as code. */
export interface UpsertedChart {
  readonly charts?: readonly Upserted[];
}

/** What Lightdash did with a dashboard that was sent as code. */
export interface UpsertedDashboard {
  readonly dashboards?: readonly Upserted[];
}
