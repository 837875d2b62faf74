/** One step of the schema. */

/** Returns the full name of a table or function, quoted for SQL. */
type NameOf = (table: string) => string;

/** A step, and the versions of the code that can work with it. */
export interface Migration {
  /** Steps are numbered from 1, without gaps. */
  readonly version: number;
  /** The oldest version whose code still works with this schema. */
  readonly oldest: number;
  sql(name: NameOf): string;
}
