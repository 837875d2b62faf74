/**
 * The schema, step by step. A step is never changed once it is released. Old and new instances run side by side
 * during an upgrade, so a step only adds. Unused tables are dropped one version later.
 */

import { AUDIT_STEP } from './audit-step.js';
import { DOCUMENTS_STEP } from './documents-step.js';
import { GOVERNANCE_STEP } from './governance-step.js';
import { INSTANCES_STEP } from './instances-step.js';
import type { Migration } from './migration.js';
import { REPORTS_STEP } from './reports-step.js';

export const MIGRATIONS: readonly Migration[] = [
  INSTANCES_STEP,
  AUDIT_STEP,
  GOVERNANCE_STEP,
  DOCUMENTS_STEP,
  REPORTS_STEP,
];
