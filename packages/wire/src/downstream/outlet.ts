/** Sends a session's messages to its client. */

import type { Text } from '@callsign/rpc';

/**
 * Sends a message to the client. `about` is the id of the request that it belongs to; `isAnswer` marks the
 * last message for that request. False if the client is gone.
 */
export type Outlet = (text: Text, about?: string, isAnswer?: boolean) => boolean;

/** Called for requests that get no reply because the client cancelled them. */
export type OnAbandoned = (id: string) => void;
