/** Where a server runs, and how each instance sees it. */

import type { InstanceData, InstanceServer } from '@callsign/gateway/admin/data';

import { instances } from '../live/gateway-state.js';
import { Badge } from '../view/badge.js';
import { line, paragraph } from '../view/shown-text.js';
import { sinceText } from '../view/since-text.js';
import { InstanceName, instanceText } from './instance-name.js';

/** A server on one instance. */
interface Place {
  readonly instance: InstanceData;
  readonly server: InstanceServer;
}

/** The instances that know a server. Those that are gone run nothing. */
export function placesOf(key: string): Place[] {
  return (instances.value?.instances ?? [])
    .filter(({ state }) => state !== 'gone')
    .flatMap((instance) => {
      const server = instance.servers?.find((each) => each.key === key);
      return server ? [{ instance, server }] : [];
    });
}

/** The instance that runs a server alone. Default: each runs it, or none does now. */
export function holderOf(places: readonly Place[]): InstanceData | undefined {
  return places.find(({ server }) => server.placement === 'one' && server.runsHere)?.instance;
}

/** Servers that only other instances have, because their configuration is different. */
export function OtherServers({ known }: { readonly known: readonly string[] }) {
  const running = (instances.value?.instances ?? []).filter(({ state }) => state !== 'gone');
  const keys = new Set(running.flatMap(({ servers = [] }) => servers.map(({ key }) => key)));
  const others = [...keys].filter((key) => !known.includes(key)).toSorted();
  if (others.length === 0) return null;
  const names = others.map((key) => line(key, 60)).join(', ');
  return <p class="dim others">Only other instances have these servers: {names}</p>;
}

/** One line for a table. */
export function PlacesText({ server }: { readonly server: string }) {
  const places = placesOf(server);
  if (places.length === 0) return <span class="dim">–</span>;
  const holder = holderOf(places);
  if (holder) return <span>{instanceText(holder)}</span>;
  if (places[0]!.server.placement === 'one') return <span class="mark">no instance now</span>;
  const ready = places.filter((place) => place.server.state === 'ready').length;
  const text = `each, ${ready} of ${places.length} ready`;
  return <span class={ready < places.length ? 'mark' : ''}>{text}</span>;
}

/** All instances, for one server. */
export function ServerOwners({ server: key }: { readonly server: string }) {
  const places = placesOf(key);
  if (places.length === 0) return null;
  return (
    <>
      <h3>Instances</h3>
      <ul class="list places">
        {places.map(({ instance, server }) => (
          <li key={instance.id}>
            <InstanceName instance={instance} />
            <Badge word={server.state} />
            <small class="dim">
              {placeText(server)} · {sinceText(server.since)} · {countText(server)}
            </small>
            {server.reason !== undefined && <p class="problem">{paragraph(server.reason)}</p>}
          </li>
        ))}
      </ul>
    </>
  );
}

function placeText({ placement, runsHere }: InstanceServer): string {
  if (placement === 'each') return 'runs its own';
  return runsHere ? 'runs it for all' : 'connected to it';
}

function countText({ tools, restarts }: InstanceServer): string {
  const counted = tools === 1 ? '1 tool' : `${tools} tools`;
  return restarts === 0 ? counted : `${counted} · ${line(String(restarts))} restarts`;
}
