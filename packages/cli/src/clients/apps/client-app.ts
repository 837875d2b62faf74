/**
 * The clients that we know: where the file of each one is, and how it writes its servers. A client
 * is added here and nowhere else.
 */

import { posix, win32 } from 'node:path';

import { homeIn } from '@callsign/config';

/** A client whose file we can read and change. */
export interface ClientApp {
  /** The name on the command line, as in `callsign install cursor`. */
  readonly id: string;
  /** The name for people. */
  readonly label: string;
  readonly format: 'json' | 'toml';
  /** The key of the file that holds the servers. */
  readonly section: string;
  /** Whether the client replaces variables in its entries. If not, a "$" is a plain character. */
  readonly expands: boolean;
  /** Fields that this client expects in an entry besides the command. */
  readonly entryExtras?: Readonly<Record<string, string>>;
  /** The field of an entry that limits a call, in milliseconds. Missing if there is none. */
  readonly callLimit?: string;
  /** How the client writes the address of a server. Missing if it only starts programs. */
  readonly remote?: {
    readonly field: 'url' | 'serverUrl' | 'httpUrl';
    readonly extras?: Readonly<Record<string, string>>;
  };
  /**
   * Paths of its files, whether they exist or not: first the user's, then the project's in this
   * folder.
   */
  files(place: Place): string[];
}

/** The machine and the folder in which files are looked for. Tests pass their own. */
export interface Place {
  readonly home: string;
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The place in which a command runs. */
export function placeHere({ env, cwd }: Pick<Place, 'cwd' | 'env'>): Place {
  // The variable wins over the system's answer: people and tests use it to choose another folder.
  return { ...homeIn(env), cwd };
}

/** In the order in which commands list them. */
export const CLIENT_APPS: readonly ClientApp[] = [
  {
    id: 'claude-desktop',
    label: 'Claude Desktop',
    format: 'json',
    section: 'mcpServers',
    expands: false,
    files: (place) => [inAppData(place, 'Claude', 'claude_desktop_config.json')],
  },
  {
    id: 'claude-code',
    label: 'Claude Code',
    format: 'json',
    section: 'mcpServers',
    expands: true,
    callLimit: 'timeout',
    entryExtras: { type: 'stdio' },
    remote: { field: 'url', extras: { type: 'http' } },
    files: (place) => [inHome(place, '.claude.json'), inProject(place, '.mcp.json')],
  },
  {
    id: 'cursor',
    label: 'Cursor',
    format: 'json',
    section: 'mcpServers',
    expands: true,
    remote: { field: 'url' },
    files: (place) => [
      inHome(place, '.cursor', 'mcp.json'),
      inProject(place, '.cursor', 'mcp.json'),
    ],
  },
  {
    id: 'vscode',
    label: 'VS Code',
    format: 'json',
    section: 'servers',
    expands: true,
    entryExtras: { type: 'stdio' },
    remote: { field: 'url', extras: { type: 'http' } },
    files: (place) => [
      inAppData(place, 'Code', 'User', 'mcp.json'),
      inProject(place, '.vscode', 'mcp.json'),
    ],
  },
  {
    id: 'windsurf',
    label: 'Windsurf',
    format: 'json',
    section: 'mcpServers',
    expands: true,
    remote: { field: 'serverUrl' },
    files: (place) => [inHome(place, '.codeium', 'windsurf', 'mcp_config.json')],
  },
  {
    id: 'zed',
    label: 'Zed',
    format: 'json',
    section: 'context_servers',
    expands: false,
    remote: { field: 'url' },
    files: (place) => [
      place.platform === 'win32'
        ? inAppData(place, 'Zed', 'settings.json')
        : inConfig(place, 'zed', 'settings.json'),
      inProject(place, '.zed', 'settings.json'),
    ],
  },
  {
    id: 'gemini-cli',
    label: 'Gemini CLI',
    format: 'json',
    section: 'mcpServers',
    expands: true,
    callLimit: 'timeout',
    remote: { field: 'httpUrl' },
    files: (place) => [
      inHome(place, '.gemini', 'settings.json'),
      inProject(place, '.gemini', 'settings.json'),
    ],
  },
  {
    id: 'codex',
    label: 'Codex',
    format: 'toml',
    section: 'mcp_servers',
    expands: false,
    remote: { field: 'url' },
    files: (place) => {
      const own = place.env['CODEX_HOME'];
      const file = 'config.toml';
      return [own ? pathsOf(place).join(own, file) : inHome(place, '.codex', file)];
    },
  },
];

/** The client of this name, in any case: `cursor`, `Cursor`, `Claude Code`. */
export function clientCalled(name: string): ClientApp | undefined {
  const plain = name.trim().toLowerCase();
  return CLIENT_APPS.find(({ id, label }) => id === plain || label.toLowerCase() === plain);
}

/** A path in the folder where desktop applications keep their settings. */
function inAppData(place: Place, ...parts: readonly string[]): string {
  if (place.platform === 'darwin') {
    return inHome(place, 'Library', 'Application Support', ...parts);
  }
  if (place.platform !== 'win32') return inConfig(place, ...parts);
  const { APPDATA: data = win32.join(place.home, 'AppData', 'Roaming') } = place.env;
  return win32.join(data, ...parts);
}

/**
 * A path in `~/.config`. Some programs use that folder on macOS too, but without XDG_CONFIG_HOME.
 */
function inConfig(place: Place, ...parts: readonly string[]): string {
  const { XDG_CONFIG_HOME: xdg } = place.env;
  const isLinux = place.platform !== 'darwin';
  return isLinux && xdg ? posix.join(xdg, ...parts) : inHome(place, '.config', ...parts);
}

function inHome(place: Place, ...parts: readonly string[]): string {
  return pathsOf(place).join(place.home, ...parts);
}

function inProject(place: Place, ...parts: readonly string[]): string {
  return pathsOf(place).join(place.cwd, ...parts);
}

function pathsOf({ platform }: Place): typeof posix {
  return platform === 'win32' ? win32 : posix;
}
