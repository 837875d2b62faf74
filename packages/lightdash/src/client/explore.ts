/** Explores as Lightdash describes them: dimensions and metrics that queries can use. */

/** An explore in a list, without its fields. */
export interface ExploreSummary {
  readonly name: string;
  readonly label: string;
  readonly tags: readonly string[];
  readonly groupLabel?: string;
  readonly schemaName?: string;
  readonly databaseName?: string;
  readonly description?: string;
  /** Present if it did not compile. */
  readonly errors?: readonly { readonly type: string; readonly message: string }[];
}

/** A dimension or a metric. `sql` is for people; queries use the id of the field. */
export interface ExploreField {
  readonly name: string;
  readonly label: string;
  readonly table: string;
  readonly tableLabel: string;
  readonly fieldType: 'dimension' | 'metric';
  readonly type: string;
  readonly description?: string;
  readonly sql: string;
  /** Without references to other fields. */
  readonly compiledSql?: string;
  readonly hidden: boolean;
}

/** Fields by their own name. In queries their id is `table_field`. */
export interface ExploreTable {
  readonly name: string;
  readonly label: string;
  readonly description?: string;
  readonly dimensions: Readonly<Record<string, ExploreField>>;
  readonly metrics: Readonly<Record<string, ExploreField>>;
  readonly database?: string;
  readonly schema?: string;
  readonly sqlTable?: string;
  readonly lineageGraph?: object;
}

/** An explore with the fields of its own table and of joined tables. */
export interface Explore {
  readonly name: string;
  readonly label: string;
  readonly tags: readonly string[];
  readonly baseTable: string;
  readonly joinedTables: readonly {
    readonly table: string;
    readonly sqlOn?: string;
    readonly compiledSqlOn?: string;
  }[];
  readonly tables: Readonly<Record<string, ExploreTable>>;
  readonly targetDatabase?: string;
}

/** A metric of the catalogue. */
export interface CatalogMetric {
  readonly name: string;
  readonly label: string;
  readonly tableName: string;
  readonly tableLabel: string;
  readonly fieldType: string;
  readonly fieldValueType: string;
  readonly description?: string;
}
