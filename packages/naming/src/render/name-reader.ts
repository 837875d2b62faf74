/**
 * The inverse of rendering: finds a tool's identity from the name that a client shows. For
 * diagnostics; calls are routed by a table, not by reading names.
 */

import { createNameParser } from './name-parser.js';
import { createToolRenderer, leavesOutKeys, profilePattern, takesAll } from './renderer.js';
import type { RendererOptions } from './renderer.js';
import { ownsName } from './repeated-key.js';
import { parseCanonicalName, serverKeyProblem, type ToolRef } from '../identity/tool-ref.js';

/**
 * Reads exact and marked names. `undefined`: the name is hashed, is never rendered, or has no
 * server.
 */
export function createNameReader(options: RendererOptions): (name: string) => ToolRef | undefined {
  const render = createToolRenderer(options);
  const pattern = options.pattern ?? profilePattern(options.profile);
  const { read } = createNameParser(pattern, leavesOutKeys(options));
  const { keys = [] } = options;
  return function readName(name) {
    const owner = keys.find((server) => ownsName({ server, tool: name }, keys));
    if (owner !== undefined && render({ server: owner, tool: name }).name === name) {
      return { server: owner, tool: name };
    }
    const { server, tool } = (takesAll(options) ? canonicalValues(name) : read(name)) ?? {};
    if (!server || !tool || serverKeyProblem(server) !== undefined) return undefined;
    // Each tool has exactly one name, so a name with another spelling of its mark does not count.
    return render({ server, tool }).name === name ? { server, tool } : undefined;
  };
}

function canonicalValues(name: string): Partial<ToolRef> {
  const parsed = parseCanonicalName(name);
  return parsed.ok ? parsed.ref : {};
}
