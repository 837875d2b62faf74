// Applies the chosen theme before the page is drawn. Without a choice, the style sheet follows the browser.
import { storedTheme } from './stored-theme.mjs';

const theme = storedTheme();
if (theme) document.documentElement.dataset.theme = theme;
