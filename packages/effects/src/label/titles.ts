/** Titles for people: the server that a tool belongs to, and what the tool does. */

import type { ToolAnnotations } from '../hints/hints.js';
import { isObject, ownProperty, ownText } from '../hints/property.js';

/** The inputs of a title. Each may be missing. */
export interface TitleParts {
  /** The server's or adapter's name for people, such as `Apple Mail`. */
  readonly displayName?: string | undefined;
  /** The tool's own title. */
  readonly title?: unknown;
  /** The tool's annotations, where older servers put the title. */
  readonly annotations?: unknown;
  /** A title made from the tool's name, for a tool that has none. */
  readonly fallback?: string | undefined;
}

/**
 * `{Display Name} — {Title}`, or one of them if the other is missing. The title "Slack List
 * Channels" of Slack becomes "Slack — List Channels".
 */
export function toolTitle(parts: TitleParts): string | undefined {
  const owner = ownText(parts, 'displayName');
  const title = titleOf(parts) ?? ownText(parts, 'fallback');
  if (owner === undefined || title === undefined) return title ?? owner;
  return namesOwner(title, owner) ? title : `${owner} — ${withoutOwner(title, owner)}`;
}

/** Removes the owner before a capital or a digit. "Memory usage" is a phrase and stays. */
function withoutOwner(title: string, owner: string): string {
  const rest = title.slice(owner.length);
  const isRepeated = title.slice(0, owner.length).toLowerCase() === owner.toLowerCase();
  return isRepeated && /^\s+[\p{Lu}\p{N}]/u.test(rest) ? rest.trim() : title;
}

/** The title that clients show: `title`, or else `annotations.title`. */
export function titleOf(tool: unknown): string | undefined {
  return ownText(tool, 'title') ?? ownText(ownProperty(tool, 'annotations'), 'title');
}

/** A copy of the tool with the title in both places where clients look; the rest is unchanged. */
export function withTitle<T extends object>(
  tool: T,
  title: string,
): T & { readonly title: string; readonly annotations: ToolAnnotations } {
  const annotations = ownProperty(tool, 'annotations');
  return { ...tool, title, annotations: { ...(isObject(annotations) ? annotations : {}), title } };
}

/**
 * Whether a title names its owner: `GitHub`, `GitHub: Create issue` and `GitHub API — Read` do,
 * `Memory usage` does not. The two characters before the colon are the long dashes.
 */
function namesOwner(title: string, owner: string): boolean {
  const [before, after] = title.split(/\s\u2014\s/u);
  if (after !== undefined && ` ${before} `.toLowerCase().includes(` ${owner} `.toLowerCase())) {
    return true;
  }
  const start = title.slice(0, owner.length);
  const rest = title.slice(owner.length);
  return (
    start.toLowerCase() === owner.toLowerCase() && /^(?:$|\s*[\u2014\u2013:]|\s+-|-\s)/u.test(rest)
  );
}
