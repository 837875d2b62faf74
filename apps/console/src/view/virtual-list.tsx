/** A long list of rows of one height. Only the rows in view are in the page. */

import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

export interface VirtualListProps<T> {
  readonly items: readonly T[];
  readonly rowHeight: number;
  readonly label: string;
  readonly keyOf: (item: T) => string;
  /** The key of the chosen row, which is scrolled into view. */
  readonly chosen?: string | undefined;
  readonly children: (item: T) => ComponentChildren;
}

const EXTRA_ROWS = 8;

export function VirtualList<T>(props: VirtualListProps<T>) {
  const { items, rowHeight, label, keyOf, chosen, children } = props;
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 800 });
  useLayoutEffect(() => {
    const element = box.current!;
    const look = (): void => setView({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    look();
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, []);
  useLayoutEffect(() => {
    const element = box.current!;
    const index = chosen === undefined ? -1 : items.findIndex((item) => keyOf(item) === chosen);
    if (index === -1) return;
    const top = index * rowHeight;
    const isInView =
      top >= element.scrollTop && top + rowHeight <= element.scrollTop + element.clientHeight;
    if (!isInView) element.scrollTop = top - (element.clientHeight - rowHeight) / 2;
    // Does not run when the items change, because the list would jump while data arrives.
  }, [chosen]);
  const first = Math.max(0, Math.floor(view.top / rowHeight) - EXTRA_ROWS);
  const count = Math.ceil(view.height / rowHeight) + 2 * EXTRA_ROWS;
  return (
    <div class="virtual" ref={box} tabIndex={0} role="region" aria-label={label}>
      <ul style={{ height: `${items.length * rowHeight}px` }}>
        {items.slice(first, first + count).map((item, i) => (
          <li
            key={keyOf(item)}
            style={{ top: `${(first + i) * rowHeight}px`, height: `${rowHeight}px` }}
          >
            {children(item)}
          </li>
        ))}
      </ul>
    </div>
  );
}
