/** Writes docs/requirements.md: `npx vitest run test/requirements/page.test.ts -u`. */

import { join } from 'node:path';

import { expect, it } from 'vitest';

import { ROOT } from '../architecture/tree.js';
import { REGISTER } from './register.js';
import type { Requirement } from './requirement.js';
import { filesByCitedId } from './test-files.js';

/** Where Callsign deliberately does something else than a founding document, and the page that says so. */
const DIFFERENCES = [
  [
    'names are always `server:tool`',
    'that is the identity and the default; clients that refuse a colon get a name that they accept',
    '[names](names.md)',
  ],
  [
    'no settings besides the servers (FR-013)',
    '`mcpServers` stays as it is; our settings are one key beside it, `callsign`, and all are optional',
    '[the reference](reference/README.md)',
  ],
  [
    '`aliases` at the top level of the file',
    'it is `callsign.aliases`; a warning says so',
    '[names](names.md)',
  ],
  [
    'a crash removes the tools of a server',
    'they stay while the server is expected back, and leave when it is given up or removed',
    '[the lifecycle](lifecycle.md)',
  ],
  [
    'a tool without hints counts as destructive',
    'unless its own words clearly say otherwise; what sends, pays or publishes never counts as harmless',
    '[annotations](annotations.md)',
  ],
  [
    'two default hints for every tool',
    '`registerToolSafe` merges them; our own servers pass a preset at each call',
    '[write a server](write-a-server.md)',
  ],
  [
    'an unknown tool is an error',
    'with the texts of the document and suggestions; a call that policy denies is a result with `isError`, so that a model sees why',
    '[errors](errors.md)',
  ],
  [
    'UPDATE of an adapter is not destructive',
    'until one of its operations is',
    '[MCPAQL](mcpaql.md)',
  ],
  [
    'a delete is one call',
    'the first call is answered with `CONFIRMATION_REQUIRED`, and the second one brings the token; behind a policy with `confirm`, the gateway makes the second call',
    '[MCPAQL](mcpaql.md)',
  ],
  [
    'a generator for every adapter',
    'only for those over HTTP; a local adapter is served by `callsign adapter serve`',
    '[MCPAQL](mcpaql.md)',
  ],
] as const;

const INTRO = `# What the founding documents require

<!-- Written by npx vitest run test/requirements/page.test.ts -u. Change test/requirements, and run it again. -->

Callsign grew from five documents: two on the names of Lightdash tools, one on the names of MCPAQL adapters, one on joining
many MCP servers, and a guide on hints. This is what they require, in our words, with the tests that show it. A full run of
the tests fails if a requirement has no passing test.

## Where Callsign differs

| the documents say | here | page |
| --- | --- | --- |`;

const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s+/g, ' ');

function groupedByTopic(): ReadonlyMap<string, readonly Requirement[]> {
  const topics = new Map<string, Requirement[]>();
  for (const row of REGISTER) topics.set(row.topic, [...(topics.get(row.topic) ?? []), row]);
  return topics;
}

function pageText(): string {
  const files = filesByCitedId();
  const topics = groupedByTopic();
  const sections = Array.from(topics, ([topic, rows]) => {
    const lines = rows.map(({ id, level, says }) => {
      const tests = (files.get(id) ?? []).map((file) => `[${file.split('/').at(-1)}](../${file})`);
      return `| ${id} | ${level} | ${cell(says)} | ${tests.join(', ')} |`;
    });
    const head = '| id | level | what must hold | tests |\n| --- | --- | --- | --- |';
    return `## ${topic.charAt(0).toUpperCase()}${topic.slice(1)}\n\n${head}\n${lines.join('\n')}`;
  });
  const differences = DIFFERENCES.map((row) => `| ${row.join(' | ')} |`).join('\n');
  return `${INTRO}\n${differences}\n\n${sections.join('\n\n')}\n`;
}

it('docs/requirements.md is what the register and the tests say', async () => {
  await expect(pageText()).toMatchFileSnapshot(join(ROOT, 'docs/requirements.md'));
});

it('every requirement is cited by a test', () => {
  const files = filesByCitedId();
  expect(REGISTER.filter(({ id }) => !files.has(id)).map(({ id }) => id)).toEqual([]);
});
