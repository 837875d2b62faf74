/**
 * Runs the command in this process, where a separate process would only be slower. The flag stands
 * for the working folder, so suggested commands are returned without it, unless the test gives one.
 */

import { shellWord } from '@callsign/config';
import { main } from 'mcp-callsign';
import { vi } from 'vitest';

import type { Ended, Home } from './callsign.js';

export async function runHere(home: Home, args: readonly string[]): Promise<Ended> {
  const file = `${home.work}/callsign.json`;
  const flag = ['--config', file];
  const typed = `callsign --config ${shellWord(file)} `;
  const said = { stdout: '', stderr: '' };
  const listen = (name: 'stdout' | 'stderr') => {
    const stream = process[name];
    const before = stream.listeners('error');
    const spy = vi.spyOn(stream, 'write').mockImplementation((text) => {
      said[name] += String(text).replaceAll(typed, 'callsign ');
      return true;
    });
    return () => {
      spy.mockRestore();
      // Removes the listeners of this run. Otherwise they would add up, because the process stays.
      for (const listener of stream.listeners('error')) {
        if (!before.includes(listener)) stream.off('error', listener as () => void);
      }
    };
  };
  for (const [name, value] of Object.entries(home.env())) vi.stubEnv(name, value);
  const release = [listen('stdout'), listen('stderr')];
  try {
    return { code: await main([...flag, ...args]), ...said };
  } finally {
    for (const each of release) each();
    vi.unstubAllEnvs();
  }
}
