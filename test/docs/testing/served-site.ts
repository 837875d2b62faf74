/** The real documentation site, built and served by the real command. */

import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ROOT } from '../../architecture/tree.js';
import { removeFolder } from '../../testing/remove-folder.js';

export const BUILD_SITE = join(ROOT, 'scripts', 'docs', 'run.mjs');

export interface ServedSite {
  readonly folder: string;
  /** Ends with a slash. */
  readonly url: string;
  stop(): Promise<void>;
}

export async function serveSite(): Promise<ServedSite> {
  const folder = mkdtempSync(join(tmpdir(), 'callsign-site-'));
  const child = spawn(process.execPath, [BUILD_SITE, '--out', folder, '--serve']);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    let printed = '';
    const read = (chunk: Buffer): void => {
      printed += chunk.toString();
      const [, address] = /Serving (\S+)/.exec(printed) ?? [];
      if (address) resolve(address);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void ended.then(() => reject(new Error(`The site was not built: ${printed}`)));
  });
  const stop = async (): Promise<void> => {
    child.kill();
    await ended;
    removeFolder(folder);
  };
  return { folder, url, stop };
}
