// A sandbox Lightdash for tests.
export { Sandbox, SANDBOX_TOKEN, type SandboxOptions, type SeenRequest } from './sandbox.js';
export type { FaultName, FaultRule } from './fault.js';
export { JAFFLE_SHOP } from './world/projects.js';
export { runSandbox } from './run-sandbox.js';
