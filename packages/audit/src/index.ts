export { AUDIT_SETTINGS } from './record/audit-settings.js';
export type { AuditSettings } from './record/audit-settings.js';
export { Audit } from './modules/audit.js';
export type { AuditStatus, ConfiguredStore } from './modules/audit.js';
export { bounded } from './record/bounded.js';
export { auditModules } from './modules/audit-modules.js';
export type { AuditModules } from './modules/audit-modules.js';

// For custom stores.
export type { AuditFilter } from './store/audit-filter.js';
export type {
  AuditStore,
  JournalSlice,
  ListOptions,
  QueryResult,
  Stats,
  StatsGroup,
  StoredCall,
  StoredEvent,
  StoredRecord,
  StoreModule,
  TimelineStep,
} from './store/audit-store.js';
export type { JournalSource, LinePiece, SourceJournal } from './journal/journal-source.js';
export type { Position, Positions } from './journal/position.js';
export type { Anchor, Place } from './journal/anchor.js';
export type { Line } from './journal/read-lines.js';
export type { AuditRecord } from './record/audit-record.js';

// Answers about records.
export type { ShownRecord } from './query/audit-reader.js';
export type { Verification } from './query/verify.js';
