/** Capabilities beyond the lists (tasks and extensions), merged from many servers. */

import { isObject, membersOf, memberText, type Era } from '@callsign/core';

type Settings = Readonly<Record<string, unknown>>;

/** The key of tasks under `capabilities.extensions`, in the stateless era. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';
/** The key of skills under `capabilities.extensions`. */
export const SKILLS_EXTENSION = 'io.modelcontextprotocol/skills';

/** The capabilities of a gateway whose calls may wait for an operator, for both eras. */
export const OWN_CAPABILITIES: string = JSON.stringify({
  tasks: { requests: { tools: { call: {} } } },
  extensions: { [TASKS_EXTENSION]: {} },
});

/**
 * The tasks and extensions that any server offers, for clients of an era. `servers`: capabilities
 * as JSON text. Other capabilities are announced elsewhere.
 */
export function extensionCapabilities(
  servers: readonly string[],
  era: Era,
): Readonly<Record<string, object>> {
  const extensions: Record<string, Settings> = {};
  let tasks: Settings | undefined;
  for (const capabilities of servers) {
    const own = settingsIn(memberText(capabilities, 'extensions'));
    for (const [id, settings] of Object.entries(own ?? {})) {
      if (isObject(settings)) extensions[id] = merged(extensions[id] ?? {}, settings);
    }
    const offered = settingsIn(memberText(capabilities, 'tasks'));
    if (offered) tasks = merged(tasks ?? {}, offered);
  }
  // In the session era tasks are a capability. In the stateless era they are an extension.
  if (era === 'session') delete extensions[TASKS_EXTENSION];
  return {
    ...(tasks && era === 'session' ? { tasks: { ...tasks, list: {}, cancel: {} } } : {}),
    ...(Object.keys(extensions).length > 0 ? { extensions } : {}),
  };
}

/** Whether a server offers an extension. */
export function hasExtension(capabilities: string, id: string): boolean {
  return membersOf(memberText(capabilities, 'extensions') ?? '{}')?.has(id) === true;
}

/**
 * The capabilities of a server, for clients of the other era. Its tasks become tasks of the
 * gateway.
 */
export function tasksForEra(capabilities: string, era: Era): string {
  const rest = withoutTasks(capabilities);
  const calls = memberText(memberText(capabilities, 'tasks') ?? '{}', 'requests') ?? '{}';
  const hasTasks =
    era === 'session'
      ? hasExtension(capabilities, TASKS_EXTENSION)
      : memberText(memberText(calls, 'tools') ?? '{}', 'call') !== undefined;
  if (!hasTasks) return rest;
  const { extensions, ...others } = JSON.parse(rest) as Record<string, unknown>;
  const own = isObject(extensions) ? extensions : {};
  return JSON.stringify(
    era === 'session'
      ? { ...others, extensions: own, tasks: { requests: { tools: { call: {} } } } }
      : { ...others, extensions: { ...own, [TASKS_EXTENSION]: {} } },
  );
}

/** Capabilities without tasks of either era. */
export function withoutTasks(capabilities: string): string {
  const { tasks: _, extensions, ...rest } = JSON.parse(capabilities) as Record<string, unknown>;
  if (!isObject(extensions)) return JSON.stringify(rest);
  const { [TASKS_EXTENSION]: __, ...others } = extensions;
  return JSON.stringify({ ...rest, extensions: others });
}

/** Merges objects and joins lists. Of other values the first is kept. */
function merged(a: Settings, b: Settings): Settings {
  const both: Record<string, unknown> = { ...a };
  for (const [key, value] of Object.entries(b)) {
    const before = both[key];
    if (before === undefined) both[key] = value;
    else if (isObject(before) && isObject(value)) both[key] = merged(before, value);
    else if (Array.isArray(before) && Array.isArray(value)) {
      both[key] = [...new Set([...(before as unknown[]), ...(value as unknown[])])];
    }
  }
  return both;
}

function settingsIn(text: string | undefined): Settings | undefined {
  const value: unknown = text === undefined ? undefined : JSON.parse(text);
  return isObject(value) ? value : undefined;
}
