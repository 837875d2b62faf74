/** Audit: recorded calls with filters, a timeline, and the path of one call through the modules. */

import { useState } from 'preact/hooks';

import type { CallGroup, CallList, RecordedCall, RecordsVerified } from '@callsign/admin/data';

import { status } from '../live/gateway-state.js';
import { useLoaded } from '../live/loaded.js';
import { href, route, setQuery } from '../live/route.js';
import { get } from '../live/session.js';
import { Badge } from '../view/badge.js';
import { Empty, Problem, Waiting } from '../view/notice.js';
import { line, paragraph } from '../view/shown-text.js';

const CHOICES: readonly (readonly [name: string, label: string, options: readonly string[]])[] = [
  ['risk', 'Any risk', ['read', 'write', 'destructive']],
  ['decision', 'Any decision', ['allow', 'confirm', 'dry-run', 'deny']],
  ['outcome', 'Any outcome', ['ok', 'tool-error', 'server-error', 'policy-denied', 'not-approved']],
];
const TEXTS: readonly (readonly [name: string, label: string])[] = [
  ['text', 'Search calls'],
  ['tool', 'Tool, such as github:*'],
  ['caller', 'Caller'],
  ['client', 'Client'],
];

export function Audit() {
  const { item, query } = route.value;
  const wanted = query.toString();
  const { data, problem, reload } = useLoaded(() => get<CallList>(`/calls?${wanted}`), [wanted]);
  const chosen = data?.calls.find(({ id }) => id === item);
  return (
    <>
      <div class="row between">
        <h1>Audit</h1>
        <span class="row">
          <button type="button" onClick={reload}>
            Look again
          </button>
          <Verify />
        </span>
      </div>
      <Filters query={query} />
      <Problem text={problem} />
      {data === undefined && problem === undefined && <Waiting rows={6} />}
      {data && <Timeline list={data} />}
      {data?.calls.length === 0 && (
        <Empty>No recorded call matches. Clear a filter, or call a tool.</Empty>
      )}
      {data && data.calls.length > 0 && (
        <div class={chosen ? 'split' : ''}>
          <Calls calls={data.calls} chosen={item} />
          {chosen && <CallPath call={chosen} />}
        </div>
      )}
    </>
  );
}

function Filters({ query }: { readonly query: URLSearchParams }) {
  const servers = status.value?.servers.map(({ key }) => key) ?? [];
  return (
    <search class="filters">
      {TEXTS.map(([name, label]) => (
        <input
          key={name}
          type="search"
          aria-label={label}
          placeholder={label}
          value={query.get(name) ?? ''}
          onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value })}
        />
      ))}
      {[['server', 'All servers', servers] as const, ...CHOICES].map(([name, label, options]) => (
        <select
          key={name}
          aria-label={label}
          value={query.get(name) ?? ''}
          onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value })}
        >
          <option value="">{label}</option>
          {options.map((each) => (
            <option key={each} value={each}>
              {line(each, 60)}
            </option>
          ))}
        </select>
      ))}
    </search>
  );
}

/** Calls per day; each bar narrows the list to its day. */
function Timeline({ list: { total, days } }: { readonly list: CallList }) {
  const most = Math.max(1, ...days.map(({ calls }) => calls));
  return (
    <>
      <p class="dim total" role="status">
        {total.calls} calls, {total.errors} not ok
        {total.p95 === undefined ? '' : `, 95 % within ${Math.round(total.p95)} ms`}
      </p>
      <ol class="timeline" aria-label="Calls per day">
        {days.slice(-60).map((day) => (
          <li key={day.name}>
            <button
              type="button"
              title={`${day.name}: ${day.calls} calls`}
              aria-label={`${day.name}: ${day.calls} calls, ${day.errors} not ok`}
              style={{ height: `${Math.max(4, (56 * day.calls) / most)}px` }}
              onClick={() => setQuery(rangeOf(day))}
            />
          </li>
        ))}
      </ol>
    </>
  );
}

function rangeOf({ name }: CallGroup): { since: string; until: string } {
  const start = new Date(`${name}T00:00:00Z`);
  const end = new Date(start.getTime() + 86_400_000);
  return { since: start.toISOString(), until: end.toISOString() };
}

interface CallsProps {
  readonly calls: readonly RecordedCall[];
  readonly chosen: string | undefined;
}

function Calls({ calls, chosen }: CallsProps) {
  const { query } = route.value;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Calls">
      <table>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Tool</th>
            <th scope="col">Outcome</th>
            <th scope="col" class="wide">
              Client
            </th>
            <th scope="col" class="number wide">
              ms
            </th>
          </tr>
        </thead>
        <tbody>
          {calls.map(({ id, time, tool, outcome, client, ms }) => (
            <tr key={id} class={id === chosen ? 'chosen' : ''}>
              <td class="dim">{new Date(time).toLocaleString()}</td>
              <th scope="row">
                <a href={href('audit', id, query)}>{line(tool, 100)}</a>
              </th>
              <td>
                <Badge word={outcome ?? 'not ended'} />
              </td>
              <td class="wide">{line(client, 60)}</td>
              <td class="number wide">{ms === null ? '' : Math.round(ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** One call: who, what, and the decision of each module in order. */
function CallPath({ call }: { readonly call: RecordedCall }) {
  return (
    <section class="detail" aria-labelledby="call">
      <h2 id="call">{line(call.tool, 150)}</h2>
      <p class="dim">{new Date(call.time).toLocaleString()}</p>
      <dl>
        <dt>Called as</dt>
        <dd>
          <code>{line(call.name, 200)}</code>
        </dd>
        <dt>By</dt>
        <dd>
          {call.caller === null ? '' : `${line(call.caller, 100)} with `}
          {line(call.client, 100)}
        </dd>
        <dt>Label</dt>
        <dd>
          {call.risk === null ? 'none' : <Badge word={call.risk} />} {call.evidence ?? ''}
        </dd>
      </dl>
      <h3>Decisions</h3>
      {call.decisions.length === 0 && <p class="dim">No module decides about calls here.</p>}
      <ol class="rules">
        {call.decisions.map(({ module, decision, rule }) => (
          <li key={module}>
            {module}: <Badge word={decision} /> <span class="dim">{line(rule, 300)}</span>
          </li>
        ))}
      </ol>
      <h3>Result</h3>
      <p>
        <Badge word={call.outcome ?? 'not ended'} />{' '}
        {call.ms === null ? '' : `after ${Math.round(call.ms)} ms, `}
        {call.sizeIn} characters in, {call.sizeOut ?? 0} out
      </p>
      <h3>Arguments</h3>
      {call.arguments === null ? (
        <p class="dim">
          They were not kept. To keep them without secrets: callsign.audit.arguments
        </p>
      ) : (
        <pre tabIndex={0} aria-label="Arguments">
          {paragraph(call.arguments)}
        </pre>
      )}
    </section>
  );
}

function Verify() {
  const [result, setResult] = useState<RecordsVerified>();
  const [problem, setProblem] = useState<string>();
  const verify = (): void => {
    setProblem(undefined);
    get<RecordsVerified>('/calls/verify').then(setResult, (error: Error) =>
      setProblem(error.message),
    );
  };
  return (
    <>
      <button type="button" onClick={verify}>
        Verify
      </button>
      {result && (
        <span class={result.isWhole ? 'done' : 'mark'} role="status">
          {result.isWhole
            ? 'The records are whole.'
            : result.sentences.map((each) => line(each)).join(' ')}
        </span>
      )}
      <Problem text={problem} />
    </>
  );
}
