/** A stateless client's standing wish to be told of changes. */

import { memberText } from '@callsign/core';
import type { Caller, Kind, SourceEvent, Unsubscribe, View } from '@callsign/core';

import { META } from '../protocol.js';
import { notificationText } from '../rpc-text.js';
import { addWatcher, removeWatcher, tellServer } from './resource-watch.js';
import { announcedCapabilities, type SurfaceOptions } from './surface.js';

const FLAGS: Readonly<Record<Kind, string>> = {
  tool: 'toolsListChanged',
  prompt: 'promptsListChanged',
  resource: 'resourcesListChanged',
  template: 'resourcesListChanged',
};

/** What each flag lets through, and the capability that it needs. */
const CHANGES: Readonly<Record<string, { readonly method: string; readonly capability: string }>> =
  {
    toolsListChanged: { method: 'notifications/tools/list_changed', capability: 'tools' },
    promptsListChanged: { method: 'notifications/prompts/list_changed', capability: 'prompts' },
    resourcesListChanged: {
      method: 'notifications/resources/list_changed',
      capability: 'resources',
    },
  };

export interface Wish {
  readonly flags: ReadonlySet<string>;
  readonly uris: ReadonlySet<string>;
}

/** What the parameters ask for; `undefined` if they ask for nothing that can be understood. */
export function readWish(params: string): Wish | undefined {
  const text = memberText(params, 'notifications');
  const asked: unknown = text === undefined ? undefined : JSON.parse(text);
  if (typeof asked !== 'object' || asked === null || Array.isArray(asked)) return undefined;
  const { resourceSubscriptions: uris, ...flags } = asked as Record<string, unknown>;
  const isList = Array.isArray(uris) && uris.every((uri) => typeof uri === 'string');
  if (uris !== undefined && !isList) return undefined;
  return {
    flags: new Set(Object.keys(CHANGES).filter((flag) => flags[flag] === true)),
    uris: new Set(isList ? (uris as string[]) : []),
  };
}

export interface Subscriber {
  readonly surface: SurfaceOptions;
  readonly view: View;
  readonly caller: Caller;
  readonly send: (text: string) => void;
}

export interface Subscription {
  /** Whether there is anything that it will ever tell. */
  readonly isEmpty: boolean;
  readonly stop: Unsubscribe;
}

/** Acknowledges what can be had of the wish, and sends it, until told to stop. `id` is JSON text. */
export function subscribe(wish: Wish, id: string, subscriber: Subscriber): Subscription {
  const { surface, view, caller, send } = subscriber;
  const { hub } = surface;
  const can = announcedCapabilities(surface);
  const flags = new Set([...wish.flags].filter((flag) => can[CHANGES[flag]!.capability]));
  const uris = can['resources'] && 'subscribe' in can['resources'] ? wish.uris : new Set<string>();
  const meta = `{"${META.subscriptionId}":${id}}`;
  const honoured = {
    ...Object.fromEntries([...flags].map((flag) => [flag, true])),
    ...(uris.size > 0 ? { resourceSubscriptions: [...uris] } : {}),
  };
  send(
    notificationText(
      'notifications/subscriptions/acknowledged',
      `{"notifications":${JSON.stringify(honoured)},"_meta":${meta}}`,
    ),
  );
  const forget = hub.subscribe((event: SourceEvent) => {
    if (event.type === 'changed') {
      for (const flag of new Set(event.kinds.map((kind) => FLAGS[kind]))) {
        if (flags.has(flag)) send(notificationText(CHANGES[flag]!.method, `{"_meta":${meta}}`));
      }
    } else if (event.type === 'resource-updated' && uris.has(event.uri)) {
      const uri = JSON.stringify(event.uri);
      send(notificationText('notifications/resources/updated', `{"uri":${uri},"_meta":${meta}}`));
    }
  });
  for (const uri of uris) {
    addWatcher(hub, uri, subscriber);
    void tellServer('resources/subscribe', uri, view, caller);
  }
  return {
    isEmpty: flags.size === 0 && uris.size === 0,
    stop() {
      forget();
      for (const uri of uris) {
        if (!removeWatcher(hub, uri, subscriber)) continue;
        void tellServer('resources/unsubscribe', uri, view, caller);
      }
    },
  };
}
