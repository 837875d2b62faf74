/** The sets that a tool is in, and those that it is not in. */

import type { ToolInSet } from '@callsign/gateway/admin/data';

import { Badge } from '../view/badge.js';
import { line } from '../view/shown-text.js';

export function ToolSets({ sets }: { readonly sets: readonly ToolInSet[] }) {
  if (sets.length === 0) return null;
  return (
    <>
      <h3>Sets</h3>
      <ul class="findings">
        {sets.map(({ name, isIn, because }) => (
          <li key={name}>
            <Badge word={isIn ? 'in' : 'not in'} /> <code>{line(name, 64)}</code>{' '}
            <span class="dim">{line(because, 300)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
