// The button that changes the theme. It names the other theme, as in the console.
import { storeTheme } from './stored-theme.mjs';

export function startThemeSwitch(button) {
  const preferred = matchMedia('(prefers-color-scheme: light)');
  const current = () =>
    document.documentElement.dataset.theme ?? (preferred.matches ? 'light' : 'dark');
  const label = () => {
    button.textContent = current() === 'light' ? 'Dark' : 'Light';
  };
  button.addEventListener('click', () => {
    const theme = current() === 'light' ? 'dark' : 'light';
    document.documentElement.dataset.theme = theme;
    storeTheme(theme);
    label();
  });
  preferred.addEventListener('change', label);
  label();
  button.hidden = false;
}
