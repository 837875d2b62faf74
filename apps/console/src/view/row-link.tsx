/** A link that takes clicks anywhere in its row, and that the arrow keys reach. */

import type { ComponentChildren } from 'preact';

export interface RowLinkProps {
  readonly to: string;
  /** Whether the panel shows this row. */
  readonly isChosen?: boolean;
  readonly class?: string;
  readonly children: ComponentChildren;
}

export function RowLink({ to, isChosen = false, class: own = '', children }: RowLinkProps) {
  return (
    <a class={`row-link ${own}`} href={to} aria-current={isChosen ? 'true' : undefined}>
      {children}
    </a>
  );
}
