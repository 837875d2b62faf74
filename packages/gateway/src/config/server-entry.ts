/** The schema of a server entry: its fields, and which of them belong together. */

import * as z from 'zod';

/** The names of the transports in clients' files. */
export const TRANSPORTS = {
  stdio: 'stdio',
  local: 'stdio',
  http: 'streamable-http',
  'streamable-http': 'streamable-http',
  streamableHttp: 'streamable-http',
  sse: 'sse',
} as const;

type TransportWord = keyof typeof TRANSPORTS;

/** Every spelling of a remote server's address: most clients, Windsurf, Gemini. */
const URL_FIELDS = ['url', 'serverUrl', 'httpUrl'] as const;

export type AddressField = 'command' | (typeof URL_FIELDS)[number];

/** The fields that say how to reach a server. An entry has exactly one of them. */
export const ADDRESS_FIELDS: readonly AddressField[] = ['command', ...URL_FIELDS];

/** Values that disable an entry. Zed starts the servers of its extensions itself. */
export const SWITCHED_OFF = [
  ['disabled', true],
  ['enabled', false],
  ['source', 'extension'],
] as const;

type TextMap = Readonly<Record<string, string>>;

/** The older form of Zed, with program, arguments and variables in one object. */
export interface NestedCommand {
  readonly path: string;
  readonly args?: readonly string[];
  readonly env?: TextMap;
}

/** A server entry after its variables are replaced. Exactly one address field is set. */
export interface ServerEntry {
  readonly command?: string | NestedCommand;
  readonly args?: readonly string[];
  readonly env?: TextMap;
  readonly cwd?: string;
  readonly url?: string;
  readonly serverUrl?: string;
  readonly httpUrl?: string;
  readonly headers?: TextMap;
  readonly type?: TransportWord;
}

// Node refuses such text with an error that quotes it.
const TEXT = z.string().refine((text) => !text.includes('\0'), {
  error: 'must not contain a null character',
  params: { advice: 'remove it' },
});

// The reader turns numbers and booleans into text first, so editors should accept them.
const ANYTHING_PLAIN = { type: ['string', 'number', 'boolean', 'null'], examples: ['value'] };

const ARGS = z
  .array(TEXT.meta({ examples: ['--verbose'] }))
  .meta({ description: 'Arguments of the command.', examples: [['-y', 'some-package']] });

const ENV = z
  .record(z.string(), TEXT.meta(ANYTHING_PLAIN))
  .superRefine(
    checkNames(/^[^=\0]+$/, 'is not a valid variable name', 'use letters, digits and "_"'),
  )
  .meta({
    description: 'Environment variables of the server; it sees few others.',
    examples: [{ API_TOKEN: '${API_TOKEN}' }],
  });

const COMMAND = TEXT.min(1).meta({ examples: ['npx'] });

const ZED_COMMAND = z.object({
  path: COMMAND.meta({ description: 'Program, in the older form of Zed.', examples: ['npx'] }),
  args: z.exactOptional(ARGS),
  env: z.exactOptional(ENV),
});

const URL_TEXT = z
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

const HEADER = z
  .string()
  .refine((value) => /^[\t\x20-\x7e\x80-\xff]*$/.test(value), {
    error: 'contains a character that headers do not allow',
    params: { advice: 'remove line breaks and other control characters, also from the variable' },
  })
  .meta(ANYTHING_PLAIN);

const HEADERS = z
  .record(z.string(), HEADER)
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

const transportWords = Object.keys(TRANSPORTS) as TransportWord[];

/** The transports that fit this address. */
export function transportWordsFor(field: string): TransportWord[] {
  const isLocal = field === 'command';
  return transportWords.filter((word) => (TRANSPORTS[word] === 'stdio') === isLocal);
}

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

const ENTRY = z
  .looseObject({
    command: z.exactOptional(
      z
        .union([COMMAND, ZED_COMMAND], { error: 'must be a string' })
        .meta({ description: 'Program that runs the server.', examples: ['npx'] }),
    ),
    args: z.exactOptional(ARGS),
    env: z.exactOptional(ENV),
    cwd: z.exactOptional(
      TEXT.min(1).meta({ description: 'Folder in which it runs.', examples: ['/srv/data'] }),
    ),
    url: z.exactOptional(URL_TEXT),
    serverUrl: z.exactOptional(URL_TEXT),
    httpUrl: z.exactOptional(URL_TEXT),
    headers: z.exactOptional(HEADERS),
    type: z.exactOptional(z.enum(transportWords).meta({ description: 'Transport of the server.' })),
  })
  .meta(TOGETHER);

/** The fields that we read. */
export const ENTRY_FIELDS: readonly string[] = Object.keys(ENTRY.shape);

export const SERVER_ENTRY: z.ZodType<ServerEntry> = ENTRY;

/** The same for editors. It also describes the switches, which the loader reads before the entry. */
export const WRITTEN_ENTRY: z.ZodType = z.lazy(() =>
  ENTRY.extend({
    disabled: z.exactOptional(
      z.boolean().meta({ description: 'If true, the server is not started.', examples: [true] }),
    ),
    enabled: z.exactOptional(
      z.boolean().meta({ description: 'If false, the server is not started.', examples: [false] }),
    ),
  }).meta(TOGETHER),
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
