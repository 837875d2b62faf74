/** People who wait until an operator says who they are, and the attacks on that. */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { Browser, type Seen } from './testing/browser.js';
import { type Question, SigningInGateway, type Tokens } from './testing/signing-in-gateway.js';

const SETTINGS = { keys: false, operator: { roles: ['reader'] } };
const MINUTE_MS = 60_000;

function start(signIn: object = SETTINGS): Promise<SigningInGateway> {
  return SigningInGateway.start({ signIn });
}

interface Asking {
  readonly browser: Browser;
  /** The address of the page that waits. */
  readonly at: URL;
  readonly question: Question;
}

/** A person gives a name and waits. */
async function ask(
  gateway: SigningInGateway,
  name = 'ann',
  browser: Browser = new Browser(),
): Promise<Asking> {
  const url = gateway.authorizeUrl();
  const sent = await browser.submit(await browser.open(url), url, { name });
  expect(sent.location, sent.text).toBeDefined();
  return { browser, at: sent.location!, question: gateway.questions.at(-1)! };
}

async function allow({ browser, at }: Pick<Asking, 'at' | 'browser'>): Promise<Seen> {
  return await browser.submit(await browser.open(at), at, { answer: 'allow' });
}

describe('an operator', () => {
  it('lets a person in, who sees a code until then', async () => {
    const gateway = await start();
    const { browser, at, question } = await ask(gateway, ' Ann ');
    const page = await browser.open(at);
    expect(page.headers.get('refresh')).toBe('4');
    expect(page.headers.get('content-security-policy')).not.toContain('script-src');
    const { name, client, code } = JSON.parse(question.shown) as Record<string, string>;
    expect(name).toBe('ann');
    expect(client).toBe('tester.example; nothing proves who made this client');
    expect(code).toMatch(/^[A-Z2-9]{4}-[A-Z2-9]{4}$/);
    expect(page.text).toContain(code);
    expect(question.effect).toContain('as person:ann, with the roles reader. No one is signed in');
    await gateway.answer(question, true);
    const consent = await browser.open(at);
    expect(consent.headers.get('refresh')).toBeNull();
    expect(consent.text).toContain('that only read');
    const answer = (await browser.submit(consent, at, { answer: 'allow' })).location!.searchParams;
    const response = await gateway.exchange(answer.get('code')!);
    const tokens = (await response.json()) as Tokens;
    const principal = { name: 'person:ann', roles: ['reader'] };
    expect(await gateway.callerOf(tokens.access_token)).toEqual(principal);
    expect(gateway.log.join()).toContain('ann (person:ann) allowed tester.example');
    // The next operator learns that the name is taken.
    expect((await ask(gateway)).question.effect).toContain('is signed in under this name already');
  });

  it('is one of several ways', async () => {
    const gateway = await start({ operator: { roles: ['reader'] } });
    const page = await new Browser().open(gateway.authorizeUrl());
    expect(page.text).toContain('Your key for this gateway');
    expect(page.text).toContain('Ask the operator');
    const without = await SigningInGateway.start();
    const url = without.authorizeUrl();
    const browser = new Browser();
    const other = await browser.open(url);
    expect(other.text).not.toContain('Ask the operator');
    const form = { ...other, text: other.text.replace('/authorize/key', '/authorize/name') };
    expect((await browser.submit(form, url, { name: 'ann' })).status).toBe(400);
    expect(without.questions).toEqual([]);
  });

  it('who refuses lets no one in, even if a yes comes later', async () => {
    const gateway = await start();
    const { browser, at, question } = await ask(gateway);
    await gateway.answer(question, false);
    await gateway.answer(question, true);
    for (let i = 0; i < 2; i++) {
      const page = await browser.open(at);
      expect([page.status, page.location]).toEqual([400, undefined]);
      expect(page.text).toContain('did not let you in');
    }
    expect(gateway.store.get().signIns).toEqual([]);
  });

  it('gets to know only names of plain letters', async () => {
    const gateway = await start();
    const url = gateway.authorizeUrl();
    const browser = new Browser();
    const page = await browser.open(url);
    for (const name of [
      '',
      '\u0430nn',
      'ann\u200B',
      'a n n',
      '"ann"',
      '<b>',
      '.ann',
      'a'.repeat(65),
    ]) {
      const again = await browser.submit(page, url, { name });
      expect([name, again.status]).toEqual([name, 403]);
      expect(again.text).toContain('letters from a to z');
    }
    expect(gateway.questions).toEqual([]);
  });
});

describe('an attacker', () => {
  it('gains nothing from the yes to another person', async () => {
    const gateway = await start();
    const ann = await ask(gateway);
    const evil = await ask(gateway, 'ann');
    await gateway.answer(ann.question, true);
    expect((await evil.browser.open(evil.at)).text).toContain('Wait for the operator');
    // Nor from the address of the page of another browser.
    const stolen = await evil.browser.open(ann.at);
    expect(stolen.status).toBe(400);
    expect(stolen.text).toContain('opened in another browser');
    expect((await allow(ann)).location!.searchParams.get('code')).toBeTruthy();
  });

  it('gains nothing from an id or a code that is used again', async () => {
    const gateway = await start();
    const first = await ask(gateway);
    const second = await ask(gateway, 'bob');
    // As if the answer to the second had the id of the first, or its text.
    await gateway.answer({ ...second.question, id: first.question.id }, true);
    await gateway.answer({ ...first.question, id: second.question.id }, true);
    for (const { browser, at } of [first, second])
      expect((await browser.open(at)).text).toContain('Wait for the operator');
  });

  it('cannot use a yes twice', async () => {
    const gateway = await start();
    const asking = await ask(gateway);
    await gateway.answer(asking.question, true);
    const { browser, at } = asking;
    const [consent, other] = [await browser.open(at), await browser.open(at)];
    const answers = await Promise.all(
      [consent, other].map((page) => browser.submit(page, at, { answer: 'allow' })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 400]);
    expect((await browser.submit(consent, at, { answer: 'allow' })).status).toBe(400);
    expect((await browser.open(at)).text).toContain('was used already');
    await gateway.answer(asking.question, true);
    expect((await browser.open(at)).text).toContain('was used already');
  });

  it('cannot carry a page to another step', async () => {
    const gateway = await start();
    const { browser, at, question } = await ask(gateway);
    await gateway.answer(question, true);
    const sealed = at.searchParams.get('request')!;
    const post = (path: string, fields: object): Promise<Seen> =>
      browser.post(`${gateway.origin}${path}`, { request: sealed, ...fields });
    expect((await post('/authorize/consent', { answer: 'allow' })).status).toBe(400);
    expect((await post('/authorize/name', { name: 'root' })).status).toBe(400);
    const foreign = await browser.post(
      `${gateway.origin}/authorize/name`,
      { request: sealed, name: 'ann' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    );
    expect(foreign.text).toContain('Another site has sent this form');
  });

  it('cannot fill the list of the operator', async () => {
    const gateway = await start();
    const browsers = Array.from({ length: 10 }, () => new Browser());
    for (const browser of browsers) await ask(gateway, 'ann', browser);
    const url = gateway.authorizeUrl();
    const refused = async (browser: Browser): Promise<boolean> => {
      const sent = await browser.submit(await browser.open(url), url, { name: 'ann' });
      return sent.text.includes('Too many people wait');
    };
    expect(await refused(new Browser())).toBe(true);
    // A browser that asks again takes its first question back.
    await ask(gateway, 'bob', browsers[0]);
    expect(gateway.questions.filter(({ isOpen }) => isOpen)).toHaveLength(10);
    expect(gateway.questions[0]!.isOpen).toBe(false);
    await gateway.answer(gateway.questions[1]!, false);
    await ask(gateway, 'new');
    // Nor with questions that come and go.
    for (let i = 12; i < 20; i++) await ask(gateway, 'bob', browsers[0]);
    expect(await refused(browsers[0]!)).toBe(true);
    expect(gateway.questions).toHaveLength(20);
  });
});

describe('time', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() }));
  afterEach(() => void vi.useRealTimers());

  it('ends a wait without an answer', async () => {
    const gateway = await start();
    const { browser, at, question } = await ask(gateway);
    expect(question.timeoutMs).toBe(10 * MINUTE_MS);
    vi.setSystemTime(Date.now() + question.timeoutMs);
    expect((await browser.open(at)).text).toContain('No operator has answered in time');
    vi.setSystemTime(Date.now() + 6 * MINUTE_MS);
    await gateway.answer(question, true);
    // The page itself is too old now.
    expect((await browser.open(at)).text).toContain('too old');
  });

  it('ends what was offered if operators let in no one any more', async () => {
    const gateway = await start();
    const { browser, at, question } = await ask(gateway);
    await gateway.answer(question, true);
    const consent = await browser.open(at);
    expect(consent.text).toContain('Allow');
    const waiting = await ask(gateway, 'bob');
    gateway.apply({ keys: true });
    await expect.poll(() => waiting.question.isOpen).toBe(false);
    expect((await browser.open(at)).status).toBe(400);
    expect((await browser.submit(consent, at, { answer: 'allow' })).status).toBe(400);
    expect(gateway.store.get().signIns).toEqual([]);
  });
});
