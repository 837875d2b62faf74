import { AdminError, decideApproval, findGateways, listApprovals } from '@callsign/gateway/admin';
import { describe, expect, it } from 'vitest';

import { shows } from '../../requirements/shows.js';
import { eventually, plain, startGateway, type GatewaySetup } from '../gateway-process.js';
import type { RawClient } from '../lifecycle/raw-client.js';
import { ENVELOPE } from '../stateless-envelope.js';

const servers = { kid: plain() };
const ASKABLE = {
  ...ENVELOPE,
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
};
/** The operator's labels for the tools of the plain server. */
const annotations = {
  'kid:add': { preset: 'READ_ONLY_DEFAULT' },
  'kid:calls': { preset: 'READ_ONLY_DEFAULT' },
  'kid:echo': { preset: 'WRITE_DESTRUCTIVE', title: 'Wipe the Disk' },
};

const start = (policy: object, more: Partial<GatewaySetup> = {}) =>
  startGateway({ servers, settings: { policy, annotations }, ...more });

const YES = { action: 'accept', content: { answer: 'Yes, this once' } };

const callsIn = async (client: RawClient): Promise<number> =>
  Number(((await client.result('kid:calls'))['structuredContent'] as { calls: number }).calls);

describe.each(['stdio', 'http'] as const)('a policy that confirms, over %s', (listener) => {
  it(
    'asks before a destructive call, lets a read pass, and does not make a refused call',
    shows('ANN-30', async () => {
      const gateway = await start({ destructive: 'confirm' }, { listener });
      const client = await gateway.connect({ capabilities: { elicitation: {} } });
      let answer: unknown = { action: 'decline' };
      const asked: string[] = [];
      client.on('elicitation/create', ({ message }) => {
        asked.push(String(message));
        return answer;
      });
      await client.tools();
      const before = await callsIn(client);
      expect((await client.call('kid:add', { a: 1, b: 2 })).error).toBeUndefined();
      expect(asked).toEqual([]);
      const refused = await client.call('kid:echo', { path: '/tmp/x', password: 'hunter2' });
      expect(refused.error).toMatchObject({ code: -32010, data: { code: 'not-approved' } });
      expect(asked[0]).toContain('Wipe the Disk');
      expect(asked[0]).toContain('/tmp/x');
      expect(asked[0]).not.toContain('hunter2');
      // Only `add` and this call of `calls` reached the server.
      expect(await callsIn(client)).toBe(before + 2);
      answer = YES;
      const done = await client.call('kid:echo', { path: '/tmp/x' });
      expect(done.result!['structuredContent']).toEqual({ path: '/tmp/x' });
      expect(asked).toHaveLength(2);
    }),
  );

  it('refuses where the client cannot ask', async () => {
    const gateway = await start({ destructive: 'confirm' }, { listener });
    const client = await gateway.connect();
    await client.tools();
    const { error } = await client.call('kid:echo', {});
    expect(error).toMatchObject({ code: -32010, data: { code: 'not-approved' } });
    expect((await client.call('kid:add', { a: 1, b: 2 })).error).toBeUndefined();
  });
});

describe('a policy that confirms, for a client without a session', () => {
  it('answers that input is required, and continues with the answer', async () => {
    const gateway = await start({ destructive: 'confirm' });
    const client = await gateway.connect();
    await client.tools();
    const first = await client.call('kid:echo', { path: 'x' }, { _meta: ASKABLE });
    const { resultType, inputRequests, requestState } = first.result!;
    expect(resultType).toBe('input_required');
    const [key] = Object.keys(inputRequests as object);
    const answers = { [key!]: YES };
    const done = await client.call(
      'kid:echo',
      { path: 'x' },
      { _meta: ASKABLE, requestState, inputResponses: answers },
    );
    expect(done.result).toMatchObject({ structuredContent: { path: 'x' } });
    // The state can be used only once.
    const again = await client.call(
      'kid:echo',
      { path: 'x' },
      { _meta: ASKABLE, requestState, inputResponses: answers },
    );
    expect(again.error).toMatchObject({ data: { code: 'request-state-invalid' } });
  });
});

describe('a denied tool', () => {
  it('is absent from the list, and every name of it says which rule denies it (S2)', async () => {
    const gateway = await startGateway({
      servers,
      settings: {
        policy: { rules: [{ match: 'kid:echo', decision: 'deny' }] },
        aliases: { e: 'kid:echo' },
        renamed: { old: 'kid' },
      },
    });
    const client = await gateway.connect();
    expect(await client.tools()).not.toContain('kid:echo');
    const rule = 'policy.rules[0] (deny kid:echo)';
    for (const name of ['kid:echo', 'e', 'old:echo']) {
      const { result } = await client.call(name, {});
      expect(result).toMatchObject({
        isError: true,
        content: [{ type: 'text', text: expect.stringContaining(rule) as string }],
        _meta: { 'callsign/error': { code: 'policy-denied', tool: 'kid:echo', rule } },
      });
      const meta = { task: { ttl: 60_000 } };
      const task = await client.request('tools/call', { name, arguments: {}, ...meta });
      expect(JSON.stringify(task.result)).toContain('"isError":true');
    }
    for (const name of ['kid__echo', 'KID:echo', 'kid:ECHO', 'echo']) {
      const { error } = await client.call(name, {});
      expect(error?.code).toBe(-32602);
      expect(JSON.stringify(error?.data ?? {})).not.toContain('echo');
    }
    expect(await client.tools()).toContain('kid:add');
  });

  it('for some arguments is listed, and refused with the rule for those', async () => {
    const rules = [
      {
        match: 'kid:*',
        when: 'args.path.startsWith("/etc")',
        decision: 'deny',
        reason: 'No /etc.',
      },
    ];
    const gateway = await start({ destructive: 'allow', rules });
    const client = await gateway.connect();
    expect(await client.tools()).toContain('kid:echo');
    expect((await client.call('kid:echo', { path: '/home' })).error).toBeUndefined();
    const { result } = await client.call('kid:echo', { path: '/etc/passwd' });
    expect(result).toMatchObject({
      isError: true,
      _meta: { 'callsign/error': { code: 'policy-denied' } },
    });
    expect(JSON.stringify(result)).toContain('No /etc.');
  });
});

describe('a dry run', () => {
  it('describes a write instead of making it, and makes a read', async () => {
    const gateway = await start({ dryRun: true });
    const client = await gateway.connect();
    await client.tools();
    const before = await callsIn(client);
    const { result } = await client.call('kid:echo', { path: 'x', token: 'abcdef0123456789' });
    expect(JSON.stringify(result)).toContain('kid:echo');
    expect(JSON.stringify(result)).not.toContain('abcdef0123456789');
    expect((result!['_meta'] as Record<string, unknown>)['callsign/dry-run']).toBeDefined();
    expect(await callsIn(client)).toBe(before + 1);
  });
});

describe('an approval by the operator', () => {
  it('releases a waiting call, and a denial ends it', async () => {
    const confirm = { whenClientCannotAsk: 'wait' };
    const gateway = await start({ destructive: 'confirm', confirm });
    const client = await gateway.connect();
    await client.tools();
    const first = client.call('kid:echo', { n: 1 });
    const gateways = () => findGateways({ config: gateway.config });
    await eventually(async () => (await listApprovals(await gateways())).length === 1);
    const [waiting] = await listApprovals(await gateways());
    expect(waiting).toMatchObject({ tool: 'kid:echo' });
    await decideApproval(await gateways(), waiting!.id, { approve: true });
    expect((await first).result!['structuredContent']).toEqual({ n: 1 });

    const second = client.call('kid:echo', { n: 2 });
    await eventually(async () => (await listApprovals(await gateways())).length === 1);
    const [other] = await listApprovals(await gateways());
    await decideApproval(await gateways(), other!.id, { approve: false, reason: 'not today' });
    expect((await second).error?.message).toContain('not today');
  });

  it('goes to the named gateway, and to none after it has ended', async () => {
    const gateway = await start({}, { listener: 'http' });
    await eventually(async () => (await findGateways({ config: gateway.config })).length === 1);
    const [admin] = await findGateways({ config: gateway.config });
    expect(await admin!.get('/status')).toMatchObject({ status: 'ok' });
    gateway.kill('SIGTERM');
    await gateway.exited;
    await expect(admin!.get('/status')).rejects.toThrow(AdminError);
    expect(await findGateways({ config: gateway.config })).toEqual([]);
  });
});
