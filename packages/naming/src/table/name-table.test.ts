import { describe, expect, it } from 'vitest';

import { withoutHanging } from '../../../../test/hang-limit.js';
import { profileById } from '../profile/client-profiles.js';
import { buildNameTable, createNameTable } from './name-table.js';
import type { NameTableOptions } from '../render/named-tool.js';
import type { ToolRef } from '../identity/tool-ref.js';

const refs = (...names: string[]): ToolRef[] =>
  names.map((name) => {
    const colon = name.indexOf(':');
    return { server: name.slice(0, colon), tool: name.slice(colon + 1) };
  });
const table = (names: string[], options: Partial<NameTableOptions> & { id?: string } = {}) =>
  createNameTable(refs(...names), { profile: profileById(options.id ?? 'canonical'), ...options });
const codes = (names: string[], options: Parameters<typeof table>[1] = {}) =>
  table(names, options).problems.map(({ code, tools }) => [code, ...tools]);

describe('finding a tool', () => {
  it('accepts the client’s name and the canonical one', () => {
    const names = table(['fs:read_file'], { id: 'claude-desktop' });
    expect(names.find('fs__read_file')).toMatchObject({
      as: 'name',
      tool: { canonical: 'fs:read_file' },
    });
    expect(names.find('fs:read_file')).toMatchObject({ as: 'canonical' });
    expect(names.find('read_file')).toBeUndefined();
    expect(names.find('FS:read_file')).toBeUndefined();
  });

  it('accepts aliases, and the old names of a renamed server in every spelling', () => {
    const names = table(['filesystem:read_file'], {
      id: 'cursor',
      aliases: { rf: 'filesystem:read_file' },
      renamed: { fs: 'filesystem' },
    });
    expect(names.find('rf')?.as).toBe('alias');
    expect(names.find('fs:read_file')?.as).toBe('renamed');
    expect(names.find('fs__read_file')?.as).toBe('renamed');
    expect(names.problems).toEqual([]);
  });

  it('accepts the names of earlier versions', () => {
    const names = table(['chrome-devtools:click', 'slack:slack_list', 'a__b:x'], { id: 'codex' });
    const found = (name: string) => [names.find(name)?.as, names.find(name)?.tool.canonical];
    expect(names.find('chrome_devtools__click_h')?.as).toBe('name');
    expect(found('chrome_devtools__click_39kexwd1cr')).toEqual(['former', 'chrome-devtools:click']);
    expect(found('slack__slack_list')).toEqual(['former', 'slack:slack_list']);
    expect(found('chrome_devtools__click_39kexwd1cs')).toEqual([undefined, undefined]);
  });

  it('accepts the names that Codex had when its prefix counted', () => {
    const tool = `list_${'x'.repeat(50)}`;
    const names = table([`a:${tool}`], { id: 'codex' });
    const before = table([`a:${tool}`], { id: 'portable' }).tools[0]!.name;
    expect(names.tools[0]).toMatchObject({ name: `a__${tool}`, exact: true });
    expect(before).toHaveLength(49);
    expect(names.find(before)).toMatchObject({ as: 'former', tool: { ref: { tool } } });
  });

  it('prefers a current name to the former name of another tool', () => {
    const names = table(['a_b:c_d_h1', 'a-b:c_d'], { id: 'cursor' });
    expect(names.find('a_b__c_d_h1')).toMatchObject({
      as: 'name',
      tool: { canonical: 'a-b:c_d' },
    });
    expect(names.find('a_b__c_d_h1_h0')?.tool.canonical).toBe('a_b:c_d_h1');
  });

  it('accepts former names of a renamed server', () => {
    const names = table(['chrome:click'], {
      id: 'cursor',
      renamed: { 'chrome-devtools': 'chrome' },
    });
    expect(names.find('chrome_devtools__click_39kexwd1cr')?.as).toBe('renamed');
    expect(names.find('chrome_devtools__click_h')?.as).toBe('renamed');
  });

  it('follows a key through several renames, including for aliases', () => {
    const names = table(['c:x'], { renamed: { a: 'b', b: 'c' }, aliases: { short: 'a:x' } });
    expect(names.find('a:x')?.tool.canonical).toBe('c:x');
    expect(names.find('b:x')?.as).toBe('renamed');
    expect(names.find('short')?.as).toBe('alias');
    expect(names.problems).toEqual([]);
  });

  it('does not confuse tools with properties of Object', () => {
    const names = table(['a:__proto__', 'constructor:toString'], { id: 'openai' });
    expect(names.find('a____proto__')?.tool.canonical).toBe('a:__proto__');
    expect(names.find('__proto__')).toBeUndefined();
    expect(names.find('constructor__toString')).toBeDefined();
    expect(names.find('hasOwnProperty')).toBeUndefined();
  });

  it('finds neither of two tools that share a name', () => {
    const names = table(['a:read', 'b:read'], { id: 'identity' });
    expect(names.find('read')).toBeUndefined();
    expect(names.find('a:read')?.tool.canonical).toBe('a:read');
    expect(names.problems).toMatchObject([
      { code: 'collision', severity: 'error', tools: ['a:read', 'b:read'] },
    ]);
  });
});

describe('problems', () => {
  it('are none for an ordinary set', () => {
    expect(codes(['github:create_issue', 'gitlab:create_issue', 'fs:read_file'])).toEqual([]);
  });

  it.each([
    ['an invalid key', [':x', 'a:ok'], 'canonical', [['invalid-key', ':x']]],
    ['a tool without a name', ['a:'], 'canonical', [['invalid-tool', 'a:']]],
    ['a tool listed twice', ['a:x', 'a:x', 'a:x'], 'canonical', [['duplicate', 'a:x']]],
    ['case', ['a:Read', 'a:read'], 'canonical', [['case-collision', 'a:Read', 'a:read']]],
    [
      'a Cyrillic letter',
      ['a:read', 'a:r\u0435ad'],
      'canonical',
      [['confusable', 'a:read', 'a:r\u0435ad']],
    ],
    [
      'a zero-width space',
      ['a:read', 'a:re\u200bad'],
      'canonical',
      [['confusable', 'a:read', 'a:re\u200bad']],
    ],
    [
      'punctuation',
      ['a:x-y', 'a:x_y', 'a:x.y'],
      'canonical',
      [['confusable', 'a:x-y', 'a:x.y', 'a:x_y']],
    ],
    [
      'a look-alike server',
      ['github:x', 'glthub:y'],
      'canonical',
      [['confusable', 'github', 'glthub']],
    ],
    [
      'names that look alike in the client',
      ['git_hub:api_s', 'git:hub_api_s'],
      'openai',
      [['confusable', 'git:hub_api_s', 'git_hub:api_s']],
    ],
    [
      'a name that ends like a fingerprint',
      ['a:b_0123456789'],
      'openai',
      [['looks-marked', 'a:b_0123456789']],
    ],
    ['a name that ends like a mark', ['a:b_h1'], 'openai', [['looks-marked', 'a:b_h1']]],
    ['illegal characters', ['a:x y'], 'openai', [['illegal-characters', 'a:x y']]],
    ['length', [`a:${'x'.repeat(99)}`], 'openai', [['too-long', `a:${'x'.repeat(99)}`]]],
    ['a separator in a key', ['a__b:x', 'a__b:y'], 'openai', [['separator-in-key', 'a__b']]],
  ])('are found for %s', (_, names, id, expected) => {
    expect(codes(names, { id })).toEqual(expected);
  });

  it('separate differences in case from look-alikes within one group', () => {
    expect(codes(['a:Read', 'a:read', 'a:r\u0435ad'])).toEqual([
      ['case-collision', 'a:Read', 'a:read'],
      ['confusable', 'a:Read', 'a:read', 'a:r\u0435ad'],
    ]);
  });

  it('are found for aliases and renamed keys', () => {
    const options = {
      aliases: { gone: 'a:gone', 'b:y': 'a:x' },
      renamed: { b: 'a' },
    };
    expect(codes(['a:x', 'b:y'], options)).toEqual([
      ['alias-taken', 'a:x'],
      ['alias-target', 'a:gone'],
      ['renamed-key-in-use', 'b'],
    ]);
  });

  it('are found for renames that lead nowhere', () => {
    expect(codes(['a:x'], { renamed: { p: 'q', q: 'p', r: 'gone' } })).toEqual([
      ['renamed-loop', 'p'],
      ['renamed-loop', 'q'],
      ['renamed-target', 'r'],
    ]);
  });

  it('stay short when a server imitates thousands of names', () => {
    const many = Array.from(
      { length: 3_000 },
      (_, i) => `a:${'-_.'[i % 3]!.repeat(1 + i / 3)}x${i % 7}`,
    );
    const longest = Math.max(
      ...table([...new Set(many)]).problems.map(({ message }) => message.length),
    );
    expect(longest).toBeLessThan(20_000);
  });

  it('do not depend on the order of the tools', () => {
    const names = ['a:Read', 'a:read', 'x__y:z', 'b:q r', ':bad', 'a:x-y', 'a:x_y'];
    expect(codes(names.toReversed(), { id: 'cursor' })).toEqual(codes(names, { id: 'cursor' }));
  });

  it('say what to do', () => {
    const [problem] = table(['fs-home:read_file'], { id: 'cursor' }).problems;
    expect(problem?.message).toMatch(
      /^fs-home:read_file is called fs_home__read_file_h1 in Cursor/,
    );
    expect(problem?.advice).toMatch(/letters, digits and underscores/);
  });
});

describe('suggestions', () => {
  const names = [
    'filesystem:read_file',
    'filesystem:write_file',
    's3:read_file',
    'github:create_issue',
    'github:list_prs',
  ];
  const suggested = (wrong: string, id = 'canonical') =>
    table(names, { id })
      .suggest(wrong)
      .map(({ name }) => name);

  it.each([
    ['a slip in the server', 'filesytem:read_file', 'filesystem:read_file'],
    ['a slip in the tool', 'github:craete_issue', 'github:create_issue'],
    ['slips in both', 'githb:creat_issue', 'github:create_issue'],
    ['the wrong separator', 'github/create_issue', 'github:create_issue'],
    ['two underscores', 'github__create_issue', 'github:create_issue'],
    ['wrong case', 'GitHub:createIssue', 'github:create_issue'],
    ['a missing prefix with a slip', 'creat_isue', 'github:create_issue'],
    ['another server', 'gitlab:create_issue', 'github:create_issue'],
    ['what the client puts in front', 'mcp__callsign__github__create_issue', 'github:create_issue'],
    ['the server said twice', 'github:github_create_issue', 'github:create_issue'],
    ['another order of words', 'github:issue_create', 'github:create_issue'],
    ['the server alone', 'github', 'github:create_issue'],
  ])('help with %s', (_, wrong, right) => {
    expect(suggested(wrong)[0]).toBe(right);
  });

  it('name every server that has the tool when the prefix is missing', () => {
    expect(suggested('read_file')).toEqual(['filesystem:read_file', 's3:read_file']);
  });

  it('use the client’s spelling', () => {
    expect(suggested('filesytem:read_file', 'cursor')[0]).toBe('filesystem__read_file');
  });

  it('find a hashed name by its readable part', () => {
    const odd = table(['my server:read file'], { id: 'cursor' });
    const { name } = odd.tools[0]!;
    expect(odd.suggest(name.toUpperCase()).map((tool) => tool.name)).toEqual([name]);
  });

  it('find a hashed name without its mark, or with a typing error in it', () => {
    const odd = table(['github_enterprise:create_pull_request_review_comment_reply'], {
      id: 'cursor',
    });
    const { name } = odd.tools[0]!;
    expect(odd.suggest(name.slice(0, -11)).map((tool) => tool.name)).toEqual([name]);
    expect(odd.suggest(`${name.slice(0, -1)}0`).map((tool) => tool.name)).toEqual([name]);
  });

  it('offer only names that can be called', () => {
    const same = table(['a:read', 'b:read'], { id: 'identity' });
    expect(same.explainUnknown('raed').suggestions).toEqual(['a:read', 'b:read']);
  });

  it('do not hang among thousands of long names that differ little', () => {
    const long = Array.from({ length: 15_000 }, (_, i) => `srv:${'similar_words_'.repeat(16)}${i}`);
    const similar = table(long);
    // Full edit distances would take minutes here.
    withoutHanging(() => similar.suggest(`srvx:${'similar_wrods_'.repeat(16)}77`));
  });

  it.each(['', '::', 'completely unrelated words', '😀', 'x'.repeat(5000)])(
    'are none for %j',
    (wrong) => {
      expect(suggested(wrong)).toEqual([]);
    },
  );
});

describe('the error for an unknown name', () => {
  const explain = (name: string, id = 'canonical') =>
    table(['filesystem:read_file', 's3:read_file'], { id }).explainUnknown(name);

  it.each([
    [
      'filesytem:read_file',
      'Tool not found: filesytem:read_file\nDid you mean: filesystem:read_file?',
    ],
    ['nothing:like_it', 'Tool not found: nothing:like_it'],
    [':', 'Invalid tool name format: :'],
    [
      'read_file',
      'Tool name must be prefixed with server key: read_file\nDid you mean: filesystem:read_file or s3:read_file?',
    ],
    ['zzz', 'Tool name must be prefixed with server key: zzz'],
  ])('for %j has the convention’s sentence', (name, message) => {
    expect(explain(name).message).toBe(message);
  });

  it('knows the client’s own separator as a prefix', () => {
    expect(explain('filesystem__raed_file', 'cursor')).toMatchObject({
      kind: 'not-found',
      suggestions: ['filesystem__read_file'],
    });
    expect(explain('read_file', 'cursor').kind).toBe('missing-prefix');
    expect(explain('raed_file', 'identity').kind).toBe('not-found');
  });
});

describe('a table that is made in parts', () => {
  it('is the same as one that is made at once, and no part handles two tools', () => {
    const names = Array.from({ length: 500 }, (_, n) => `my-server:tool_${n}`);
    const options = { profile: profileById('cursor') };
    let parts = 0;
    const counted = <T>(work: Generator<undefined, T>): T => {
      for (let step = work.next(); ; step = work.next()) {
        if (step.done) return step.value;
        parts++;
      }
    };
    const made = counted(buildNameTable(refs(...names), options));
    expect(parts).toBe(500);
    counted(made.findProblems());
    // Named, compared by sight twice, by name, with canonical names, and asked what was changed.
    expect(parts).toBeGreaterThanOrEqual(6 * 500);
    const whole = table(names, { id: 'cursor' });
    expect(made.tools).toEqual(whole.tools);
    expect(made.problems).toEqual(whole.problems);
    expect(made.problems.length).toBeGreaterThan(0);
  });
});
