import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { whileEditing, withValue } from '@callsign/config';
import { describe, expect, it } from 'vitest';

import { scratch } from '../../../../../test/testing/scratch.js';
import { changeConfig, differenceOf } from './config-change.js';

const TEXT = `{
  // kept
  "mcpServers": { "a": { "command": "x" } }
}
`;

function file(text = TEXT): string {
  const folder = scratch();
  const path = join(folder, 'callsign.json');
  writeFileSync(path, text);
  return path;
}

const setLock = (value: unknown) => (text: string) => withValue(text, ['callsign', 'lock'], value);

describe('a change of the configuration', () => {
  it('is shown first, and saved on request', async () => {
    const path = file();
    const shown = await changeConfig(path, setLock('warn'), {});
    expect(shown).toMatchObject({ isSaved: false, canSave: true });
    expect(shown.diff.map(({ text }) => text).join('\n')).toContain('"lock": "warn"');
    expect(readFileSync(path, 'utf8')).toBe(TEXT);
    await changeConfig(path, setLock('warn'), { save: true, base: shown.base });
    expect(readFileSync(path, 'utf8')).toContain('// kept');
    expect(readFileSync(path, 'utf8')).toContain('"lock": "warn"');
  });

  it('does not overwrite a change that the user has not seen', async () => {
    const path = file();
    const { base } = await changeConfig(path, setLock('warn'), {});
    writeFileSync(path, TEXT.replace('kept', 'changed'));
    await expect(changeConfig(path, setLock('warn'), { save: true, base })).rejects.toThrow(
      'has changed since',
    );
    await expect(changeConfig(path, setLock('warn'), { save: true })).rejects.toThrow(
      'has changed since',
    );
    expect(readFileSync(path, 'utf8')).not.toContain('lock');
  });

  it('waits for a command that changes the file, and then sees its change', async () => {
    const path = file();
    const { base } = await changeConfig(path, setLock('warn'), {});
    let saving: Promise<unknown> | undefined;
    await whileEditing(path, async () => {
      saving = changeConfig(path, setLock('warn'), { save: true, base });
      saving.catch(() => undefined);
      await nextTurn();
      writeFileSync(path, TEXT.replace('kept', 'changed'));
    });
    await expect(saving).rejects.toThrow('has changed since');
    expect(readFileSync(path, 'utf8')).toContain('changed');
  });

  it('is refused if it breaks the file', async () => {
    await expect(changeConfig(file(), setLock('perhaps'), {})).rejects.toThrow(/lock/);
  });

  it.skipIf(process.getuid?.() === 0)('is only shown if the file cannot be written', async () => {
    const path = file();
    chmodSync(path, 0o400);
    expect(await changeConfig(path, setLock('warn'), {})).toMatchObject({ canSave: false });
  });
});

describe('the difference', () => {
  it('has only the changed lines, with their numbers', () => {
    expect(differenceOf('a\nb\nc\n', 'a\nB\nx\nc\n')).toEqual([
      { sign: '-', line: 2, text: 'b' },
      { sign: '+', line: 2, text: 'B' },
      { sign: '+', line: 3, text: 'x' },
    ]);
    expect(differenceOf('a', 'a')).toEqual([]);
  });

  it('hides secrets', () => {
    const token = `ghp_${'a1B2'.repeat(9)}`;
    const line = differenceOf('', `"GITHUB_TOKEN": "${token}"`).find(({ sign }) => sign === '+');
    expect(line!.text).not.toContain(token);
  });
});
