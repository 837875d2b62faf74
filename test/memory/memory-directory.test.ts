import { directoryContract } from '../contracts/instance-directory.js';
import { memoryDirectory } from './memory-directory.js';

directoryContract('a directory in memory', async (silenceMs) =>
  memoryDirectory({ now: () => performance.now(), after: () => () => {} }, silenceMs),
);
