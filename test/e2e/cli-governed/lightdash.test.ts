/** `callsign lightdash`: the Lightdash server as a command. */

import { describe, expect, it, onTestFinished } from 'vitest';

import { BIN } from '../command.js';
import { Home } from '../cli/callsign.js';
import { v2 } from '../clients/sdk.js';

describe('lightdash', () => {
  it('serves its tools to a client, here on a Lightdash of its own', async () => {
    const client = new v2.Client({ name: 'a-client', version: '1.0.0' });
    const args = [BIN, 'lightdash', '--sandbox'];
    await client.connect(
      new v2.StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }),
    );
    onTestFinished(() => client.close());
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(10);
    expect(tools.every(({ name }) => name.startsWith('lightdash_tools__'))).toBe(true);
    const projects = await client.callTool({ name: 'lightdash_tools__list_projects' });
    expect(JSON.stringify(projects)).toContain('Jaffle');
  });

  it('keeps to its own flags and exit codes', async () => {
    const home = new Home();
    const help = await home.spawn(['--config', 'callsign.json', 'lightdash', '--help']);
    expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('--sandbox') as string });
    expect(await home.spawn(['lightdash'])).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('LIGHTDASH_URL is not set') as string,
    });
  });
});
