/**
 * All steps of the schema, in order. A released step is never changed. During an upgrade, old and
 * new instances run side by side, so a step only adds. Tables that are no longer used are dropped
 * one version later.
 */

import { ACCOUNTS_STEP } from './accounts-step.js';
import { AUDIT_STEP } from './audit-step.js';
import { DOCUMENTS_STEP } from './documents-step.js';
import { GOVERNANCE_STEP } from './governance-step.js';
import { INSTANCES_STEP } from './instances-step.js';
import type { Migration } from './migration.js';
import { OUTCOMES_STEP } from './outcomes-step.js';
import { REPORTS_STEP } from './reports-step.js';
import { SCRIPTS_STEP } from './scripts-step.js';
import { TASKS_STEP } from './tasks-step.js';
import { WAITING_STEP } from './waiting-step.js';

/** Add new steps at the end. */
export const MIGRATIONS: readonly Migration[] = [
  INSTANCES_STEP,
  AUDIT_STEP,
  GOVERNANCE_STEP,
  DOCUMENTS_STEP,
  REPORTS_STEP,
  TASKS_STEP,
  OUTCOMES_STEP,
  SCRIPTS_STEP,
  ACCOUNTS_STEP,
  WAITING_STEP,
];
