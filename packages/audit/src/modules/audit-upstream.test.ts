import { Hub } from '@callsign/core';
import { openChild, Upstream } from '@callsign/wire';
import { describe, expect, it, onTestFinished } from 'vitest';

import { FAULTY, PLAIN } from '../../../../test/e2e/serve/callsign-process.js';
import { Audit } from './audit.js';
import { AUDIT_SETTINGS } from '../record/audit-settings.js';
import { journalFolder } from '../../../../test/testing/audit-folder.js';
import { callOf } from '../../../../test/testing/labelled-hub.js';
import { readerOf } from '../testing/audit-rows.js';
import { recording } from '../testing/recording.js';

/** Real servers, each a script with its arguments, in a hub whose calls are recorded. */
async function recorded(servers: Readonly<Record<string, readonly string[]>>) {
  const folder = journalFolder();
  const settings = { ...AUDIT_SETTINGS.parse({}), folder };
  const audit = new Audit({ settings, log: () => undefined });
  onTestFinished(() => audit.close(60_000));
  const hub = new Hub({ interceptors: recording(audit) });
  await Promise.all(
    Object.entries(servers).map(async ([key, args]) => {
      const child = { command: process.execPath, args, env: {}, maxMessageBytes: 1024 * 1024 };
      const transport = { onePipe: true, open: () => openChild(child) };
      const upstream = new Upstream({ key, transport, self: { name: 'callsign', version: '0' } });
      onTestFinished(() => upstream.stop());
      hub.set(key, upstream);
      void upstream.start();
      await upstream.settled;
    }),
  );
  const send = (name: string) => hub.route('tool', name)!.send(callOf(name));
  return { send, folder, audit };
}

describe('calls of real servers', () => {
  it('have exactly one record of their end if the server dies in the middle', async () => {
    const { send, folder, audit } = await recorded({
      mortal: [FAULTY, '--mode=dies-in-call'],
      other: [PLAIN],
    });
    const [died, answered] = await Promise.all([send('mortal:echo'), send('other:echo')]);
    expect([died.ok, answered.ok]).toEqual([false, true]);
    await audit.close(60_000);
    const found = await readerOf(folder).list({ limit: 100 });
    const ends = found.map((row) => {
      return row.kind === 'call' ? `${row.tool} ${row.outcome}` : row.kind;
    });
    expect(ends.toSorted()).toEqual(['mortal:echo upstream-closed', 'other:echo ok']);
  });

  it('are told apart by how they ended', async () => {
    const { send, folder, audit } = await recorded({ plain: [PLAIN] });
    await Promise.all(['echo', 'fail', 'rpc_error'].map((tool) => send(`plain:${tool}`)));
    await audit.close(60_000);
    const reader = readerOf(folder);
    expect(await reader.list({ limit: 100 })).toHaveLength(3);
    for (const [tool, outcome, severity] of [
      ['echo', 'ok', 'info'],
      ['fail', 'tool-error', 'notice'],
      ['rpc_error', 'server-error', 'notice'],
    ]) {
      const found = await reader.list({ tool: `plain:${tool}`, limit: 100 });
      expect(found).toMatchObject([{ outcome, severity, evidence: 'server' }]);
    }
  });
});
