/** The official SDK's clients, old and new. */

import { register } from 'node:module';

// The test runner makes Node prefer the sources of our packages. A dependency of the SDK has
// sources too, which must not be loaded.
const asPublished = `export const resolve = (specifier, context, next) =>
  next(specifier, { ...context, conditions: context.conditions.filter((each) => each !== 'source') });`;
register(`data:text/javascript,${encodeURIComponent(asPublished)}`);

export const v2 = {
  ...(await import('@modelcontextprotocol/client')),
  ...(await import('@modelcontextprotocol/client/stdio')),
};

export const v1 = {
  ...(await import('@modelcontextprotocol/sdk/client/index.js')),
  ...(await import('@modelcontextprotocol/sdk/client/sse.js')),
  ...(await import('@modelcontextprotocol/sdk/client/streamableHttp.js')),
  ...(await import('@modelcontextprotocol/sdk/types.js')),
};
