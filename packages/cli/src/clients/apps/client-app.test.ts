import { describe, expect, it } from 'vitest';

import { CLIENT_APPS, type Place } from './client-app.js';

const paths = (place: Partial<Place>) => {
  const whole: Place = { home: '/h', cwd: '/p', platform: 'linux', env: {}, ...place };
  return Object.fromEntries(CLIENT_APPS.map((app) => [app.id, app.files(whole)[0]]));
};

describe('the files of clients', () => {
  it('on Linux', () => {
    expect(paths({})).toEqual({
      'claude-desktop': '/h/.config/Claude/claude_desktop_config.json',
      'claude-code': '/h/.claude.json',
      cursor: '/h/.cursor/mcp.json',
      vscode: '/h/.config/Code/User/mcp.json',
      windsurf: '/h/.codeium/windsurf/mcp_config.json',
      zed: '/h/.config/zed/settings.json',
      'gemini-cli': '/h/.gemini/settings.json',
      codex: '/h/.codex/config.toml',
    });
    const env = { XDG_CONFIG_HOME: '/x', CODEX_HOME: '/c' };
    expect(paths({ env })).toMatchObject({
      'claude-desktop': '/x/Claude/claude_desktop_config.json',
      zed: '/x/zed/settings.json',
      codex: '/c/config.toml',
    });
  });

  it('on a Mac', () => {
    expect(paths({ platform: 'darwin', env: { XDG_CONFIG_HOME: '/x' } })).toMatchObject({
      'claude-desktop': '/h/Library/Application Support/Claude/claude_desktop_config.json',
      vscode: '/h/Library/Application Support/Code/User/mcp.json',
      zed: '/h/.config/zed/settings.json',
    });
  });

  it('on Windows', () => {
    const env = { APPDATA: 'C:\\Users\\ada\\AppData\\Roaming' };
    expect(paths({ platform: 'win32', home: 'C:\\Users\\ada', env })).toMatchObject({
      'claude-desktop': 'C:\\Users\\ada\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
      cursor: 'C:\\Users\\ada\\.cursor\\mcp.json',
      vscode: 'C:\\Users\\ada\\AppData\\Roaming\\Code\\User\\mcp.json',
      zed: 'C:\\Users\\ada\\AppData\\Roaming\\Zed\\settings.json',
    });
  });

  it('of projects are in their folders', () => {
    const place: Place = { home: '/h', cwd: '/p', platform: 'linux', env: {} };
    expect(CLIENT_APPS.flatMap((app) => app.files(place).slice(1))).toEqual([
      '/p/.mcp.json',
      '/p/.cursor/mcp.json',
      '/p/.vscode/mcp.json',
      '/p/.zed/settings.json',
      '/p/.gemini/settings.json',
    ]);
  });
});
