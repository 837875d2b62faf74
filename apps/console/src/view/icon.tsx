/** Small icons. Each is beside a word that has the same meaning, so screen readers skip it. */

const PATHS = {
  now: 'M1.5 8h3l2-5 3 10 2-5h3',
  servers: 'M2.5 2.5h11v4.5h-11zM2.5 9h11v4.5h-11zM5 4.8h.01M5 11.2h.01',
  tools: 'M8 1.8l5.4 3.1v6.2L8 14.2l-5.4-3.1V4.9zM2.6 4.9L8 8l5.4-3.1M8 8v6.2',
  names: 'M2.5 2.5h5l6 6-5 5-6-6zM5.4 5.4h.01',
  policy: 'M8 1.8l5 1.9v4c0 3.2-2.1 5.2-5 6.5-2.9-1.3-5-3.3-5-6.5v-4z',
  approvals: 'M8 2a6 6 0 100 12A6 6 0 008 2zM5.4 8.2l1.8 1.8 3.4-3.7',
  people:
    'M6 2.6a2.7 2.7 0 100 5.4 2.7 2.7 0 000-5.4zM1.5 13.4a4.5 4.5 0 019 0M10.6 3a2.5 2.5 0 010 4.6M11.8 9.4a4.4 4.4 0 012.7 4',
  audit: 'M2.5 3.5h11M2.5 8h11M2.5 12.5h7',
  lock: 'M3.5 7.3h9v6.2h-9zM5.4 7.3V5a2.6 2.6 0 015.2 0v2.3',
  dark: 'M13.2 9.6A5.6 5.6 0 016.4 2.8a5.6 5.6 0 106.8 6.8z',
  light:
    'M8 5a3 3 0 100 6 3 3 0 000-6zM8 1v1.4M8 13.6V15M1 8h1.4M13.6 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" fill="none" aria-hidden="true">
      <path
        d={PATHS[name]}
        stroke="currentColor"
        stroke-width="1.4"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}

/** The sign of Callsign, as in the icon of the page. */
export function Sign() {
  return (
    <svg width="20" height="20" viewBox="0 0 32 32" fill="none" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <path
        d="M22 11a8 8 0 1 0 0 10"
        stroke="var(--on-accent)"
        stroke-width="3.4"
        stroke-linecap="round"
      />
      <circle cx="23" cy="16" r="2.4" fill="var(--on-accent)" />
    </svg>
  );
}
