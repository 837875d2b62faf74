import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';

import { inlineSectionLine, withoutTomlEntry, withTomlEntry } from './toml-entry.js';

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

  it('is not changed if the section is one inline table, and the line is known', () => {
    const text = '# mine\nmcp_servers = { callsign = { command = "x" } }\n';
    expect(put(text)).toBeUndefined();
    expect(take(text)).toBeUndefined();
    expect(inlineSectionLine(text, 'mcp_servers')).toBe(2);
    expect(inlineSectionLine('[a]\nmcp_servers = { }\n', 'mcp_servers')).toBeUndefined();
  });

  it.each([
    ['an inline table', '[mcp_servers]\n# one\nCALL = { command = "x" } # two\n'],
    ['a table with a quoted key', '# one\n[mcp_servers."CALL"]\ncommand = "x"\n'],
    ['a table with a quoted section', `['mcp_servers' . CALL] # x\ncommand = "x"\n`],
    ['dotted keys', '[mcp_servers]\nCALL.command = "x"\nCALL.env.A = "1"\n'],
    ['dotted keys at the top', 'mcp_servers.CALL.command = "x"\n'],
    ['lists of several lines', '[mcp_servers.CALL]\nargs = [\n  "]", # ]\n[1],\n]\n'],
    ['an inline table with a list', '[mcp_servers]\nCALL = { args = [\n"}",\n] }\n'],
  ])('is replaced and removed if it is written as %s', (_, pattern) => {
    const other = '[mcp_servers.other]\ncommand = "y"\n';
    const text = `${pattern.replaceAll('CALL', 'callsign')}${other}`;
    expect(parse(put(text)!)).toEqual({
      mcp_servers: { other: { command: 'y' }, callsign: ENTRY },
    });
    expect(parse(take(text)!)).toEqual({ mcp_servers: { other: { command: 'y' } } });
    expect(take(text)!.endsWith(other)).toBe(true);
  });

  it('is removed if its key has a space, a dot or a quote', () => {
    for (const key of ['my docs', 'a.b', 'say "x"', 'caf\u00e9']) {
      const text = `[mcp_servers]\n[mcp_servers.${JSON.stringify(key)}]\ncommand = "x"\n\n[b]\nc = 1\n`;
      expect(withoutTomlEntry(text, 'mcp_servers', key)).toBe('[mcp_servers]\n[b]\nc = 1\n');
    }
    const dotted = '[mcp_servers.a.b]\nc = 1\n';
    expect(withoutTomlEntry(dotted, 'mcp_servers', 'a.b')).toBe(dotted);
  });

  it('is not looked for in strings', () => {
    const text = `note = """\n[mcp_servers.callsign]\n\\""" """\nmore = '''\n[mcp_servers.callsign]'''\n`;
    expect(take(text)).toBe(text);
    expect(put(text)!.startsWith(text)).toBe(true);
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
