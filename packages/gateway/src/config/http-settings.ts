/** The key `callsign.http`: the HTTP listener, and what its clients may cost. */

import { count, KIB, milliseconds, MIB, text, texts } from '@callsign/config';
import { CONNECTION_LIMITS } from '@callsign/wire';
import * as z from 'zod';

import type { HttpSettings } from './settings.js';

const DEFAULT_PORT = 3917;

const connections = z
  .strictObject({
    maxConnections: count('Connections at once.', 1, CONNECTION_LIMITS.maxConnections),
    maxIdleConnections: count(
      'Connections without a request; the longest idle is closed first.',
      1,
      CONNECTION_LIMITS.maxIdleConnections,
    ),
    maxUnsentBytes: count(
      'Bytes that may wait for a client that falls behind.',
      KIB,
      CONNECTION_LIMITS.maxUnsentBytes,
    ),
    maxTotalUnsentBytes: count(
      'Bytes that may wait for all clients; the largest that does not read is closed first.',
      MIB,
      CONNECTION_LIMITS.maxTotalUnsentBytes,
    ),
    progressMs: milliseconds(
      'A client that takes or sends less than "minBytes" in this time, while something waits, is closed.',
      CONNECTION_LIMITS.progressMs,
    ),
    minBytes: count('See "progressMs".', 1, CONNECTION_LIMITS.minBytes),
  })
  .meta({
    description: 'What connections may cost.',
    examples: [{ maxConnections: CONNECTION_LIMITS.maxConnections }],
  })
  .prefault({});

export const HTTP: z.ZodType<HttpSettings> = z
  .strictObject({
    host: text('Address to listen on.', '127.0.0.1').default('127.0.0.1'),
    port: z
      .int()
      .min(0)
      .max(65_535)
      .meta({ description: 'Port to listen on; 0 for any free one.', examples: [DEFAULT_PORT] })
      .default(DEFAULT_PORT),
    allowedHosts: texts(
      'Host headers that are answered besides those of this machine.',
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
    maxBodyBytes: count('Longest request body.', KIB, 4 * MIB),
    drainMs: milliseconds(
      'How long calls under way may take when the gateway is asked to end with SIGTERM.',
      10_000,
    ),
    connections,
  })
  .meta({ description: 'The HTTP endpoint.', examples: [{ port: DEFAULT_PORT }] })
  .prefault({});
