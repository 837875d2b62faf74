/** Reads records in threads while calls are made. Does not load the database itself. */

export { ThreadedRecords } from './threaded-records.js';
export type { ThreadedRecordsOptions } from './threaded-records.js';
export { FILTER_WORDS, FilterError, filterFrom } from './filter-words.js';
export type { FilterWords } from './filter-words.js';
export { defaultAuditFolder } from '../journal/journal-folder.js';
export { storedRecord } from '../store/stored-call.js';
