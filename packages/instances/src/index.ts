// The directory of running instances.
export { KEPT_MS, SILENCE_MS } from './directory/instance-directory.js';
export type {
  Announcement,
  Instance,
  InstanceDirectory,
  KnownInstance,
} from './directory/instance-directory.js';
export { readReport } from './directory/instance-report.js';
export type { InstanceReport, ReportedServer } from './directory/instance-report.js';
export { Membership } from './directory/membership.js';
export type { MembershipOptions } from './directory/membership.js';

// Leases.
export { RenewedLease, LEASE_MS } from './leases/renewed-lease.js';
export { leaseName } from './leases/leases.js';
export type { Lease, Leases } from './leases/leases.js';

// What others keep for us.
export { Seal } from './keys/seal.js';

// News between instances.
export type { News } from './news/news.js';

// The database that instances share.
export { StorageError } from './storage/storage-error.js';
export { STORAGE_SETTINGS } from './storage/storage-settings.js';
export type { StorageSettings, StorageTls } from './storage/storage-settings.js';
