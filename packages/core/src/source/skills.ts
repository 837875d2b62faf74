/**
 * The skills of a server: the entries of `skills/list`, each named by the URI of its `SKILL.md`.
 * Only URIs in them are ever changed.
 */

import { elementsOf, memberText, withMembers } from '../json/json-text.js';
import type { Item } from '../call/item.js';

/** The scheme of the URIs of skills and of their files. */
export const SKILL_SCHEME = 'skill://';

/** The URIs of a skill: its `SKILL.md`, and its files. */
export function urisOfSkill({ name, json }: Item): readonly string[] {
  const files = elementsOf(memberText(json, 'resources') ?? '') ?? [];
  return [...new Set([name, ...files.flatMap((file) => uriIn(file) ?? [])])];
}

/** The folder of a skill, with its last slash. */
export function rootOf(uri: string): string {
  return uri.slice(0, uri.lastIndexOf('/') + 1);
}

/**
 * An entry, or a result about skills, with other URIs: its own, those of its files, and those of
 * nested entries. Front matter and digests stay as they are.
 */
export function withSkillUris(json: string, rename: (uri: string) => string): string {
  if (!json.startsWith('{')) return json;
  let changed = renamed(json, rename);
  const skill = memberText(changed, 'skill');
  if (skill?.startsWith('{'))
    changed = withMembers(changed, { skill: withSkillUris(skill, rename) });
  for (const member of ['resources', 'contents', 'skills']) {
    const elements = elementsOf(memberText(changed, member) ?? '');
    const each = elements?.map((one) =>
      member === 'skills' ? withSkillUris(one, rename) : renamed(one, rename),
    );
    if (each && each.some((one, i) => one !== elements![i]))
      changed = withMembers(changed, { [member]: `[${each.join(',')}]` });
  }
  return changed;
}

function renamed(json: string, rename: (uri: string) => string): string {
  const uri = json.startsWith('{') ? uriIn(json) : undefined;
  const other = uri === undefined ? undefined : rename(uri);
  return other === uri ? json : withMembers(json, { uri: JSON.stringify(other) });
}

function uriIn(json: string): string | undefined {
  const text = memberText(json, 'uri');
  return text?.startsWith('"') ? (JSON.parse(text) as string) : undefined;
}
