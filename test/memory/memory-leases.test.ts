import { leasesContract } from '../contracts/leases.js';
import { memoryLeases } from './memory-leases.js';

leasesContract('leases in memory', async () =>
  memoryLeases({ now: () => performance.now(), after: () => () => {} }),
);
