import {
  Call,
  type CallOptions,
  type Caller,
  type ModuleVerdict,
  type Target,
} from '@callsign/core';
import { CALLER, fakeCall } from '@callsign/core/testing';
import { describe, expect, it } from 'vitest';

import { CallFacts, unknownFacts } from './call-facts.js';

const BY_SERVER = { value: true, evidence: { by: 'server' } } as const;
const BY_DEFAULT = { value: true, evidence: { by: 'default' } } as const;

const TARGET: Target = {
  kind: 'tool',
  ref: { server: 'fs', tool: 'read_file' },
  canonical: 'fs:read_file',
  displayName: 'Files',
  hints: {
    readOnlyHint: BY_SERVER,
    destructiveHint: BY_DEFAULT,
    idempotentHint: BY_DEFAULT,
    openWorldHint: BY_DEFAULT,
  },
  risk: 'read',
  item: { name: 'read_file', json: '{"name":"read_file"}' },
};

const VERDICT = { decision: 'allow', rule: 'read: allow' } as const;
const DENIED = { decision: 'deny', rule: 'read: allow' } as const;
const NOTED = { module: 'policy', ...VERDICT };

type Change = (context: Call['context']) => void;

function callOf(options: Partial<CallOptions> = {}, change: Change = () => undefined): Call {
  const { method, params, name } = fakeCall('{"name":"x"}');
  const spans = { nameStart: 8, nameEnd: 11, tokenStart: -1, tokenEnd: -1 };
  const call = new Call({ method, params, name, caller: CALLER, ...spans, ...options });
  change(call.context);
  return call;
}

/** A call about which a module has decided. */
function decided(options: Partial<CallOptions> = {}, change: Change = () => undefined): Call {
  return callOf(options, (context) => {
    context.verdict = { ...VERDICT };
    context.note({ ...NOTED });
    change(context);
  });
}

const membersOf = (text: string): unknown => JSON.parse(`{${text}}`);

describe('the facts of a call', () => {
  it('say what was called, by which client, and how it was decided and ended', () => {
    const call = decided({}, (context) => (context.retries = 2));
    expect(membersOf(new CallFacts(false).of(call, TARGET, 'ok').text)).toEqual({
      kind: 'call',
      severity: 'info',
      server: 'fs',
      tool: 'fs:read_file',
      name: 'x',
      method: 'tools/call',
      risk: 'read',
      evidence: { by: 'server' },
      client: 'test',
      clientVersion: '1',
      era: 'session',
      decision: 'allow',
      rule: 'read: allow',
      decisions: [NOTED],
      outcome: 'ok',
      retries: 2,
    });
  });

  it('of a call that is about to be made have no end', () => {
    const facts = membersOf(new CallFacts(false).of(callOf(), TARGET, undefined).text);
    expect(facts).toMatchObject({ kind: 'intent' });
    for (const member of ['outcome', 'retries', 'decision', 'rule', 'decisions', 'caller']) {
      expect(facts).not.toHaveProperty(member);
    }
  });

  it.each([
    ['read', 'info', 'server'],
    ['write', 'notice', 'default'],
    ['destructive', 'warning', 'default'],
  ] as const)('of risk %s have severity %s and the evidence for the risk', (risk, severity, by) => {
    const facts = new CallFacts(false).of(callOf(), { ...TARGET, risk }, 'ok');
    expect(membersOf(facts.text)).toMatchObject({ severity, evidence: { by } });
  });

  it('have the definition only if arguments are kept', () => {
    expect(new CallFacts(true).of(callOf(), TARGET, 'ok').definition).toBe(TARGET.item.json);
    expect(new CallFacts(false).of(callOf(), TARGET, 'ok')).not.toHaveProperty('definition');
  });

  it('of an unknown name have no server and no risk', () => {
    expect(membersOf(unknownFacts(callOf({ name: 'typo' })).text)).toEqual({
      kind: 'call',
      severity: 'notice',
      tool: 'typo',
      name: 'typo',
      method: 'tools/call',
      client: 'test',
      clientVersion: '1',
      era: 'session',
      outcome: 'unknown',
      retries: 0,
    });
  });
});

describe('calls that are alike', () => {
  it.each(['session', 'stateless'] as const)('share one text, in era %s', (era) => {
    const facts = new CallFacts(false);
    const caller: Caller = { ...CALLER, era, principal: { name: 'ada', roles: [] } };
    const like = (): Call => decided({ caller });
    const first = facts.of(like(), TARGET, 'ok');
    expect(facts.of(like(), TARGET, 'ok')).toBe(first);
    const other = { ...TARGET, canonical: 'fs:other' };
    expect(facts.of(like(), other, 'ok').text).toContain('fs:other');
    expect(facts.of(like(), TARGET, 'ok')).toBe(first);
  });

  it('share one text across requests of clients without a session, but not across sessions', () => {
    const facts = new CallFacts(false);
    const request = (): Call => callOf({ caller: { ...CALLER, era: 'stateless' } });
    expect(facts.of(request(), TARGET, 'ok')).toBe(facts.of(request(), TARGET, 'ok'));
    const session = (): Call => callOf({ caller: { ...CALLER } });
    expect(facts.of(session(), TARGET, 'ok')).not.toBe(facts.of(session(), TARGET, 'ok'));
  });

  it('are written again after many others, and the newest are remembered', () => {
    const facts = new CallFacts(false);
    const of = (i: number) => facts.of(callOf({ name: `n${i}` }), TARGET, 'ok');
    const [first, ...others] = Array.from({ length: 33 }, (_, i) => of(i));
    expect(of(32)).toBe(others.at(-1));
    expect(of(17)).toBe(others[16]);
    expect(of(0)).not.toBe(first);
    expect(of(0).text).toBe(first!.text);
  });
});

describe('calls that differ', () => {
  const caller: Caller = { ...CALLER, era: 'stateless' };
  const as = (change: Partial<Caller>): Call => decided({ caller: { ...caller, ...change } });
  const when = (change: Change): Call => decided({ caller }, change);

  it.each<[string, Call, string]>([
    ['name', decided({ caller, name: 'y' }), '"name":"y"'],
    ['method', decided({ caller, method: 'prompts/get' }), '"method":"prompts/get"'],
    ['retries', when((context) => (context.retries = 1)), '"retries":1'],
    ['verdict', when((context) => (context.verdict = undefined)), '"era":"stateless","decisions"'],
    ['decision', when((context) => (context.verdict = DENIED)), '"decision":"deny"'],
    ['rule', when((context) => (context.verdict = { ...VERDICT, rule: 'z' })), '"rule":"z"'],
    ['modules', when((context) => context.note({ ...NOTED, module: 'roles' })), '"roles"'],
    ['module', onlyCached({ ...NOTED, module: 'roles' }), '"module":"roles"'],
    ['decision of a module', onlyCached({ ...NOTED, ...DENIED }), '"deny"'],
    ['client', as({ client: { name: 'cursor', version: '1' } }), '"client":"cursor"'],
    ['version', as({ client: { name: 'test', version: '2' } }), '"clientVersion":"2"'],
    ['principal', as({ principal: { name: 'ada', roles: [] } }), '"caller":"ada"'],
  ])('in their %s have texts of their own', (_, other, part) => {
    const facts = new CallFacts(false);
    const first = facts.of(as({}), TARGET, 'ok');
    expect(first.text).not.toContain(part);
    expect(facts.of(other, TARGET, 'ok').text).toContain(part);
    expect(facts.of(as({}), TARGET, 'ok')).toBe(first);
  });

  it('in their outcome have texts of their own', () => {
    const facts = new CallFacts(false);
    facts.of(callOf(), TARGET, 'ok');
    expect(facts.of(callOf(), TARGET, 'tool-error').text).toContain('"outcome":"tool-error"');
    expect(facts.of(callOf(), TARGET, undefined).text).toContain('"kind":"intent"');
  });

  function onlyCached(verdict: ModuleVerdict): Call {
    return callOf({ caller }, (context) => {
      context.verdict = VERDICT;
      context.note(verdict);
    });
  }
});
