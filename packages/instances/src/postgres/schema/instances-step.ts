/** Step 1: the directory of instances, and leases. */

import type { Migration } from './migration.js';

export const INSTANCES_STEP: Migration = {
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
};
