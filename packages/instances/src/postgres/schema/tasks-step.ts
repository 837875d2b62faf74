/** Step 6: the gateway's own tasks, and orders for the instances that run them. */

import type { Migration } from './migration.js';

export const TASKS_STEP: Migration = {
  version: 6,
  oldest: 2,
  sql: (name) => `
    create table ${name('own_tasks')} (
      id text primary key,
      owner text not null,
      -- The instance that runs the call.
      holder text not null,
      -- JSON, encrypted if there is a secret.
      record text not null,
      -- The holder has ended, so it must not change the record any more.
      is_closed boolean not null default false,
      created_at timestamptz not null default clock_timestamp(),
      ends_at timestamptz not null
    );
    create index on ${name('own_tasks')} (owner);
    create table ${name('task_orders')} (
      n bigint generated always as identity primary key,
      task text not null references ${name('own_tasks')} (id) on delete cascade,
      text text not null
    );
    create index on ${name('task_orders')} (task);
  `,
};
