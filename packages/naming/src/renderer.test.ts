import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { withoutHanging } from '../../../test/hang-limit.js';
import { createNameCheck, nameRoom } from './client-profile.js';
import { PROFILES, profileById } from './client-profiles.js';
import { createNameTable } from './name-table.js';
import { namePattern } from './pattern.js';
import { ADAPTER_SCOPE, TOOL_SCOPE } from './pattern-scope.js';
import { createRenderer, createToolRenderer, profilePattern } from './renderer.js';
import { nastyRefs } from './testing/nasty-refs.js';
import type { ToolRef } from './tool-ref.js';

const render = (id: string, server: string, tool: string) =>
  createToolRenderer({ profile: profileById(id) })({ server, tool });

describe('an exact name', () => {
  it.each([
    ['canonical', 'filesystem:read_file'],
    ['claude-desktop', 'filesystem__read_file'],
    ['codex', 'filesystem__read_file'],
    ['portable', 'filesystem__read_file'],
    ['identity', 'read_file'],
  ])('in %s is %s', (id, name) => {
    expect(render(id, 'filesystem', 'read_file')).toEqual({ name, exact: true, reasons: [] });
  });

  it('in the canonical form takes any identity as it is', () => {
    const tool = `${'x'.repeat(400)} 😀:\u202e_0123456789`;
    expect(render('canonical', 'my server', tool).name).toBe(`my server:${tool}`);
  });
});

describe('a hashed name', () => {
  it('is stable: this one is written in people’s configurations', () => {
    expect(render('claude-desktop', 'my server', 'read/file')).toEqual({
      name: 'my_server__read_file_29kwe9fpj2',
      exact: false,
      reasons: ['characters'],
    });
  });

  it.each([
    ['a client that refuses its characters', 'cursor', 'fs-home', 'read_file', ['characters']],
    ['one that allows a letter first', 'bedrock', '9gag', 'post', ['first-character']],
    ['one that is short of room', 'claude-desktop', 'k'.repeat(40), 't'.repeat(40), ['length']],
    ['a key that runs into the separator', 'openai', 'a_', 'x', ['ambiguous']],
    ['a key that holds the separator', 'openai', 'a__b', 'x', ['ambiguous']],
    ['a tool that looks hashed', 'openai', 'a', 'b_0123456789', ['looks-hashed']],
  ])('is made for %s', (_, id, server, tool, reasons) => {
    const rendered = render(id, server, tool);
    expect(rendered.reasons).toEqual(reasons);
    expect(rendered.name).toMatch(/_[0-7][0-9a-hjkmnp-tv-z]{9}$/);
    expect(createNameCheck(profileById(id))(rendered.name)).toEqual([]);
  });

  it('keeps the short part whole and cuts the long one', () => {
    const { name } = render(
      'claude-desktop',
      'github',
      'create_pull_request_review_comment_reply_and_resolve_it_too',
    );
    expect(name).toMatch(/^github__create_pull_request_review_comment_reply_and_\w{10}$/);
    expect(name.length).toBeLessThanOrEqual(64);
  });

  it('does not hang on a hostile name', () => {
    withoutHanging(() => render('claude-desktop', 's', `x${'_'.repeat(1_000_000)}x`));
  });

  it('cannot be imitated by a tool that carries another’s mark in its name', () => {
    const hashed = render('openai', 'fs', 'read file').name;
    const imitation = render('openai', 'fs', hashed.slice('fs__'.length));
    expect(imitation.name).not.toBe(hashed);
  });

  it('counts the key under which the client knows us', () => {
    const tool = 't'.repeat(40);
    const profile = profileById('claude-code');
    const long = createToolRenderer({ profile, clientKey: 'k'.repeat(90) });
    expect(render('claude-code', 'server', tool).exact).toBe(true);
    expect(long({ server: 'server', tool }).name).toHaveLength(nameRoom(profile, 'k'.repeat(90)));
  });

  it('works for patterns of one’s own', () => {
    const pattern = namePattern('{adapter}_mcpaql_{endpoint}', { scope: ADAPTER_SCOPE });
    const render49 = createRenderer({ profile: profileById('claude-desktop'), pattern });
    const values = { adapter: 'a'.repeat(50), endpoint: 'execute' };
    expect(render49(values, 'id').name).toMatch(/^a{38}_mcpaql_execute_\w{10}$/);
  });

  it('fits even where the pattern’s own text leaves no room', () => {
    const pattern = namePattern(`${'p'.repeat(80)}{server}__{tool}`, { scope: TOOL_SCOPE });
    const renderTool = createToolRenderer({ profile: profileById('cursor'), pattern });
    const names = new Set(['a', 'b'].map((tool) => renderTool({ server: 's', tool }).name));
    expect([...names].map(({ length }) => length)).toEqual([50, 50]);
  });
});

/** Named in the title of each test, so that a failure can be repeated. */
const SEED = fc.sample(fc.integer(), 1)[0]!;
const MANY = nastyRefs(SEED, 100_000);
/** All of them under the profile that must serve every client, and a part under each of the others. */
const countFor = (id: string): number => (id === 'portable' ? MANY.length : 20_000);

describe.each([...PROFILES.keys()])(`over nasty identities (seed ${SEED}), %s`, (id) => {
  const profile = profileById(id);
  const nameFaults = createNameCheck(profile);
  const pattern = profilePattern(profile);
  // Without the server in the name only one server can be told apart.
  const servable = (refs: readonly ToolRef[]): readonly ToolRef[] => {
    if (id !== 'identity') return refs;
    return [...new Set(refs.map(({ tool }) => tool))].map((tool) => ({ server: 'one', tool }));
  };

  it('gives distinct names, inside the rules, that lead back where they are exact', () => {
    const renderTool = createToolRenderer({ profile });
    const names = new Set<string>();
    const refs = servable(MANY).slice(0, countFor(id));
    expect(refs).toHaveLength(countFor(id));
    for (const ref of refs) {
      const { name, exact } = renderTool(ref);
      names.add(name);
      if (nameFaults(name).length > 0) throw new Error(`${JSON.stringify(name)} is not legal`);
      const { server = ref.server, tool } = (exact && pattern.parse(name)) || ref;
      if (server !== ref.server || tool !== ref.tool) throw new Error(`${name} leads elsewhere`);
    }
    expect(names.size).toBe(refs.length);
  });

  it('gives the same name whatever else is in the table, in whatever order', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const refs = servable(nastyRefs(seed, 400));
        const namesIn = (some: readonly ToolRef[]) =>
          createNameTable(some, { profile }).tools.map(
            ({ canonical, name }) => [canonical, name] as const,
          );
        const all = new Map(namesIn(refs));
        const half = refs.filter((_, i) => i % 2 === 0).toReversed();
        for (const [canonical, name] of namesIn(half)) expect(all.get(canonical)).toBe(name);
      }),
      { numRuns: 5 },
    );
  });
});
