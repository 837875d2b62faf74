/** Client profiles of the configuration, over real processes and sockets. */

import { describe, expect, it } from 'vitest';

import { CallsignProcess } from './callsign-process.js';
import { configFile, ONE } from './config-file.js';
import { HttpClient } from './http-client.js';

const CONFIG = {
  mcpServers: { 'a-b': ONE.mcpServers.one },
  callsign: {
    profiles: {
      'my-client': { characters: 'a-z0-9_', maxLength: 24, clients: ['My Client'] },
    },
  },
};
/** What the plain server of the fixtures offers, in 24 characters of `a-z0-9_`. */
const NAMES = ['a_b__echo_h', 'a_b__add_h', 'a_b__rpc_error_h1'];

describe('a profile of the configuration', () => {
  it('is given to a client that announces its name, and its names can be called', async () => {
    const { client } = new CallsignProcess(['serve', '--config', configFile(CONFIG)]);
    await client.greet('My Client', '2.0');
    const names = await client.toolNames();
    expect(names).toEqual(expect.arrayContaining(NAMES));
    expect(names.filter((name) => name.length > 24)).toEqual([]);
    for (const name of ['a_b__add_h', 'a-b:add']) {
      const { result } = await client.call(name, { a: 2, b: 3 });
      expect(result?.content[0]?.text).toBe('{"sum":5}');
    }
  });

  it('is not given to other clients', async () => {
    const { client } = new CallsignProcess(['serve', '--config', configFile(CONFIG)]);
    await client.greet('My Clients');
    expect(await client.toolNames()).toContain('a-b:echo');
  });

  it('can be asked for by a flag', async () => {
    const args = ['serve', '--config', configFile(CONFIG), '--profile', 'my-client'];
    const { client } = new CallsignProcess(args);
    await client.greet('other');
    expect(await client.toolNames()).toEqual(expect.arrayContaining(NAMES));
  });

  it('can be asked for by a path', async () => {
    const callsign = new CallsignProcess(['serve', '--config', configFile(CONFIG), '--http', '0']);
    const url = await callsign.url();
    const names = async (path: string, announced: string): Promise<string[]> => {
      const client = new HttpClient(`${url}${path}`);
      expect(await client.greet(announced)).toBe(200);
      return client.toolNames();
    };
    expect(await names('/mcp/profile/my-client', 'other')).toEqual(expect.arrayContaining(NAMES));
    expect(await names('/mcp', 'my-client')).toEqual(expect.arrayContaining(NAMES));
    expect(await names('/mcp', 'other')).toContain('a-b:echo');
    expect(await new HttpClient(`${url}/mcp/profile/your-client`).greet()).toBe(404);
  });

  it('is listed when a flag asks for one that does not exist', async () => {
    const args = ['serve', '--config', configFile(CONFIG), '--profile', 'nobody'];
    const callsign = new CallsignProcess(args);
    expect(await callsign.exited).toBe(1);
    expect(callsign.stderr).toMatch(
      /There is no profile "nobody"\. Known: auto, canonical, .*, my-client\./,
    );
  });
});

describe('a former name', () => {
  it('can still be called', async () => {
    const { client } = new CallsignProcess(['serve', '--config', configFile(CONFIG)]);
    await client.greet('cursor-vscode');
    expect(await client.toolNames()).toContain('a_b__add_h');
    const { result } = await client.call('a_b__add_6cdw301wh0', { a: 2, b: 3 });
    expect(result?.content[0]?.text).toBe('{"sum":5}');
  });
});
