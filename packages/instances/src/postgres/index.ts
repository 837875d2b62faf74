export { openStorage } from './storage.js';
export type { SharedStorage } from './storage.js';

// Parts, for tests and simulations.
export { connectionOptions } from './database/connection-options.js';
export { Database } from './database/database.js';
export { migrate } from './database/migrate.js';
