/** What people see of a tool: whose it is and what it does. The name for machines is not its matter. */

import type { ToolAnnotations } from './hints.js';
import { isObject, ownProperty, ownText } from './property.js';

/** What a title is made of; all of it may be missing. */
export interface TitleParts {
  /** The server's or adapter's name for people, such as `Apple Mail`. */
  readonly displayName?: string | undefined;
  /** The tool's own title. */
  readonly title?: unknown;
  /** The tool's annotations, which may hold an older form of the title. */
  readonly annotations?: unknown;
  /** A title made from the tool's name, for a tool that has none. */
  readonly fallback?: string | undefined;
}

/** `{Display Name} — {Title}`; the title alone or the display name alone when the other is missing. */
export function toolTitle(parts: TitleParts): string | undefined {
  const owner = ownText(parts, 'displayName');
  const title = titleOf(parts) ?? ownText(parts, 'fallback');
  if (owner === undefined || title === undefined) return title ?? owner;
  return namesOwner(title, owner) ? title : `${owner} — ${title}`;
}

/** The title that clients show: `title`, else `annotations.title`. */
export function titleOf(tool: unknown): string | undefined {
  return ownText(tool, 'title') ?? ownText(ownProperty(tool, 'annotations'), 'title');
}

/** A copy of the tool with the title in both places where clients look; all else stays as it was. */
export function withTitle<T extends object>(
  tool: T,
  title: string,
): T & { readonly title: string; readonly annotations: ToolAnnotations } {
  const annotations = ownProperty(tool, 'annotations');
  return { ...tool, title, annotations: { ...(isObject(annotations) ? annotations : {}), title } };
}

/** `GitHub` and `GitHub: Create issue` name GitHub as owner; `Memory usage` does not name Memory so. */
function namesOwner(title: string, owner: string): boolean {
  const start = title.slice(0, owner.length);
  const rest = title.slice(owner.length);
  return start.toLowerCase() === owner.toLowerCase() && /^(?:$|\s*[—–:]|\s+-|-\s)/u.test(rest);
}
