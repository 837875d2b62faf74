/** The key `callsign.http`: the HTTP listener and the limits for its connections. */

import { count, KIB, milliseconds, MIB, text, texts } from '@callsign/config';
import { CONNECTION_LIMITS } from '@callsign/wire';
import * as z from 'zod';

const DEFAULT_PORT = 3917;

const connections = z.lazy(() =>
  z
    .strictObject({
      maxConnections: count(
        'How many connections may be open.',
        1,
        CONNECTION_LIMITS.maxConnections,
      ),
      maxIdleConnections: count(
        'How many connections may be idle; the one idle for longest is closed first.',
        1,
        CONNECTION_LIMITS.maxIdleConnections,
      ),
      maxUnsentBytes: count(
        'Bytes that may wait for one client that reads slowly.',
        KIB,
        CONNECTION_LIMITS.maxUnsentBytes,
      ),
      maxTotalUnsentBytes: count(
        'Bytes that may wait for all clients; of those that do not read, the largest is closed first.',
        MIB,
        CONNECTION_LIMITS.maxTotalUnsentBytes,
      ),
      progressMs: milliseconds(
        'While data waits, a client must read or send "minBytes" in this time, or it is closed.',
        CONNECTION_LIMITS.progressMs,
      ),
      minBytes: count('See "progressMs".', 1, CONNECTION_LIMITS.minBytes),
    })
    .meta({
      description: 'Limits for connections.',
      examples: [{ maxConnections: CONNECTION_LIMITS.maxConnections }],
    })
    .prefault({}),
);

/** The key `callsign.background`. */
export const BACKGROUND = z.lazy(() =>
  z
    .strictObject({
      stopAfterMs: milliseconds(
        'The gateway in the background stops after this time without a client and without work.',
        600_000,
      ),
    })
    .meta({
      description: 'The gateway that `callsign connect` starts.',
      examples: [{ stopAfterMs: 600_000 }],
    })
    .prefault({}),
);

export const HTTP = z.lazy(() =>
  z
    .strictObject({
      host: text('Address to listen on.', '127.0.0.1').default('127.0.0.1'),
      port: z
        .int()
        .min(0)
        .max(65_535)
        .meta({ description: 'Port to listen on; 0 for any free one.', examples: [DEFAULT_PORT] })
        .default(DEFAULT_PORT),
      allowedHosts: texts(
        'Host headers that are accepted, besides those of this machine.',
        'gateway.example.com',
        z.string().regex(/^[^/\s]+$/, { error: 'must be a host name, without scheme and path' }),
      ).default([]),
      allowedOrigins: texts(
        'Web pages and desktop apps that may call, by origin.',
        'https://app.example.com',
        z.string().regex(/^[a-z][a-z0-9+.-]*:\/\/[^/\s]+$/, {
          error: 'must be an origin, without a path',
        }),
      ).default([]),
      maxBodyBytes: count('Longest request body, in bytes.', KIB, 4 * MIB),
      drainMs: milliseconds('How long running calls may take to finish after SIGTERM.', 10_000),
      connections,
    })
    .meta({ description: 'The HTTP endpoint.', examples: [{ port: DEFAULT_PORT }] })
    .prefault({}),
);
