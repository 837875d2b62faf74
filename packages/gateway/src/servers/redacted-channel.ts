/**
 * A channel over HTTP whose own errors do not contain secrets. They name the address, which may
 * have one in its path. What the server sends stays as it is.
 */

import { UPSTREAM_ERROR, type ChannelEvents, type OpenChannel } from '@callsign/wire/rpc';

import type { Redact } from './server-redactor.js';

/** Characters. Our own errors are short. */
const LONGEST_ERROR = 4_096;

export function redactedChannel(open: OpenChannel, redact: Redact): OpenChannel {
  return (events) => open(redactedEvents(events, redact));
}

function redactedEvents(events: ChannelEvents, redact: Redact): ChannelEvents {
  return {
    onText: (text, about) =>
      events.onText(isOwnError(text, about) ? withoutSecrets(text, redact) : text, about),
    onFault(id, code, details) {
      const { reason } = details;
      const safe = typeof reason === 'string' ? { ...details, reason: redact(reason) } : details;
      return events.onFault?.(id, code, safe) ?? false;
    },
    onEnding: (reason) => events.onEnding?.(redact(reason)),
    onClose: (reason) => events.onClose(redact(reason)),
  };
}

/** Whether a text may be the answer that the channel itself gives to a failed request. */
function isOwnError(text: string, about: number | undefined): boolean {
  const head = `{"jsonrpc":"2.0","id":${about},"error":{"code":${UPSTREAM_ERROR},`;
  return about !== undefined && text.length <= LONGEST_ERROR && text.startsWith(head);
}

function withoutSecrets(text: string, redact: Redact): string {
  if (redact(text) === text) return text;
  return JSON.stringify(JSON.parse(text), (_, value: unknown) =>
    typeof value === 'string' ? redact(value) : value,
  );
}
