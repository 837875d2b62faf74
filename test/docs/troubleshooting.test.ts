/** Every message that docs/troubleshooting.md quotes is one that the product prints, and its commands exist. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { ROOT } from '../architecture/tree.js';
import { configOf } from '../../packages/gateway/src/config/testing/problems-of.js';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const page = read('docs/troubleshooting.md');

/** All code that ships, on one line. Texts that are joined over several lines become one. */
const code = readdirSync(join(ROOT, 'packages'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /[\\/](?:src|bin)[\\/]/.test(path) && /\.[cm]?[tj]s$/.test(path))
  .filter((path) => !/\.test\.ts$|[\\/](?:node_modules|dist)[\\/]/.test(path))
  .map((path) => read(join('packages', path)))
  .join('\n')
  .replace(/['"`]\s*\+\s*['"`]/g, '')
  .replace(/\s+/g, ' ');

const quoted = Array.from(page.matchAll(/```text\n([^]*?)\n```/g), ([, text]) => text!);
/** The sentences of a message. Words in capitals are placeholders. */
const fixedParts = (message: string): string[] =>
  message
    .split(/\b[A-Z]{2,}\b|"|[.:](?= |$)/)
    .map((part) => part.trim())
    .filter((part) => /\w{2}/.test(part) && !/^(?:HTTP|PATH)$/.test(part));

describe('docs/troubleshooting.md', () => {
  it('quotes many messages', () => {
    expect(quoted.length).toBeGreaterThan(12);
  });

  it.each(quoted)('quotes what the product prints: %s', (message) => {
    const parts = fixedParts(message);
    expect(parts.length).toBeGreaterThan(0);
    expect(parts.filter((part) => !code.includes(part))).toEqual([]);
  });

  it('names commands that exist', () => {
    const table = read('packages/cli/src/run/command-table.ts');
    const names = Array.from(page.matchAll(/`callsign ([a-z]+(?: [a-z]+)?)/g), ([, name]) => name!);
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) {
      const [first] = name.split(' ');
      expect(table.includes(`'${name}'`) || table.includes(`'${first}'`), name).toBe(true);
    }
  });
});

describe('docs/docker.md', () => {
  const docker = read('docs/docker.md');

  it('has a configuration that can be served', () => {
    const [, text = ''] = /```json\n([^]*?)```/.exec(docker) ?? [];
    expect(configOf(text).servers).toHaveLength(1);
  });
});
