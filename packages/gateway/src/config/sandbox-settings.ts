/** The setting `sandbox` of a server: what a local server may do on this machine. */

import { type SettingOf, texts } from '@callsign/config';
import * as z from 'zod';

/** `host:port`, such as `api.example.com:443`, `*.example.com:443` or `[::1]:5432`. */
const HOST = /^(?:\[[0-9a-fA-F:.]+\]|(?:\*\.)?[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?):\d{1,5}$/;

const path = z
  .string()
  .min(1)
  // With a variable in it, a folder of this very name would be meant, and nothing would be hidden.
  .regex(/^(?!.*\$\{)[^\0]+$/, {
    error: 'must be a plain path: variables are not replaced here; "~" is the home folder',
  });

const FILES = z.union(
  [
    z.literal('read-only'),
    z.strictObject({
      write: texts(
        'Folders and files that it may change. A folder that is missing is created.',
        '~/notes',
        path,
      ).default([]),
      read: texts(
        'Folders and files with secrets that it may read all the same.',
        '~/.aws',
        path,
      ).default([]),
      hide: texts(
        'More folders and files that it cannot see, besides the usual places of secrets.',
        '~/Documents/private',
        path,
      ).default([]),
    }),
  ],
  { error: 'must be "read-only" or an object with "write", "read" and "hide"' },
);

const NETWORK = z.union(
  [
    z.enum(['all', 'none']),
    z
      .array(
        z
          .string()
          .regex(HOST, { error: 'must be host:port' })
          .meta({ examples: ['api.example.com:443'] }),
      )
      .meta({ examples: [['api.example.com:443']] }),
  ],
  { error: 'must be "all", "none" or a list of host:port' },
);

export const SANDBOX = z.lazy(() =>
  z
    .union(
      [
        z.boolean(),
        z.strictObject({
          files: z.exactOptional(
            FILES.meta({
              description:
                'Which files it may change. "read-only": none. Default: those in its working folder.',
              examples: ['read-only', { write: ['~/notes'] }],
            }),
          ),
          network: NETWORK.meta({
            description: 'Where it may connect to: "all", "none", or hosts with their ports.',
            examples: ['none', ['api.example.com:443']],
          }).default('all'),
        }),
      ],
      { error: 'must be true, false or an object with "files" and "network"' },
    )
    .meta({
      description:
        'What a local server may do. true: it may change files in its working folder only, secrets are hidden, and the network is open. If the sandbox cannot be set up, the server does not start.',
      examples: [true, { files: 'read-only', network: ['api.example.com:443'] }],
    })
    .default(false),
);

export type SandboxSetting = SettingOf<typeof SANDBOX>;

/** A sandbox that is on. */
export type SandboxSettings = Exclude<SandboxSetting, boolean>;

/** `undefined`: the server has no sandbox. */
export function sandboxOf(setting: SandboxSetting): SandboxSettings | undefined {
  if (setting === false) return undefined;
  return setting === true ? { network: 'all' } : setting;
}

/** Whether it names paths that begin at the working folder. */
export function hasRelativePath(setting: SandboxSetting): boolean {
  const { files } = sandboxOf(setting) ?? {};
  if (typeof files !== 'object') return false;
  const { write, read, hide } = files;
  return [...write, ...read, ...hide].some((each) => !/^(?:\/|~(?:\/|$))/.test(each));
}
