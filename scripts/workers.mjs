// Files of worker threads, which are started by their path. A bundle has them beside its own files.
import { fileURLToPath } from 'node:url';

const source = (path) => fileURLToPath(new URL(`../packages/audit/src/${path}`, import.meta.url));

export const WORKERS = {
  'upkeep-worker': source('upkeep/upkeep-worker.ts'),
  'query-worker': source('query/query-worker.ts'),
};
