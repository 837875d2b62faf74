/** One step of the schema. */

/** Returns the full name of a table or function in SQL. */
type NameOf = (table: string) => string;

export interface Migration {
  readonly version: number;
  /** The oldest version whose code still works with this schema. */
  readonly oldest: number;
  sql(name: NameOf): string;
}
