/** Names of the protocol's own operations. */

export const INTROSPECT = 'introspect';

/** Names that no operation of an adapter may have. Not all of them are implemented. */
export const RESERVED_OPERATIONS: ReadonlySet<string> = new Set([
  INTROSPECT,
  'execute_agent',
  'complete_execution',
  'abort_execution',
  'confirm_operation',
  'record_execution_step',
  'verify_challenge',
]);
