/** The inverse of rendering: from a name that a client shows to the tool's identity. */

import { createNameParser } from './name-parser.js';
import { createToolRenderer, leavesOutKeys, profilePattern, takesAll } from './renderer.js';
import type { RendererOptions } from './renderer.js';
import { parseCanonicalName, serverKeyProblem, type ToolRef } from '../identity/tool-ref.js';

/**
 * Reads exact and marked names; needs no list of tools. `undefined` for a hashed name, for a name that
 * is never rendered, and for every name that does not hold the server.
 */
export function createNameReader(options: RendererOptions): (name: string) => ToolRef | undefined {
  const render = createToolRenderer(options);
  const pattern = options.pattern ?? profilePattern(options.profile);
  const { read } = createNameParser(pattern, leavesOutKeys(options));
  return function readName(name) {
    const { server, tool } = (takesAll(options) ? canonicalValues(name) : read(name)) ?? {};
    if (!server || !tool || serverKeyProblem(server) !== undefined) return undefined;
    // Each tool has one name, so a second spelling of a mark is no name at all.
    return render({ server, tool }).name === name ? { server, tool } : undefined;
  };
}

function canonicalValues(name: string): Partial<ToolRef> {
  const parsed = parseCanonicalName(name);
  return parsed.ok ? parsed.ref : {};
}
