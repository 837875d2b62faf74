/** The naming conventions that Callsign implements, rule by rule. */

import { describe, expect, it } from 'vitest';

import { shows } from '../../../../test/requirements/shows.js';
import {
  ADAPTER_SCOPE,
  CANONICAL,
  canonicalName,
  compilePattern,
  createNameCheck,
  createNameTable,
  createToolRenderer,
  displayName,
  namePattern,
  parseCanonicalName,
  PREFIX_SCOPE,
  profileById,
  profileForClient,
  serverKeyAdvice,
  serverKeyProblem,
  snakeCase,
} from '../index.js';

const named = (server: string, tool: string) =>
  createToolRenderer({ profile: CANONICAL })({ server, tool }).name;
const split = (name: string) => {
  const parsed = parseCanonicalName(name);
  return parsed.ok ? [parsed.ref.server, parsed.ref.tool] : parsed.error.message;
};
const FILESYSTEM = [{ server: 'filesystem', tool: 'read_file' }];
const canonicalTable = (refs = FILESYSTEM) => createNameTable(refs, { profile: CANONICAL });

describe('a server’s own prefix', () => {
  const prefixed = (prefix: string, tool: string) =>
    namePattern('{prefix}{tool}', { scope: PREFIX_SCOPE, bind: { prefix } }).format({ tool });

  it(
    'keeps the same short name apart under two prefixes',
    shows('LDP-01', () => {
      expect(prefixed('lightdash_tools__', 'list')).not.toBe(prefixed('metabase__', 'list'));
    }),
  );

  it(
    'may be any text that the user chose',
    shows('LDP-02', () => {
      expect(prefixed('acme_', 'list_charts')).toBe('acme_list_charts');
    }),
  );

  it(
    'is joined to the short name with nothing between',
    shows('LDP-05', () => {
      expect(prefixed('lightdash_tools__', 'list_charts')).toBe('lightdash_tools__list_charts');
    }),
  );

  it(
    'gives names of 1 to 128 characters',
    shows('LDD-01', () => {
      const faults = createNameCheck(profileById('spec'));
      const missing = createNameTable([{ server: 's', tool: '' }], {
        profile: profileById('spec'),
      });
      expect(missing.problems.map(({ code }) => code)).toEqual(['invalid-tool']);
      expect(faults('x')).toEqual([]);
      expect(faults('x'.repeat(128))).toEqual([]);
      expect(faults('x'.repeat(129))).toEqual(['length']);
    }),
  );
});

describe('the tools of an adapter', () => {
  const DEFAULT = '{adapter}_mcpaql_{endpoint}';
  const pattern = namePattern(DEFAULT, { scope: ADAPTER_SCOPE });
  const nameOf = (adapter: string, endpoint: string) =>
    pattern.format({ adapter: snakeCase(adapter), endpoint });
  const endpoints = ADAPTER_SCOPE.variables['endpoint']!.oneOf!;

  it(
    'share no name with another adapter’s',
    shows('AQL-01', () => {
      const names = ['apple-mail', 'github-api', 'slack'].flatMap((adapter) =>
        endpoints.map((e) => nameOf(adapter, e)),
      );
      expect(new Set(names).size).toBe(15);
    }),
  );

  it(
    'have names that contain adapter and endpoint',
    shows('AQL-02', () => {
      expect(pattern.parse('apple_mail_mcpaql_read')).toEqual({
        adapter: 'apple_mail',
        endpoint: 'read',
      });
    }),
  );

  it(
    'are named by this pattern',
    shows('AQL-03', 'AQL-04', 'AQL-05', 'AQL-06', 'AQL-07', 'AQL-08', 'AQL-09', () => {
      expect(endpoints.map((endpoint) => nameOf('apple-mail', endpoint))).toEqual([
        'apple_mail_mcpaql_create',
        'apple_mail_mcpaql_read',
        'apple_mail_mcpaql_update',
        'apple_mail_mcpaql_delete',
        'apple_mail_mcpaql_execute',
      ]);
      expect(nameOf('github-api', 'read')).toBe('github_api_mcpaql_read');
      expect(nameOf('github-api', 'execute')).toBe('github_api_mcpaql_execute');
    }),
  );

  it(
    'carry the full brand',
    shows('AQL-10', 'AQL-11', () => {
      expect(compilePattern('{adapter}_aql_{endpoint}', { scope: ADAPTER_SCOPE })).toMatchObject({
        ok: false,
        problems: [{ code: 'missing-text' }],
      });
      expect(pattern.parse('apple_mail_aql_read')).toBeUndefined();
    }),
  );

  it(
    'take two variables, and no other',
    shows('AQL-12', 'AQL-13', 'AQL-14', () => {
      expect(snakeCase('apple-mail')).toBe('apple_mail');
      expect(pattern.parse('apple_mail_mcpaql_destroy')).toBeUndefined();
      expect(
        compilePattern('{adapter}_mcpaql_{endpoint}_{version}', { scope: ADAPTER_SCOPE }),
      ).toMatchObject({
        ok: false,
        problems: [{ code: 'unknown-variable' }],
      });
    }),
  );

  it(
    'may be bare, if the configuration says so',
    shows('AQL-15', () => {
      const bare = namePattern('mcpaql_{endpoint}', { scope: ADAPTER_SCOPE });
      expect(bare.format({ endpoint: 'read' })).toBe('mcpaql_read');
    }),
  );

  it(
    'are shown under the words of the adapter’s name',
    shows('AQL-44', () => {
      expect(displayName('apple-mail')).toBe('Apple Mail');
    }),
  );
});

describe('the name of an aggregated tool', () => {
  it(
    'is {serverKey}:{originalToolName}',
    shows('AGG-01', 'AGG-08', 'AGG-41', () => {
      expect(named('filesystem', 'read_file')).toBe('filesystem:read_file');
      expect(named('weather', 'get_forecast')).toBe('weather:get_forecast');
      expect(named('a', 'b').charCodeAt(1)).toBe(58);
    }),
  );

  it(
    'is the same pattern for every tool of a server',
    shows('AGG-13', () => {
      const names = ['read_file', 'write_file', 'list_directory'].map((tool) => named('fs', tool));
      expect(names).toEqual(['fs:read_file', 'fs:write_file', 'fs:list_directory']);
    }),
  );

  it(
    'keeps tools of the same name apart',
    shows('AGG-14', 'AGG-16', 'AGG-40', () => {
      const table = canonicalTable(
        [
          'github:create_issue',
          'gitlab:create_issue',
          'jira:create_issue',
          'fs-home:read_file',
          'fs-home:write_file',
          'fs-work:read_file',
          'fs-work:write_file',
          'db-prod:query',
          'db-staging:query',
        ].map((name) => {
          const [server = '', tool = ''] = name.split(':');
          return { server, tool };
        }),
      );
      expect(new Set(table.tools.map(({ name }) => name)).size).toBe(9);
      expect(table.problems).toEqual([]);
      expect([split('db-prod:query'), split('db-staging:query')]).toEqual([
        ['db-prod', 'query'],
        ['db-staging', 'query'],
      ]);
    }),
  );

  it(
    'changes with the server’s key',
    shows('AGG-44', () => {
      expect([named('fs', 'read_file'), named('filesystem', 'read_file')]).toEqual([
        'fs:read_file',
        'filesystem:read_file',
      ]);
    }),
  );

  it(
    'needs no escaping in JSON',
    shows('AGG-53', () => {
      expect(JSON.stringify(named('fs', 'read_file'))).toBe('"fs:read_file"');
    }),
  );

  it(
    'is reversible and deterministic',
    shows('AGG-54', 'AGG-55', () => {
      const [ref] = FILESYSTEM as [(typeof FILESYSTEM)[0]];
      expect(parseCanonicalName(canonicalName(ref))).toEqual({ ok: true, ref });
      const crowd = canonicalTable([
        { server: 'a', tool: 'b' },
        ref,
        { server: 'z', tool: 'read_file' },
      ]);
      expect(crowd.tools[1]?.name).toBe(canonicalTable().tools[0]?.name);
    }),
  );

  it(
    'suits the client: no colon where it is refused',
    shows('AGG-51', 'AGG-52', () => {
      const nameIn = (client: string) =>
        createToolRenderer({ profile: profileForClient({ name: client }) })(FILESYSTEM[0]!).name;
      expect(nameIn('claude-ai')).toBe('filesystem__read_file');
      expect(nameIn('somebody’s client')).toBe('filesystem:read_file');
    }),
  );
});

describe('a server key', () => {
  it(
    'is not empty and holds no colon',
    shows('AGG-03', 'AGG-04', () => {
      expect(serverKeyProblem('')).toBeDefined();
      expect(serverKeyProblem('my:server')).toBeDefined();
      expect(serverKeyProblem('my-server')).toBeUndefined();
      expect(named('my-server', 'my_tool')).toBe('my-server:my_tool');
    }),
  );

  it(
    'is best made of letters, digits, hyphens and underscores',
    shows('AGG-05', 'AGG-06', () => {
      expect(serverKeyProblem('my server')).toBeUndefined();
      expect(serverKeyAdvice('my server')).toContain('letters, digits');
      const good = ['filesystem', 'my-db-server', 'tool_v2'];
      expect(good.map((key) => serverKeyProblem(key) ?? serverKeyAdvice(key))).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
    }),
  );

  it(
    'keeps its case, and so do tools',
    shows('AGG-07', 'AGG-11', () => {
      const table = canonicalTable(
        ['GitHub:x', 'github:x', 'fs:Read_File', 'fs:read_file'].map((n) => ({
          server: n.split(':')[0]!,
          tool: n.split(':')[1]!,
        })),
      );
      expect(table.find('GitHub:x')?.tool.ref.server).toBe('GitHub');
      expect(table.find('fs:Read_File')?.tool).not.toBe(table.find('fs:read_file')?.tool);
    }),
  );
});

describe('reading a name', () => {
  it(
    'splits on the first colon',
    shows('AGG-09', 'AGG-18', () => {
      expect(split('server:tool:subcommand')).toEqual(['server', 'tool:subcommand']);
    }),
  );

  it(
    'refuses a name without two parts',
    shows('AGG-21', 'AGG-22', 'AGG-23', () => {
      expect(split('read_file')).toBe('Tool name must be prefixed with server key: read_file');
      expect(split(':read_file')).toBe('Invalid tool name format: :read_file');
      expect(split('server:')).toBe('Invalid tool name format: server:');
    }),
  );

  it(
    'suggests similar names',
    shows('AGG-24', 'AGG-29', 'AGG-30', () => {
      const table = canonicalTable();
      expect(table.explainUnknown('filesytem:read_file').message).toBe(
        'Tool not found: filesytem:read_file\nDid you mean: filesystem:read_file?',
      );
      expect(table.explainUnknown('weather:forecast').message).toBe(
        'Tool not found: weather:forecast',
      );
    }),
  );
});
