/**
 * The settings of a file without the key `callsign`. The schema has the same defaults, but most
 * starts do not need it, and it takes time to build. A test compares both.
 */

import { KIB, MIB } from '@callsign/config';
import { DEFAULT_CLIENT_KEY } from '@callsign/naming';
import { LIST_LIMITS } from '@callsign/wire';

import { DEFAULT_PORT } from './http-settings.js';
import type { WrittenServerSettings, WrittenSettings } from './settings-schema.js';

export const DEFAULT_SETTINGS: WrittenSettings = {
  profile: 'auto',
  profiles: {},
  view: 'flat',
  clientKey: DEFAULT_CLIENT_KEY,
  titles: true,
  annotate: false,
  aliases: {},
  renamed: {},
  tools: { deny: [] },
  annotations: {},
  servers: {},
  listWaitMs: 2_000,
  listOnceWaitMs: 20_000,
  remember: true,
  dropUnavailable: false,
  restart: { initialMs: 500, maxMs: 30_000, giveUpAfter: 8 },
  http: {
    host: '127.0.0.1',
    port: DEFAULT_PORT,
    allowedHosts: [],
    allowedOrigins: [],
    maxBodyBytes: 4 * MIB,
    drainMs: 10_000,
    connections: {
      maxConnections: 4_096,
      maxIdleConnections: 256,
      maxUnsentBytes: 16 * MIB,
      maxTotalUnsentBytes: 40 * MIB,
      progressMs: 10_000,
      minBytes: 64 * KIB,
    },
  },
  limits: { maxMessageBytes: 10 * MIB, maxPendingPerServer: 1_024, ...LIST_LIMITS },
  access: { anonymous: [] },
  audit: {
    mode: 'best-effort',
    durability: 'process',
    arguments: 'fingerprint',
    redact: { keys: [], patterns: [] },
    keepDays: 90,
    maxBytes: 512 * MIB,
    store: 'sqlite',
  },
  metrics: { tools: [] },
  network: { allowPrivate: [] },
  lock: 'off',
  quarantine: 'names',
};

export const DEFAULT_SERVER_SETTINGS: WrittenServerSettings = {
  trust: 'checked',
  view: 'flat',
  instructions: true,
  startTimeoutMs: 30_000,
  callTimeoutMs: 60_000,
  inheritEnv: false,
  era: 'auto',
};
