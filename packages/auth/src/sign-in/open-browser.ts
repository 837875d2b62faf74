/**
 * Opens a page in the person's browser. The address is only ever an argument, never part of a
 * command line.
 */

import { spawn } from 'node:child_process';

/** The command that opens an address, by platform. The address is its last argument. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
const OTHER = ['xdg-open'] as const;

/** Whether an address is a web page. Other schemes could start other programs. */
export function isPage({ protocol, username, password }: URL): boolean {
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}

/** Returns false if there is no browser. Throws if the address is not a web page. */
export function openBrowser(url: URL): Promise<boolean> {
  if (!isPage(url)) throw new RangeError(`An address with ${url.protocol} is not opened.`);
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
