import { describe, expect, it } from 'vitest';

import { redactJson, redactText } from '../detector.js';

describe('a password without a sign after its name', () => {
  it.each([
    ["ALTER USER ada WITH PASSWORD 'hunter2'", "ALTER USER ada WITH PASSWORD '[redacted]'"],
    [
      "create role ada\n  login password 'Pa$$w0rd';",
      "create role ada\n  login password '[redacted]';",
    ],
    [
      "CREATE USER 'ada'@'%' IDENTIFIED BY 'hunter2'; SELECT 1",
      "CREATE USER 'ada'@'%' IDENTIFIED BY '[redacted]'; SELECT 1",
    ],
    [
      "ALTER USER ada IDENTIFIED WITH caching_sha2_password BY 'hunter2'",
      "ALTER USER ada IDENTIFIED WITH caching_sha2_password BY '[redacted]'",
    ],
    ["SET PASSWORD FOR 'ada'@'h' = 'hunter2'", "SET PASSWORD FOR 'ada'@'h' = '[redacted]'"],
    [
      'machine x.example login ada password hunter2',
      'machine x.example login ada password [redacted]',
    ],
    ['<user><password>hunter2</password></user>', '<user><password>[redacted]</password></user>'],
    ['<add key="ApiKey" value="hunter2"/>', '<add key="ApiKey" value="[redacted]"/>'],
  ])('is hidden in %j', (text, expected) => {
    expect(redactText(text)).toBe(expected);
    expect(redactText(expected)).toBe(expected);
    expect(redactJson({ query: text })).toEqual({ query: expected });
  });

  it.each([
    "SELECT * FROM users WHERE name = 'password' AND note = 'x'",
    "the password 'x y' is wrong",
    '<passwordPolicy>strict <b>rules</b></passwordPolicy>',
    '<add key="colour" value="red"/>',
    "create notes about a password 'rm -rf /'",
    "ssh ada@password 'rm -rf /'",
    "set password for x; rm -rf / = 'x'",
    '<password>x;rm -rf /</password>',
    '<add key="password" value="$(rm -rf /)"/>',
  ])('changes nothing in %j', (text) => {
    expect(redactText(text)).toBe(text);
  });
});
