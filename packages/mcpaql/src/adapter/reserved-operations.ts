/** Names of the protocol's own operations. */

export const INTROSPECT = 'introspect';

export const RESERVED_OPERATIONS: ReadonlySet<string> = new Set([
  INTROSPECT,
  'execute_agent',
  'complete_execution',
  'abort_execution',
  'confirm_operation',
  'record_execution_step',
  'verify_challenge',
]);
