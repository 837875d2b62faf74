import { describe, expect, it } from 'vitest';

import { displayName, snakeCase, titleCase, wordsOf } from './words.js';

describe('words', () => {
  it.each([
    ['read_file', ['read', 'file']],
    ['apple-mail', ['apple', 'mail']],
    ['readHTML5File', ['read', 'HTML5', 'File']],
    ['HTTPServer', ['HTTP', 'Server']],
    ['get_2fa_code', ['get', '2fa', 'code']],
    ['tool_v2', ['tool', 'v2']],
    ['file2Buffer', ['file2', 'Buffer']],
    ['admin.tools/list all', ['admin', 'tools', 'list', 'all']],
    ['__proto__', ['proto']],
    ['größeÄndern', ['größe', 'Ändern']],
    ['読む_file', ['読む', 'file']],
    ['📁', []],
    ['n8n', ['n8n']],
    ['get_k8s_pods', ['get', 'k8s', 'pods']],
    ['listPRs', ['list', 'PRs']],
    ['getURLs', ['get', 'URLs']],
    ['generateUUIDv4', ['generate', 'UUID', 'v4']],
    ['E\u0301cole', ['École']],
    ['', []],
  ])('%j splits into %j', (name, words) => {
    expect(wordsOf(name)).toEqual(words);
  });

  it('are the same with or without non-ASCII letters beside them', () => {
    const letters = 'aBcS1vV2_- .s';
    for (let number = 0; number < 20_000; number++) {
      let name = '';
      for (let rest = number * 7 + 1; rest > 0; rest = Math.floor(rest / letters.length)) {
        name += letters[rest % letters.length];
      }
      expect(wordsOf(`${name} é`)).toEqual([...wordsOf(name), 'é']);
    }
  });

  it.each([
    ['apple-mail', 'apple_mail'],
    ['github-api', 'github_api'],
    ['GitHubAPI', 'git_hub_api'],
    ['listMCPServers', 'list_mcp_servers'],
    ['a--b', 'a_b'],
    ['Already_Snake', 'already_snake'],
  ])('%j is %j in snake_case', (name, snake) => {
    expect(snakeCase(name)).toBe(snake);
  });

  it.each([
    ['apple-mail', 'Apple Mail'],
    ['github-api', 'GitHub API'],
    ['GitHubAPI', 'GitHub API'],
    ['read_file', 'Read File'],
    ['readPDF', 'Read PDF'],
    ['READ_FILE', 'Read File'],
    ['get_url', 'Get URL'],
    ['postgresql', 'PostgreSQL'],
    ['my_gitLab_server', 'My GitLab Server'],
    ['tool_v2', 'Tool v2'],
    ['GET_V2', 'Get v2'],
    ['rev2_file', 'Rev2 File'],
    ['v2beta', 'V2beta'],
    ['git_hub', 'Git Hub'],
    ['s3', 'S3'],
    ['sequential-thinking', 'Sequential Thinking'],
    ['constructor', 'Constructor'],
    ['__proto__', 'Proto'],
  ])('%j is labelled %j', (name, label) => {
    expect(titleCase(name)).toBe(label);
  });

  it.each([
    ['mcp-server-git', 'Git'],
    ['chrome-devtools-mcp', 'Chrome DevTools'],
    ['@modelcontextprotocol/server-filesystem', 'Filesystem'],
    ['io.github.user/weather', 'Weather'],
    ['io.github/user/weather', 'Weather'],
    ['weather/', 'Weather'],
    ['mcp', 'MCP'],
    ['mcp-server', 'MCP Server'],
    ['brave-search', 'Brave Search'],
  ])('the server %j is displayed as %j', (key, label) => {
    expect(displayName(key)).toBe(label);
  });

  it('prefers the display name that was given, and never ends up empty', () => {
    expect(displayName('gh', 'GitHub (work)')).toBe('GitHub (work)');
    expect(displayName('gh', ' GitHub\n')).toBe('GitHub');
    expect(displayName('apple-mail', '  ')).toBe('Apple Mail');
    expect(displayName('📁')).toBe('📁');
    expect(displayName('evil', 'Git\u202eHub\u0007')).toBe('GitHub');
  });
});
