/** The keys of the console: rows, the panel, the search, and the overview of keys. */

import { signal } from '@preact/signals';

import { href, route } from './route.js';

export const KEYS: readonly (readonly [keys: readonly string[], does: string])[] = [
  [['↓', '↑'], 'go to the next or previous row'],
  [['Enter'], 'open the row'],
  [['Esc'], 'leave a field; close the panel, back to its row'],
  [['/'], 'search'],
  [['?'], 'show these keys'],
];

export const areKeysShown = signal(false);

export function followKeys(): void {
  document.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, defaultPrevented } = event;
    if (defaultPrevented || ctrlKey || metaKey || altKey || areKeysShown.value) return;
    const act = ACTIONS[key];
    if (act?.(event.target as Element)) event.preventDefault();
  });
}

/** What a key does. Returns false if it does nothing there, so that the browser acts on it. */
type Action = (at: Element) => boolean;

const ACTIONS: Readonly<Record<string, Action>> = {
  ArrowDown: (at) => step(at, 1),
  ArrowUp: (at) => step(at, -1),
  Escape: leave,
  '/': (at) => !isField(at) && focusSearch(),
  '?': (at) => !isField(at) && (areKeysShown.value = true),
};

function isField(at: Element): boolean {
  return at.matches('input, select, textarea');
}

/** From the search, the first row is next. Other fields and the panel use the arrows themselves. */
function step(at: Element, by: 1 | -1): boolean {
  if (at.closest('.detail, nav, .side') || (isField(at) && !at.matches('[type=search]'))) {
    return false;
  }
  const rows = rowsNow();
  const index = rows.indexOf(at as HTMLElement);
  const next = index === -1 ? firstShown(rows, by) : rows[index + by];
  next?.focus();
  return next !== undefined;
}

function rowsNow(): HTMLElement[] {
  const links = document.querySelectorAll<HTMLElement>('main .row-link');
  return [...links].filter((link) => link.offsetParent !== null && !link.closest('.detail'));
}

/** The chosen row or, in a list that is scrolled, the first one that can be seen. */
function firstShown(rows: readonly HTMLElement[], by: 1 | -1): HTMLElement | undefined {
  if (by === -1) return undefined;
  const chosen = rows.find((row) => row.ariaCurrent === 'true');
  const top = rows[0]?.closest('.virtual')?.getBoundingClientRect().top ?? 0;
  return chosen ?? rows.find((row) => row.getBoundingClientRect().top >= top);
}

function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type=search]');
  field?.select();
  return field !== null;
}

function leave(at: Element): boolean {
  if (isField(at)) {
    // The browser empties a search first.
    if (at.matches('[type=search]') && (at as HTMLInputElement).value !== '') return false;
    const place = at.closest<HTMLElement>('.detail') ?? document.querySelector('main')!;
    place.focus();
    return true;
  }
  const { screen, item, query } = route.peek();
  if (item === undefined || !document.querySelector('main .detail')) return false;
  location.hash = href(screen, undefined, query);
  return true;
}
