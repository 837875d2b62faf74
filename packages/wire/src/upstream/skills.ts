/** Fetches the skills of a server, all pages. Servers without the extension are not asked. */

import { elementsOf, memberText, skillIn, type Item } from '@callsign/core';
import { hasExtension, SKILLS_EXTENSION } from '@callsign/extensions';

import type { Connection } from './connection.js';
import { cursorIn } from './lists.js';

export interface SkillsOptions {
  readonly connection: Connection;
  /** As JSON text. */
  readonly capabilities: string;
  readonly timeoutMs: number;
  /** `_meta` for our own requests, if the era needs it. */
  readonly meta?: string | undefined;
  readonly warn: (message: string) => void;
}

const MOST_PAGES = 64;
const MOST_SKILLS = 2_000;

/** `undefined`: the server has no skills. */
export async function fetchSkills(options: SkillsOptions): Promise<readonly Item[] | undefined> {
  const { connection, capabilities, timeoutMs, meta, warn } = options;
  if (!hasExtension(capabilities, SKILLS_EXTENSION)) return undefined;
  const skills = new Map<string, Item>();
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES && skills.size < MOST_SKILLS; page++) {
    const members = [
      ...(cursor === undefined ? [] : [`"cursor":${cursor}`]),
      ...(meta === undefined ? [] : [`"_meta":${meta}`]),
    ];
    const reply = await connection
      .request('skills/list', `{${members.join(',')}}`, timeoutMs)
      .catch(() => undefined);
    const entries = reply?.ok ? elementsOf(memberText(reply.json, 'skills') ?? '') : undefined;
    if (!reply || !entries) {
      warn(`skills/list failed: ${(reply?.json ?? 'no answer').slice(0, 300)}`);
      break;
    }
    for (const entry of entries) {
      const skill = skillIn(entry);
      if (skill && !skills.has(skill.name)) skills.set(skill.name, skill);
    }
    cursor = cursorIn(memberText(reply.json, 'nextCursor'));
    if (cursor === undefined) break;
  }
  return [...skills.values()];
}
