/** The filters for recorded calls. They are part of the address, so that a list can be shared. */

import { useState } from 'preact/hooks';

import { status } from '../live/gateway-state.js';
import { setQuery } from '../live/route.js';
import { Choice, Filters } from '../view/filters.js';

const TIMES: readonly (readonly [value: string, words: string])[] = [
  ['1h', 'Last hour'],
  ['1d', 'Last day'],
  ['7d', 'Last 7 days'],
  ['30d', 'Last 30 days'],
];
const CHOICES: readonly (readonly [name: string, label: string, words: readonly string[]])[] = [
  ['risk', 'Any risk', ['read', 'write', 'destructive']],
  ['decision', 'Any decision', ['allow', 'confirm', 'dry-run', 'deny']],
  [
    'outcome',
    'Any outcome',
    [
      'ok',
      'dry-run',
      'tool-error',
      'server-error',
      'policy-denied',
      'not-approved',
      'access-denied',
      'credential-needed',
      'limit-reached',
      'call-cancelled',
      'upstream-timeout',
      'upstream-unavailable',
      'upstream-closed',
      'unknown',
    ],
  ],
];
const TEXTS: readonly (readonly [name: string, label: string])[] = [
  ['text', 'Search calls'],
  ['tool', 'Tool, such as github:*'],
  ['caller', 'Caller, such as key:ada'],
  ['client', 'Client'],
  ['account', 'Account of'],
];
const ALL = ['since', 'until', 'server', 'script', ...[...CHOICES, ...TEXTS].map(([name]) => name)];

/** Clears all filters. Shows nothing if no filter is set. */
export function ClearFilters({ query }: { readonly query: URLSearchParams }) {
  if (!ALL.some((name) => query.has(name))) return null;
  return (
    <button
      type="button"
      class="quiet"
      onClick={() => setQuery(Object.fromEntries(ALL.map((name) => [name, ''])))}
    >
      Clear filters
    </button>
  );
}

interface TextFilterProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
}

/**
 * Applied on Enter or blur. Until then the typed text is kept here, because live data renders the
 * field again.
 */
function TextFilter({ name, label, value }: TextFilterProps) {
  const [typed, setTyped] = useState<string>();
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      value={typed ?? value}
      onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      onChange={({ currentTarget }) => {
        setTyped(undefined);
        setQuery({ [name]: currentTarget.value });
      }}
    />
  );
}

export function CallFilters({ query }: { readonly query: URLSearchParams }) {
  const servers = status.value?.servers.map(({ key }) => key) ?? [];
  const since = query.get('since') ?? '';
  const isOwnTime = query.has('until') || !['', ...TIMES.map(([value]) => value)].includes(since);
  const [search, ...texts] = TEXTS.map(([name, label]) => (
    <TextFilter key={name} name={name} label={label} value={query.get(name) ?? ''} />
  ));
  return (
    <Filters class="calls" names={ALL.filter((name) => name !== 'text')} search={search}>
      {texts}
      <select
        aria-label="Time"
        value={isOwnTime ? 'own' : since}
        onChange={({ currentTarget }) => setQuery({ since: currentTarget.value, until: '' })}
      >
        <option value="">Any time</option>
        {TIMES.map(([value, word]) => (
          <option key={value} value={value}>
            {word}
          </option>
        ))}
        {isOwnTime && (
          <option value="own" disabled>
            Custom time
          </option>
        )}
      </select>
      {[['server', 'All servers', servers] as const, ...CHOICES].map(([name, label, choices]) => (
        <Choice key={name} name={name} label={label} options={choices} />
      ))}
    </Filters>
  );
}
