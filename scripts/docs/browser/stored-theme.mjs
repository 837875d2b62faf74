// The chosen theme. A browser may forbid storage; then a choice holds for one page.

const KEY = 'callsign-docs-theme';

export function storedTheme() {
  try {
    const theme = localStorage.getItem(KEY);
    return theme === 'dark' || theme === 'light' ? theme : undefined;
  } catch {
    return undefined;
  }
}

export function storeTheme(theme) {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // The page still changes.
  }
}
