/**
 * Snippets for users are correct: configurations load, and every other block of JSON is valid JSON.
 */

import { formatProblems } from '@callsign/config';
import { parseConfig } from '@callsign/gateway/host';
import { describe, expect, it } from 'vitest';

import { fencesOf, pagesBelow, type Fence } from './testing/markdown.js';

const blocks = pagesBelow().flatMap((page) =>
  fencesOf(page)
    .filter(({ language }) => language === 'json' || language === 'jsonc')
    .map((fence) => [`${page.path}:${fence.line}`, fence] as const),
);
const configurations = blocks.filter(([, fence]) => isConfiguration(fence));
const others = blocks.filter(([, fence]) => !isConfiguration(fence));

/** A block of JSON with comments is always a configuration. */
function isConfiguration({ language, text }: Fence): boolean {
  if (language === 'jsonc') return true;
  const value = parsed(text);
  if (typeof value !== 'object' || value === null) return false;
  const sections = ['mcpServers', 'servers', 'context_servers'] as const;
  return sections.some((key) => isRecord((value as Record<string, unknown>)[key]));
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An environment with every variable that a text uses. */
function environmentFor(text: string): Record<string, string> {
  const names = [...text.matchAll(/\$\{?(?:env:)?([A-Z_][A-Z0-9_]*)/g)].map(([, name]) => name!);
  return Object.fromEntries(names.map((name) => [name, 'x']));
}

/** The files of clients name the gateway by the key that our own files reserve. */
function asOurs(text: string): string {
  return text.replace(
    /("(?:mcpServers|servers|context_servers)":\s*\{\s*)"callsign"/,
    '$1"gateway"',
  );
}

describe('snippets', () => {
  it('exist, so that the checks below are not empty', () => {
    expect(configurations.length).toBeGreaterThan(20);
    expect(others.length).toBeGreaterThan(0);
  });

  it.each(configurations)('%s is a configuration that loads', (place, { text }) => {
    const result = parseConfig(asOurs(text), { file: place, env: environmentFor(text) });
    expect(result.ok ? '' : formatProblems(result.problems)).toBe('');
    expect(result.ok && formatProblems(result.warnings)).toBe('');
  });

  it.each(others)('%s is JSON', (_, { text }) => {
    expect(() => JSON.parse(text) as unknown).not.toThrow();
  });
});
