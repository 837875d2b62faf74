/** Packages whose servers keep something for each client, so that two clients must not share a process. */

import type { ServerConfig } from '../config/server-config.js';

interface KnownPackage {
  /** On npm or PyPI. */
  readonly name: string;
  /** What it keeps, in words that follow "it keeps". */
  readonly keeps: string;
  readonly source: string;
}

const BROWSER = 'a browser';
const SHELL = 'shell sessions';

export const KNOWN_PACKAGES: readonly KnownPackage[] = [
  {
    name: '@playwright/mcp',
    keeps: BROWSER,
    source: 'https://github.com/microsoft/playwright-mcp#user-profile',
  },
  {
    name: '@executeautomation/playwright-mcp-server',
    keeps: BROWSER,
    source: 'https://github.com/executeautomation/mcp-playwright',
  },
  {
    name: '@modelcontextprotocol/server-puppeteer',
    keeps: BROWSER,
    source: 'https://github.com/modelcontextprotocol/servers-archived/tree/main/src/puppeteer',
  },
  {
    name: 'chrome-devtools-mcp',
    keeps: BROWSER,
    source: 'https://github.com/ChromeDevTools/chrome-devtools-mcp',
  },
  {
    name: '@angiejones/mcp-selenium',
    keeps: BROWSER,
    source: 'https://github.com/angiejones/mcp-selenium',
  },
  {
    name: '@browserbasehq/mcp-server-browserbase',
    keeps: BROWSER,
    source: 'https://github.com/browserbase/mcp-server-browserbase',
  },
  {
    name: '@wonderwhy-er/desktop-commander',
    keeps: SHELL,
    source: 'https://github.com/wonderwhy-er/DesktopCommanderMCP',
  },
  {
    name: 'jupyter-mcp-server',
    keeps: 'the notebook in use',
    source: 'https://github.com/datalayer/jupyter-mcp-server#-mcp-overview',
  },
  {
    name: '@modelcontextprotocol/server-sequential-thinking',
    keeps: 'thoughts',
    source: 'https://github.com/modelcontextprotocol/servers/tree/main/src/sequentialthinking',
  },
  {
    name: '@modelcontextprotocol/server-everything',
    keeps: "lists that depend on the client's capabilities",
    source: 'https://github.com/modelcontextprotocol/servers/tree/main/src/everything',
  },
];

/** What a server is known to keep for each client. `undefined`: nothing is known. */
export function knownState(server: ServerConfig): string | undefined {
  if (server.transport !== 'stdio') return undefined;
  const words = [server.command, ...server.args];
  return KNOWN_PACKAGES.find(({ name }) => words.some((word) => namesPackage(word, name)))?.keeps;
}

/** `name`, `name@1.2`, `name==1.2`, or a file in an installed copy. */
function namesPackage(word: string, name: string): boolean {
  const path = `/${word.replaceAll('\\', '/')}/`;
  if (path.includes(`/node_modules/${name}/`)) return true;
  return word === name || word.startsWith(`${name}@`) || word.startsWith(`${name}==`);
}
