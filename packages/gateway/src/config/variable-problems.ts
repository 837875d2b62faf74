/**
 * Problems with variables. Messages name variables and never quote values, which may be secrets.
 */

import { snakeCase } from '@callsign/naming';
import type { Node } from 'jsonc-parser';

import type { ProblemLog, VariableFault } from '@callsign/config';

export function logVariableFault({ kind, name }: VariableFault, at: Node, log: ProblemLog): void {
  if (kind === 'missing') {
    const message = `needs the environment variable ${name}, which is not set`;
    const advice = `set it, or give a default: "\${${name}:-default}"; "$$" keeps a "$" as text`;
    log.problem('missing-variable', at, message, advice);
  } else if (kind === 'editor') {
    const message = `needs \${${name}}, which only an editor can fill in`;
    const variable = snakeCase(name.replace(/^.*:/, '')).toUpperCase() || 'VALUE';
    const advice = `put the value into an environment variable and write "\${${variable}}"`;
    log.problem('editor-variable', at, message, advice);
  } else {
    const message = 'contains a "${" that starts no variable';
    const advice = 'write "${NAME}" or "${NAME:-default}"; "$${" keeps it as text';
    log.problem('malformed-variable', at, message, advice);
  }
}
