/** Questions to the data, and their answers. */

export interface MetricQuery {
  readonly exploreName: string;
  readonly dimensions: readonly string[];
  readonly metrics: readonly string[];
  readonly filters: Readonly<Record<string, unknown>>;
  readonly sorts: readonly { readonly fieldId: string; readonly descending: boolean }[];
  readonly limit: number;
  readonly tableCalculations: readonly unknown[];
}

/** One cell: as the warehouse gave it, and as Lightdash would show it. */
export interface Cell {
  readonly value: { readonly raw: unknown; readonly formatted: string };
}

export type ResultRow = Readonly<Record<string, Cell>>;

/** A query on its way, as Lightdash tells of it when asked. */
export type QueryState =
  | { readonly status: 'ready'; readonly rows: readonly ResultRow[]; readonly totalResults: number }
  | { readonly status: 'error' | 'expired'; readonly error?: string | null }
  | { readonly status: 'cancelled' | 'pending' | 'queued' | 'executing' };

export interface QueryResult {
  readonly rows: readonly ResultRow[];
  /** How many rows there are, of which `rows` may be the first. */
  readonly total: number;
}
