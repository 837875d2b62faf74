/** The pages of accounts in a real browser. */

import { expect, it, onTestFinished } from 'vitest';

import { describeInBrowser } from '../console/browser.js';
import { expectReadable } from '../sign-in/readable-page.js';
import { ANN, AccountGateway, BOB, Browser } from './account-gateway.js';
import { startAccountServer } from './account-server.js';

describeInBrowser('the pages of accounts', (open) => {
  it('lead a person to an account and back, at both widths and in both themes', async () => {
    const gateway = await AccountGateway.start(await startAccountServer(), {
      servers: { database: { command: process.execPath, args: ['-e', ''] } },
      settings: {
        servers: {
          notes: { displayName: 'Notes', accounts: { by: 'caller' } },
          database: {
            displayName: 'Database',
            accounts: { by: 'caller', slots: { DB: { label: 'The address of your database' } } },
          },
        },
      },
    });
    await gateway.link(new Browser(), gateway.linkAddress, ANN.key, 'annie');
    const { page } = await open(onTestFinished);
    await page.goto(`${gateway.origin}/accounts`);
    await expectReadable(page, 'accounts-key');
    await page.getByLabel('Your key for this gateway').fill(ANN.key);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Linked on').waitFor();
    await expectReadable(page, 'accounts');
    await page.getByRole('link', { name: 'Link another account' }).click();
    await page.getByText('Continue to 127.0.0.1').waitFor();
    await expectReadable(page, 'accounts-link');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'Link an account', exact: true }).click();
    await expectReadable(page, 'accounts-values');
    await page.getByLabel('The address of your database').fill('postgres://ann@db/notes');
    await page.getByRole('button', { name: 'Link' }).click();
    await page.getByText('is linked').waitFor();
    await expectReadable(page, 'accounts-done');
    await page.getByRole('button', { name: 'Remove' }).first().click();
    await expect.poll(() => page.getByText('Linked on').count()).toBe(1);
    await page.getByRole('button', { name: 'Leave these pages' }).click();
    await page.getByText('First say who you are').waitFor();
    const bob = await gateway.connect(BOB.key);
    const asked = await bob.callTool({ name: 'notes:sign_in', arguments: {} });
    const [link] = /http:\S+/.exec((asked.content as [{ text: string }])[0].text)!;
    // Another person opens the link. The answer is 403, which the browser reports as a fault.
    const { page: other, faults } = await open(() => undefined);
    onTestFinished(() => other.context().close());
    await other.goto(link);
    await other.getByLabel('Your key for this gateway').fill(ANN.key);
    await other.getByRole('button', { name: 'Continue' }).click();
    await other.getByText('This link is not yours').waitFor();
    await expectReadable(other, 'accounts-foreign');
    expect(faults.join()).toContain('403');
  });
});
