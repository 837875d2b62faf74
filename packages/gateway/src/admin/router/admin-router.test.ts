import { expect, it } from 'vitest';

import { AdminRouter } from './admin-router.js';

it('answers a request that comes before its path is known', async () => {
  const router = new AdminRouter();
  const open = router.hold();
  const early = router.answer('GET', '/late', undefined);
  const wrong = router.answer('GET', '/never', undefined);
  await Promise.resolve();
  router.on('GET', '/late', () => 'here');
  open();
  expect(await early).toEqual({ status: 200, body: 'here' });
  expect(await wrong).toMatchObject({ status: 404 });
  expect(await router.answer('GET', '/late', undefined)).toEqual({ status: 200, body: 'here' });
});
