export { canShowForm, SCOPES } from './policy/question.js';
export type { ScriptCall, SummaryArguments } from './policy/question.js';
export { numbersIn } from './policy/call-numbers.js';
export { createPolicy } from './policy/policy.js';
export type { Policy } from './policy/policy.js';
export { roleRefusal } from './roles/role-refusal.js';
export { createRoles } from './roles/roles.js';
export type { Roles } from './roles/roles.js';
export { fileLock, lockFileOf, startedFrom } from './lock/lock-store.js';
export type { LockStore } from './lock/lock-store.js';
export { definitionOf, wholeDefinitionOf } from './lock/definition.js';
export {
  isInstructions,
  judgedItems,
  judgedKind,
  judgedName,
  judgedOwnName,
} from './lock/judged-items.js';
export type { JudgedKind, JudgedOffer } from './lock/judged-items.js';
export { ToolLock } from './lock/tool-lock.js';
export type { Standing, ToolStanding } from './lock/tool-lock.js';
export type { Quota } from './limits/call-settings.js';
export { Approvals, isAbout } from './policy/approvals.js';
export { NotPosted } from './policy/approval-store.js';
export type { ApprovalStore, StoredApproval, PostedApproval } from './policy/approval-store.js';
export { isSameDecision, localQueue, SharedApprovals } from './policy/shared-approvals.js';
export type { ApprovalQueue } from './policy/shared-approvals.js';
export { QuotaBlock } from './limits/quota-block.js';
export type { Block, BlockRequest, QuotaStore } from './limits/quota-store.js';
export type { SharedQuotas } from './limits/quota-block.js';
export type { AnswerStore } from './policy/answer-store.js';
export type {
  DecidedApproval,
  OperatorDecision,
  Outcome,
  PendingApproval,
} from './policy/approvals.js';
export { createSets, judgeSet, labelWords, toolsIn } from './sets/sets.js';
export type { Sets, SetVerdict } from './sets/sets.js';
export { logSetProblems } from './sets/set-problems.js';
export { setsModule } from './sets/sets-module.js';
export { LABEL_WORDS, SETS } from './sets/sets-settings.js';
export type { LabelWord, SetsSettings, ToolSet } from './sets/sets-settings.js';
export { logRoleProblems } from './roles/role-problems.js';
export { policyFrom, POLICY_SETTINGS, WRITTEN_POLICY } from './policy/policy-settings.js';
export type { PolicySettings, WrittenPolicy } from './policy/policy-settings.js';
export { mayReadMetrics } from './roles/metrics-readers.js';
export { ACCESS, ROLES } from './roles/roles-settings.js';
export type { AccessSettings, Role, RolesSettings } from './roles/roles-settings.js';
export { QUARANTINE_MODE, LOCK_MODE } from './lock/lock-settings.js';
export type { QuarantineMode, LockMode } from './lock/lock-settings.js';
export { BREAKER, QUOTA, QUOTAS, RETRY } from './limits/call-settings.js';
export type { BreakerSettings, QuotaSettings, RetrySettings } from './limits/call-settings.js';
export { withheldTools } from './lock/withheld-tools.js';
export { lockModules } from './lock/lock-modules.js';
export type { LockModules } from './lock/lock-modules.js';
export type { ToolNote } from './lock/tool-notes.js';
export { Confirmation } from './policy/confirmation.js';
export { policyModule } from './policy/policy-module.js';
export {
  adapterConfirmationModule,
  argumentsWithYes,
  paramsWithYes,
  wantedByResult,
  wantedYes,
} from './policy/adapter-confirmation.js';
export type { WantedYes } from './policy/adapter-confirmation.js';
export { rolesModule } from './roles/roles-module.js';
export {
  breakerModule,
  quotaModule,
  retryModule,
  sizeModule,
  timeoutModule,
} from './limits/limit-modules.js';
export { gate } from './gate/gate.js';
export type { DecidingModule, GateOptions } from './gate/gate.js';
