/** Notifications for one session: about its tasks, or pages that its client was asked to open. */

import type { Caller, SourceEvent, Unsubscribe } from '@callsign/core';

import type { Tasks } from '../extensions/tasks/tasks.js';
import { notificationText } from '../rpc/message/rpc-text.js';
import type { AskedPages } from './asked-pages.js';

/** The notification as text; `undefined` if it is not for this caller. */
export function newsFor(
  caller: Caller,
  event: Extract<SourceEvent, { readonly type: 'task' | 'elicitation' }>,
  tasks: Tasks,
  pages: AskedPages,
): string | undefined {
  const { server = '', params } = event;
  if (event.type === 'elicitation') {
    const isAsked = pages.has(server, params);
    return isAsked ? notificationText('notifications/elicitation/complete', params) : undefined;
  }
  const told = tasks.told(server, params, caller);
  return told === undefined ? undefined : notificationText('notifications/tasks/status', told);
}

/** Sends a session the news of its caller's tasks that do not come as events of servers. */
export function tellOfTasks(
  tasks: Tasks,
  caller: Caller,
  send: (text: string) => void,
): Unsubscribe {
  return tasks.subscribe(caller, (_, params) =>
    send(notificationText('notifications/tasks/status', params)),
  );
}
