/** The inverse of rendering: finds the tool's identity from the name that a client shows. */

import { createNameParser } from './name-parser.js';
import { createToolRenderer, leavesOutKeys, profilePattern, takesAll } from './renderer.js';
import type { RendererOptions } from './renderer.js';
import { parseCanonicalName, serverKeyProblem, type ToolRef } from '../identity/tool-ref.js';

/**
 * Reads exact and marked names; needs no list of tools. `undefined` for a hashed name, a name that is never
 * rendered, and a name without the server.
 */
export function createNameReader(options: RendererOptions): (name: string) => ToolRef | undefined {
  const render = createToolRenderer(options);
  const pattern = options.pattern ?? profilePattern(options.profile);
  const { read } = createNameParser(pattern, leavesOutKeys(options));
  return function readName(name) {
    const { server, tool } = (takesAll(options) ? canonicalValues(name) : read(name)) ?? {};
    if (!server || !tool || serverKeyProblem(server) !== undefined) return undefined;
    // Each tool has one name, so another spelling of its mark is not a name.
    return render({ server, tool }).name === name ? { server, tool } : undefined;
  };
}

function canonicalValues(name: string): Partial<ToolRef> {
  const parsed = parseCanonicalName(name);
  return parsed.ok ? parsed.ref : {};
}
