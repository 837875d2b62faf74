/** The setting `auth`: who may call over HTTP, and with which credentials. */

import * as z from 'zod';

import { type SettingOf, text, texts } from '@callsign/config';
import { isSafeAddress } from './safe-address.js';
import { SIGN_IN_SETTINGS } from './sign-in-settings.js';

/** An operator sees and decides. A viewer only sees. */
export const CONSOLE_LEVELS = ['operator', 'viewer'] as const;

/** What the holder of a key may do in the console. Default: nothing. */
export type ConsoleAccessLevel = (typeof CONSOLE_LEVELS)[number];

const address = (description: string, example: string) =>
  text(description, example).refine(isSafeAddress, {
    error: 'must be an https address, or an http address of this machine',
    params: { advice: `write the whole address, such as "${example}"` },
  });

const HASH = /^sha256:[0-9a-f]{64}$/;

/** The schema of one key, in the configuration and in the shared database. */
export const API_KEY = z.lazy(() =>
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
      set: z.exactOptional(text('The set that its holder gets at every address.', 'reading')),
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

/** One key. Records name its holder as `key:<name>`. */
export type ApiKeySettings = SettingOf<typeof API_KEY>;

/** Tells a missing list from an empty one: the schema compares it by identity. */
const NOT_WRITTEN: z.output<typeof API_KEY>[] = [];

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

/** Which bearer tokens are accepted. */
export type TokenSettings = SettingOf<typeof tokens>;

/**
 * Default: no authentication. An object that names no kind of credential is an error. An empty list of
 * keys is none: it says that no one may call, as after the last key was revoked.
 */
export const AUTH_SETTINGS = z.lazy(() =>
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
      signIn: z.exactOptional(SIGN_IN_SETTINGS),
    })
    .refine(
      ({ keys: list, sharedKeys, tokens: issued, signIn }) =>
        list !== NOT_WRITTEN ||
        sharedKeys ||
        issued !== undefined ||
        signIn?.oidc !== undefined ||
        signIn?.operator !== undefined,
      {
        error: 'asks for credentials but accepts none',
        params: { advice: 'add a key or an issuer of tokens, or remove "auth"' },
      },
    )
    .refine(
      ({ tokens: issued, signIn }) =>
        !issued || !signIn || issued.resource === `${signIn.origin}/mcp`,
      {
        error: '"tokens.resource" is another address than "signIn.origin" with "/mcp"',
        params: { advice: 'a gateway has one address for clients: make them the same' },
      },
    )
    .refine(
      // Otherwise two people at two issuers could have the same name here.
      ({ tokens: issued, signIn }) =>
        !issued || !signIn?.oidc || issued.issuer === signIn.oidc.issuer,
      {
        error: '"tokens.issuer" and "signIn.oidc.issuer" are different',
        params: { advice: 'use one issuer for both, so that a subject is one person' },
      },
    )
    .meta({
      description: 'Who may call over HTTP.',
      examples: [{ keys: [{ name: 'ci', hash: `sha256:${'0'.repeat(64)}` }] }],
    }),
);

/** The setting `callsign.auth`. A call without a valid credential is refused. */
export type AuthSettings = SettingOf<typeof AUTH_SETTINGS>;

function isUnique(values: readonly string[]): boolean {
  return new Set(values).size === values.length;
}
