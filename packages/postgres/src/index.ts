// Connections and schema.
export { connectionOptions } from './database/connection-options.js';
export type { ConnectionOptions } from './database/connection-options.js';
export { Database } from './database/database.js';
export type { DatabaseOptions, Statements } from './database/database.js';
export { migrate } from './database/migrate.js';

// Instances: directory, leases, news.
export { postgresDirectory } from './instances/postgres-directory.js';
export { postgresLeases } from './instances/postgres-leases.js';
export { PostgresNews } from './instances/postgres-news.js';
export type { PostgresNewsOptions } from './instances/postgres-news.js';
