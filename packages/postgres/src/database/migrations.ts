/**
 * The schema, step by step. A step is never changed once it is released. Old and new instances run side by side
 * during an upgrade, so a step only adds; what is no longer used is dropped one version later.
 */

/** Gives the name of a table or function in SQL. */
type NameOf = (table: string) => string;

export interface Migration {
  readonly version: number;
  /** The oldest version whose code still works with this schema. */
  readonly oldest: number;
  sql(name: NameOf): string;
}

export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    oldest: 1,
    sql: (name) => `
      create table ${name('instances')} (
        id text primary key,
        address text not null,
        key text not null,
        configuration text not null,
        version text not null,
        state text not null,
        started_at timestamptz not null default clock_timestamp(),
        seen_at timestamptz not null default clock_timestamp()
      );
      create table ${name('leases')} (
        name text primary key,
        holder text not null,
        fence bigint not null,
        ends_at timestamptz not null
      );
    `,
  },
];
