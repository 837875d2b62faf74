/** What a caller gets of a server at which callers have accounts: with an account everything, without one a way to link it. */

import {
  type Call,
  type Caller,
  CallsignError,
  changedSource,
  createEntry,
  type Item,
  memberText,
  NOTHING,
  type Question,
  type Reply,
  resultOf,
  type Route,
  type Source,
  type Target,
} from '@callsign/core';
import { toolTitle } from '@callsign/effects';
import { displayName } from '@callsign/naming';

/** The one tool of a server at which a caller has no account. */
const SIGN_IN_TOOL = 'sign_in';

export interface UnlinkedOptions {
  readonly server: string;
  /** Whose account is missing. */
  readonly person: string;
  /** What people call the server. */
  readonly title: string;
  /** The error that says how to link an account. */
  readonly needed: () => CallsignError;
  /** The page on which the caller can link one. Missing if there are no pages. */
  readonly link: () => string | undefined;
  /** Lists that are shown meanwhile. Missing: only the tool `sign_in`. */
  readonly lists: Source | undefined;
  /** The source of the caller's account, once there is one. */
  readonly linked: () => Source | undefined;
  /** Resolves when the caller has an account, or with false if that takes too long. */
  readonly whenLinked: () => Promise<boolean>;
}

/** The server for a caller without an account. Nothing reaches the server. */
export function unlinkedSource(options: UnlinkedOptions): Source {
  const { server, lists } = options;
  if (lists) {
    return changedSource(lists, {
      account: options.person,
      route(kind, name) {
        const { item } = lists.route(kind, name) ?? {};
        const send = async (call: Call): Promise<Reply> => {
          const isNew = await linked(options, call);
          // The modules have decided about what was listed before. They must decide about what this account offers.
          if (isNew) await call.context.recheck?.();
          const route = options.linked()?.route(kind, name);
          if (route) return await route.send(call);
          const reason = 'your account there does not have this item';
          throw new CallsignError('upstream-unavailable', { server, reason });
        };
        return item && { item, send };
      },
      relay: () => undefined,
      tell: () => undefined,
    });
  }
  const item = signInItem(server, options.title);
  const send = async (call: Call): Promise<Reply> => {
    await linked(options, call);
    const text = `The account is linked. The tools of ${options.title} are listed now.`;
    return resultOf({ content: [{ type: 'text', text }] });
  };
  const offer = { ...NOTHING, tool: [item] };
  return {
    offer,
    account: options.person,
    route: (kind, name) =>
      kind === 'tool' && name === SIGN_IN_TOOL ? { item, send, isSignIn: true } : undefined,
    subscribe: () => () => undefined,
    tell: () => undefined,
  };
}

export interface LinkedOptions {
  /** Whether the account still counts. */
  readonly isCurrent: () => boolean;
  readonly needed: () => CallsignError;
  /** Called when a call finds that the account does not count any more. */
  readonly onGone: () => void;
}

/** A server of one account. A call after the account was removed does not reach it. */
export function linkedSource(
  account: string,
  source: Source,
  { isCurrent, needed, onGone }: LinkedOptions,
): Source {
  const checked = async (send: () => Promise<Reply>): Promise<Reply> => {
    if (isCurrent()) return await send();
    onGone();
    throw needed();
  };
  return changedSource(source, {
    account,
    route: (kind, name) => {
      const route = source.route(kind, name);
      return route && { ...route, send: (call) => checked(() => route.send(call)) };
    },
    relay: (server, call) => {
      if (isCurrent()) return source.relay?.(server, call);
      onGone();
      return Promise.reject(needed());
    },
  });
}

/** Waits for the account if the client can show a page, and fails with the link otherwise. Returns whether it waited. */
async function linked(options: UnlinkedOptions, { caller, context }: Call): Promise<boolean> {
  const { title, needed, whenLinked } = options;
  if (options.linked()) return false;
  const link = options.link();
  if (link === undefined || !context.ask || !canOpenPage(caller)) throw needed();
  let complete!: () => void;
  const completed = new Promise<void>((resolve) => {
    complete = resolve;
  });
  const asked = context.ask({ ...questionFor(title, link), completed });
  const isLinked = asked.then(async ({ ok, json }) => {
    if (!ok || memberText(json, 'action') !== '"accept"') return false;
    // The person needs this time, not the server.
    context.timer?.pause();
    return whenLinked().finally(() => context.timer?.resume());
  });
  if (!(await context.whileWaiting(isLinked, () => performance.now()))) throw needed();
  complete();
  return true;
}

function questionFor(title: string, url: string): Question {
  const message = `To use ${title} in your name, sign in on this page and link your account.`;
  const params = JSON.stringify({ mode: 'url', message, url });
  return { method: 'elicitation/create', params };
}

function canOpenPage(caller: Caller): boolean {
  if (!caller.can('elicitation')) return false;
  const declared = memberText(caller.capabilities, 'elicitation') ?? '{}';
  return memberText(declared, 'url') !== undefined;
}

/** The tool `sign_in` of a server, for questions about who may use it. */
export function signInTarget(server: string, title: string | undefined): Target {
  const item = signInItem(server, title ?? server);
  const route: Route = {
    item,
    isSignIn: true,
    send: () => Promise.reject(new Error('not served')),
  };
  const ref = { server, tool: SIGN_IN_TOOL };
  return createEntry({ kind: 'tool', ref, item, route, displayName: title ?? server });
}

function signInItem(server: string, title: string): Item {
  const shown = displayName(server, title);
  const json = JSON.stringify({
    name: SIGN_IN_TOOL,
    title: toolTitle({ displayName: shown, title: 'Sign in' }),
    description: `Links the user's own account at ${shown}. Its tools are listed after that. The answer has a link, which the user must open.`,
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  });
  return { name: SIGN_IN_TOOL, json };
}
