/** An operator lets a person in: with commands, and on the console, in real browsers. */

import { expect, it, onTestFinished } from 'vitest';

import { createApiKey } from '@callsign/auth';

import { freePort } from '../../../scripts/free-port.mjs';
import { Browser, type Seen } from '../../../packages/auth/src/authorization/testing/browser.js';
import { SigningInGateway } from '../../../packages/auth/src/authorization/testing/signing-in-gateway.js';
import { Home } from '../cli/callsign.js';
import { describeInBrowser } from '../console/browser.js';
import { type GatewayProcess, plain, startGateway } from '../gateway-process.js';
import { authorizeUrl, KNOWN_CLIENT, tokensFor } from './known-client.js';
import { expectReadable } from './readable-page.js';

const OPERATOR = createApiKey();

interface Started {
  readonly gateway: GatewayProcess;
  readonly origin: string;
  readonly home: Home;
  readonly run: (...words: string[]) => ReturnType<Home['run']>;
}

async function start(): Promise<Started> {
  const home = new Home();
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const gateway = await startGateway({
    servers: { kid: plain() },
    settings: {
      auth: {
        keys: [{ name: 'boss', hash: OPERATOR.hash, roles: [], console: 'operator' }],
        signIn: {
          origin,
          keys: false,
          operator: { roles: ['reader'] },
          clients: [KNOWN_CLIENT],
        },
      },
      roles: { reader: { allow: ['kid:echo'] } },
    },
    listener: 'http',
    flags: ['--http', String(port)],
    env: home.env(),
  });
  const run: Started['run'] = (...words) => home.run([...words, '--config', gateway.config]);
  return { gateway, origin, home, run };
}

async function ask(
  origin: string,
  name: string,
): Promise<{ browser: Browser; at: URL; page: Seen }> {
  const browser = new Browser();
  const url = authorizeUrl(origin);
  const { location: at } = await browser.submit(await browser.open(url), url, { name });
  return { browser, at: at!, page: await browser.open(at!) };
}

interface Waiting {
  readonly id: string;
  readonly tool: string;
  readonly arguments: string;
}

it('lets a person in with commands, and ends the sign-in with one', async () => {
  const { gateway, origin, run } = await start();
  const [ann, evil] = [await ask(origin, 'ann'), await ask(origin, 'ann')];
  const listed = JSON.parse((await run('approvals', 'list', '--json')).stdout) as {
    approvals: Waiting[];
  };
  expect(listed.approvals).toHaveLength(2);
  const codeOf = ({ text }: Seen): string => /[A-Z2-9]{4}-[A-Z2-9]{4}/.exec(text)![0];
  const waiting = listed.approvals.find((each) => each.arguments.includes(codeOf(ann.page)))!;
  expect(waiting.tool).toBe('callsign:sign_in');
  const shown = await run('approvals', 'show', waiting.id);
  for (const text of ['Sign-in of ann', 'person:ann', 'with the roles reader', codeOf(ann.page)])
    expect(shown.stdout).toContain(text);
  expect((await run('approvals', 'approve', waiting.id)).code).toBe(0);
  const other = listed.approvals.find(({ id }) => id !== waiting.id)!;
  expect((await run('approvals', 'deny', other.id)).code).toBe(0);
  // A second operator learns what the first one decided.
  expect((await run('approvals', 'deny', waiting.id)).stderr).toContain('already approved');

  expect((await evil.browser.open(evil.at)).text).toContain('did not let you in');
  const consent = await ann.browser.open(ann.at);
  expect(consent.text).toContain('<li>1 that only read</li>');
  const allowed = await ann.browser.submit(consent, ann.at, { answer: 'allow' });
  const { access_token: token } = await tokensFor(origin, allowed.location!);
  const statusWith = (path: string, method: string): Promise<number> =>
    fetch(new URL(path, gateway.url), {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(method === 'POST' ? { body: '{}' } : {}),
    }).then(({ status }) => status);
  expect(await statusWith('/mcp', 'POST')).not.toBe(401);
  // The person cannot let in others.
  expect(await statusWith('/admin/v1/approvals', 'GET')).toBe(401);
  const signIns = await run('sign-ins', 'list', '--json');
  expect(signIns.stdout).toContain('"person:ann"');
  expect((await run('sign-ins', 'revoke', '--person', 'person:ann')).code).toBe(0);
  expect(await statusWith('/mcp', 'POST')).toBe(401);
  // The yes of the operator does not let the person in again.
  expect((await ann.browser.submit(consent, ann.at, { answer: 'allow' })).status).toBe(400);
});

describeInBrowser('the page that waits', (open) => {
  it('goes on by itself after a yes on the console', async () => {
    const { origin } = await start();
    const person = await open(onTestFinished);
    await person.page.goto(authorizeUrl(origin).href);
    await person.page.getByLabel('Your name').fill('ann');
    await person.page.getByRole('button', { name: 'Ask the operator' }).click();
    const code = (await person.page.locator('.code').textContent())!;

    const { page } = await open(onTestFinished);
    await page.goto(`${origin}/console/`);
    await page.getByLabel('Key').fill(OPERATOR.key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.goto(`${origin}/console/#/approvals`);
    await page.getByText(code).waitFor();
    await page.getByRole('button', { name: 'Allow once' }).click();
    await person.page.getByRole('button', { name: 'Allow' }).waitFor();
    expect(await person.page.getByText('You are signed in as').count()).toBe(1);
  });

  it('can be read by everyone', async () => {
    const gateway = await SigningInGateway.start({
      signIn: { keys: false, operator: { roles: [] } },
    });
    const { page } = await open(onTestFinished);
    await page.goto(gateway.authorizeUrl().href);
    await expectReadable(page, 'operator-name');
    // Without the header, the page stays while it is looked at.
    await page.route('**/authorize/wait*', async (route) => {
      const response = await route.fetch();
      const { refresh: _, ...headers } = response.headers();
      await route.fulfill({ response, headers });
    });
    await page.getByLabel('Your name').fill('ann');
    await page.getByRole('button', { name: 'Ask the operator' }).click();
    await page.getByText('Wait for the operator').waitFor();
    // The form led here, and the browser asks no route about that.
    await page.goto(page.url());
    await expectReadable(page, 'operator-wait');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });
});
