/** All instances of the gateway: state, configuration, servers, calls per second. */

import type { InstanceData } from '@callsign/gateway/admin/data';

import { Badge } from '../view/badge.js';
import { line } from '../view/shown-text.js';
import { sinceText } from '../view/since-text.js';
import { InstanceName } from './instance-name.js';

/** Instances that are gone, at most. Their entries stay for a day. */
const SHOWN_GONE = 3;

export function InstanceTable({ instances }: { readonly instances: readonly InstanceData[] }) {
  const running = instances.filter(({ state }) => state !== 'gone');
  // The oldest comes first in the list.
  const gone = instances.filter(({ state }) => state === 'gone').toReversed();
  const more = gone.length - SHOWN_GONE;
  return (
    <>
      <div class="scroll" tabIndex={0} role="region" aria-label="Instances">
        <table class="instances">
          <thead>
            <tr>
              <th scope="col">Instance</th>
              <th scope="col">State</th>
              <th scope="col" class="wide">
                Started
              </th>
              <th scope="col" class="wide">
                Version
              </th>
              <th scope="col" class="wide">
                Configuration
              </th>
              <th scope="col" class="number wide">
                Servers ready
              </th>
              <th scope="col" class="number">
                Calls/s
              </th>
            </tr>
          </thead>
          <tbody>
            {[...running, ...gone.slice(0, SHOWN_GONE)].map((instance) => (
              <Row key={instance.id} instance={instance} />
            ))}
          </tbody>
        </table>
      </div>
      {more > 0 && <p class="dim">and {more} more that are gone</p>}
    </>
  );
}

function Row({ instance }: { readonly instance: InstanceData }) {
  const { state, startedAt, seenAt, version, isCurrent, callsPerSecond } = instance;
  const isGone = state === 'gone';
  return (
    <tr class={isGone ? 'dim' : ''}>
      <th scope="row">
        <InstanceName instance={instance} />
      </th>
      <td>
        <Badge word={state} />
        {(isGone || state === 'silent') && <small>seen {sinceText(seenAt, '< 1 min ago')}</small>}
        {!isGone && !isCurrent && <small class="narrow mark">different configuration</small>}
      </td>
      <td class="wide dim">{sinceText(startedAt)}</td>
      <td class="wide dim">{line(version, 30)}</td>
      <td class="wide">{isGone ? <None /> : <Badge word={isCurrent ? 'same' : 'different'} />}</td>
      <td class="number wide">{isGone ? <None /> : readyText(instance)}</td>
      <td class="number">{isGone ? <None /> : (callsPerSecond ?? <None />)}</td>
    </tr>
  );
}

function readyText({ servers }: InstanceData): string {
  if (!servers) return '–';
  const ready = servers.filter(({ state }) => state === 'ready').length;
  return `${ready} of ${servers.length}`;
}

function None() {
  return <span class="dim">–</span>;
}
