/** The setting `auth`: who may call over HTTP, and with which credentials. */

import * as z from 'zod';

import { text, texts } from '@callsign/config';
import { isSafeAddress } from './safe-address.js';

/**
 * The setting `callsign.auth`. Unset: callers are not authenticated. Set: a call without a valid
 * credential is refused.
 */
export interface AuthSettings {
  readonly keys: readonly ApiKeySettings[];
  /** Whether the keys in the database of `storage` count too. */
  readonly sharedKeys: boolean;
  /** OAuth bearer tokens. Unset: none are accepted. */
  readonly tokens?: TokenSettings;
}

/** One key. Records name its holder as `key:<name>`. */
export interface ApiKeySettings {
  readonly name: string;
  /** `sha256:` and the hash of the key. */
  readonly hash: string;
  readonly roles: readonly string[];
  /** What its holder may do in the console. Unset: nothing. */
  readonly console?: ConsoleAccessLevel;
}

/** An operator sees and decides. A viewer only sees. */
export const CONSOLE_LEVELS = ['operator', 'viewer'] as const;

/** What the holder of a key may do in the console. Unset in a key: nothing. */
export type ConsoleAccessLevel = (typeof CONSOLE_LEVELS)[number];

export interface TokenSettings {
  /** The issuer of accepted tokens, exactly as in its metadata. */
  readonly issuer: string;
  /** The address of this gateway, as clients know it. */
  readonly resource: string;
  /** The required audience of a token. Unset: the resource. */
  readonly audience?: string;
  /** The address of the issuer's keys. Unset: taken from the issuer's metadata. */
  readonly jwksUrl?: string;
  /** The claim with the caller's roles. */
  readonly rolesClaim: string;
  /** Scopes that every token must have. */
  readonly scopes: readonly string[];
}

const address = (description: string, example: string) =>
  text(description, example).refine(isSafeAddress, {
    error: 'must be an https address, or an http address of this machine',
    params: { advice: `write the whole address, such as "${example}"` },
  });

const HASH = /^sha256:[0-9a-f]{64}$/;

/** The schema of one key, in the configuration and in the shared database. */
export const API_KEY: z.ZodType<ApiKeySettings> = z.lazy(() =>
  z
    .strictObject({
      name: text('The holder of the key. Records show it as "key:" and this name.', 'ci'),
      hash: z
        .string()
        .refine((hash) => HASH.test(hash), {
          error: 'must be "sha256:" and 64 hexadecimal digits',
          params: { advice: 'make a key: callsign key add NAME' },
        })
        .meta({
          pattern: HASH.source,
          description: 'Hash of the key. The key itself is never written here.',
          examples: [`sha256:${'0'.repeat(64)}`],
        }),
      roles: texts('Roles of its holder.', 'reader').default([]),
      console: z.exactOptional(
        z.enum(CONSOLE_LEVELS).meta({
          description:
            'Lets its holder sign in to the console: "operator" sees and decides, "viewer" only sees.',
          examples: ['viewer'],
        }),
      ),
    })
    .meta({ examples: [{ name: 'ci', hash: `sha256:${'0'.repeat(64)}`, roles: ['reader'] }] }),
);

/** Tells a missing list from an empty one: the schema compares it by identity. */
const NOT_WRITTEN: ApiKeySettings[] = [];

const keys = z.lazy(() =>
  z
    .array(API_KEY)
    .refine((list) => isUnique(list.map(({ name }) => name)), {
      error: 'two keys have the same name',
      params: { advice: 'name each after its holder: records use the name' },
    })
    .refine((list) => isUnique(list.map(({ hash }) => hash)), {
      error: 'two entries have the same key',
      params: { advice: 'make a key for each' },
    })
    .meta({ description: 'API keys. An empty list: no key is accepted.', examples: [[]] })
    .default(() => NOT_WRITTEN),
);

const tokens = z.lazy(() =>
  z
    .strictObject({
      issuer: address('Who issues the tokens.', 'https://login.example.com'),
      resource: address('Address of this gateway for clients.', 'https://gateway.example.com/mcp'),
      audience: z.exactOptional(
        text('The required audience of tokens, if it is not the address.', 'callsign'),
      ),
      jwksUrl: z.exactOptional(
        address(
          "Address of the issuer's keys, if its metadata does not name it.",
          'https://login.example.com/jwks',
        ),
      ),
      rolesClaim: text('The claim with the roles.', 'roles').default('roles'),
      scopes: texts(
        'Scopes that every token must have.',
        'mcp',
        z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, { error: 'is not a scope' }),
      ).default([]),
    })
    .meta({
      description: 'OAuth 2.1 bearer tokens.',
      examples: [
        { issuer: 'https://login.example.com', resource: 'https://gateway.example.com/mcp' },
      ],
    }),
);

/**
 * Unset: no authentication. An object that names no kind of credential is an error. An empty list of
 * keys is none: it says that no one may call, as after the last key was revoked.
 */
export const AUTH_SETTINGS: z.ZodType<AuthSettings> = z.lazy(() =>
  z
    .strictObject({
      keys,
      sharedKeys: z
        .boolean()
        .meta({
          description:
            'Whether API keys in the database of "storage" count too. "callsign key add" adds them there.',
          examples: [true],
        })
        .default(false),
      tokens: z.exactOptional(tokens),
    })
    .refine((auth) => auth.keys !== NOT_WRITTEN || auth.sharedKeys || auth.tokens !== undefined, {
      error: 'asks for credentials but accepts none',
      params: { advice: 'add a key or an issuer of tokens, or remove "auth"' },
    })
    .meta({
      description: 'Who may call over HTTP.',
      examples: [{ keys: [{ name: 'ci', hash: `sha256:${'0'.repeat(64)}` }] }],
    }),
);

function isUnique(values: readonly string[]): boolean {
  return new Set(values).size === values.length;
}
