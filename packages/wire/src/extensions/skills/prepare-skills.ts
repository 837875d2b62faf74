/** `skills/list`: the skills of all servers that a caller may see, in one list. */

import { Call, type Caller, CallsignError, type Reply, type Route } from '@callsign/core';

import { replyOf } from '../../rpc/message/rpc-error.js';
import { hasExtension, SKILLS_EXTENSION } from '../capabilities/extension-capabilities.js';
import type { ExtensionRequest } from '../request/extension-request.js';
import { asksForNextPage } from '../request/next-page.js';
import { foundWhileStarting } from '../request/while-starting.js';

/**
 * `whenListed` waits for servers that are starting, as for any other list. There is only one page.
 */
export function prepareSkills(
  { method, params, view, caller, context, starting }: ExtensionRequest,
  whenListed: (client: Caller['client']) => Promise<void>,
): { readonly call: Call; readonly route: Route } | { readonly reply: Reply } {
  if (asksForNextPage(params)) return { reply: replyOf(new CallsignError('unknown-cursor')) };
  const spans = { nameStart: -1, nameEnd: -1, tokenStart: -1, tokenEnd: -1 };
  const call = new Call({
    ...spans,
    method,
    params,
    name: '',
    caller,
    ...(context && { context }),
  });
  const send = async (): Promise<Reply> => {
    await whenListed(caller.client);
    const areOffered = (): true | undefined =>
      view
        .capabilitiesFor?.(caller.era)
        .some((capabilities) => hasExtension(capabilities, SKILLS_EXTENSION)) || undefined;
    if (!(await foundWhileStarting(() => view, starting, areOffered)))
      return replyOf(new CallsignError('method-not-found', { method }));
    const skills = view.skills ?? [];
    const cache = caller.era === 'stateless' ? ',"ttlMs":0,"cacheScope":"private"' : '';
    return { ok: true, json: `{"skills":[${skills.map(({ json }) => json).join(',')}]${cache}}` };
  };
  return { call, route: { send } };
}
