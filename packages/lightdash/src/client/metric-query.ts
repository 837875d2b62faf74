/** Queries and their results. */

/** A query in the form of the API. Dimensions and metrics are ids of fields. */
export interface MetricQuery {
  readonly exploreName: string;
  readonly dimensions: readonly string[];
  readonly metrics: readonly string[];
  readonly filters: Readonly<Record<string, unknown>>;
  readonly sorts: readonly { readonly fieldId: string; readonly descending: boolean }[];
  readonly limit: number;
  readonly tableCalculations: readonly unknown[];
}

/** One cell: the raw value from the warehouse, and the text that Lightdash would show. */
export interface Cell {
  readonly value: { readonly raw: unknown; readonly formatted: string };
}

/** Cells by field id. */
export type ResultRow = Readonly<Record<string, Cell>>;

/** The state of a running query. */
export type QueryState =
  | { readonly status: 'ready'; readonly rows: readonly ResultRow[]; readonly totalResults: number }
  | { readonly status: 'error' | 'expired'; readonly error?: string | null }
  | { readonly status: 'cancelled' | 'pending' | 'queued' | 'executing' };

/** The rows of a query that is done. */
export interface QueryResult {
  readonly rows: readonly ResultRow[];
  /** The total number of rows. `rows` may be only the first ones. */
  readonly total: number;
  /** What Lightdash said when the query began. */
  readonly started: object;
}
