import { describe, expect, it } from 'vitest';

import type { Reply } from '@callsign/core';

import type { Connection } from './connection.js';
import { LIST_LIMITS, type ListLimits } from './list-budget.js';
import { Skills } from './skills.js';

const CAPABILITIES = '{"extensions":{"io.modelcontextprotocol/skills":{}}}';

interface Page {
  readonly skills: readonly object[];
  readonly nextCursor?: string;
}

/** A server with these pages: by number, the first is 0. */
function skillsOf(pageAt: (n: number) => Promise<Page> | Page, limits: Partial<ListLimits> = {}) {
  let pages = 0;
  let late = 0;
  const warnings: string[] = [];
  const request = async (): Promise<Reply> => {
    return { ok: true, json: JSON.stringify(await pageAt(pages++)) };
  };
  const skills = new Skills(() => late++);
  const fetch = (capabilities = CAPABILITIES) =>
    skills.fetch({
      connection: { request } as unknown as Connection,
      capabilities,
      timeoutMs: 30_000,
      limits: { ...LIST_LIMITS, ...limits },
      warn: (message) => warnings.push(message),
    });
  return { fetch, warnings, pages: () => pages, late: () => late };
}

const skill = (name: string | number, more: object = {}) => ({
  uri: `skill://${name}/SKILL.md`,
  ...more,
});

describe('the skills of a server', () => {
  it('are read from all pages, and not asked for without the extension', async () => {
    const server = skillsOf((n) => ({
      skills: [skill(n)],
      ...(n < 2 ? { nextCursor: String(n) } : {}),
    }));
    expect(await server.fetch('{}')).toBeUndefined();
    expect(server.pages()).toBe(0);
    expect((await server.fetch())!.map(({ name }) => name)).toEqual([
      'skill://0/SKILL.md',
      'skill://1/SKILL.md',
      'skill://2/SKILL.md',
    ]);
    expect(server.warnings).toEqual([]);
  });

  it('are cut off if a cursor comes again', async () => {
    const server = skillsOf((n) => ({ skills: [skill(n)], nextCursor: 'again' }));
    expect(await server.fetch()).toHaveLength(2);
    expect(server.warnings[0]).toContain('pages without end');
  });

  it('are cut off if there are too many, or too many bytes', async () => {
    const many = Array.from({ length: 3_000 }, (_, n) => skill(n));
    const long = skillsOf(() => ({ skills: many }));
    expect(await long.fetch()).toHaveLength(2_000);
    expect(long.warnings[0]).toContain('more than 2000 entries');
    const text = 'x'.repeat(10_000);
    const large = skillsOf((n) => ({ skills: [skill(n, { text })], nextCursor: String(n) }), {
      maxListBytes: 100_000,
    });
    await large.fetch();
    expect(large.pages()).toBe(10);
    expect(large.warnings[0]).toContain('more than 100000 bytes');
  });

  it('are left out one by one if a definition is too long', async () => {
    const text = 'x'.repeat(300_000);
    const server = skillsOf(() => ({ skills: [skill(1), skill(2, { text }), skill(3)] }));
    expect(await server.fetch()).toHaveLength(2);
    expect(server.warnings).toEqual([
      '"skill://2/SKILL.md" was left out: its definition is too long',
    ]);
  });
});

describe('late skills', () => {
  it('delay nothing, and are there at the next look', async () => {
    let answer: (page: Page) => void = () => undefined;
    const server = skillsOf(
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    expect(await server.fetch()).toEqual([]);
    expect(server.late()).toBe(0);
    answer({ skills: [skill(1)] });
    await expect.poll(() => server.late()).toBe(1);
    expect(await server.fetch()).toHaveLength(1);
    // They were not asked for again.
    expect(server.pages()).toBe(1);
  });
});
