import { describe, expect, it } from 'vitest';

import { shows } from '../../../../test/requirements/shows.js';
import * as files from './testing/client-files.js';
import { configOf, linesOf, warningsOf } from './testing/problems-of.js';

/** The servers of a file, without what our own settings add. */
const servers = (text: string, env: Record<string, string> = {}) =>
  configOf(text, env).servers.map((server) => ({
    ...server,
    settings: undefined,
    written: undefined,
  }));

const warnings = (text: string, env: Record<string, string> = {}) =>
  linesOf(warningsOf(text, env)).map((line) => line.replace(/ →.*/, ''));

describe('a file works unchanged that was written for', () => {
  it(
    'Claude Desktop',
    shows('FR-013', 'AGG-02', () => {
      expect(servers(files.CLAUDE_DESKTOP)).toEqual([
        {
          key: 'filesystem',
          transport: 'stdio',
          command: 'npx',
          args: ['-y', '@modelcontextprotocol/server-filesystem', '/Users/me/Desktop'],
          env: {},
        },
        {
          key: 'github',
          transport: 'stdio',
          command: 'docker',
          args: ['run', '-i', '--rm', '-e', 'GITHUB_TOKEN', 'ghcr.io/github/github-mcp-server'],
          env: { GITHUB_TOKEN: 'ghp_literal' },
        },
      ]);
      expect(warnings(files.CLAUDE_DESKTOP)).toEqual([]);
    }),
  );

  it('Claude Code', () => {
    const env = { DSN: 'postgres://localhost', SENTRY_TOKEN: 'tok' };
    expect(servers(files.CLAUDE_CODE, env)).toEqual([
      {
        key: 'database',
        transport: 'stdio',
        command: 'db-server',
        args: ['--dsn', 'postgres://localhost'],
        env: {},
      },
      {
        key: 'sentry',
        transport: 'streamable-http',
        url: 'https://mcp.sentry.dev/mcp',
        headers: { Authorization: 'Bearer tok' },
      },
      { key: 'legacy', transport: 'sse', url: 'https://example.com/sse', headers: {} },
    ]);
    expect(warnings(files.CLAUDE_CODE, env)).toEqual([]);
  });

  it('Cursor, whose own fields may hold variables that we do not need', () => {
    const env = { TICKETS_KEY: 'k' };
    expect(servers(files.CURSOR, env)).toEqual([
      {
        key: 'tickets',
        transport: 'http-or-sse',
        url: 'https://example.com/mcp',
        headers: { 'X-Api-Key': 'k' },
      },
      {
        key: 'local',
        transport: 'stdio',
        command: 'python',
        args: ['server.py'],
        env: { KEY: 'k' },
      },
    ]);
    expect(warnings(files.CURSOR, env)).toEqual([]);
  });

  it('VS Code, with comments, trailing commas, numbers and null', () => {
    expect(servers(files.VS_CODE)).toEqual([
      {
        key: 'playwright',
        transport: 'stdio',
        command: 'npx',
        args: ['-y', '@playwright/mcp@latest'],
        cwd: '/work',
        env: { PORT: '9222' },
      },
      {
        key: 'github',
        transport: 'streamable-http',
        url: 'https://api.githubcopilot.com/mcp/',
        headers: {},
      },
    ]);
    expect(warnings(files.VS_CODE)).toEqual([
      '10:24 servers.playwright.env.PORT: is a number and is passed on as text',
    ]);
  });

  it('Windsurf, without the servers that are disabled', () => {
    const env = { FIGMA_KEY: 'k' };
    expect(servers(files.WINDSURF, env)).toEqual([
      {
        key: 'figma',
        transport: 'http-or-sse',
        url: 'https://example.com/mcp',
        headers: { API_KEY: 'Bearer k' },
      },
    ]);
    expect(warnings(files.WINDSURF, env)).toEqual([]);
  });

  it('Zed, among other settings, in both forms of a command', () => {
    expect(servers(files.ZED)).toEqual([
      {
        key: 'nested',
        transport: 'stdio',
        command: '/usr/bin/uv',
        args: ['run', 'main.py'],
        env: {},
      },
      { key: 'flat', transport: 'stdio', command: 'uvx', args: ['server'], env: {} },
      {
        key: 'remote',
        transport: 'http-or-sse',
        url: 'https://example.com/mcp',
        headers: { Authorization: 'Bearer x' },
      },
    ]);
    expect(warnings(files.ZED)).toEqual([
      '12:5 context_servers.mcp-server-github: is provided by an extension of the editor',
    ]);
  });

  it('Gemini CLI', () => {
    expect(servers(files.GEMINI, { GIT_SERVER: 'mcp-server-git' })).toEqual([
      {
        key: 'api',
        transport: 'streamable-http',
        url: 'https://example.com/mcp',
        headers: {},
      },
      { key: 'git', transport: 'stdio', command: 'uvx', args: ['mcp-server-git'], env: {} },
    ]);
  });

  it('Copilot CLI', () => {
    expect(servers(files.COPILOT)).toMatchObject([{ key: 'playwright', transport: 'stdio' }]);
    expect(warnings(files.COPILOT)).toEqual([]);
  });
});
