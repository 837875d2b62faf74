/** Dark or light: the choice of the user, or the setting of the system. */

import { signal } from '@preact/signals';

const KEY = 'callsign.theme';

export type Theme = 'dark' | 'light';

export const theme = signal<Theme>(initial());

export function applyTheme(): void {
  document.documentElement.dataset['theme'] = theme.value;
}

export function switchTheme(): void {
  theme.value = theme.value === 'dark' ? 'light' : 'dark';
  localStorage.setItem(KEY, theme.value);
  applyTheme();
}

function initial(): Theme {
  const chosen = localStorage.getItem(KEY);
  if (chosen === 'dark' || chosen === 'light') return chosen;
  return matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark';
}
