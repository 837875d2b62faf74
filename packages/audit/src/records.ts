/** Records for those who look at them while calls are made: in threads. The database is not loaded here. */

export { ThreadedRecords } from './query/threaded-records.js';
export type { ThreadedRecordsOptions } from './query/threaded-records.js';
export { FILTER_WORDS, FilterError, filterFrom } from './query/filter-words.js';
export type { FilterWords } from './query/filter-words.js';
export { defaultAuditFolder } from './journal/journal-folder.js';
export { rowOf } from './store/call-row.js';
