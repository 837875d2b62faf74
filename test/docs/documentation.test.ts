/** Compares the documentation and the pages of the linter with the code. */

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ANNOTATION_RULES } from '@callsign/effects';
import { createToolRenderer, NAME_RULES, maxNameLength, PROFILES } from '@callsign/naming';
import { describe, expect, it } from 'vitest';

import { ROOT } from '../architecture/tree.js';
import { OBSERVED_RULE } from '../../packages/cli/src/lint/observed-rule.js';
import { shows } from '../requirements/shows.js';

/** A page as one line, so that line breaks in a sentence do not matter. */
const page = (path: string) => readFileSync(join(ROOT, path), 'utf8').replace(/\s+/g, ' ');
const row = (text: string, first: string) =>
  text.split('\n').find((line) => line.startsWith(`| ${first} |`)) ?? '';

describe('pages for the first hours', () => {
  it('N27: are there, and the index names them', () => {
    const index = page('docs/README.md');
    const pages = ['troubleshooting', 'why-this-label', 'docker', 'windows', 'upgrading'];
    for (const name of [...pages, 'glossary', 'comparison']) {
      expect(index).toContain(`(${name}.md)`);
      expect(page(`docs/${name}.md`).length).toBeGreaterThan(500);
    }
    expect(page('README.md')).toContain('(docs/recording.svg)');
  });

  it('N28: for authors of servers begin with the line that installs the toolkit', () => {
    const [, first = ''] = /```sh (.*?) ```/.exec(page('docs/write-a-server.md')) ?? [];
    expect(first).toContain('npm install @callsign/toolkit');
  });

  it('for authors of servers show the server of the example, which is tested', () => {
    const text = readFileSync(join(ROOT, 'docs/write-a-server.md'), 'utf8');
    const [, shown = ''] = /```javascript\n([^]*?)```/.exec(text) ?? [];
    const server = readFileSync(join(ROOT, 'examples/write-a-server/server.mjs'), 'utf8');
    // The page leaves out the comment in the first line.
    expect(shown).toBe(server.slice(server.indexOf('\n') + 1));
  });
});

describe('docs/names.md', () => {
  it(
    'explains how to choose and keep server keys',
    shows('AGG-42', 'AGG-46', () => {
      const names = page('docs/names.md');
      expect(names).toContain(
        'such as `github`, `filesystem` or `db-prod`, and not `server1`, `x` or `asdf`',
      );
      expect(names).toContain('Treat server keys as a public interface');
      expect(names).toContain('rename one with care');
    }),
  );

  it('lists every profile with its length', () => {
    const text = readFileSync(join(ROOT, 'docs/names.md'), 'utf8');
    for (const [id, profile] of PROFILES) {
      expect(row(text, `\`${id}\``)).toContain(
        profile.maxLength === Infinity ? '| any | any |' : `| ${profile.maxLength} |`,
      );
    }
    expect(row(text, '`portable`')).toContain(
      `so ${maxNameLength(PROFILES.get('portable')!)} are left`,
    );
  });

  it('shows marked names as they are made', () => {
    const text = readFileSync(join(ROOT, 'docs/names.md'), 'utf8');
    const shown = [...text.matchAll(/^\| `([^`:]+):([^`]+)` \| `([^`]+)` \| /gm)];
    const render = createToolRenderer({ profile: PROFILES.get('cursor')! });
    expect(shown).toHaveLength(5);
    for (const [, server = '', tool = '', name] of shown) {
      expect(render({ server, tool })).toMatchObject({ name, form: 'marked' });
    }
  });

  it('D6: counts the forms of names over the recorded servers, at most 5 % of them hashed', () => {
    const script = join(ROOT, 'scripts', 'write-names.mjs');
    const { status, stderr } = spawnSync(process.execPath, [script, '--check'], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    const text = readFileSync(join(ROOT, 'docs/names.md'), 'utf8');
    const shares = [...text.matchAll(/\| ([\d.]+) % \|/g)].map(([, share]) => Number(share));
    expect(shares).toHaveLength(PROFILES.size);
    expect(Math.max(...shares)).toBeLessThanOrEqual(5);
  });
});

describe('docs/lint', () => {
  const rules = [...NAME_RULES, ...ANNOTATION_RULES, OBSERVED_RULE];

  it('has one page per rule, and no page without a rule', () => {
    const pages = readdirSync(join(ROOT, 'docs/lint')).map((file) => file.replace(/\.md$/, ''));
    expect(pages.toSorted()).toEqual([...rules.map(({ id }) => id), 'README'].toSorted());
  });

  it.each(rules.map((rule) => [rule.id, rule] as const))('%s is explained', (id, { severity }) => {
    const text = readFileSync(join(ROOT, `docs/lint/${id}.md`), 'utf8');
    expect(text.startsWith(`# ${id}\n\nSeverity: **${severity}**\n`)).toBe(true);
    for (const heading of ['## What it finds', '## Why it matters', '## How to fix it']) {
      expect(text).toContain(`\n${heading}\n\n`);
    }
  });

  it('names only known clients as readers of a rule', () => {
    const known = Array.from(PROFILES.values(), ({ id }) => id);
    const named = rules.flatMap((rule) => rule.who?.clients ?? []);
    expect(named).not.toEqual([]);
    expect(named.filter((id) => !known.includes(id))).toEqual([]);
  });

  it('has an index with the summary of every rule', () => {
    const index = readFileSync(join(ROOT, 'docs/lint/README.md'), 'utf8');
    for (const { id, severity, summary } of rules) {
      expect(row(index, `[${id}](${id}.md)`)).toBe(
        `| [${id}](${id}.md) | ${severity} | ${summary} |`,
      );
    }
  });
});
