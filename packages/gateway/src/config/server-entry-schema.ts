/** The schema of a server entry, for checks and editors. It is built at its first use: most files need no check. */

import * as z from 'zod';

import {
  ADDRESS_FIELDS,
  isText,
  SWITCHED_OFF,
  TRANSPORTS,
  transportWordsFor,
  VARIABLE_NAME,
  type ServerEntry,
  type TextMap,
} from './server-entry.js';

const plainText = () =>
  z.string().refine(isText, {
    error: 'must not contain a null character',
    params: { advice: 'remove it' },
  });

// The reader turns numbers and booleans into text first, so editors should accept them.
const ANYTHING_PLAIN = { type: ['string', 'number', 'boolean', 'null'], examples: ['value'] };

const programArguments = () =>
  z
    .array(plainText().meta({ examples: ['--verbose'] }))
    .meta({ description: 'Arguments of the command.', examples: [['-y', 'some-package']] });

const variables = () =>
  z
    .record(z.string(), plainText().meta(ANYTHING_PLAIN))
    .superRefine(
      checkNames(VARIABLE_NAME, 'is not a valid variable name', 'use letters, digits and "_"'),
    )
    .meta({
      description: 'Environment variables of the server; it sees few others.',
      examples: [{ API_TOKEN: '${API_TOKEN}' }],
    });

const program = () =>
  plainText()
    .min(1)
    .meta({ examples: ['npx'] });

const zedCommand = () =>
  z.object({
    path: program().meta({ description: 'Program, in the older form of Zed.', examples: ['npx'] }),
    args: z.exactOptional(programArguments()),
    env: z.exactOptional(variables()),
  });

const address = () =>
  z
    .string()
    .min(1)
    .refine(isHttpUrl, {
      error: 'must be an http or https address',
      params: { advice: 'write a whole address, such as "https://example.com/mcp"' },
      abort: true,
    })
    .refine(hasNoPassword, {
      error: 'must not contain a user name or a password',
      params: { advice: 'move them to "headers": {"Authorization": "Basic ${CREDENTIALS}"}' },
    })
    .meta({ description: 'Address of a remote server.', examples: ['https://example.com/mcp'] });

const headerText = () =>
  z
    .string()
    .refine((value) => /^[\t\x20-\x7e\x80-\xff]*$/.test(value), {
      error: 'contains a character that headers do not allow',
      params: {
        advice: 'remove line breaks and other control characters, including those in the variable',
      },
    })
    .meta(ANYTHING_PLAIN);

const headers = () =>
  z
    .record(z.string(), headerText())
    .superRefine(
      checkNames(
        /^[\w!#$%&'*+.^`|~-]+$/,
        'is not a valid header name',
        'use letters, digits and hyphens',
      ),
    )
    .meta({
      description: 'HTTP headers for every request to a remote server.',
      examples: [{ Authorization: 'Bearer ${API_TOKEN}' }],
    });

/** For editors: exactly one address and a matching type, unless the entry is disabled. */
const TOGETHER = {
  anyOf: [
    {
      oneOf: ADDRESS_FIELDS.map((field) => ({
        required: [field],
        properties: { type: { enum: transportWordsFor(field) } },
      })),
    },
    ...SWITCHED_OFF.map(([field, value]) => ({
      required: [field],
      properties: { [field]: { const: value } },
    })),
  ],
};

const entry = () =>
  z
    .looseObject({
      command: z.exactOptional(
        z
          .union([program(), zedCommand()], { error: 'must be a string' })
          .meta({ description: 'Program that runs the server.', examples: ['npx'] }),
      ),
      args: z.exactOptional(programArguments()),
      env: z.exactOptional(variables()),
      cwd: z.exactOptional(
        plainText()
          .min(1)
          .meta({ description: 'Folder in which it runs.', examples: ['/srv/data'] }),
      ),
      url: z.exactOptional(address()),
      serverUrl: z.exactOptional(address()),
      httpUrl: z.exactOptional(address()),
      headers: z.exactOptional(headers()),
      type: z.exactOptional(
        z
          .enum(Object.keys(TRANSPORTS) as (keyof typeof TRANSPORTS)[])
          .meta({ description: 'Transport of the server.' }),
      ),
    })
    .meta(TOGETHER);

export const SERVER_ENTRY: z.ZodType<ServerEntry> = z.lazy(entry);

/** The schema of an entry for editors. It also describes the switches, which the loader reads before the entry. */
export const WRITTEN_ENTRY: z.ZodType = z.lazy(() =>
  entry()
    .extend({
      disabled: z.exactOptional(
        z.boolean().meta({ description: 'If true, the server is not started.', examples: [true] }),
      ),
      enabled: z.exactOptional(
        z
          .boolean()
          .meta({ description: 'If false, the server is not started.', examples: [false] }),
      ),
    })
    .meta(TOGETHER),
);

function checkNames(pattern: RegExp, message: string, advice: string) {
  return (map: TextMap, context: z.core.$RefinementCtx<TextMap>): void => {
    for (const name of Object.keys(map)) {
      if (pattern.test(name)) continue;
      context.addIssue({ code: 'custom', path: [name], message, params: { advice } });
    }
  };
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function hasNoPassword(text: string): boolean {
  const { username, password } = new URL(text);
  return username === '' && password === '';
}
