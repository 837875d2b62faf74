// Files of worker threads, which are started by their path. A bundle has them beside its own files.
import { fileURLToPath } from 'node:url';

const source = (path) => fileURLToPath(new URL(`../packages/${path}`, import.meta.url));

export const WORKERS = {
  'upkeep-worker': source('audit/src/upkeep/upkeep-worker.ts'),
  'query-worker': source('audit/src/query/query-worker.ts'),
  'result-worker': source('gateway/src/results/result-worker.ts'),
  'program-worker': source('gateway/src/scripts/program/program-worker.ts'),
};
