import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';

import { withoutTomlEntry, withTomlEntry } from './toml-entry.js';

const ENTRY = { command: 'node', args: ['a "quoted" word', 'C:\\x'] };
const put = (text: string) => withTomlEntry(text, 'mcp_servers', 'callsign', ENTRY);
const take = (text: string) => withoutTomlEntry(text, 'mcp_servers', 'callsign');

describe('an entry in a TOML file', () => {
  it('is added at the end, and the rest is unchanged', () => {
    const text = '# mine\nmodel = "x" # this one\n\n[mcp_servers.a]\ncommand = "y"\n';
    const after = put(text)!;
    expect(after.startsWith(text)).toBe(true);
    expect(parse(after)).toMatchObject({ mcp_servers: { a: { command: 'y' }, callsign: ENTRY } });
  });

  it('is replaced if it exists, with its own tables', () => {
    const text =
      '[mcp_servers.callsign]\ncommand = "old"\n[mcp_servers.callsign.env]\nA = "1"\n[b]\nc = 1\n';
    expect(parse(put(text)!)).toEqual({ b: { c: 1 }, mcp_servers: { callsign: ENTRY } });
    expect(take(text)).toBe('[b]\nc = 1\n');
  });

  it('is not changed if it is written in a form that we cannot edit safely', () => {
    expect(put('mcp_servers = { callsign = { command = "x" } }\n')).toBeUndefined();
    expect(put('[mcp_servers]\ncallsign = { command = "x" }\n')).toBeUndefined();
    expect(take('note = """\n[mcp_servers.callsign]\n"""\n')).toBeUndefined();
  });

  it('is not removed if it does not exist', () => {
    const text = '[mcp_servers.callsign2]\ncommand = "x"\n';
    expect(take(text)).toBe(text);
    expect(take('')).toBe('');
  });

  it('keeps the line ends of Windows', () => {
    expect(put('a = 1\r\n')!.match(/(?<!\r)\n/)).toBeNull();
  });
});
