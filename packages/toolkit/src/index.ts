// Registering tools.
export {
  createRegistrar,
  registerToolSafe,
  type Labelled,
  type Registrar,
  type RegistrarOptions,
  type ToolArguments,
  type ToolHandler,
  type ToolInput,
  type ToolOptions,
} from './register/registrar.js';
export { withToolMethod, type WithToolMethod } from './register/tool-method.js';
export type { ToolAnswer, ToolData } from './register/tool-answer.js';
export { TOOL_PREFIX } from './label/tool-name.js';
export type { ToolContext } from './server/tool-context.js';
export type { ProgressStep, ReportProgress } from './server/progress.js';
export type { Registered, ToolResult, ToolServer } from './server/sdk-server.js';

// Labels: every hint explicit.
export { DEFAULT_ANNOTATIONS } from './label/label.js';
export {
  type Preset,
  READ_ONLY_DEFAULT,
  READ_ONLY_OPEN_WORLD,
  WRITE_ADDITIVE,
  WRITE_DESTRUCTIVE,
  WRITE_DESTRUCTIVE_OPEN_WORLD,
  WRITE_IDEMPOTENT,
} from './label/presets.js';
export type { AnyAnnotations, PresetAnnotations } from './label/label.js';

// Interceptors, and their order.
export type { ToolInterceptor, ToolCall, CalledTool } from './interceptors/tool-interceptor.js';
export { type Outcome, refused, type Status } from './server/outcome.js';
export type { InterceptorSettings } from './interceptors/interceptor-order.js';
export type { AllowList } from './interceptors/allow-list.js';
export type { AuditRecord, AuditSink } from './interceptors/audit.js';
export type { InputCheck } from './interceptors/check-input.js';
export { requireRole } from './interceptors/require-role.js';
export { SAFETY_MODES, type SafetyMode, type SafetySetting } from './interceptors/safety-mode.js';

// Removing secrets from text.
export { redact } from './interceptors/redact.js';

// Linters, and the way back from a name that a client shows.
export { lintAnnotations } from '@callsign/effects';
export { createNameReader, lintNames } from '@callsign/naming';

// For the tests of your own server.
export {
  type ConnectedClient,
  expectWellLabelled,
  type InProcessServer,
  LabelError,
  type LabelExpectations,
} from './lint/expect-well-labelled.js';
export type { ServerCommand } from './lint/child-channel.js';
