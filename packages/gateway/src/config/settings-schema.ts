/**
 * The schema of the key `callsign`, for checks, defaults and editors. It and its parts are lazy, because
 * a plain file needs none of them, and they take 20 ms to build.
 */

import { AUDIT_SETTINGS } from '@callsign/audit';
import { AUTH_SETTINGS, NETWORK_SETTINGS, OAUTH_SETTINGS } from '@callsign/auth';
import { count, KIB, MIB, milliseconds, text, textMap, texts } from '@callsign/config';
import { type PresetName, type StatedHints, TRUSTS } from '@callsign/effects';
import {
  ACCESS,
  BREAKER,
  LOCK_MODE,
  QUARANTINE_MODE,
  QUOTA,
  QUOTAS,
  RETRY,
  ROLES,
  WRITTEN_POLICY,
  type WrittenPolicy,
} from '@callsign/governance';
import { STORAGE_SETTINGS } from '@callsign/instances';
import { DEFAULT_CLIENT_KEY, PROFILES } from '@callsign/naming';
import { LIST_LIMITS } from '@callsign/wire';
import * as z from 'zod';

import { METRICS_SETTINGS } from '../telemetry/metrics/metrics-settings.js';
import { HTTP } from './http-settings.js';
import { INSTANCES } from './instance-settings.js';
import { ANNOTATIONS, ASSUMED, type WrittenOverride } from './label-settings.js';
import { MODULES, STORES } from './module-settings.js';
import { OWN_PROFILES } from './profile-settings.js';
import type { ServerSettings, Settings } from './settings.js';
import { SERVER_VIEW, WHOLE_VIEW } from './view-settings.js';

/** Settings with defaults, otherwise as written: presets are still names. */
export interface WrittenSettings extends Omit<Settings, 'annotations' | 'policy'> {
  readonly policy?: WrittenPolicy;
  readonly annotations: Readonly<Record<string, WrittenOverride>>;
  readonly servers: Readonly<Record<string, WrittenServerSettings>>;
}

/** The settings of a server as in the file. */
export interface WrittenServerSettings extends Omit<ServerSettings, 'displayName' | 'assume'> {
  readonly displayName?: string;
  readonly assume?: PresetName | StatedHints;
}

const flag = (description: string, fallback: boolean) =>
  z
    .boolean()
    .meta({ description, examples: [true] })
    .default(fallback);

const serverSettings = z.lazy(() =>
  z
    .strictObject({
      displayName: z.exactOptional(text("The server's name for people.", 'GitHub')),
      trust: z
        .enum(TRUSTS)
        .meta({
          description:
            'How far its claims are believed. "checked": unless a tool itself contradicts them. "full": always. "none": only where they raise the risk.',
        })
        .default('checked'),
      view: SERVER_VIEW,
      assume: z.exactOptional(ASSUMED),
      instructions: flag('Whether clients get its instructions.', true),
      startTimeoutMs: milliseconds('How long it may take to start.', 30_000),
      callTimeoutMs: milliseconds('How long a call may take without progress.', 60_000),
      quota: z.exactOptional(QUOTA),
      oauth: z.exactOptional(OAUTH_SETTINGS),
      inheritEnv: z
        .union([z.boolean(), texts('Names of variables.', 'HTTPS_PROXY')], {
          error: 'must be true, false or a list of names',
        })
        .meta({
          description:
            'Environment variables that it gets besides a few safe ones: all, or the ones you name.',
          examples: [['HTTPS_PROXY'], true],
        })
        .default(false),
      era: z
        .enum(['auto', 'session', 'stateless'])
        .meta({ description: 'The protocol era that it speaks; auto asks it.' })
        .default('auto'),
      placement: z.exactOptional(
        z.enum(['one', 'each']).meta({
          description:
            'With many instances: whether it runs on one of them or on each. Unset: "one" for a process, "each" for a remote server.',
        }),
      ),
    })
    .meta({ examples: [{ trust: 'full' }] }),
);

const restart = z.lazy(() =>
  z
    .strictObject({
      initialMs: milliseconds('Wait before the first restart of a server that ended.', 500),
      maxMs: milliseconds(
        'Longest wait. The wait about doubles each time, with a random part.',
        30_000,
      ),
      giveUpAfter: count(
        'How many restarts in a row may fail before it is given up; 0 for no restart.',
        0,
        8,
      ),
    })
    .refine(({ initialMs, maxMs }) => initialMs <= maxMs, {
      error: 'the first wait is longer than the longest wait',
      params: { advice: 'make "maxMs" at least "initialMs"' },
    })
    .meta({ description: 'How servers that ended are restarted.', examples: [{ maxMs: 30_000 }] })
    .prefault({}),
);

const limits = z.lazy(() =>
  z
    .strictObject({
      maxMessageBytes: count(
        'Longest message that is accepted from a server, in bytes.',
        KIB,
        10 * MIB,
      ),
      maxPendingPerServer: count('Calls that may wait for one server.', 1, 1024),
      maxListBytes: count(
        'Size of all lists of a server together, in bytes.',
        KIB,
        LIST_LIMITS.maxListBytes,
      ),
      maxTools: count('How many tools one server may have.', 1, LIST_LIMITS.maxTools),
      maxListItems: count(
        'How many prompts, resources or templates one server may have.',
        1,
        LIST_LIMITS.maxListItems,
      ),
      maxDefinitionBytes: count(
        'Longest definition of a tool, prompt or resource, in bytes; a longer one is left out.',
        KIB,
        LIST_LIMITS.maxDefinitionBytes,
      ),
      maxResultBytes: z.exactOptional(
        z
          .int()
          .min(KIB)
          .meta({
            description: 'Longest result that is passed on, in bytes. Unset: "maxMessageBytes".',
            examples: [MIB],
          }),
      ),
    })
    .meta({ description: 'Limits for each server.', examples: [{ maxPendingPerServer: 1024 }] })
    .prefault({}),
);

const tools = z.lazy(() =>
  z
    .strictObject({
      allow: z.exactOptional(texts('Tools that are offered, by glob. Unset: all.', 'github:*')),
      deny: texts(
        'Tools that are not offered, by glob; they win over "allow".',
        '*:delete_*',
      ).default([]),
    })
    .meta({ description: 'Which tools are offered.', examples: [{ deny: ['*:delete_*'] }] })
    .prefault({}),
);

export const SERVER_SETTINGS: z.ZodType<WrittenServerSettings> = serverSettings;

export const SETTINGS: z.ZodType<WrittenSettings> = z.lazy(() =>
  z
    .strictObject({
      profile: z
        .union([z.enum(['auto', ...PROFILES.keys()]), z.string()], { error: 'must be a text' })
        .meta({
          description:
            'The naming profile: "auto" to choose it by the client, a built-in profile, or one of "profiles".',
          examples: ['auto'],
        })
        .default('auto'),
      profiles: OWN_PROFILES,
      view: WHOLE_VIEW.default('flat'),
      clientKey: text(
        'The key of Callsign in the configuration of clients.',
        DEFAULT_CLIENT_KEY,
      ).default(DEFAULT_CLIENT_KEY),
      pattern: z.exactOptional(text('Your own pattern for names.', '{server}__{tool}')),
      titles: flag('Whether titles name the server.', true),
      annotate: flag(
        'Whether clients see inferred hints where a server states neither readOnlyHint nor destructiveHint.',
        false,
      ),
      aliases: textMap('Additional names of tools.', 'rf', 'filesystem:read_file'),
      renamed: textMap(
        'Renamed server keys, old to new. Old names stay callable.',
        'fs',
        'filesystem',
      ),
      tools,
      annotations: ANNOTATIONS,
      servers: z
        .record(z.string(), serverSettings)
        .meta({
          description:
            'Settings of servers, by key; "*" for all servers. Those of one server override "*".',
          examples: [{ github: { trust: 'full' } }],
        })
        .default({}),
      listWaitMs: milliseconds(
        'After a start: how long a list waits for servers that have no remembered list yet.',
        2_000,
      ),
      listOnceWaitMs: milliseconds(
        'The same for clients that ask for lists only once, such as agent frameworks.',
        20_000,
      ),
      remember: flag(
        'Whether the lists of servers are remembered, so that the next start serves them at once.',
        true,
      ),
      dropUnavailable: flag(
        'Whether the tools of a failed server are removed from lists. If false, calls to them return the reason.',
        false,
      ),
      restart,
      http: HTTP,
      limits,
      quota: z.exactOptional(QUOTAS),
      retry: z.exactOptional(RETRY),
      breaker: z.exactOptional(BREAKER),
      policy: z.exactOptional(WRITTEN_POLICY),
      roles: z.exactOptional(ROLES),
      access: ACCESS,
      audit: AUDIT_SETTINGS,
      metrics: METRICS_SETTINGS,
      auth: z.exactOptional(AUTH_SETTINGS),
      network: NETWORK_SETTINGS,
      lock: LOCK_MODE,
      quarantine: QUARANTINE_MODE,
      storage: z.exactOptional(STORAGE_SETTINGS),
      instances: z.exactOptional(INSTANCES),
      modules: z.exactOptional(MODULES),
      stores: z.exactOptional(STORES),
    })
    .meta({
      description: 'Settings of Callsign.',
      examples: [{ profile: 'auto' }],
      // For editors: without own profiles, only the built-in ones exist.
      if: { not: { required: ['profiles'] } },
      // eslint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: { properties: { profile: { enum: ['auto', ...PROFILES.keys()] } } },
    }),
);
