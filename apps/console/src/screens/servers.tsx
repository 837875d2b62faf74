/** Servers: state, reason, since when, and what can be done. */

import { useState } from 'preact/hooks';

import type { ServerData } from '@callsign/admin/data';

import { status } from '../live/gateway-state.js';
import { href, route } from '../live/route.js';
import { post, session } from '../live/session.js';
import { Badge } from '../view/badge.js';
import { Empty, Problem, Waiting } from '../view/notice.js';
import { line, paragraph } from '../view/shown-text.js';
import { sinceText } from '../view/since-text.js';

export function Servers() {
  const servers = status.value?.servers;
  const { item } = route.value;
  const chosen = servers?.find(({ key }) => key === item);
  return (
    <>
      <h1>Servers</h1>
      {servers === undefined && <Waiting rows={5} />}
      {servers?.length === 0 && (
        <Empty>
          The configuration has no servers. To add one: <code>callsign add NAME -- COMMAND</code>
        </Empty>
      )}
      {servers && servers.length > 0 && (
        <div class={chosen ? 'split' : ''}>
          <ServerTable servers={servers} chosen={item} />
          {chosen && <ServerDetail key={chosen.key} server={chosen} />}
          {item !== undefined && !chosen && (
            <Problem text={`There is no server ${line(item)} in the configuration.`} />
          )}
        </div>
      )}
    </>
  );
}

interface ServerTableProps {
  readonly servers: readonly ServerData[];
  readonly chosen: string | undefined;
}

function ServerTable({ servers, chosen }: ServerTableProps) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Servers">
      <table>
        <thead>
          <tr>
            <th scope="col">Server</th>
            <th scope="col">State</th>
            <th scope="col" class="wide">
              Since
            </th>
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
                <a href={href('servers', key)}>{line(key, 60)}</a>
              </th>
              <td>
                <Badge word={state} />
              </td>
              <td class="wide dim">{sinceText(since)}</td>
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
  const [problem, setProblem] = useState<string>();
  const { key, state, reason, since, address, transport, trust, view, advice } = server;
  const isOperator = session.value?.role === 'operator';
  const restart = (): void => {
    setProblem(undefined);
    post(`/servers/${encodeURIComponent(key)}/restart`).catch((error: Error) =>
      setProblem(error.message),
    );
  };
  return (
    <section class="detail" aria-labelledby="server">
      <h2 id="server">{line(key)}</h2>
      <p class="row">
        <Badge word={state} /> <span class="dim">{sinceText(since)}</span>
      </p>
      {reason !== undefined && <p class="problem">{paragraph(reason)}</p>}
      {advice !== undefined && (
        <p>
          To mend it: <code>{advice}</code>
        </p>
      )}
      <dl>
        <dt>Runs</dt>
        <dd>
          <code>{paragraph(address ?? 'not known')}</code>
        </dd>
        <dt>Transport</dt>
        <dd>{transport ?? 'not known'}</dd>
        <dt>Trust</dt>
        <dd>
          {trust ?? 'not known'}
          {trust !== undefined && <span class="dim"> · {TRUST_WORDS[trust]}</span>}
        </dd>
        <dt>Shown as</dt>
        <dd>{VIEW_WORDS[view ?? 'flat'] ?? view}</dd>
      </dl>
      <Problem text={problem} />
      <div class="buttons">
        <button type="button" onClick={restart} disabled={!isOperator || state === 'starting'}>
          Restart
        </button>
        <a class="button" href={href('tools', undefined, new URLSearchParams({ server: key }))}>
          Its tools
        </a>
      </div>
    </section>
  );
}

const TRUST_WORDS = {
  checked: 'its claims count unless the words of a tool contradict them',
  full: 'its claims count as they stand',
  none: 'its claims count only where they raise the risk',
} as const;

const VIEW_WORDS: Readonly<Record<string, string>> = {
  flat: 'each tool',
  crude: 'five tools, by effect',
  search: 'two tools that find and call',
};
