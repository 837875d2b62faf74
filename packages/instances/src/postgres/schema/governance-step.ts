/** Step 3: waiting calls, remembered answers, orders, and quotas. */

import type { Migration } from './migration.js';

export const GOVERNANCE_STEP: Migration = {
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
};
