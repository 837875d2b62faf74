/**
 * The key `callsign` of a configuration: the schema, for checks, defaults and editors, and the types that follow from
 * it. The schema and its parts are lazy, because a plain file needs none of them, and they take 20 ms to build.
 */

import { AUDIT_SETTINGS } from '@callsign/audit';
import { AUTH_SETTINGS, NETWORK_SETTINGS, OAUTH_SETTINGS } from '@callsign/auth';
import {
  count,
  KIB,
  LONGEST_TIMER_MS,
  MIB,
  milliseconds,
  type SettingOf,
  text,
  textMap,
  texts,
} from '@callsign/config';
import { type StatedHints, TRUSTS } from '@callsign/effects';
import {
  ACCESS,
  BREAKER,
  LOCK_MODE,
  QUARANTINE_MODE,
  QUOTA,
  QUOTAS,
  RETRY,
  ROLES,
  SETS,
  type PolicySettings,
  WRITTEN_POLICY,
} from '@callsign/governance';
import { STORAGE_SETTINGS } from '@callsign/instances';
import { DEFAULT_CLIENT_KEY, PROFILES } from '@callsign/naming';
import { LIST_LIMITS } from '@callsign/wire';
import * as z from 'zod';

import { METRICS_SETTINGS } from '../telemetry/metrics/metrics-settings.js';
import { ACCOUNTS } from './account-settings.js';
import { BACKGROUND, HTTP } from './http-settings.js';
import { INSTANCES } from './instance-settings.js';
import { ANNOTATIONS, ASSUMED } from './label-settings.js';
import { MODULES, STORES } from './module-settings.js';
import { SANDBOX } from './sandbox-settings.js';
import { OWN_PROFILES } from './profile-settings.js';
import { REGISTRY } from './registry-settings.js';
import { RESULTS } from './result-settings.js';
import { SERVER_VIEW, WHOLE_VIEW } from './view-settings.js';

const flag = (description: string, fallback: boolean) =>
  z
    .boolean()
    .meta({ description, examples: [true] })
    .default(fallback);

export const SERVER_SETTINGS = z.lazy(() =>
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
      accounts: z.exactOptional(ACCOUNTS),
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
      share: z
        .enum(['auto', 'person', 'client'])
        .meta({
          description:
            'In the background gateway: whether all clients share one process of it. "person": they do. "client": each has its own. "auto": they do, unless it keeps something for each client.',
        })
        .default('auto'),
      start: z.exactOptional(
        z.enum(['eager', 'on-demand']).meta({
          description:
            'Whether it starts with the gateway, or with its first call once its lists are remembered. Default: "on-demand" in the background gateway, else "eager".',
        }),
      ),
      idleStopMs: z.exactOptional(
        z
          .int()
          .min(0)
          .max(LONGEST_TIMER_MS)
          .meta({
            description:
              'It is stopped after this time without a call, a subscription, a task or an open question, and the next call starts it; 0 for never. Default: 30 minutes in the background gateway, else never.',
            examples: [1_800_000],
          }),
      ),
      sandbox: SANDBOX,
      placement: z.exactOptional(
        z.enum(['one', 'each']).meta({
          description:
            'With many instances: whether it runs on one of them or on each. Default: "one" for a process, "each" for a remote server.',
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
            description: 'Longest result that is passed on, in bytes. Default: "maxMessageBytes".',
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
      allow: z.exactOptional(texts('Tools that are offered, by glob. Default: all.', 'github:*')),
      deny: texts(
        'Tools that are not offered, by glob; they win over "allow".',
        '*:delete_*',
      ).default([]),
    })
    .meta({ description: 'Which tools are offered.', examples: [{ deny: ['*:delete_*'] }] })
    .prefault({}),
);

const SCRIPTS = z.lazy(() =>
  z
    .strictObject({
      clients: z.exactOptional(
        texts('The clients that get it, by their profiles. Default: all.', 'claude-code'),
      ),
      calls: count('Calls of one script.', 1, 500),
      parallel: count('Calls of one script at once.', 1, 8),
      computeMs: milliseconds('How long a program may compute. Waiting does not count.', 5_000),
      memoryMb: count('Memory of a program.', 24, 32),
      outputLength: count('Characters of a result, and of what a program prints.', KIB, 100_000),
      approvalMs: milliseconds('How long an approval of calls is valid.', 600_000),
    })
    .meta({
      description:
        'Offers the tool callsign:run, which runs short programs over the tools. Default: it is not offered.',
      examples: [{ clients: ['claude-code'] }],
    }),
);

export const SETTINGS = z.lazy(() =>
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
        .record(z.string(), SERVER_SETTINGS)
        .meta({
          description:
            'Settings of servers, by key; "*" for all servers. Those of one server override "*".',
          examples: [{ github: { trust: 'full' } }],
        })
        .default({}),
      listWaitMs: milliseconds(
        'After a start: how long the greeting and the first list together wait for servers that have no remembered list yet.',
        2_000,
      ),
      listOnceWaitMs: milliseconds(
        'After a start: how long a list waits for clients that ask for lists only once, such as agent frameworks.',
        20_000,
      ),
      remember: flag(
        'Whether the lists of servers are remembered, so that the next start serves them at once.',
        true,
      ),
      dropUnavailable: flag(
        'Whether the tools of a server leave the lists when it is given up. Calls to them return the reason in any case.',
        true,
      ),
      restart,
      http: HTTP,
      background: BACKGROUND,
      limits,
      results: RESULTS,
      quota: z.exactOptional(QUOTAS),
      retry: z.exactOptional(RETRY),
      breaker: z.exactOptional(BREAKER),
      policy: z.exactOptional(WRITTEN_POLICY),
      scripts: z.exactOptional(SCRIPTS),
      roles: z.exactOptional(ROLES),
      access: ACCESS,
      sets: z.exactOptional(SETS),
      audit: AUDIT_SETTINGS,
      metrics: METRICS_SETTINGS,
      auth: z.exactOptional(AUTH_SETTINGS),
      network: NETWORK_SETTINGS,
      registry: z.exactOptional(REGISTRY),
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

/** Settings with defaults, otherwise as written: presets are still names. */
export type WrittenSettings = SettingOf<typeof SETTINGS>;

/** The settings of a server as in the file. */
export type WrittenServerSettings = SettingOf<typeof SERVER_SETTINGS>;

/** The settings of the gateway, with defaults. */
export interface Settings extends Omit<WrittenSettings, 'annotations' | 'policy' | 'servers'> {
  /** In the order of the file. */
  readonly annotations: readonly AnnotationOverride[];
  /** Default: all calls are allowed. */
  readonly policy?: PolicySettings;
}

/** The operator's overrides for tools that match a glob on `server:tool`. */
export interface AnnotationOverride {
  readonly glob: string;
  /** The preset's hints, overridden by explicit hints. */
  readonly hints: StatedHints;
  /** The digest of the one definition that the hints were accepted for; `glob` is then a plain name. */
  readonly accepted?: string;
  readonly title?: string;
}

/** The settings of one server. */
export interface ServerSettings extends Omit<WrittenServerSettings, 'displayName' | 'assume'> {
  readonly displayName: string;
  /** Hints for tools that state none themselves. */
  readonly assume?: StatedHints;
}

/** The scripts of clients, if they are on. */
export type ScriptSettings = NonNullable<Settings['scripts']>;

/** The listener of `serve --http`. */
export type HttpSettings = Settings['http'];

/** Limits against servers that send too much. */
export type LimitSettings = Settings['limits'];

/** How the tools of one server are presented. */
export type ViewKind = ServerSettings['view'];

/** One entry of `modules`. */
export type ModuleEntry = NonNullable<Settings['modules']>[number];
