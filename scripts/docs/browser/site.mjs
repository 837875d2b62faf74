// What the pages do in a browser. All of them can be read without it.
import { addCopyButtons } from './copy-buttons.mjs';
import { markCurrentHeading } from './current-heading.mjs';
import { reveal } from './reveal.mjs';
import { watchScrollRegions } from './scroll-regions.mjs';
import { startSearch } from './search-box.mjs';
import { startThemeSwitch } from './theme-switch.mjs';

const assets = new URL('.', document.currentScript.src);

startThemeSwitch(document.querySelector('button.theme'));
startSearch(document.querySelector('.search'), assets);
addCopyButtons(document.querySelectorAll('article pre'));
watchScrollRegions(document.querySelectorAll('article pre, article .scroll, article p:has(> img)'));

const menu = document.querySelector('#menu');
const here = menu.querySelector('[aria-current]');
if (here) reveal(menu, here);
const contents = document.querySelector('#contents');
if (contents) {
  markCurrentHeading(contents);
  contents.addEventListener('click', ({ target }) => {
    if (target.matches('a') && contents.matches(':popover-open')) contents.hidePopover();
  });
}
