/** The screen Names: what each client sees, what was changed, and why. */

import type { ClientData, ClientNames } from '@callsign/gateway/admin/data';
import { useEffect, useMemo, useRef } from 'preact/hooks';

import { toolsRevision } from '../live/gateway-state.js';
import { useLoaded } from '../live/loaded.js';
import { href, route, setQuery } from '../live/route.js';
import { get } from '../live/session.js';
import { NoTools } from '../server/server-list.js';
import { SearchField } from '../view/filters.js';
import { Empty, Problem, Waiting } from '../view/notice.js';
import { RowLink } from '../view/row-link.js';
import { line } from '../view/shown-text.js';
import { VirtualList } from '../view/virtual-list.js';

const ROW_HEIGHT = 46;

export function Names() {
  const { data, problem } = useLoaded(() => get<ClientData[]>('/names'), [toolsRevision.value]);
  const { item } = route.value;
  const chosen = item ?? data?.find(({ changed }) => changed > 0)?.profile ?? data?.[0]?.profile;
  return (
    <>
      <h1>Names</h1>
      <Problem text={problem} />
      {data === undefined && problem === undefined && <Waiting rows={4} />}
      {data && <Clients clients={data} chosen={chosen} />}
      {chosen !== undefined && <Client key={chosen} profile={chosen} />}
    </>
  );
}

interface ClientsProps {
  readonly clients: readonly ClientData[];
  readonly chosen: string | undefined;
}

function Clients({ clients, chosen }: ClientsProps) {
  const tiles = useRef<HTMLUListElement>(null);
  // On a narrow screen they are one line, which may be wider than the page.
  useEffect(() => {
    const tile = tiles.current!.querySelector('[aria-current]');
    tile?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [chosen]);
  return (
    <ul class="clients" ref={tiles}>
      {clients.map(({ profile, label, maxLength, tools, changed }) => (
        <li key={profile}>
          <a href={href('names', profile)} aria-current={profile === chosen ? 'true' : undefined}>
            <b>{line(label, 60)}</b>
            <span class="dim">
              {changed === 0 ? `all ${tools} exact` : `${changed} of ${tools} changed`}
            </span>
            <span class="dim">
              {maxLength === null ? 'any length' : `at most ${maxLength} characters`}
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function Client({ profile }: { readonly profile: string }) {
  const path = `/names/${encodeURIComponent(profile)}`;
  const { data, problem } = useLoaded(() => get<ClientNames>(path), [path, toolsRevision.value]);
  const { query } = route.value;
  const text = query.get('q') ?? '';
  const onlyChanged = query.get('only') === 'changed';
  const found = useMemo(() => {
    const wanted = text.toLowerCase();
    return (data?.names ?? []).filter(
      ({ canonical, name, exact }) =>
        !(onlyChanged && exact) &&
        (canonical.toLowerCase().includes(wanted) || name.toLowerCase().includes(wanted)),
    );
  }, [data, text, onlyChanged]);
  if (!data) return problem === undefined ? <Waiting rows={6} /> : <Problem text={problem} />;
  return (
    <section class="client" aria-labelledby="client">
      <h2 id="client">{line(data.label)}</h2>
      {data.problems.length > 0 && (
        <ul class="findings">
          {data.problems.slice(0, 10).map(({ message, advice }, i) => (
            <li key={i}>
              {line(message, 300)} <span class="dim">→ {line(advice, 300)}</span>
            </li>
          ))}
        </ul>
      )}
      <search class="filters">
        <SearchField label="Search names" />
        <label class="row">
          <input
            type="checkbox"
            checked={onlyChanged}
            onChange={({ currentTarget }) =>
              setQuery({ only: currentTarget.checked ? 'changed' : '' })
            }
          />
          only changed names
        </label>
      </search>
      <p class="dim total" role="status">
        {found.length} of {data.names.length} names
      </p>
      {data.names.length === 0 ? (
        <NoTools />
      ) : found.length === 0 ? (
        <Empty>
          No names match. Use fewer letters, or{' '}
          <a href={href('names', profile)}>clear the filters</a>.
        </Empty>
      ) : (
        <VirtualList
          items={found}
          rowHeight={ROW_HEIGHT}
          label="Names"
          keyOf={({ canonical }) => canonical}
        >
          {({ canonical, name, exact, reasons, length }) => (
            <RowLink class="name-row" to={href('tools', canonical)}>
              <code class={exact ? '' : 'altered'}>{line(name, 200)}</code>
              <span class="number dim">
                {length}
                {data.maxLength === null ? '' : ` of ${data.maxLength}`}
              </span>
              <span class="about dim">
                {exact ? line(canonical, 150) : `${line(canonical, 150)} · ${reasons.join(', ')}`}
              </span>
            </RowLink>
          )}
        </VirtualList>
      )}
    </section>
  );
}
