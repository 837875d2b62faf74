/** Records for those who look at them while calls are made: in threads. The database is not loaded here. */

export { ThreadedRecords } from './threaded-records.js';
export type { ThreadedRecordsOptions } from './threaded-records.js';
export { FILTER_WORDS, FilterError, filterFrom } from './filter-words.js';
export type { FilterWords } from './filter-words.js';
export { defaultAuditFolder } from '../journal/journal-folder.js';
export { rowOf } from '../store/call-row.js';
