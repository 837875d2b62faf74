/** The documentation of rules and hints is true for the code. */

import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { PRESETS } from '../hints/presets.js';
import { type LabelledTool, labelTool } from '../label/label.js';
import { reasonFor } from '../label/reason.js';
import { mayRetry, riskOf } from '../hints/risk.js';
import { verbAgainstHint } from './verb-rule.js';

const page = (path: string) =>
  readFileSync(new URL(`../../../../docs/${path}`, import.meta.url), 'utf8').replace(/\s+/g, ' ');

function isReported(name: string): boolean {
  return verbAgainstHint.check([{ name, annotations: PRESETS.READ_ONLY_DEFAULT }]).length > 0;
}

describe('docs/lint/verb-against-hint.md', () => {
  const text = page('lint/verb-against-hint.md');
  const notReported = /Not reported:(.*?)##/.exec(text)?.[1] ?? '';
  const names = Array.from(notReported.matchAll(/`(\w+)`/g), ([, name = '']) => name);

  it('does not report what the page excludes', () => {
    expect(names).toEqual(expect.arrayContaining(['run', 'query', 'update_history']));
    const reported = names.filter((name) => isReported(name) || isReported(`${name}_thing`));
    expect(reported.filter((name) => !name.includes('_'))).toEqual([]);
    expect(names.filter(isReported)).toEqual([]);
  });

  it('reports the verbs that it names', () => {
    const row = /\| ([^|]+) \| `readOnlyHint: true` \| error/.exec(text)?.[1] ?? '';
    const verbs = row.replace(' and the like', '').split(', ');
    expect(verbs).toEqual(expect.arrayContaining(['create', 'deploy', 'kill']));
    expect(verbs.filter((verb) => !isReported(`${verb}_thing`))).toEqual([]);
  });
});

describe('docs/lint/hint-contradiction.md', () => {
  it('says that such a tool is retried only if it is idempotent', () => {
    const claim = { readOnlyHint: true, destructiveHint: true };
    const of = (idempotentHint: boolean) =>
      labelTool({ name: 'x', annotations: { ...claim, idempotentHint } }).hints;
    expect([riskOf(of(true)), mayRetry(of(true)), mayRetry(of(false))]).toEqual([
      'destructive',
      true,
      false,
    ]);
    expect(page('lint/hint-contradiction.md')).toContain(
      'retried only if the tool also says `idempotentHint: true`',
    );
  });
});

describe('docs/why-this-label.md', () => {
  const claim = (readOnlyHint: boolean) => ({ annotations: { readOnlyHint } });
  const tools: LabelledTool[] = [
    { name: 'x', ...claim(true) },
    { name: 'list_users' },
    { name: 'x' },
    { name: 'delete_users', ...claim(true) },
    { name: 'x', ...claim(true), trust: 'none' },
    { name: 'x', ...claim(false) },
    { name: 'x', assumed: { readOnlyHint: true } },
    { name: 'x', override: { readOnlyHint: true } },
    { name: 'x', accepted: { readOnlyHint: true } },
  ];

  it('quotes the reasons as the command prints them', () => {
    const table = page('why-this-label.md').split(' | --- | --- | --- | ')[1] ?? '';
    const quoted = Array.from(
      table.matchAll(/\| `([^`]+)` \| [^|]+ \| [^|]+ \|/g),
      ([, text]) => text,
    );
    expect(quoted).toEqual(tools.map((tool) => reasonFor(labelTool(tool))));
  });
});

describe('docs/annotations.md', () => {
  it('names every client that a rule page names', () => {
    for (const client of ['Cursor', 'Codex', 'VS Code']) {
      expect(page('lint/hint-read-only-missing.md')).toContain(client);
      expect(page('annotations.md')).toContain(`| ${client}`);
    }
  });
});
