/**
 * The screen Audit: recorded calls with filters, a timeline, and the path of one call through the
 * modules.
 */

import { type Placed, scriptTree } from '@callsign/core/script-tree';
import type { RecordData, RecordStats, StoredEvent } from '@callsign/gateway/admin/data';
import { useEffect, useRef } from 'preact/hooks';

import { CallFilters, ClearFilters } from '../audit/call-filters.js';
import { CallPath } from '../audit/call-path.js';
import { RecordActions } from '../audit/record-actions.js';
import { Timeline } from '../audit/timeline.js';
import { points } from '../live/gateway-state.js';
import { useLoaded } from '../live/loaded.js';
import { href, route, setQuery } from '../live/route.js';
import { get } from '../live/session.js';
import { Badge } from '../view/badge.js';
import { Empty, Problem, Waiting } from '../view/notice.js';
import { RowLink } from '../view/row-link.js';
import { durationText, line } from '../view/shown-text.js';

const LIMIT = 200;

export function Audit() {
  const { item, query } = route.value;
  const wanted = query.toString();
  const list = useLoaded(() => get<RecordData[]>(`/records?${wanted}&limit=${LIMIT}`), [wanted]);
  const stats = useLoaded(() => get<RecordStats>(`/records/stats?${wanted}`), [wanted]);
  const lookAgain = (): void => {
    list.reload();
    stats.reload();
  };
  const found = list.data?.find(({ id }) => id === item);
  return (
    <>
      <div class="row between">
        <h1>Audit</h1>
        <span class="row">
          <ClearFilters query={query} />
          <Fresh key={wanted} data={list.data} onLook={lookAgain} />
        </span>
      </div>
      <CallFilters query={query} />
      <Problem text={list.problem ?? stats.problem} />
      <Timeline stats={stats.data} />
      <RecordActions query={wanted} />
      {list.data === undefined && list.problem === undefined && <Waiting rows={8} />}
      {list.data?.length === 0 && (
        <Empty>
          {wanted === '' ? (
            <>
              No calls are recorded yet. Call a tool from a client, or from{' '}
              <a href={href('tools')}>Tools</a>.
            </>
          ) : (
            <>
              No recorded calls match. <a href={href('audit', item)}>Clear the filters</a>
            </>
          )}
        </Empty>
      )}
      <div class={item === undefined ? '' : 'split one-call'}>
        {list.data && list.data.length > 0 && <Records records={list.data} chosen={item} />}
        {item !== undefined && (
          <CallPath key={item} id={item} call={found?.kind === 'call' ? found : undefined} />
        )}
      </div>
    </>
  );
}

interface FreshProps {
  readonly data: readonly RecordData[] | undefined;
  readonly onLook: () => void;
}

/** Counts new calls and shows them only on a click, so that rows do not move under the pointer. */
function Fresh({ data, onLook }: FreshProps) {
  const seen = useRef(Date.now() / 1000);
  useEffect(() => {
    seen.current = Date.now() / 1000;
  }, [data]);
  const fresh = points.value
    .filter(({ at }) => at > seen.current)
    .reduce((sum, { calls }) => sum + calls, 0);
  return (
    <button type="button" class={fresh > 0 ? 'primary' : ''} onClick={onLook}>
      {fresh > 0 ? `Show ${fresh} new ${fresh === 1 ? 'call' : 'calls'}` : 'Refresh'}
    </button>
  );
}

interface RecordsProps {
  readonly records: readonly RecordData[];
  readonly chosen: string | undefined;
}

function Records({ records, chosen }: RecordsProps) {
  const isSplit = chosen !== undefined;
  return (
    <div>
      <div class="scroll" tabIndex={0} role="region" aria-label="Calls">
        <table class="records">
          <thead>
            <tr>
              <th scope="col">Time</th>
              <th scope="col">Tool</th>
              {!isSplit &&
                ['Risk', 'Decision'].map((title) => (
                  <th key={title} scope="col" class="wide">
                    {title}
                  </th>
                ))}
              <th scope="col">Outcome</th>
              {!isSplit && (
                <th scope="col" class="wide">
                  By
                </th>
              )}
              <th scope="col" class="number wide">
                ms
              </th>
            </tr>
          </thead>
          <tbody>
            {scriptTree(records).map(({ row, place }) => (
              <Row key={row.id} record={row} place={place} chosen={chosen} />
            ))}
          </tbody>
        </table>
      </div>
      {records.length === LIMIT && (
        <button type="button" class="older" onClick={() => setQuery(olderThan(records))}>
          Older calls
        </button>
      )}
    </div>
  );
}

interface RowProps {
  readonly record: RecordData;
  readonly place: Placed<RecordData>['place'];
  readonly chosen?: string | undefined;
}

function Row({ record, place, chosen }: RowProps) {
  if (record.kind !== 'call') return <JournalEvent event={record} />;
  const { id, time, tool, risk, decision, outcome, client, caller, ms, waitedMs, script } = record;
  const isBeneath = place === 'inner' || place === 'last';
  return (
    <tr class={id === chosen ? 'chosen' : ''}>
      <td class="dim time">{shownTime(time)}</td>
      <th scope="row" class={isBeneath ? 'beneath' : ''}>
        {isBeneath && <span class="dim">{place === 'last' ? '└' : '├'} </span>}
        <RowLink to={href('audit', id, route.value.query)} isChosen={id === chosen}>
          {line(tool, 100)}
        </RowLink>
        {place === 'run' && <code class="dim"> {line(script!, 40)}</code>}
      </th>
      {chosen === undefined &&
        [risk, decision].map((word, i) => (
          <td key={i} class="wide">
            {word !== null && <Badge word={word} />}
          </td>
        ))}
      <td>
        <Badge word={outcome ?? 'not ended'} />
      </td>
      {chosen === undefined && (
        <td class="wide">
          {line(client, 60)}
          {caller !== null && <span class="dim"> {line(caller, 60)}</span>}
        </td>
      )}
      <td class="number wide">
        {ms === null ? '' : Math.round(ms - (waitedMs ?? 0))}
        {waitedMs !== null && <span class="dim"> + {durationText(waitedMs)} wait</span>}
      </td>
    </tr>
  );
}

function JournalEvent({ event: { kind, time, reason, count } }: { readonly event: StoredEvent }) {
  return (
    <tr>
      <td class="dim time">{shownTime(time)}</td>
      <td class="event" colSpan={6}>
        <Badge word={kind} /> {line(reason, 300)} <span class="dim">({count})</span>
      </td>
    </tr>
  );
}

/** Continues from the oldest shown call. Calls of the same moment may be shown twice, so that none is lost. */
function olderThan(records: readonly RecordData[]): { until: string } {
  return { until: new Date(Date.parse(records.at(-1)!.time) + 1).toISOString() };
}

function shownTime(time: string): string {
  const at = new Date(time);
  const isToday = at.toDateString() === new Date().toDateString();
  const clock = at.toLocaleTimeString('en-GB');
  if (isToday) return clock;
  return `${at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })} ${clock}`;
}
