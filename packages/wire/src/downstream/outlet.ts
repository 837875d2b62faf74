/** The way of a session's messages to its client. */

import type { Text } from '../stream/long-text.js';

/**
 * Takes messages for the client. `about` is the id of the request to which the message belongs, and
 * `isAnswer` whether it is the last one for it. False if the client is gone.
 */
export type Outlet = (text: Text, about?: string, isAnswer?: boolean) => boolean;

/** Told of requests that will not be answered, because the client cancelled them. */
export type OnAbandoned = (id: string) => void;
