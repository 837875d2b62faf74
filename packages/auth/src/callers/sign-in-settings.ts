/** The setting `auth.signIn`: the gateway signs people in, and gives their clients tokens of its own. */

import * as z from 'zod';

import { count, type SettingOf, text, texts } from '@callsign/config';
import { redirectProblem } from './redirect-uri.js';
import { isSafeAddress } from './safe-address.js';

const ORIGIN_ADVICE = 'write only the scheme and the host, such as "https://gateway.example.com"';
const HASH = /^sha256:[0-9a-f]{64}$/;

const origin = z
  .string()
  .refine((value) => isSafeAddress(value) && new URL(value).origin === value, {
    error: 'must be an https origin, or an http origin of this machine',
    params: { advice: ORIGIN_ADVICE },
  })
  .meta({
    description:
      'The origin under which people and clients reach this gateway. It is the issuer of the tokens.',
    examples: ['https://gateway.example.com'],
  });

const oidc = z.lazy(() =>
  z
    .strictObject({
      issuer: z
        .string()
        .refine(isSafeAddress, {
          error: 'must be an https address, or an http address of this machine',
          params: { advice: 'write the whole address, such as "https://login.example.com"' },
        })
        .meta({
          description: 'The OpenID provider where people sign in.',
          examples: ['https://login.example.com'],
        }),
      clientId: text('Our client id at the provider.', 'callsign'),
      clientSecret: z.exactOptional(
        text(
          'Our client secret at the provider; write a variable. Default: we are a public client.',
          '${LOGIN_CLIENT_SECRET}',
        ),
      ),
      scopes: texts(
        'Scopes that we ask for.',
        'openid',
        z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, { error: 'is not a scope' }),
      )
        .refine((scopes) => scopes.includes('openid'), {
          error: 'the scope "openid" is missing',
          params: { advice: 'add "openid"' },
        })
        .default(['openid', 'profile', 'email']),
      rolesClaim: text('The claim of the ID token with the roles.', 'roles').default('roles'),
      name: z.exactOptional(text('What the sign-in page calls the provider.', 'Example Login')),
    })
    .meta({
      description: 'People may sign in at an OpenID provider.',
      examples: [{ issuer: 'https://login.example.com', clientId: 'callsign' }],
    }),
);

const operator = z.lazy(() =>
  z
    .strictObject({
      roles: texts('Roles of the people that operators let in.', 'reader').default([]),
    })
    .meta({
      description:
        'People may give a name and wait. An operator lets them in, on the console or with "callsign approvals".',
      examples: [{ roles: ['reader'] }],
    }),
);

/** An OpenID provider. */
export type ProviderSettings = SettingOf<typeof oidc>;

const client = z.lazy(() =>
  z
    .strictObject({
      id: text('Its client id.', 'perplexity'),
      name: text('What the consent page calls it.', 'Perplexity'),
      redirectUris: texts(
        'Addresses that it may receive codes at.',
        'https://client.example.com/callback',
        z.string().refine((uri) => redirectProblem(uri) === undefined, {
          error: 'is not an address that codes may be sent to',
          params: { advice: 'use https, http on loopback, or the scheme of an app' },
        }),
      ).min(1),
      secretHash: z.exactOptional(
        z
          .string()
          .regex(HASH, { error: 'must be "sha256:" and 64 hexadecimal digits' })
          .meta({
            description:
              'Hash of its secret, as "callsign key new" prints it. Default: it is a public client.',
            examples: [`sha256:${'0'.repeat(64)}`],
          }),
      ),
    })
    .meta({
      examples: [
        {
          id: 'perplexity',
          name: 'Perplexity',
          redirectUris: ['https://client.example.com/callback'],
        },
      ],
    }),
);

const EXAMPLE = { origin: 'https://gateway.example.com' };

export const SIGN_IN_SETTINGS = z.lazy(() =>
  z
    .strictObject({
      origin,
      keys: z
        .boolean()
        .meta({
          description: 'Whether people may sign in with an API key that they paste into the page.',
          examples: [false],
        })
        .default(true),
      oidc: z.exactOptional(oidc),
      operator: z.exactOptional(operator),
      clients: z
        .array(client)
        .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, {
          error: 'two clients have the same id',
          params: { advice: 'give each client its own id' },
        })
        .meta({ description: 'Clients that you register yourself.', examples: [[]] })
        .default([]),
      clientDocuments: z
        .boolean()
        .meta({
          description:
            'Whether a client may be known by the address of its metadata document, as most are.',
          examples: [false],
        })
        .default(true),
      registration: z
        .boolean()
        .meta({
          description:
            'Whether any client may register itself (dynamic client registration). Some clients need it.',
          examples: [true],
        })
        .default(false),
      tokenMinutes: count('How long an access token works, in minutes.', 1, 60),
      days: count('How long a sign-in lasts at most, in days.', 1, 30),
    })
    .refine(
      ({ keys, oidc: provider, operator: asked }) =>
        keys || provider !== undefined || asked !== undefined,
      {
        error: 'leaves people no way to sign in',
        params: { advice: 'set "oidc" or "operator", or remove "keys": false' },
      },
    )
    .meta({
      description: 'Lets people sign in from their MCP clients, with OAuth.',
      examples: [EXAMPLE],
    }),
);

/** The setting `callsign.auth.signIn`. */
export type SignInSettings = SettingOf<typeof SIGN_IN_SETTINGS>;
