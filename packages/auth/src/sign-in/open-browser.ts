/** Opens a page in the person's browser. An address is only ever an argument, never part of a command. */

import { spawn } from 'node:child_process';

/** The command that opens an address, by platform. The address is its last argument. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
const OTHER = ['xdg-open'] as const;

/** Whether a page at this address may be opened at all: other schemes start other programs. */
export function isPage({ protocol, username, password }: URL): boolean {
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}

/** False if there is no browser. Throws if the address is not a web page. */
export function openBrowser(url: URL): Promise<boolean> {
  if (!isPage(url)) throw new RangeError(`A ${url.protocol} address is not opened.`);
  const [command, ...args] = OPENERS[process.platform] ?? OTHER;
  return new Promise((resolve) => {
    const opener = spawn(command, [...args, url.href], {
      shell: false,
      stdio: 'ignore',
      detached: true,
    });
    opener.once('error', () => resolve(false));
    opener.once('spawn', () => {
      opener.unref();
      resolve(true);
    });
  });
}
