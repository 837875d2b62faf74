/** Every way to reach a server that the toolkit has to serve alike. */

import { httpSession } from './http-session.js';
import { legacySession, modernSession } from './sessions.js';

export const SESSIONS = [
  ['version 2', modernSession],
  ['version 2, stateless', httpSession],
  ['version 1', legacySession],
] as const;
