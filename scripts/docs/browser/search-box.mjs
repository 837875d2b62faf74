// The search field: `/` reaches it, arrows choose a result, Enter opens it, Escape leaves.
import { loadSearch } from './page-search.mjs';

export function startSearch(place, assets) {
  const { input, list, status } = elements(place);
  const home = new URL('..', assets);
  let search;
  let chosen = -1;

  const options = () => [...list.children];
  const close = () => {
    list.hidden = true;
    chosen = -1;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };
  const choose = (at) => {
    const all = options();
    if (all.length === 0) return;
    chosen = (at + all.length) % all.length;
    for (const [index, option] of all.entries()) {
      option.setAttribute('aria-selected', String(index === chosen));
    }
    input.setAttribute('aria-activedescendant', all[chosen].id);
    all[chosen].scrollIntoView({ block: 'nearest' });
  };
  const show = async () => {
    const query = input.value.trim();
    if (query === '') {
      status.textContent = '';
      close();
      return;
    }
    search ??= loadSearch(assets);
    const results = (await search)(query);
    // The field may have changed while the search was loaded.
    if (query !== input.value.trim()) return;
    list.replaceChildren(...results.map((result, index) => optionOf(result, index, home)));
    status.textContent =
      results.length === 0 ? `Nothing found for “${query}”.` : `${results.length} results`;
    status.classList.toggle('nothing', results.length === 0);
    list.hidden = results.length === 0;
    input.setAttribute('aria-expanded', String(results.length > 0));
    if (results.length > 0) choose(0);
  };

  input.addEventListener('focus', () => (search ??= loadSearch(assets)), { once: true });
  input.addEventListener('input', show);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') choose(chosen + 1);
    else if (event.key === 'ArrowUp') choose(chosen - 1);
    else if (event.key === 'Enter' && !list.hidden) options()[chosen]?.click();
    else if (event.key === 'Escape') {
      input.value = '';
      status.textContent = '';
      close();
      input.blur();
    } else return;
    event.preventDefault();
  });
  place.addEventListener('focusout', ({ relatedTarget }) => {
    if (!place.contains(relatedTarget)) close();
  });
  input.addEventListener('focus', show);
  list.addEventListener('click', () => close());
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.matches?.('input, textarea, select');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
  place.hidden = false;
}

function elements(place) {
  place.innerHTML = `
    <input type="search" role="combobox" placeholder="Search" aria-label="Search" autocomplete="off"
      spellcheck="false" aria-expanded="false" aria-controls="results" aria-autocomplete="list" aria-keyshortcuts="/">
    <kbd aria-hidden="true">/</kbd>
    <div id="results" class="results" role="listbox" aria-label="Results" hidden></div>
    <p class="status" role="status"></p>`;
  return {
    input: place.querySelector('input'),
    list: place.querySelector('.results'),
    status: place.querySelector('.status'),
  };
}

function optionOf({ address, title, heading, excerpt }, index, home) {
  const option = document.createElement('a');
  option.id = `result-${index}`;
  option.href = new URL(address, home).href;
  option.setAttribute('role', 'option');
  option.tabIndex = -1;
  option.append(line('b', title));
  if (heading !== title) option.append(` › ${heading}`);
  option.append(line('small', excerpt));
  return option;
}

function line(tag, text) {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}
