import { describe, expect, it } from 'vitest';

import { CANONICAL } from '../profile/client-profiles.js';
import { createNameTable } from './name-table.js';
import { finished } from './finished.js';
import { buildSuggester } from './suggester.js';

const suggested = (names: readonly string[], wrong: string, limit = 9): string[] => {
  const refs = names.map((name) => {
    const [server = '', tool = ''] = name.split(':');
    return { server, tool };
  });
  const { tools } = createNameTable(refs, { profile: CANONICAL });
  const suggest = finished(buildSuggester(tools));
  return finished(suggest(wrong, limit)).map(({ canonical }) => canonical);
};

describe('guesses', () => {
  it.each([
    [2, ['a:read', 'b:read']],
    [1, ['a:read']],
    [0, []],
    [-1, []],
  ])('are at most %d, ties in the order of names', (limit, expected) => {
    expect(suggested(['c:read', 'b:read', 'a:read'], 'read', limit)).toEqual(expected);
  });

  it('are only the exact tool where just case or punctuation is wrong', () => {
    const names = ['a:read_file', 'a:read_files', 'b:read_file'];
    expect(suggested(names, 'A/read-file')).toEqual(['a:read_file']);
  });

  it('put names with fewer typing errors first', () => {
    const names = ['srv:create_issues', 'srv:create_issue', 'srv:update_issue'];
    expect(suggested(names, 'srv:creat_issue')).toEqual(['srv:create_issue', 'srv:create_issues']);
  });

  it('prefer a missing prefix to a typing error, and a typing error in the server to another server', () => {
    expect(suggested(['a:reed', 'a:read'], 'read')).toEqual(['a:read', 'a:reed']);
    const names = ['gitlab:list_all', 'github:list_all'];
    expect(suggested(names, 'githb:list_all')).toEqual(['github:list_all']);
  });

  it('weigh server and tool equally where each has one typing error', () => {
    const names = ['server1:create_issue', 'server2:create_isue'];
    expect(suggested(names, 'server1:create_isue')).toEqual(names);
  });

  it('are all tools of a server that is named alone', () => {
    const names = ['github:create_issue', 'github:list_prs', 'other:x'];
    expect(suggested(names, 'GitHub')).toEqual(['github:create_issue', 'github:list_prs']);
    expect(suggested(names, 'github:')).toEqual(['github:create_issue', 'github:list_prs']);
  });

  it.each([
    ['x', 'abcdefgh', 'xbcdefgx', true],
    ['x', 'abcdefgh', 'xbcdefxx', false],
    ['x', 'abc', 'abd', true],
    ['x', 'abc', 'axd', false],
    ['x', 'abcdefghijklmnopqrstuvwx', '1234efghijklmnopqrstuvwx', true],
    ['x', 'abcdefghijklmnopqrstuvwx', '12345fghijklmnopqrstuvwx', false],
  ])('of %s:%s for %s: %s', (server, tool, wrong, isFound) => {
    expect(suggested([`${server}:${tool}`], wrong)).toEqual(isFound ? [`${server}:${tool}`] : []);
  });

  it('do not allow more typing errors in a short tool because its server is long', () => {
    expect(suggested(['averylongservername:abc'], 'averylongservername:xyz')).toEqual([]);
    expect(suggested(['averylongservername:abc'], 'averylongservername:abd')).toHaveLength(1);
  });

  it.each([
    ['github issue create', true],
    ['create something in github issue', true],
    ['create one more github thing', false],
    ['issue', false],
  ])('match words in any order, if most are shared: %s', (wrong, isFound) => {
    const names = ['github:create_issue'];
    expect(suggested(names, wrong)).toEqual(isFound ? names : []);
  });

  it.each(['files:delete_file', 'files:delete_pull_request', 'files:remove_old_file'])(
    'do not point at another action with the same words: %s (S15, M3)',
    (wrong) => {
      const names = ['files:create_file', 'files:create_pull_request', 'files:move_old_file'];
      expect(suggested(names, wrong)).toEqual([]);
    },
  );

  it('name another server only if the named one does not exist (S15)', () => {
    const names = ['files:read_file', 'backup:delete_file'];
    expect(suggested(names, 'files:delete_file')).toEqual([]);
    expect(suggested(names, 'disk:delete_file')).toEqual(['backup:delete_file']);
  });

  it('put names that share more of their words first', () => {
    const names = ['github:create_issue_comment', 'github:create_issue'];
    expect(suggested(names, 'issue create github')).toEqual(names.toReversed());
  });

  it.each(['mcp__callsign__github__list_prs', 'mcp_callsign_github_list_prs'])(
    'ignore the prefixes of clients: %s',
    (wrong) => {
      expect(suggested(['github:list_prs', 'gitlab:list_prs'], wrong)[0]).toBe('github:list_prs');
    },
  );
});
