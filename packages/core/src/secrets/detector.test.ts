import { describe, expect, it } from 'vitest';

import { createSecretDetector, redactJson, redactText, redactUrl } from './detector.js';
import { isSecretValue } from './text/known-tokens.js';

const PEM = `-----BEGIN RSA PRIVATE KEY-----\n${`${'Ab1+/'.repeat(12)}AbCd\n`.repeat(20)}abc=\n-----END RSA PRIVATE KEY-----`;

describe('text', () => {
  it.each([
    // Headers.
    ['Authorization: Bearer abc.def.ghi', 'Authorization: [redacted]'],
    ['{"authorization":"ApiKey ldpat_00ff"}', '{"authorization":"[redacted]"}'],
    ['Proxy-Authorization: Basic dXNlcjpwYXNz', 'Proxy-Authorization: [redacted]'],
    ['Cookie: session=abc; theme=dark', 'Cookie: [redacted]'],
    ['X-Api-Key: 12345', 'X-Api-Key: [redacted]'],
    ['header x-api-key: 123 456', 'header x-api-key: [redacted]'],
    ['curl -H "Authorization: Bearer abc.def-ghi123" x', 'curl -H "Authorization: [redacted]" x'],
    ['sent Bearer a1b2c3d4e5', 'sent Bearer [redacted]'],
    // URLs.
    ['https://ada:hunter2@db.example/x', 'https://[redacted]@db.example/x'],
    ['https://ada:p@ss@db.example?to=a@b', 'https://[redacted]@db.example?to=a@b'],
    ['postgres://ada@db.example/x', 'postgres://[redacted]@db.example/x'],
    ['GET /charts?token=s3cr3t&page=2', 'GET /charts?token=[redacted]&page=2'],
    [
      'https://s3.example/a?X-Amz-Signature=9f&x=1',
      'https://s3.example/a?X-Amz-Signature=[redacted]&x=1',
    ],
    ['https://blob.example/a?sv=1&sig=a%2Fb%3D', 'https://blob.example/a?sv=1&sig=[redacted]'],
    ['file:///a?to%6Ben=x', 'file:///a?to%6Ben=[redacted]'],
    // Names and values.
    ['DB_PASSWORD=hunter2', 'DB_PASSWORD=[redacted]'],
    ['password=back\\slash', 'password=[redacted]'],
    ['user: ada password: hunter2 host: db', 'user: ada password: [redacted] host: db'],
    ['the password: swordfish', 'the password: [redacted]'],
    ['creds = abc', 'creds = [redacted]'],
    ['mysql --user ada --password hunter2 db', 'mysql --user ada --password [redacted] db'],
    ['password="""a b"""', 'password="""[redacted]"""'],
    ['run --api-key="a b" now', 'run --api-key="[redacted]" now'],
    ["run --token 'a b' now", "run --token '[redacted]' now"],
    ['Passwort: hunter2', 'Passwort: [redacted]'],
    // Short flags of programs.
    ['curl -s -u ada:hunter2 https://x', 'curl -s -u ada:[redacted] https://x'],
    ['curl --user "ada:hunter2" https://x', 'curl --user "ada:[redacted]" https://x'],
    ['mysqldump -h db -phunter2 shop', 'mysqldump -h db -p[redacted] shop'],
    ['sshpass -p hunter2 ssh ada@db', 'sshpass -p [redacted] ssh ada@db'],
    ['docker login -u ada -p hunter2 x.example', 'docker login -u ada -p [redacted] x.example'],
    ['redis-cli -h db -a hunter2 ping', 'redis-cli -h db -a [redacted] ping'],
    // JSON in text.
    ['{"api_key": "s3cr3t", "page": 2}', '{"api_key": "[redacted]", "page": 2}'],
    ['{"password":"a\\"b","c":1}', '{"password":"[redacted]","c":1}'],
    ['{\\"password\\":\\"hunter\\"}', '{\\"password\\":\\"[redacted]\\"}'],
    ['say {"pin": 1234} now', 'say {"pin": "[redacted]"} now'],
    ['{"credentials":{"user":"a"},"b":1}', '{"credentials":"[redacted]","b":1}'],
    ['[{"name":"Authorization","value":"x y"}]', '[{"name":"Authorization","value":"[redacted]"}]'],
    ['["curl","--password","x"]', '["curl","--password","[redacted]"]'],
    // Known forms.
    ['unknown token ldpat_deadbeefdeadbeef', 'unknown token [redacted]'],
    ['key ghp_0123456789abcdef', 'key [redacted]'],
    ['key sk-abcdefghijklmnop is wrong', 'key [redacted] is wrong'],
    ['jwt eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl', 'jwt [redacted]'],
    ['sbp_0123456789abcdef01234567 failed', '[redacted] failed'],
    ['/bot123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1/x', '/bot[redacted]/x'],
    [
      'POST https://hooks.slack.com/services/T0000/B0000/abcdefghijklmnopqrstuvwx',
      'POST https://hooks.slack.com/services/T0000/B0000/[redacted]',
    ],
    [
      'https://discord.com/api/webhooks/1234567890/abcdefghij-klmnopqrst_uvwx?wait=1',
      'https://discord.com/api/webhooks/1234567890/[redacted]?wait=1',
    ],
    [`a ${PEM} b`, 'a [redacted] b'],
    [`a ${PEM.replaceAll('\n', '\\n')} b`, 'a [redacted] b'],
  ])('%s', (text, expected) => {
    expect(redactText(text)).toBe(expected);
    expect(redactText(expected)).toBe(expected);
  });

  it.each([
    'Personal access token is not recognised',
    'Basic validation failed',
    'Bearer authentication failed',
    'Cannot find project with id: 3675b69e-8324-4110-bdca-059031aa8da3',
    'GET https://lightdash.example/api/v1/org/projects?page=2 answered 404',
    'connect ECONNREFUSED 127.0.0.1:5432',
    'ada@harbour.example is no member',
    'mcpServers.github.env.API_TOKEN: the variable GITHUB_TOKEN is not set',
    'password: required',
    'token=${GITHUB_TOKEN} password=$PW',
    '{"path":"/srv/x","count":"3","max_tokens": 100}',
    'the task-list-of-things is here, sk-learn too, npm_config_registry=x',
    'const signature: string',
    'docker run -u 1000:1000 image',
    'mysql -p shop',
    'mysql -h db --protocol tcp -P 3306',
    'curl -u ada:$PASSWORD https://x',
    '--token is required',
    '[[[',
    '',
  ])('%j stays as it is', (text) => {
    expect(redactText(text)).toBe(text);
  });

  it('cannot hide a command behind the name of a secret', () => {
    const hiding = [
      'echo hi -----BEGIN PRIVATE KEY----- ; rm -rf /',
      'echo hi -----BEGIN PRIVATE KEY----- ; rm -rf / -----END PRIVATE KEY-----',
      `echo hi -----BEGIN PRIVATE KEY-----\nrm\n-rf\n/ ${PEM.slice(0, 40)}`,
      'run --token=x|rm -rf /',
      'run --token x;rm -rf /',
      'password: x && rm -rf /',
      'Authorization: x ; rm -rf /',
      'open https://a:b|rm -rf /@x',
      'curl -u a:b;rm -rf /',
      'mysql -px&&rm -rf /',
    ];
    for (const text of hiding) expect(redactText(text)).toMatch(/rm[ \n]-rf[ \n]\//);
  });

  it('reads a long value in linear time', () => {
    const value = `${'.'.repeat(500_000)}x`;
    expect(redactText(`password=${value}`)).toBe('password=[redacted]');
  });

  it('takes what the operator adds', () => {
    const { redactText: redact } = createSecretDetector({
      names: ['IBAN'],
      matchers: [(word) => word.startsWith('ACME-')],
    });
    expect(redact('iban-number: DE1, order ACME-12 now')).toBe(
      'iban-number: [redacted], order [redacted] now',
    );
  });
});

describe('a URL', () => {
  it.each([
    ['file:///a/b?token=abc', 'file:///a/b?token=[redacted]'],
    [
      'https://me:pw@x.example/a?page=2&sig=9f3#access_token=1',
      'https://[redacted]@x.example/a?page=2&sig=[redacted]#access_token=[redacted]',
    ],
    ['db://host/x;password=1', 'db://host/x;password=[redacted]'],
    ['https://x.example/a?key=AIza', 'https://x.example/a?key=[redacted]'],
    ['https://x.example/ghp_0123456789abcdef', 'https://x.example/[redacted]'],
    ['file:///plain?page=2', 'file:///plain?page=2'],
    ['server:file:///a?x=%E0%A4%A', 'server:file:///a?x=%E0%A4%A'],
  ])('%s', (url, expected) => {
    expect(redactUrl(url)).toBe(expected);
    expect(redactUrl(expected)).toBe(expected);
  });
});

describe('JSON', () => {
  it.each([
    [
      { creds: { a: 1 }, b: [{ token: null }] },
      { creds: '[redacted]', b: [{ token: '[redacted]' }] },
    ],
    [
      { headers: [{ value: 'x', name: 'Authorization' }] },
      { headers: [{ value: '[redacted]', name: 'Authorization' }] },
    ],
    [
      { key: 'API_KEY', values: ['x'] },
      { key: 'API_KEY', values: '[redacted]' },
    ],
    [
      { name: 'ada', value: 'x' },
      { name: 'ada', value: 'x' },
    ],
    [
      ['run', '--password', 'x', '--user', 'y'],
      ['run', '--password', '[redacted]', '--user', 'y'],
    ],
    [
      ['--auth', '--verbose'],
      ['--auth', '--verbose'],
    ],
    [
      [
        ['Authorization', 'x'],
        ['Accept', 'y'],
      ],
      [
        ['Authorization', '[redacted]'],
        ['Accept', 'y'],
      ],
    ],
    [{ body: '{"a":{"secret":[1]}}' }, { body: '{"a":{"secret":"[redacted]"}}' }],
    [
      { ghp_0123456789abcdef: 1, ghp_1123456789abcdef: 2 },
      { '[redacted]': 1, '[redacted] 2': 2 },
    ],
    [{ uri: 'https://x/?token=a' }, { uri: 'https://x/?token=[redacted]' }],
    [
      { n: 1, t: true, z: null },
      { n: 1, t: true, z: null },
    ],
  ])('%j', (value, expected) => {
    expect(redactJson(value)).toEqual(expected);
    expect(redactJson(expected)).toEqual(expected);
  });

  it('keeps a member called __proto__ as a member', () => {
    const value: unknown = JSON.parse('{"__proto__":{"password":"x"}}');
    expect(JSON.stringify(redactJson(value))).toBe('{"__proto__":{"password":"[redacted]"}}');
  });
});

describe('a value', () => {
  it.each(['ghp_0123456789abcdef', 'a1'.repeat(16), 'eyJhbGciOiJI.eyJzdWIiOiIx.c2ln'])(
    'such as %s looks like a secret',
    (value) => {
      expect(isSecretValue(value)).toBe(true);
    },
  );

  it.each(['/some/long/path/with/1/number/and/more', 'word', 'a'.repeat(40), ''])(
    'such as %j does not',
    (value) => {
      expect(isSecretValue(value)).toBe(false);
    },
  );
});
