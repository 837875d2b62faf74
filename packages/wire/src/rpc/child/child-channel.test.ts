import { readFileSync } from 'node:fs';

import { describe, expect, it, onTestFinished } from 'vitest';

import type { Channel } from '../stream/channel.js';
import { openChild, type ChildOptions } from './child-channel.js';

interface Watched {
  readonly channel: Channel;
  readonly heard: string[];
  /** Why the channel closed, once it has. */
  readonly closed: Promise<string>;
}

/** Runs a line of shell as a child. */
function run(script: string, more: Partial<ChildOptions> = {}): Watched {
  const heard: string[] = [];
  let close: (reason: string) => void = () => undefined;
  const closed = new Promise<string>((resolve) => {
    close = resolve;
  });
  const open = openChild({
    command: 'sh',
    args: ['-c', script],
    env: { PATH: process.env['PATH'] ?? '' },
    maxMessageBytes: 1_000,
    stopStepMs: 300,
    ...more,
  });
  const channel = open({
    onText: (text) => heard.push(text) > 0,
    onFault: (id, code, details) => {
      if (id !== 7) return false;
      heard.push(`${id} ${code} ${JSON.stringify(details)}`);
      return true;
    },
    onClose: (reason) => {
      heard.push(`(${reason})`);
      close(reason);
    },
  });
  onTestFinished(() => channel.close());
  return { channel, heard, closed };
}

/** The state as one letter. A zombie (Z) has ended too. */
function stateOf(pid: string): string {
  try {
    return /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1] ?? '';
  } catch {
    return 'gone';
  }
}

describe('a child on its pipes', () => {
  it('may send several messages in one array', async () => {
    const batch = `printf ' [ {"id":1,"result":{}}, {"method":"a"} ]\\r\\n'`;
    const others = `echo '[INFO] {}'; echo '[{"id":2}, 3]'; echo '[{"id":3}'; echo '[]'`;
    const { heard, closed } = run(`${batch}; ${others}; echo '[{"id":4,"result":{}}]'`);
    await closed;
    expect(heard).toEqual([
      '{"id":1,"result":{}}',
      '{"method":"a"}',
      '{"id":4,"result":{}}',
      '(it exited with code 0)',
    ]);
  });

  it('is read to the end before it counts as closed', async () => {
    const { heard, closed } = run('echo "{1}"; echo; echo noise; printf "{2}"; exit 3');
    await closed;
    expect(heard).toEqual(['{1}', '{2}', '(it exited with code 3)']);
  });

  it('that was ended by a signal says so', async () => {
    expect(await run('kill -9 $$').closed).toBe('it was ended by SIGKILL');
  });

  it('that cannot be started is closed later, not at once', async () => {
    const { heard, closed, channel } = run('', { command: '/nowhere/at-all' });
    channel.send('lost', {});
    expect(heard).toEqual([]);
    expect(await closed).toBe('/nowhere/at-all does not exist');
    const refused = run('', { command: 'no\0command' });
    expect(refused.heard).toEqual([]);
    expect(await refused.closed).toMatch(/^it could not be started: /);
    await refused.channel.close();
  });

  it('says whether its program or its folder is missing', async () => {
    const nameless = run('', { command: 'callsign-has-no-such-program' });
    expect(await nameless.closed).toBe('callsign-has-no-such-program is not on the PATH');
    const homeless = run('', { cwd: '/nowhere/at-all' });
    expect(await homeless.closed).toBe('its folder /nowhere/at-all does not exist');
  });

  it('is ended if it closes its output and keeps running', async () => {
    expect(await run('echo "{}"; exec >&-; sleep 30').closed).toBe('it closed its output');
  });

  it('is ended if it closes its input and keeps running', async () => {
    const { channel, heard, closed } = run('exec <&-; echo "{}"; sleep 30');
    await expect.poll(() => heard).toEqual(['{}']);
    channel.send('{}', {});
    expect(await closed).toBe('it closed its input');
  });

  it('fails the call whose answer is too long, and stays open', async () => {
    const answer = `{"jsonrpc":"2.0","id":7,"result":{"text":"${'x'.repeat(2_000)}"}}`;
    const { heard } = run(`echo '${answer}'; echo "{}"; sleep 30`);
    const fault = `7 result-too-large {"bytes":${answer.length},"limit":1000}`;
    await expect.poll(() => heard).toEqual([fault, '{}']);
  });

  const START = '{\\"jsonrpc\\":\\"2.0\\",\\"id\\":7,\\"result\\":{\\"text\\":\\"';
  const MUCH = 'head -c 100000 /dev/zero | tr "\\0" x';

  it('skips an answer of any length, and fails its call alone (G4)', async () => {
    const { heard } = run(`printf "${START}"; ${MUCH}; echo '"}}'; echo "{}"; sleep 30`);
    await expect.poll(() => heard.at(-1)).toBe('{}');
    const others = heard.slice(1, -1);
    expect(heard[0]).toMatch(/^7 result-too-large \{"bytes":\d+,"limit":1000\}$/);
    // A connection ignores further faults of a call that has ended.
    expect(others.every((fault) => fault.startsWith('7 result-too-large '))).toBe(true);
  });

  it('fails the call of a long answer whose id is at its end (G4)', async () => {
    const answer = `printf '{"result":{"text":"'; ${MUCH}; echo '"},"jsonrpc":"2.0","id":7}'`;
    const { heard } = run(`${answer}; echo "{}"; sleep 30`);
    await expect
      .poll(() => heard)
      .toEqual(['7 result-too-large {"bytes":100045,"limit":1000}', '{}']);
  });

  it('goes on after a long answer that no call waits for any more (G4)', async () => {
    const late = `printf '{"id":8,"result":{"text":"'; ${MUCH}; echo '"}}'`;
    const { heard } = run(`${late}; echo "{}"; sleep 30`);
    await expect.poll(() => heard).toEqual(['{}']);
  });

  it('is ended for an answer that never ends', async () => {
    const script = `printf "${START}"; cat /dev/zero`;
    const { heard, closed } = run(script, { maxSkippedBytes: 100_000 });
    expect(await closed).toBe('it sent a line of more than 1000 bytes');
    expect(heard[0]).toMatch(/^7 result-too-large /);
  });

  it('is ended for a long message that belongs to no known call', async () => {
    const { heard, closed } = run('printf "{"; head -c 5000 /dev/zero; echo; echo "{}"; sleep 30');
    expect(await closed).toBe('it sent a line of more than 1000 bytes');
    expect(heard).toHaveLength(1);
  });

  it('is ended for an endless line of any kind', async () => {
    const { heard, closed } = run('cat /dev/zero');
    expect(await closed).toBe('it sent a line of more than 1000 bytes');
    expect(heard).toHaveLength(1);
  });

  it('may print any number of lines that are not messages', async () => {
    const { heard } = run('head -c 5000 /dev/zero; echo; echo "{}"; sleep 30');
    await expect.poll(() => heard).toEqual(['{}']);
  });

  it('has the first line that is not a message quoted, and all of them counted', async () => {
    const strays: string[] = [];
    const notices: string[] = [];
    const { closed } = run('echo one; echo "{}"; echo two; echo three', {
      onStray: (line) => strays.push(line),
      onNotice: (notice) => notices.push(notice),
    });
    await closed;
    expect(strays).toEqual(['one']);
    expect(notices).toEqual(['3 lines of its output were not messages']);
  });

  it('is closed once, after all processes that it started have ended', async () => {
    const { channel, heard } = run('trap "" TERM; sleep 30 & echo "{$!}"; wait');
    await expect.poll(() => heard.length).toBe(1);
    await Promise.all([channel.close(), channel.close()]);
    expect(stateOf(heard[0]!.slice(1, -1))).toMatch(/^(gone|Z)$/);
    expect(heard).toHaveLength(1);
  });
});
