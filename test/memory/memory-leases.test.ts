import { leasesContract } from '../../../../test/contracts/leases.js';
import { memoryLeases } from './memory-leases.js';

leasesContract('leases in memory', async () =>
  memoryLeases({ now: () => performance.now(), after: () => () => {} }),
);
