/** Writes an entry. Resolves when it is written, or to the reason why it is not. */

import type { Journal } from '../journal/journal.js';
import type { AuditEntry } from '../record/audit-entry.js';

export function committed(journal: Journal, entry: AuditEntry): Promise<string | undefined> {
  return new Promise((resolve) => journal.commit(entry, resolve));
}
