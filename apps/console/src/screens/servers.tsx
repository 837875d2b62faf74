/** The screen Servers: the state of each server, the reason, and actions. */

import type { SandboxData, ServerData } from '@callsign/gateway/admin/data';
import { useState } from 'preact/hooks';

import {
  holderOf,
  OtherServers,
  placesOf,
  PlacesText,
  ServerOwners,
} from '../instance/server-places.js';
import { instances, status } from '../live/gateway-state.js';
import { href, route } from '../live/route.js';
import { session } from '../live/session.js';
import { AddServer } from '../server/add-server.js';
import { ServerActions } from '../server/server-actions.js';
import { inOrder, matching, NoServers, ORDERS, STATES, statesText } from '../server/server-list.js';
import { ServerLog } from '../server/server-log.js';
import { Badge } from '../view/badge.js';
import { Choice, Filters, SearchField } from '../view/filters.js';
import { Empty, Problem, Waiting } from '../view/notice.js';
import { Panel } from '../view/panel.js';
import { RowLink } from '../view/row-link.js';
import { line, paragraph } from '../view/shown-text.js';
import { sinceText } from '../view/since-text.js';

export function Servers() {
  const servers = status.value?.servers;
  const { item, query } = route.value;
  const [text, state, order] = ['q', 'state', 'order'].map((name) => query.get(name) ?? '');
  const found = inOrder(matching(servers ?? [], text!, state!), order!);
  const chosen = servers?.find(({ key }) => key === item);
  const [isAdding, setAdding] = useState(false);
  // A new server is a program that runs as the user of the gateway, so an API key cannot add one.
  const isOwner = session.value?.role === 'operator' && session.value.name === null;
  return (
    <>
      <div class="row between">
        <h1>Servers</h1>
        {isOwner && !isAdding && (
          <button type="button" onClick={() => setAdding(true)}>
            Add a server
          </button>
        )}
      </div>
      {isAdding && <AddServer onDone={() => setAdding(false)} />}
      {servers === undefined && <Waiting rows={5} />}
      {servers?.length === 0 && <NoServers adder={<b>Add a server</b>} />}
      {servers && <OtherServers known={servers.map(({ key }) => key)} />}
      {servers && servers.length > 0 && (
        <>
          {servers.length > 1 && <ServerFilters servers={servers} found={found} />}
          <div class={chosen ? 'split one-server' : ''}>
            <ServerTable servers={found} chosen={item} />
            {chosen && <ServerDetail key={chosen.key} server={chosen} />}
            {item !== undefined && !chosen && (
              <Problem text={`There is no server ${line(item)} in the configuration.`} />
            )}
          </div>
        </>
      )}
    </>
  );
}

interface ServerFiltersProps {
  readonly servers: readonly ServerData[];
  /** Those that match. */
  readonly found: readonly ServerData[];
}

function ServerFilters({ servers, found }: ServerFiltersProps) {
  const states = STATES.filter((each) => servers.some(({ state }) => state === each));
  return (
    <>
      <Filters names={['state', 'order']} search={<SearchField label="Search servers" />}>
        <Choice name="state" label="Any state" options={states} />
        <Choice name="order" label="Failed first" options={Object.keys(ORDERS)} words={ORDERS} />
      </Filters>
      <p class="dim total" role="status">
        {found.length === servers.length ? '' : `${found.length} of `}
        {servers.length} servers: {statesText(servers)}
        {servers.some(({ state }) => state === 'asleep') &&
          '. Those asleep start with their next call.'}
      </p>
    </>
  );
}

interface ServerTableProps {
  readonly servers: readonly ServerData[];
  readonly chosen: string | undefined;
}

function ServerTable({ servers, chosen }: ServerTableProps) {
  const isShared = instances.value !== undefined;
  const { query } = route.value;
  if (servers.length === 0) {
    return (
      <Empty>
        No server matches. <a href={href('servers', chosen)}>Clear the filters</a>
      </Empty>
    );
  }
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Servers">
      <table class="servers">
        <thead>
          <tr>
            <th scope="col">Server</th>
            <th scope="col">State</th>
            <th scope="col" class="wide">
              Since
            </th>
            {isShared && (
              <th scope="col" class="wide">
                Runs on
              </th>
            )}
            <th scope="col" class="number">
              Tools
            </th>
            <th scope="col" class="number wide">
              Restarts
            </th>
          </tr>
        </thead>
        <tbody>
          {servers.map(({ key, state, since, tools, restarts }) => (
            <tr key={key} class={key === chosen ? 'chosen' : ''}>
              <th scope="row">
                <RowLink to={href('servers', key, query)} isChosen={key === chosen}>
                  {line(key, 60)}
                </RowLink>
              </th>
              <td>
                <Badge word={state} />
              </td>
              <td class="wide dim">{sinceText(since)}</td>
              {isShared && (
                <td class="wide">
                  <PlacesText server={key} />
                </td>
              )}
              <td class="number">{tools}</td>
              <td class="number wide">{restarts}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ServerDetail({ server }: { readonly server: ServerData }) {
  const { key, state, reason, since, address, transport, trust, view, advice } = server;
  const { processes = [], sandbox } = server;
  const isElsewhere = holderOf(placesOf(key))?.isSelf === false;
  return (
    <Panel title={line(key)}>
      <p class="row">
        <Badge word={state} /> <span class="dim">{sinceText(since)}</span>
      </p>
      {reason !== undefined && <p class="problem">{paragraph(reason)}</p>}
      {processes.map(({ state: now, clients, names = [], reason: why }) => (
        <p class="dim">
          {line(`${now}, ${why}, clients: ${names.length > 0 ? names.join(', ') : clients}`, 200)}
        </p>
      ))}
      {advice !== undefined && (
        <p>
          To find out more: <code>{advice}</code>
        </p>
      )}
      <dl>
        <dt>Runs</dt>
        <dd>
          <code>{paragraph(address ?? 'not known')}</code>
        </dd>
        {transport !== undefined && (
          <>
            <dt>Transport</dt>
            <dd>{transport}</dd>
          </>
        )}
        {trust !== undefined && (
          <>
            <dt>Trust</dt>
            <dd>
              {trust}
              <span class="dim"> · {TRUST_WORDS[trust]}</span>
            </dd>
          </>
        )}
        {view !== undefined && (
          <>
            <dt>Shown as</dt>
            <dd>{VIEW_WORDS[view] ?? view}</dd>
          </>
        )}
        {sandbox && <Sandbox sandbox={sandbox} />}
      </dl>
      <ServerActions
        key={state === 'disabled' ? 'off' : 'on'}
        server={server}
        isElsewhere={isElsewhere}
      />
      <ServerOwners server={key} />
      {transport === 'stdio' && (
        <>
          <h3>Standard error</h3>
          {isElsewhere ? (
            <Empty>
              It runs on another instance. The console of that instance shows what it prints.
            </Empty>
          ) : (
            <ServerLog key={key} server={key} />
          )}
        </>
      )}
    </Panel>
  );
}

function Sandbox({ sandbox: { files, network, refused } }: { readonly sandbox: SandboxData }) {
  const last = refused.slice(-MOST_REFUSED).toReversed();
  return (
    <>
      <dt>May change</dt>
      <dd>{paragraph(said(files))}</dd>
      <dt>May reach</dt>
      <dd>{paragraph(said(network))}</dd>
      <dt>Refused</dt>
      <dd>
        {last.length === 0 ? 'nothing so far' : last.map((each) => <div>{paragraph(each)}</div>)}
      </dd>
    </>
  );
}

/** The newest ones. */
const MOST_REFUSED = 5;

function said(what: string | readonly string[]): string {
  return typeof what === 'string' ? what : what.join(', ') || 'nothing';
}

const TRUST_WORDS = {
  checked: 'its claims count unless a tool itself contradicts them',
  full: 'its claims count without a check',
  none: 'its claims count only where they raise the risk',
} as const;

const VIEW_WORDS: Readonly<Record<string, string>> = {
  flat: 'each tool',
  crude: 'five tools, by effect',
  search: 'two tools that find and call the others',
};
