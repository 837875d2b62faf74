/** Reads those notifications of a server that we act on. */

import { memberText, type Kind, type SourceEvent } from '@callsign/core';

import { LISTS } from '../rpc/message/protocol.js';

/** The kinds whose lists have changed; none for other notifications. */
export function changedKinds(method: string): readonly Kind[] {
  return LISTS.find(({ notification }) => notification === method)?.kinds ?? [];
}

/**
 * The event for a notification: a log message, or a change of a resource, a task or a page. The two
 * eras name task notifications differently.
 */
export function eventOf(method: string, params: string): SourceEvent | undefined {
  switch (method) {
    case 'notifications/message':
      return { type: 'log', params };
    case 'notifications/resources/updated':
      return { type: 'resource-updated', uri: readUri(params), params };
    case 'notifications/tasks/status':
    case 'notifications/tasks':
      return { type: 'task', params };
    case 'notifications/elicitation/complete':
      return { type: 'elicitation', params };
    default:
      return undefined;
  }
}

/** The resource that a notification is about. */
function readUri(params: string): string {
  const text = memberText(params, 'uri');
  const uri: unknown = text === undefined ? '' : JSON.parse(text);
  return typeof uri === 'string' ? uri : '';
}
