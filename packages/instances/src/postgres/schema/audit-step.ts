/**
 * Step 2: the journals of all instances, and the tables that are filled from them. Users query the
 * view `calls` and the table `events`, which docs/many-instances.md documents.
 *
 * `journal_lines` has the lines as they were written, many in one row. Values that many calls share
 * are stored once, in `call_facts`. Lines and calls have one partition per day, which is dropped as
 * a whole. Two functions create and drop partitions. They run with the rights of their owner, so an
 * instance needs no right to create tables.
 */

import type { Migration } from './migration.js';

export const AUDIT_STEP: Migration = {
  version: 2,
  oldest: 1,
  sql: (name) => `
    create table ${name('journals')} (
      id integer generated always as identity unique,
      journal text primary key,
      writer text not null,
      part integer not null,
      "offset" bigint not null,
      last_n bigint not null default -1,
      day date not null,
      is_open boolean not null default true,
      anchor text,
      anchor_n bigint not null default -1,
      pruned jsonb,
      changed_at timestamptz not null default now()
    );
    create index on ${name('journals')} (writer);

    create table ${name('journal_lines')} (
      day date not null,
      journal integer not null,
      part integer not null,
      start bigint not null,
      "end" bigint not null,
      first_n bigint not null,
      last_n bigint not null,
      lines text not null,
      primary key (day, journal, part, start)
    ) partition by list (day);
    alter table ${name('journal_lines')} alter column lines set storage external;

    create table ${name('call_facts')} (
      fact integer generated always as identity primary key,
      key bytea not null unique,
      severity text not null,
      server text,
      tool text not null,
      name text not null,
      method text not null,
      risk text,
      evidence text,
      because text,
      decision text,
      rule text,
      decisions text,
      outcome text,
      caller text,
      client text not null,
      clientversion text not null,
      era text not null
    );
    create table ${name('call_records')} (
      day date not null,
      journal integer not null,
      n bigint not null,
      time timestamptz not null,
      fact integer not null,
      bucket smallint,
      session text not null,
      ms double precision,
      retries integer,
      sizein bigint not null,
      sizeout bigint,
      announced boolean not null,
      fingerprint bytea,
      arguments text
    ) partition by list (day);
    create index on ${name('call_records')} (time, fact);
    -- Calls that have not ended: their end finds them here.
    create index on ${name('call_records')} (journal, n) where ms is null;
    create view ${name('calls')} as select
      journals.writer || '-' || records.n as id, records.time, records.day, severity, server, tool, name, method,
      risk, evidence, because, decision, rule, decisions, outcome, caller, client, clientversion, session, era, ms,
      retries, sizein, sizeout, 'sha256:' || encode(fingerprint, 'hex') as fingerprint, arguments, announced,
      journals.journal, records.n
    from ${name('call_records')} as records
      join ${name('call_facts')} using (fact)
      join ${name('journals')} as journals on journals.id = records.journal;

    create table ${name('events')} (
      id text primary key,
      time timestamptz not null,
      kind text not null,
      severity text not null,
      journal text not null,
      reason text not null,
      count bigint not null
    );
    create index on ${name('events')} (time);

    create function ${name('add_day')}(wanted date) returns void
      language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
      declare
        parent text;
        part text;
      begin
        foreach parent in array array['journal_lines', 'call_records'] loop
          part := parent || '_' || to_char(wanted, 'YYYYMMDD');
          if to_regclass(format('%I.%I', '${schemaIn(name)}', part)) is null then
            perform pg_advisory_xact_lock(hashtextextended('${schemaIn(name)} days', 0));
            begin
              -- Attaching blocks neither readers nor writers, unlike "create table … partition of".
              execute format('create table %1$I.%2$I (like %1$I.%3$I including defaults including storage)',
                '${schemaIn(name)}', part, parent);
              execute format('alter table %1$I.%3$I attach partition %1$I.%2$I for values in (%4$L)',
                '${schemaIn(name)}', part, parent, wanted);
            exception when duplicate_table then
              -- Another instance made it before we got the lock. A second look may still not see it.
              null;
            end;
          end if;
        end loop;
      end $body$;
    create function ${name('drop_day')}(old date) returns void
      language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
      declare
        parent text;
      begin
        foreach parent in array array['journal_lines', 'call_records'] loop
          execute format('drop table if exists %I.%I', '${schemaIn(name)}',
            parent || '_' || to_char(old, 'YYYYMMDD'));
        end loop;
      end $body$;
    revoke execute on function ${name('add_day')}(date), ${name('drop_day')}(date) from public;
  `,
};

/**
 * The name of the schema alone. It needs no quotes: it has only lower-case letters, digits and
 * underscores.
 */
function schemaIn(name: (table: string) => string): string {
  return name('x').split('"')[1]!;
}
