/** A stateless client's subscription to changes. */

import { randomUUID } from 'node:crypto';

import {
  type Caller,
  isObject,
  type Kind,
  memberText,
  type Source,
  type SourceEvent,
  type Unsubscribe,
  withMembers,
} from '@callsign/core';

import { foundWhileStarting } from '../extensions/request/while-starting.js';
import { taskIdIn } from '../extensions/tasks/task-id-text.js';
import { type List, LISTS, META, UNWATCH_TASK, WATCH_TASK } from '../rpc/message/protocol.js';
import { replyOf } from '../rpc/message/rpc-error.js';
import { notificationText } from '../rpc/message/rpc-text.js';
import { announcedCapabilities } from './announced-capabilities.js';
import { ListChanges } from './list-changes.js';
import type { ServedSource } from './served-source.js';
import { MAX_WATCHED, tooManyWatched, WatchedResources } from './watched-resources.js';

/** What a client wants to be notified of. */
export interface SubscriptionFilter {
  readonly lists: readonly List[];
  readonly uris: ReadonlySet<string>;
  /** Our ids of tasks. */
  readonly taskIds: readonly string[];
}

/** `undefined`: the parameters are not a valid filter. */
export function readSubscriptionFilter(params: string): SubscriptionFilter | undefined {
  const text = memberText(params, 'notifications');
  const asked: unknown = text === undefined ? undefined : JSON.parse(text);
  if (!isObject(asked)) return undefined;
  const { resourceSubscriptions: uris = [], taskIds = [], ...flags } = asked;
  if (!isTexts(uris) || !isTexts(taskIds)) return undefined;
  return {
    lists: LISTS.filter(({ flag }) => flags[flag] === true),
    uris: new Set(uris),
    taskIds: [...new Set(taskIds)],
  };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/** The client that subscribes. */
export interface Subscriber {
  readonly served: ServedSource;
  readonly view: Source;
  readonly caller: Caller;
  readonly send: (text: string) => void;
  /** Ends the subscription with an error, as JSON text. */
  readonly fail: (error: string) => void;
}

/** An open subscription of one client. */
export interface Subscription {
  /** True if it will never send anything. */
  readonly isEmpty: boolean;
  readonly stop: Unsubscribe;
}

/** Acknowledges what is supported, then sends changes until it is stopped. `id` is JSON text. */
export function subscribe(
  filter: SubscriptionFilter,
  id: string,
  subscriber: Subscriber,
): Subscription {
  if (filter.uris.size + filter.taskIds.length > MAX_WATCHED) throw tooManyWatched();
  const following = followed(filter, subscriber);
  if (!following) return open(filter, id, subscriber);
  const changed = new Set<Kind>();
  let stop = subscriber.view.subscribe((event) => {
    if (event.type === 'changed') for (const kind of event.kinds) changed.add(kind);
  });
  let isStopped = false;
  const openLater = async (): Promise<void> => {
    const unfollow = await following;
    if (isStopped) return unfollow?.();
    stop();
    const opened = open(filter, id, subscriber, [...changed]);
    stop = () => {
      opened.stop();
      unfollow?.();
    };
  };
  openLater().catch((error: unknown) => subscriber.fail(replyOf(error).json));
  return {
    isEmpty: false,
    stop() {
      isStopped = true;
      stop();
    },
  };
}

/**
 * Resolves when the tasks are known. Other processes may run them, and their servers may still be
 * starting. `undefined`: there is nothing to wait for.
 */
function followed(
  { taskIds }: SubscriptionFilter,
  { served, caller, view }: Subscriber,
): Promise<Unsubscribe | undefined> | undefined {
  const following = served.tasks.follow(taskIds, caller);
  if (!following && (taskIds.length === 0 || served.isSettled())) return undefined;
  return (async () => {
    const unfollow = await following;
    const known = taskIds.filter((taskId) => served.tasks.has(taskId, caller));
    const areFound = (): true | undefined =>
      known.every((taskId) => served.tasks.find(taskId, caller, view)) || undefined;
    await foundWhileStarting(() => view, served, areFound);
    return unfollow;
  })();
}

/** `changed`: lists that have changed since the client subscribed. */
function open(
  filter: SubscriptionFilter,
  id: string,
  subscriber: Subscriber,
  changed: readonly Kind[] = [],
): Subscription {
  const { served, view, caller, send } = subscriber;
  const watched = new WatchedResources(served.watch);
  const can = announcedCapabilities(served, view, caller.era);
  const lists = filter.lists.filter(({ capability }) => can[capability]);
  const isHonoured = can['resources'] !== undefined && 'subscribe' in can['resources'];
  // A hidden resource does not exist for the client. While servers start, any resource may exist.
  const exists = (uri: string): boolean =>
    !served.isSettled() || view.route('resource', uri) !== undefined;
  const uris = new Set(isHonoured ? [...filter.uris].filter(exists) : []);
  const tasks = new Map(
    filter.taskIds.flatMap((taskId) => {
      const task = served.tasks.find(taskId, caller, view);
      return task ? [[taskId, task] as const] : [];
    }),
  );
  const meta = `{"${META.subscriptionId}":${id}}`;
  const honoured = {
    ...Object.fromEntries(lists.map(({ flag }) => [flag, true])),
    ...(uris.size > 0 ? { resourceSubscriptions: [...uris] } : {}),
    ...(tasks.size > 0 ? { taskIds: [...tasks.keys()] } : {}),
  };
  send(
    notificationText(
      'notifications/subscriptions/acknowledged',
      `{"notifications":${JSON.stringify(honoured)},"_meta":${meta}}`,
    ),
  );
  const changes = new ListChanges(
    (list) => {
      if (lists.includes(list)) send(notificationText(list.notification, `{"_meta":${meta}}`));
    },
    { whenStarted: served.whenStarted },
  );
  const forget = view.subscribe((event: SourceEvent) => {
    if (event.type === 'changed') changes.note(event.kinds);
    else if (event.type === 'started') {
      watched.again(view, caller, event.server);
      tellServers(WATCH_TASK, event.server);
    } else if (event.type === 'task') {
      const params = served.tasks.paramsFor(event.server ?? '', event.params, caller);
      if (params === undefined || !tasks.has(taskIdIn(params) ?? '')) return;
      tellTask(params);
    } else if (event.type === 'resource-updated' && uris.has(event.uri)) {
      const uri = JSON.stringify(event.uri);
      send(notificationText('notifications/resources/updated', `{"uri":${uri},"_meta":${meta}}`));
    }
  });
  const tellTask = (params: string): void =>
    send(notificationText('notifications/tasks', withMembers(params, { _meta: meta })));
  const forgetTasks = served.tasks.subscribe(caller, (taskId, params) => {
    if (tasks.has(taskId)) tellTask(params);
  });
  for (const uri of uris) watched.subscribe(uri, view, caller);
  const subscription = randomUUID();
  const tellServers = (method: string, only?: string): void => {
    for (const { server, taskId } of tasks.values()) {
      if (server === undefined || (only !== undefined && server !== only)) continue;
      view.tell(method, JSON.stringify([taskId, subscription]), (each) => each === server);
    }
  };
  tellServers(WATCH_TASK);
  changes.note(changed);
  return {
    isEmpty: lists.length === 0 && uris.size === 0 && tasks.size === 0,
    stop() {
      forget();
      forgetTasks();
      tellServers(UNWATCH_TASK);
      changes.close();
      watched.end(view, caller);
    },
  };
}
