/** One item of a list, beside the list. It takes the focus, and gives it back to its row. */

import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

import { href, route } from '../live/route.js';

export interface PanelProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

/** Give it the item as `key`, so that another item gets the focus again. */
export function Panel({ title, children }: PanelProps) {
  const heading = useId();
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    const { screen, item } = route.peek();
    // A person who types goes on typing.
    if (!isTyping()) box.current!.focus({ preventScroll: true });
    return () => {
      const now = route.peek();
      const isClosed = now.screen === screen && now.item === undefined;
      if (isClosed) requestAnimationFrame(() => rowOf(href(screen, item))?.focus());
    };
  }, []);
  const { screen, query } = route.value;
  return (
    <section class="detail" aria-labelledby={heading} tabIndex={-1} ref={box}>
      <div class="row between">
        <h2 id={heading}>{title}</h2>
        <a class="button quiet close" href={href(screen, undefined, query)}>
          Close
        </a>
      </div>
      {children}
    </section>
  );
}

function isTyping(): boolean {
  return document.activeElement?.matches('input, textarea') === true;
}

/** The link of a row. The filters in its address do not matter. */
function rowOf(address: string): HTMLElement | undefined {
  const links = document.querySelectorAll<HTMLAnchorElement>('main .row-link');
  return [...links].find((link) => link.hash.split('?')[0] === address);
}
