/** The current screen of the console: the fragment of the address, such as `#/tools/a%3Ab?q=x`. */

import { signal } from '@preact/signals';

export interface Route {
  /** The first word: the screen. */
  readonly screen: string;
  /** The item that the screen shows, such as a tool. */
  readonly item: string | undefined;
  readonly query: URLSearchParams;
}

export const route = signal<Route>(readRoute());

export function followRoute(): void {
  addEventListener('hashchange', () => (route.value = readRoute()));
  route.value = readRoute();
}

/** The address of a screen, for links. */
export function href(screen: string, item?: string, query?: URLSearchParams): string {
  const path = item === undefined ? `#/${screen}` : `#/${screen}/${encodeURIComponent(item)}`;
  const text = query?.toString() ?? '';
  return text === '' ? path : `${path}?${text}`;
}

/** Goes to a screen, as a link does. */
export function goTo(screen: string, item?: string): void {
  location.hash = href(screen, item);
}

/** Changes the query without a new entry in the history. */
export function setQuery(changes: Readonly<Record<string, string>>): void {
  const { screen, item, query } = route.peek();
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') next.delete(name);
    else next.set(name, value);
  }
  history.replaceState(null, '', href(screen, item, next));
  route.value = { screen, item, query: next };
}

function readRoute(): Route {
  const [path = '', query] = location.hash.replace(/^#\/?/, '').split('?', 2);
  const [screen = '', item] = path.split('/', 2);
  return {
    screen: screen === '' ? 'now' : screen,
    item: item === undefined || item === '' ? undefined : decoded(item),
    query: new URLSearchParams(query),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
