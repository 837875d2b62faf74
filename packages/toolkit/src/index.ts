// Registering tools.
export { registerToolSafe } from './register-tool-safe.js';
export {
  createRegistrar,
  type Labelled,
  type Registrar,
  type RegistrarOptions,
  type ToolHandler,
  type ToolOptions,
} from './registrar.js';
export { TOOL_PREFIX } from './tool-name.js';
export type { ToolContext } from './tool-context.js';
export type { ReportProgress } from './progress.js';
export type { Registered, ToolResult, ToolServer } from './sdk-server.js';

// Labels: every hint explicit.
export { DEFAULT_ANNOTATIONS } from '@callsign/annotations';
export {
  type Preset,
  READ_ONLY_DEFAULT,
  READ_ONLY_OPEN_WORLD,
  WRITE_ADDITIVE,
  WRITE_DESTRUCTIVE,
  WRITE_DESTRUCTIVE_OPEN_WORLD,
  WRITE_IDEMPOTENT,
} from './presets.js';
export type { HonestAnnotations, PresetAnnotations } from './label.js';

// Guards, and the order in which they stand.
export type { Guard, GuardedCall, GuardedTool } from './guard.js';
export { type Outcome, refused, type Status } from './outcome.js';
export type { GuardSettings } from './guards/guard-order.js';
export type { AllowList } from './guards/allow-list.js';
export type { AuditRecord, AuditSink } from './guards/audit.js';
export type { InputCheck } from './guards/check-input.js';
export { requireRole } from './guards/require-role.js';
export { SAFETY_MODES, type SafetyMode, type SafetySetting } from './guards/safety-mode.js';

// What may leave the server.
export { redact } from './redact.js';

// For the tests of your own server.
export {
  type ConnectedClient,
  expectWellLabelled,
  type InProcessServer,
  LabelError,
  type LabelExpectations,
} from './lint/expect-well-labelled.js';
export type { ServerCommand } from './lint/child-channel.js';
