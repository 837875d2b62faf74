/** The messages of a screen that has nothing to show, or that failed to load. */

import type { ComponentChildren } from 'preact';

export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}

export function Problem({ text }: { readonly text: string | undefined }) {
  if (text === undefined || text === '') return null;
  return (
    <p class="problem" role="alert">
      {text}
    </p>
  );
}

/** A placeholder while data is loading. */
export function Waiting({ rows = 3 }: { readonly rows?: number }) {
  return (
    <div class="waiting" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, i) => (
        <div key={i} class="bar" />
      ))}
    </div>
  );
}
