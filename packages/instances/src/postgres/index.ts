export { openStorage } from './storage.js';
export type { SharedStorage } from './storage.js';
export { storageProblem } from './storage-problem.js';
export type { StorageProblem } from './storage-problem.js';

// Parts, for tests and simulations.
export { connectionOptions } from './database/connection-options.js';
export { Database } from './database/database.js';
export { migrate } from './database/migrate.js';
