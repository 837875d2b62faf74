/** The changed lines of a file. */

import type { DiffLine } from '@callsign/gateway/admin/data';

export function Diff({ lines }: { readonly lines: readonly DiffLine[] }) {
  if (lines.length === 0) return <p class="empty">The file would not change.</p>;
  return (
    <pre class="diff" tabIndex={0} aria-label="Changed lines">
      {lines.map(({ sign, line, text }, i) => (
        <div key={i} class={sign === '+' ? 'added' : 'removed'}>
          <span class="number">{line}</span>
          {sign} {text}
        </div>
      ))}
    </pre>
  );
}
