import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { eventually, plain, startGateway, temporaryFolder } from '../gateway-process.js';
import { commandOf } from './processes.js';

const SERVERS = 10;

describe('the start of ten servers', () => {
  it('is parallel: all of them run before the first one answers, and the first list is complete', async () => {
    const mayAnswer = join(temporaryFolder(), 'may-answer');
    const servers = Object.fromEntries(
      Array.from({ length: SERVERS }, (_, n) => [`s${n}`, plain(`--start-when=${mayAnswer}`)]),
    );
    const gateway = await startGateway({ servers, settings: { listWaitMs: 60_000 } });
    const client = gateway.open();
    // The greeting waits for the instructions of the servers, as the list does.
    const listed = client.handshake().then(() => client.tools());
    const children = (): number =>
      gateway.processes().filter((pid) => commandOf(pid).includes('plain-child.mjs')).length;
    await eventually(() => children() === SERVERS);
    writeFileSync(mayAnswer, '');
    expect(new Set((await listed).map((name) => name.split(':')[0])).size).toBe(SERVERS);
  });
});
