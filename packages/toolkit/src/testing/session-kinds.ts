/** Every way to reach a server. The toolkit must behave the same on all of them. */

import { httpSession } from './http-session.js';
import { legacySession, modernSession } from './sessions.js';

export const SESSIONS = [
  ['version 2', modernSession],
  ['version 2, stateless', httpSession],
  ['version 1', legacySession],
] as const;
