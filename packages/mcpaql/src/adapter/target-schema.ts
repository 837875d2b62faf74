/** The schema of the target and of its credentials. */

import * as z from 'zod';

import type { Auth, Target } from './adapter-document.js';
import { amount, environmentName, matching, milliseconds, text, url } from './field-schema.js';

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

const headerName = (description: string, example: string): z.ZodString =>
  matching(HEADER_NAME, 'must be the name of a header', description, example);

const http = z.strictObject({
  transport: z.literal('http').meta({ description: 'An HTTP API.' }),
  base_url: url('The address that all paths are appended to.', 'https://harbour.example/api/v2'),
  protocol: z.literal('rest').meta({ description: 'Paths and methods.' }).default('rest'),
  serialization: z
    .enum(['json', 'form'])
    .meta({ description: 'How bodies are written.' })
    .default('json'),
  timeout_ms: milliseconds('How long one request may take.', 30_000),
  retries: amount('How often a failed call is repeated, if that is safe.', 0, 2).max(10).default(0),
  retry_delay_ms: milliseconds('How long to wait before the first repetition.', 1000),
  private_addresses: z
    .enum(['refused', 'allowed'])
    .meta({ description: 'Whether the API may be in a private network.' })
    .default('refused'),
  files: z
    .array(text('A folder.', './uploads'))
    .meta({
      description: "Folders that uploads may be read from, relative to the adapter's file.",
      examples: [['./uploads']],
    })
    .default([]),
  downloads: z.exactOptional(
    text(
      "The folder that binary answers are saved in, relative to the adapter's file.",
      './downloads',
    ),
  ),
});

const native = z.strictObject({
  transport: z.literal('native').meta({ description: 'A module or a command on this machine.' }),
  module: z.exactOptional(text('A module whose functions are called.', './harbour.mjs')),
  command: z.exactOptional(
    z
      .array(z.string().min(1))
      .min(1)
      .meta({ description: 'A program, with its first arguments.', examples: [['git']] }),
  ),
  env: z
    .array(environmentName('The name of a variable.', 'HARBOUR_HOME'))
    .meta({ description: 'Variables that the command may see.', examples: [['HARBOUR_HOME']] })
    .default([]),
  timeout_ms: milliseconds('How long one call may take.', 30_000),
});

const mcp = z.strictObject({
  transport: z.literal('mcp').meta({ description: 'The tools of an MCP server.' }),
  server: text('The key of the server in the configuration.', 'github'),
});

export const TARGET: z.ZodType<Target> = z
  .discriminatedUnion('transport', [http, native, mcp])
  .meta({
    description: 'The system behind the adapter.',
    examples: [{ transport: 'http', base_url: 'https://harbour.example/api' }],
  });

const schemes = [
  z.strictObject({
    type: z.literal('bearer'),
    token_env: environmentName('The variable that holds the token.', 'HARBOUR_TOKEN'),
    header: headerName('The header it goes into.', 'Authorization').default('Authorization'),
    prefix: z
      .string()
      .meta({ description: 'The text before the token.', examples: ['Bearer '] })
      .default('Bearer '),
  }),
  z.strictObject({
    type: z.literal('api_key'),
    key_env: environmentName('The variable that holds the key.', 'HARBOUR_KEY'),
    header_name: z.exactOptional(headerName('The header it goes into.', 'X-API-Key')),
    query_name: z.exactOptional(text('The query parameter it goes into.', 'api_key')),
    cookie_name: z.exactOptional(headerName('The cookie it goes into.', 'session')),
  }),
  z.strictObject({
    type: z.literal('basic'),
    username_env: environmentName('The variable that holds the name.', 'HARBOUR_USER'),
    password_env: environmentName('The variable that holds the password.', 'HARBOUR_PASSWORD'),
  }),
  z.strictObject({
    type: z.literal('oauth2'),
    token_url: url('Where tokens are fetched.', 'https://harbour.example/oauth/token'),
    client_id_env: environmentName('The variable that holds the id.', 'HARBOUR_CLIENT'),
    client_secret_env: environmentName('The variable that holds the secret.', 'HARBOUR_SECRET'),
    scopes: z
      .array(text('A scope.', 'berths:read'))
      .meta({ description: 'The scopes to request.', examples: [['berths:read']] })
      .default([]),
  }),
] as const;

export const AUTH: z.ZodType<Auth> = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('none') }),
    ...schemes,
    z.strictObject({
      type: z.literal('all').meta({ description: 'Several schemes that belong together.' }),
      schemes: z
        .array(z.discriminatedUnion('type', schemes))
        .min(2)
        .meta({
          description: 'Every request carries the credentials of all of them.',
          examples: [[{ type: 'api_key', key_env: 'HARBOUR_KEY', header_name: 'X-API-Key' }]],
        }),
    }),
  ])
  .meta({
    description: 'How to sign in; credentials are in the environment.',
    examples: [{ type: 'bearer', token_env: 'HARBOUR_TOKEN' }],
  });
