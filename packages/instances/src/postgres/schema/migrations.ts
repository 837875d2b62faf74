/**
 * All steps of the schema, in order. A released step is never changed. During an upgrade, old and
 * new instances run side by side, so a step only adds. Tables that are no longer used are dropped
 * one version later.
 */

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

/** Add new steps at the end. */
export const MIGRATIONS: readonly Migration[] = [
  /** Step 1: the directory of instances, and leases. */
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
  /**
   * Step 2: the journals of all instances, and the tables that are filled from them. Users query the
   * view `calls` and the table `events`, which docs/many-instances.md documents.
   *
   * `journal_lines` has the lines as they were written, many in one row. Values that many calls share
   * are stored once, in `call_facts`. Lines and calls have one partition per day, which is dropped as
   * a whole. Two functions create and drop partitions. They run with the rights of their owner, so an
   * instance needs no right to create tables.
   */
  {
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
  },
  /** Step 3: waiting calls, remembered answers, orders, and quotas. */
  {
    version: 3,
    oldest: 2,
    sql: (name) => `
    create table ${name('approvals')} (
      id text primary key,
      instance text not null,
      -- What a person sees, without secrets.
      summary jsonb not null,
      -- The arguments in full length, without secrets.
      whole jsonb not null,
      posted_at timestamptz not null default clock_timestamp(),
      ends_at timestamptz not null,
      decision jsonb,
      decided_at timestamptz
    );
    create table ${name('answers')} (
      who text not null,
      key text not null,
      ends_at timestamptz not null,
      primary key (who, key)
    );
    create table ${name('orders')} (
      name text primary key,
      count bigint not null
    );
    create table ${name('quotas')} (
      key text primary key,
      calls double precision not null,
      refilled_at timestamptz not null,
      -- The blocks that are out: { holder: { held, until } }, until as seconds.
      blocks jsonb not null default '{}'
    );

    -- Grants a block in one round trip. The row is locked for as long as that takes.
    create function ${name('take_quota')}(
      wanted_key text, asker text, per_minute double precision, kept bigint, returned bigint, wanted bigint,
      ms double precision, out granted bigint, out wait_ms double precision)
      language plpgsql as $body$
      declare
        quota ${name('quotas')};
        moment double precision;
        outstanding double precision;
        available double precision;
      begin
        insert into ${name('quotas')} (key, calls, refilled_at)
          values (wanted_key, per_minute, clock_timestamp()) on conflict (key) do nothing;
        select * into quota from ${name('quotas')} where key = wanted_key for update;
        moment := extract(epoch from clock_timestamp());
        quota.blocks := (
          select coalesce(jsonb_object_agg(block.key, block.value), '{}') from jsonb_each(quota.blocks) as block
          where block.key <> asker and (block.value ->> 'until')::double precision > moment);
        select coalesce(sum((block.value ->> 'held')::double precision), 0) + kept into outstanding
          from jsonb_each(quota.blocks) as block;
        -- Blocks that may still be used are part of what may come at once.
        available := greatest(0, least(
          per_minute - outstanding,
          quota.calls + returned
            + (moment - extract(epoch from quota.refilled_at)::double precision) * per_minute / 60));
        granted := least(wanted, floor(available)::bigint);
        wait_ms := (1 - (available - floor(available))) * 60000 / per_minute;
        if kept + granted > 0 then
          quota.blocks := quota.blocks
            || jsonb_build_object(asker, jsonb_build_object('held', kept + granted, 'until', moment + ms / 1000));
        end if;
        update ${name('quotas')}
          set calls = available - granted, refilled_at = to_timestamp(moment), blocks = quota.blocks
          where key = wanted_key;
      end $body$;
  `,
  },
  /** Step 4: texts that all instances share, such as the lock file and the encrypted sign-ins. */
  {
    version: 4,
    oldest: 2,
    sql: (name) => `
    create table ${name('documents')} (
      name text primary key,
      text text not null,
      changed_at timestamptz not null default clock_timestamp()
    );
  `,
  },
  /** Step 5: what each instance says about its servers and calls, for operators. */
  {
    version: 5,
    oldest: 2,
    sql: (name) => `alter table ${name('instances')} add column report jsonb;`,
  },
  /** Step 6: the gateway's own tasks, and orders for the instances that run them. */
  {
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
  },
  /** Step 7: how the wait of a call ended, as the instance says where it waited. */
  {
    version: 7,
    oldest: 2,
    sql: (name) => `alter table ${name('approvals')} add column outcome text;`,
  },
  /** Step 8: the script that made a call, or that it ran. New columns of a view can only come last. */
  {
    version: 8,
    oldest: 2,
    sql: (name) => `
    alter table ${name('call_facts')} add column script text;
    create or replace view ${name('calls')} as select
      journals.writer || '-' || records.n as id, records.time, records.day, severity, server, tool, name, method,
      risk, evidence, because, decision, rule, decisions, outcome, caller, client, clientversion, session, era, ms,
      retries, sizein, sizeout, 'sha256:' || encode(fingerprint, 'hex') as fingerprint, arguments, announced,
      journals.journal, records.n, script
    from ${name('call_records')} as records
      join ${name('call_facts')} using (fact)
      join ${name('journals')} as journals on journals.id = records.journal;
  `,
  },
  /** Step 9: whose account at its server a call used. New columns of a view can only come last. */
  {
    version: 9,
    oldest: 2,
    sql: (name) => `
    alter table ${name('call_facts')} add column account text;
    create or replace view ${name('calls')} as select
      journals.writer || '-' || records.n as id, records.time, records.day, severity, server, tool, name, method,
      risk, evidence, because, decision, rule, decisions, outcome, caller, client, clientversion, session, era, ms,
      retries, sizein, sizeout, 'sha256:' || encode(fingerprint, 'hex') as fingerprint, arguments, announced,
      journals.journal, records.n, script, account
    from ${name('call_records')} as records
      join ${name('call_facts')} using (fact)
      join ${name('journals')} as journals on journals.id = records.journal;
  `,
  },
  /** Step 10: how long a call waited for a person. New columns of a view can only come last. */
  {
    version: 10,
    oldest: 2,
    sql: (name) => `
    alter table ${name('call_records')} add column waitedms double precision;
    create or replace view ${name('calls')} as select
      journals.writer || '-' || records.n as id, records.time, records.day, severity, server, tool, name, method,
      risk, evidence, because, decision, rule, decisions, outcome, caller, client, clientversion, session, era, ms,
      retries, sizein, sizeout, 'sha256:' || encode(fingerprint, 'hex') as fingerprint, arguments, announced,
      journals.journal, records.n, script, account, waitedms
    from ${name('call_records')} as records
      join ${name('call_facts')} using (fact)
      join ${name('journals')} as journals on journals.id = records.journal;
  `,
  },
];

/**
 * The name of the schema alone. It needs no quotes: it has only lower-case letters, digits and
 * underscores.
 */
function schemaIn(name: NameOf): string {
  return name('x').split('"')[1]!;
}
