/** How a session sends messages to its client. */

import type { Text } from '../rpc/stream/long-text.js';

/**
 * Sends a message to the client. `about`: the id of the request that it belongs to. `isAnswer`: it
 * is the last message for that request. Returns false if the client is gone, or reads too slowly to
 * get this notification.
 */
export type Outlet = (text: Text, about?: string, isAnswer?: boolean) => boolean;

/** Called for requests that get no reply because the client cancelled them. */
export type OnAbandoned = (id: string) => void;
