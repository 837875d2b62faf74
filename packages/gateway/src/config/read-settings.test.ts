import { PRESETS, READ_ONLY_DEFAULT, READ_ONLY_OPEN_WORLD } from '@callsign/effects';
import { PROFILES } from '@callsign/naming';
import { describe, expect, it } from 'vitest';

import { shows } from '../../../../test/requirements/shows.js';
import {
  configOf,
  fileWith,
  fileWithSettings,
  linesOf,
  problemsOf,
  warningsOf,
} from './testing/problems-of.js';
import { SETTINGS } from './settings.js';

const settings = (text: string) => configOf(fileWithSettings(text)).settings;
const github = (text: string) =>
  configOf(fileWithSettings(`{"servers": {"github": ${text}}}`)).servers[0]!.settings;
const problems = (text: string) => linesOf(problemsOf(fileWithSettings(text)));

describe('settings', () => {
  it.each([
    { titles: false },
    { tools: { allow: ['github:*'] }, restart: { maxMs: 60_000 }, pattern: '{server}__{tool}' },
    { audit: { mode: 'off' }, quota: {}, access: {}, sets: {} },
  ])('have the other defaults if only some are written: %j', (written) => {
    const { annotations: _, servers: __, ...whole } = SETTINGS.parse(written);
    const { annotations: ___, ...read } = settings(JSON.stringify(written));
    expect(read).toStrictEqual(whole);
  });

  it(
    'are all optional',
    shows('FR-013', () => {
      const defaults = {
        profile: 'auto',
        profiles: {},
        clientKey: 'callsign',
        view: 'flat',
        titles: true,
        annotate: false,
        aliases: {},
        renamed: {},
        tools: { deny: [] },
        annotations: [],
        listWaitMs: 2_000,
        listOnceWaitMs: 20_000,
        remember: true,
        dropUnavailable: true,
        restart: { initialMs: 500, maxMs: 30_000, giveUpAfter: 8 },
        http: {
          host: '127.0.0.1',
          port: 3917,
          allowedHosts: [],
          allowedOrigins: [],
          maxBodyBytes: 4_194_304,
          drainMs: 10_000,
          connections: {
            maxConnections: 4_096,
            maxIdleConnections: 256,
            maxUnsentBytes: 16_777_216,
            maxTotalUnsentBytes: 41_943_040,
            progressMs: 10_000,
            minBytes: 65_536,
          },
        },
        background: { stopAfterMs: 600_000 },
        limits: {
          maxMessageBytes: 10_485_760,
          maxPendingPerServer: 1024,
          maxListBytes: 33_554_432,
          maxTools: 6_000,
          maxListItems: 10_000,
          maxDefinitionBytes: 262_144,
        },
        results: {
          previewAbove: 'off',
          keepMs: 3_600_000,
          maxStored: 100,
          maxStoredBytes: 268_435_456,
          secrets: 'off',
        },
        access: { anonymous: [] },
        audit: {
          mode: 'best-effort',
          durability: 'process',
          store: 'sqlite',
          arguments: 'fingerprint',
          redact: { keys: [], patterns: [] },
          keepDays: 90,
          maxBytes: 536_870_912,
        },
        metrics: { tools: [], accounts: [] },
        network: { allowPrivate: [] },
        lock: 'off',
        quarantine: 'names',
      };
      expect(configOf(fileWith('{"command": "x"}')).settings).toEqual(defaults);
      expect(settings('{}')).toEqual(defaults);
      expect(
        settings('{"tools": {}, "restart": {}, "http": {}, "limits": {}, "servers": {}}'),
      ).toEqual(defaults);
    }),
  );

  it(
    'are used as written, with defaults for the rest',
    shows('AGG-48', () => {
      const written = {
        profile: 'claude-code',
        clientKey: 'gw',
        pattern: '{server}__{tool}',
        titles: false,
        aliases: { rf: 'filesystem:read_file' },
        renamed: { fs: 'filesystem' },
        tools: { allow: ['*'], deny: ['*:delete_*'] },
        listWaitMs: 1,
        restart: { maxMs: 1_000 },
        http: {
          port: 0,
          allowedHosts: ['gw.example.com:8080'],
          allowedOrigins: ['https://a.example'],
        },
        limits: { maxPendingPerServer: 1 },
      };
      const read = settings(JSON.stringify(written));
      expect(read).toMatchObject(written);
      expect(read.restart).toEqual({ initialMs: 500, maxMs: 1_000, giveUpAfter: 8 });
      expect(read.http).toMatchObject({ host: '127.0.0.1', maxBodyBytes: 4_194_304 });
    }),
  );

  it.each(['auto', ...PROFILES.keys()])('know the profile %s', (profile) => {
    expect(settings(`{"profile": "${profile}"}`)).toMatchObject({ profile });
  });

  it('do not expand variables', () => {
    expect(settings('{"http": {"host": "${HOST}"}}').http.host).toBe('${HOST}');
  });

  it('resolve presets of annotations, with single hints over them, in the order of the file', () => {
    const written = {
      'github:get_*': { preset: 'READ_ONLY_OPEN_WORLD', openWorldHint: false, title: 'Get' },
      '*': { destructiveHint: true },
    };
    expect(settings(JSON.stringify({ annotations: written })).annotations).toEqual([
      {
        glob: 'github:get_*',
        hints: { ...READ_ONLY_OPEN_WORLD, openWorldHint: false },
        title: 'Get',
      },
      { glob: '*', hints: { destructiveHint: true } },
    ]);
  });
});

describe('settings of a server', () => {
  it('are all optional', () => {
    expect(github('{}')).toEqual({
      displayName: 'GitHub',
      trust: 'checked',
      view: 'flat',
      startTimeoutMs: 30_000,
      callTimeoutMs: 60_000,
      inheritEnv: false,
      instructions: true,
      era: 'auto',
      share: 'auto',
      sandbox: false,
    });
  });

  it('belong to the server', () => {
    const { servers } = configOf(
      fileWithSettings('{"servers": {"filesystem": {"trust": "full"}}}'),
    );
    expect(servers.map(({ key, settings: { trust } }) => [key, trust])).toEqual([
      ['github', 'checked'],
      ['filesystem', 'full'],
    ]);
  });

  it('are not read from inherited properties', () => {
    const { servers } = configOf('{"mcpServers": {"toString": {"command": "x"}}}');
    expect(servers[0]!.settings).toMatchObject({ trust: 'checked' });
  });

  it('set its display name', () => {
    expect(github('{"displayName": "Octo"}').displayName).toBe('Octo');
  });

  it.each([
    ['"READ_ONLY_DEFAULT"', READ_ONLY_DEFAULT],
    ['{"readOnlyHint": true}', { readOnlyHint: true }],
    ['{}', {}],
  ])('assume %s', (assume, hints) => {
    expect(github(`{"assume": ${assume}}`).assume).toEqual(hints);
  });

  it.each([
    ['true', true],
    ['false', false],
    ['["HTTPS_PROXY"]', ['HTTPS_PROXY']],
  ])('inherit the environment: %s', (written, inheritEnv) => {
    expect(github(`{"inheritEnv": ${written}}`).inheritEnv).toEqual(inheritEnv);
  });

  it.each(['auto', 'session', 'stateless'])('fix the era: %s', (era) => {
    expect(github(`{"era": "${era}"}`).era).toBe(era);
  });

  it('may exist for a server that is disabled', () => {
    const text =
      '{"mcpServers": {"on": {"command": "x"}, "off": {"disabled": true}}, "callsign": {"servers": {"off": {}}}}';
    expect(configOf(text).servers).toHaveLength(1);
    expect(warningsOf(text)).toEqual([]);
  });
});

describe('settings are refused', () => {
  it.each([
    ['[]', '1:92 callsign: must be an object → write {"profile":"auto"}'],
    ['{"titels": true}', '1:93 callsign.titels: is not a known setting → did you mean "titles"?'],
    [
      '{"http": {"prot": 1}}',
      '1:102 callsign.http.prot: is not a known setting → did you mean "port"?',
    ],
    [
      '{"limits": {"nothing": 1}}',
      '1:104 callsign.limits.nothing: is not a known setting → ' +
        'known here: maxMessageBytes, maxPendingPerServer, maxListBytes, maxTools, maxListItems, maxDefinitionBytes, maxResultBytes',
    ],
    [
      '{"servers": {"github": {"timeout": 1}}}',
      '1:116 callsign.servers.github.timeout: is not a known setting → known here: displayName, ' +
        'trust, view, assume, instructions, startTimeoutMs, callTimeoutMs, quota, oauth, accounts, inheritEnv, era, share, start, idleStopMs, sandbox, placement',
    ],
    ['{"titles": "yes"}', '1:103 callsign.titles: must be true or false → write "titles": true'],
    [
      '{"profile": "cluade-code"}',
      '1:104 callsign.profile: is not a known profile → did you mean "claude-code"?',
    ],
    [
      '{"servers": {"github": {"era": "x"}}}',
      '1:123 callsign.servers.github.era: is not one of the known words → ' +
        'write "auto", "session", or "stateless"',
    ],
    [
      '{"servers": {"github": {"era": 1}}}',
      '1:123 callsign.servers.github.era: is not one of the known words → ' +
        'write "auto", "session", or "stateless"',
    ],
    [
      '{"clientKey": ""}',
      '1:106 callsign.clientKey: must not be empty → write "clientKey": "callsign"',
    ],
    [
      '{"pattern": ""}',
      '1:104 callsign.pattern: must not be empty → write "pattern": "{server}__{tool}"',
    ],
    [
      '{"listWaitMs": 1.5}',
      '1:107 callsign.listWaitMs: must be a whole number → write "listWaitMs": 2000',
    ],
    [
      '{"listWaitMs": "1"}',
      '1:107 callsign.listWaitMs: must be a number → write "listWaitMs": 2000',
    ],
    [
      '{"listWaitMs": 0}',
      '1:107 callsign.listWaitMs: must be at least 1 → write "listWaitMs": 2000',
    ],
    [
      '{"listWaitMs": 2147483648}',
      '1:107 callsign.listWaitMs: must be at most 2147483647 → write "listWaitMs": 2000',
    ],
    [
      '{"http": {"port": 65536}}',
      '1:110 callsign.http.port: must be at most 65535 → write "port": 3917',
    ],
    [
      '{"http": {"allowedHosts": ["https://x"]}}',
      '1:119 callsign.http.allowedHosts[0]: must be a host name, without scheme and path → ' +
        'write "gateway.example.com"',
    ],
    [
      '{"http": {"allowedOrigins": ["https://x/"]}}',
      '1:121 callsign.http.allowedOrigins[0]: must be an origin, without a path → ' +
        'write "https://app.example.com"',
    ],
    [
      '{"restart": {"initialMs": 60000}}',
      '1:104 callsign.restart: the first wait is longer than the longest wait → ' +
        'make "maxMs" at least "initialMs"',
    ],
    [
      '{"tools": {"allow": "*"}}',
      '1:112 callsign.tools.allow: must be a list → write "allow": ["github:*"]',
    ],
    [
      '{"tools": {"deny": [""]}}',
      '1:112 callsign.tools.deny[0]: must not be empty → write "*:delete_*"',
    ],
    [
      '{"aliases": {"rf": 1}}',
      '1:111 callsign.aliases.rf: must be a string → write "rf": "filesystem:read_file"',
    ],
    [
      '{"annotations": {"*": {"preset": "READ_ONLY_DEFALUT"}}}',
      '1:125 callsign.annotations["*"].preset: is not one of the known words → ' +
        'did you mean "READ_ONLY_DEFAULT"?',
    ],
    [
      '{"annotations": {"*": {"readOnly": true}}}',
      '1:115 callsign.annotations["*"].readOnly: is not a known setting → known here: preset, ' +
        'readOnlyHint, destructiveHint, idempotentHint, openWorldHint, accepted, title',
    ],
    [
      '{"servers": {"github": {"assume": "NOTHING"}}}',
      '1:126 callsign.servers.github.assume: must be the name of a preset, or hints → ' +
        'write "assume": "READ_ONLY_DEFAULT"',
    ],
    [
      '{"servers": {"github": {"assume": {"readOnlyHnt": true}}}}',
      '1:127 callsign.servers.github.assume.readOnlyHnt: is not a known setting → ' +
        'did you mean "readOnlyHint"?',
    ],
    [
      '{"servers": {"github": {"assume": {"readOnlyHint": 1}}}}',
      '1:143 callsign.servers.github.assume.readOnlyHint: must be true or false → ' +
        'write "readOnlyHint": true',
    ],
    [
      '{"servers": {"github": {"inheritEnv": "PATH"}}}',
      '1:130 callsign.servers.github.inheritEnv: must be true, false or a list of names → ' +
        'write "inheritEnv": ["HTTPS_PROXY"]',
    ],
  ])('%s', (text, line) => {
    expect(problems(text)).toEqual([line]);
  });

  it('for everything that is wrong with them at once', () => {
    expect(
      problems('{"titles": 1, "http": {"port": -1}, "servers": {"githb": {"era": 1}}, "x": 1}').map(
        (line) => line.split(': ')[0],
      ),
    ).toEqual([
      '1:103 callsign.titles',
      '1:123 callsign.http.port',
      '1:140 callsign.servers.githb',
      '1:157 callsign.servers.githb.era',
      '1:162 callsign.x',
    ]);
  });
});

describe('presets', () => {
  it.each(Object.entries(PRESETS))('%s may be assumed', (name, hints) => {
    expect(github(`{"assume": "${name}"}`).assume).toEqual(hints);
  });
});

describe('settings of all servers', () => {
  it('D10: apply to each server without its own', () => {
    const text =
      '{"servers": {"*": {"trust": "full", "callTimeoutMs": 5}, "github": {"trust": "none"}}}';
    const [hub, files] = configOf(fileWithSettings(text)).servers;
    expect(hub!.settings).toMatchObject({ trust: 'none', callTimeoutMs: 5 });
    expect(files!.settings).toMatchObject({ trust: 'full', callTimeoutMs: 5, era: 'auto' });
  });

  it('D10: cannot give all servers one name, and are checked like those of one server', () => {
    expect(problems('{"servers": {"*": {"displayName": "X"}}}')).toEqual([
      '1:111 callsign.servers["*"].displayName: cannot be the same for all servers → ' +
        'set it for each server separately',
    ]);
    expect(problems('{"servers": {"*": {"era": 1}}}')[0]).toContain('callsign.servers["*"].era');
  });
});

describe('the host of an instance', () => {
  const of = (advertise: string): string => {
    const instances = { advertise, secrets: ['a secret of the instances in this test'] };
    return JSON.stringify({ storage: { postgres: 'postgres://db' }, instances });
  };

  it.each(['gateway-1', 'gateway-1.internal', '10.0.0.5', '::1', 'fd00::5', '${HOST}'])(
    'may be %s',
    (advertise) => {
      expect(settings(of(advertise)).instances?.advertise).toBe(advertise);
    },
  );

  it.each([
    'gateway-1:7401',
    'https://gateway-1',
    'gateway-1/x',
    '[::1]',
    'a b',
    'u@gateway-1',
    '300.1.1.1',
  ])('may not be %s', (advertise) => {
    expect(problems(of(advertise)).join(' ')).toContain('without a scheme and a port');
  });
});
