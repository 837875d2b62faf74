/** Filters of a list. They are part of the address, so that a list can be shared. */

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import { route, setQuery } from '../live/route.js';
import { line } from './shown-text.js';

export interface FiltersProps {
  /** The field that stays on narrow screens. The others are folded there. */
  readonly search: ComponentChildren;
  /** The names of the other filters in the address, to count those that are set. */
  readonly names: readonly string[];
  readonly class?: string;
  readonly children: ComponentChildren;
}

export function Filters({ search, names, class: own = '', children }: FiltersProps) {
  const [isOpen, setOpen] = useState(false);
  const { query } = route.value;
  const set = names.filter((name) => query.has(name)).length;
  return (
    <search class={`filters ${own} ${isOpen ? 'open' : ''}`}>
      {search}
      <button
        type="button"
        class="fold"
        aria-expanded={isOpen}
        onClick={() => setOpen((was) => !was)}
      >
        Filters{set > 0 && ` (${set})`}
      </button>
      <div class="more">{children}</div>
    </search>
  );
}

/** A field that filters while you type. */
export function SearchField({ label }: { readonly label: string }) {
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      value={route.value.query.get('q') ?? ''}
      onInput={({ currentTarget }) => setQuery({ q: currentTarget.value })}
    />
  );
}

export interface ChoiceProps {
  /** The name in the address. */
  readonly name: string;
  readonly label: string;
  readonly options: readonly string[];
  /** Words for options that are not words themselves. */
  readonly words?: Readonly<Record<string, string>>;
}

export function Choice({ name, label, options, words = {} }: ChoiceProps) {
  return (
    <select
      aria-label={label}
      value={route.value.query.get(name) ?? ''}
      onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value })}
    >
      <option value="">{label}</option>
      {options.map((each) => (
        <option key={each} value={each}>
          {line(words[each] ?? each, 60)}
        </option>
      ))}
    </select>
  );
}
