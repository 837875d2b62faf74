/** The screen Now: health, calls per second, waiting calls, and problems with links to fix them. */

import type { InstanceData, WarningData } from '@callsign/gateway/admin/data';

import { InstanceTable } from '../instance/instance-table.js';
import { approvals, instances, points, status } from '../live/gateway-state.js';
import { href } from '../live/route.js';
import { inOrder, NoServers } from '../server/server-list.js';
import { Badge } from '../view/badge.js';
import { CallChart } from '../view/call-chart.js';
import { Empty, Waiting } from '../view/notice.js';
import { RowLink } from '../view/row-link.js';
import { durationText, line } from '../view/shown-text.js';

const SHOWN_WARNINGS = 12;
const SHOWN_SERVERS = 12;

export function Now() {
  const current = status.value;
  const shared = instances.value;
  return (
    <>
      <h1>Now</h1>
      <Numbers />
      <section aria-labelledby="calls">
        <h2 id="calls">{shared ? 'Calls on this instance' : 'Calls'}</h2>
        <CallChart />
      </section>
      {shared && (
        <div class="all-instances">
          <h2>Instances</h2>
          <InstanceTable instances={shared.instances} />
        </div>
      )}
      <div class="columns">
        <section aria-labelledby="warnings">
          <h2 id="warnings">Needs attention</h2>
          {current ? (
            <Warnings
              warnings={[...waitingCalls(), ...(shared?.warnings ?? []), ...current.warnings]}
            />
          ) : (
            <Waiting />
          )}
        </section>
        <section aria-labelledby="health">
          <h2 id="health">Servers</h2>
          {current ? <Health /> : <Waiting />}
        </section>
      </div>
    </>
  );
}

function Numbers() {
  const current = status.value;
  const servers = current?.servers ?? [];
  const [ready, asleep] = ['ready', 'asleep'].map((word) => {
    return servers.filter(({ state }) => state === word).length;
  });
  const last = points.value.at(-1);
  const waiting = approvals.value?.length;
  const all = instances.value?.instances;
  const p95 = points.value.findLast((point) => point.p95 !== null)?.p95;
  return (
    <ul class={all ? 'numbers six' : 'numbers'}>
      {all && <InstanceCount instances={all} />}
      <Number
        label="servers ready"
        value={current ? String(ready) : '–'}
        unit={current ? `of ${servers.length}${asleep ? `, ${asleep} asleep` : ''}` : ''}
        to="servers"
      />
      <Number label="tools" value={current ? String(current.tools) : '–'} to="tools" />
      {all ? (
        <Number label="calls per second in all" value={callsInAll(all)} />
      ) : (
        <Number label="calls per second" value={last ? String(last.calls) : '–'} />
      )}
      <Number label={all ? '95 % here within' : '95 % answered within'} {...milliseconds(p95)} />
      <Number
        label={waiting === 1 ? 'call is waiting for you' : 'calls are waiting for you'}
        value={waiting === undefined ? '–' : String(waiting)}
        to="approvals"
        isUrgent={Boolean(waiting)}
      />
    </ul>
  );
}

function InstanceCount({ instances: all }: { readonly instances: readonly InstanceData[] }) {
  const running = all.filter(({ state }) => state !== 'gone');
  const ready = running.filter(({ state }) => state === 'ready').length;
  return <Number label="instances ready" value={String(ready)} unit={`of ${running.length}`} />;
}

function callsInAll(all: readonly InstanceData[]): string {
  const running = all.filter(({ state }) => state === 'ready' || state === 'draining');
  const sum = running.reduce((total, { callsPerSecond = 0 }) => total + callsPerSecond, 0);
  return String(Math.round(sum * 10) / 10);
}

interface NumberProps {
  readonly label: string;
  readonly value: string;
  readonly unit?: string;
  readonly to?: string;
  readonly isUrgent?: boolean;
}

function Number({ label, value, unit = '', to, isUrgent = false }: NumberProps) {
  const text = (
    <>
      <b>
        {value} {unit !== '' && <small>{unit}</small>}
      </b>
      <span>{label}</span>
    </>
  );
  return (
    <li class={isUrgent ? 'urgent' : ''}>
      {to === undefined ? <div>{text}</div> : <a href={href(to)}>{text}</a>}
    </li>
  );
}

/** Each waiting call, as something that needs a person. */
function waitingCalls(): WarningData[] {
  return (approvals.value ?? []).map(({ tool, caller }) => {
    const text = `${tool} waits for your approval, asked by ${caller.client}`;
    return { about: 'call', isSevere: false, text, link: '/approvals' };
  });
}

function Warnings({ warnings }: { readonly warnings: readonly WarningData[] }) {
  if (warnings.length === 0) return <Empty>Nothing. Servers, labels and records are fine.</Empty>;
  const more = warnings.length - SHOWN_WARNINGS;
  return (
    <>
      <ul class="list warnings">
        {warnings.slice(0, SHOWN_WARNINGS).map(({ text, link, isSevere, about }, i) => (
          <li key={`${i}${text}`} class={isSevere ? 'bad' : 'warn'}>
            <RowLink to={`#${link}`}>
              <span class="about">{about}</span>
              <span class="what">{line(text, 300)}</span>
            </RowLink>
          </li>
        ))}
      </ul>
      {more > 0 && <p class="dim">and {more} more</p>}
    </>
  );
}

function Health() {
  const { servers } = status.value!;
  if (servers.length === 0) return <NoServers adder={<a href={href('servers')}>Servers</a>} />;
  return (
    <>
      <ul class="list health">
        {inOrder(servers, 'trouble')
          .slice(0, SHOWN_SERVERS)
          .map(({ key, state, tools }) => (
            <li key={key}>
              <RowLink to={href('servers', key)}>
                <span>{line(key, 60)}</span>
                <span class="dim number">{tools === 1 ? '1 tool' : `${tools} tools`}</span>
                <Badge word={state} />
              </RowLink>
            </li>
          ))}
      </ul>
      {servers.length > SHOWN_SERVERS && (
        <p>
          <a href={href('servers')}>All {servers.length} servers</a>
        </p>
      )}
    </>
  );
}

function milliseconds(ms: number | null | undefined): { value: string; unit?: string } {
  const [value, unit] = typeof ms === 'number' ? durationText(ms).split(' ') : ['–'];
  return unit === undefined ? { value: value! } : { value: value!, unit };
}
