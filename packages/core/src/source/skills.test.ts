import { describe, expect, it } from 'vitest';

import { skillItem } from '../../../../test/testing/skill-item.js';
import { rootOf, urisOfSkill, withSkillUris } from './skills.js';

const moved = (uri: string): string => (uri.startsWith('skill://') ? `${uri}#ours` : uri);

describe('an entry of a list of skills', () => {
  it.each([
    ['{"uri":"skill://a/SKILL.md"}', ['skill://a/SKILL.md']],
    [
      '{"uri":"skill://a/SKILL.md","resources":[{"uri":"skill://a/x"},{"name":"no"},{"uri":1},{"uri":"skill://a/SKILL.md"}]}',
      ['skill://a/SKILL.md', 'skill://a/x'],
    ],
    ['{"uri":"skill://a/SKILL.md","resources":{"uri":"skill://a/x"}}', ['skill://a/SKILL.md']],
  ])('%s has the URIs %j', (json, uris) => {
    expect(urisOfSkill(skillItem(json))).toEqual(uris);
  });

  it('is in a folder, with its last slash', () => {
    expect(rootOf('skill://a/b/SKILL.md')).toBe('skill://a/b/');
    expect(rootOf('none')).toBe('');
  });
});

describe('the URIs in what a server says about skills', () => {
  it.each([
    [
      'an entry and its files',
      '{"uri":"skill://a","n":1.0,"resources":[{"uri":"skill://b","size":2.0}]}',
      '{"uri":"skill://a#ours","n":1.0,"resources":[{"uri":"skill://b#ours","size":2.0}]}',
    ],
    [
      'a list',
      '{"skills":[{"uri":"skill://a","resources":[{"uri":"skill://b"}]},{"uri":"skill://c"}]}',
      '{"skills":[{"uri":"skill://a#ours","resources":[{"uri":"skill://b#ours"}]},{"uri":"skill://c#ours"}]}',
    ],
    [
      'one skill',
      '{"skill":{"uri":"skill://a","resources":[{"uri":"skill://b"}]}}',
      '{"skill":{"uri":"skill://a#ours","resources":[{"uri":"skill://b#ours"}]}}',
    ],
    [
      'what was read',
      '{"contents":[{"uri":"skill://a","text":"skill://a"},{"uri":"x://1"}]}',
      '{"contents":[{"uri":"skill://a#ours","text":"skill://a"},{"uri":"x://1"}]}',
    ],
  ])('of %s are changed, and nothing else', (_, json, expected) => {
    expect(withSkillUris(json, moved)).toBe(expected);
  });

  it.each([
    '{"uri":"x://1", "resources":[ {"uri":"x://2"} ]}',
    '{"resources":[ "skill://a", {"uri":1}, {"name":"b"} ]}',
    '{"contents":{"uri":"skill://a"}}',
    '{"skill":"skill://a"}',
    '{"frontmatter":{"uri":"skill://a"}}',
    '["skill://a"]',
    '"skill://a"',
    '{"uri":7}',
  ])('leave %s as it is', (json) => {
    expect(withSkillUris(json, moved)).toBe(json);
  });

  it('are changed in files beside those that stay the same', () => {
    expect(withSkillUris('{"resources":[{"uri":"x://1"},{"uri":"skill://a"}]}', moved)).toBe(
      '{"resources":[{"uri":"x://1"},{"uri":"skill://a#ours"}]}',
    );
  });

  it('of the files of a file are not changed', () => {
    const json = '{"resources":[{"uri":"x://1","resources":[{"uri":"skill://a"}]}]}';
    expect(withSkillUris(json, moved)).toBe(json);
  });
});
