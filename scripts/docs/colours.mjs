// The colours of the site are those of the console: both themes are read from its style sheet.

const DARK = /^:root \{([^}]*)\}/m;
const LIGHT = /^:root\[data-theme='light'\] \{([^}]*)\}/m;

/** The variables of both themes. Without a choice, the browser's preference counts. */
export function coloursFrom(css) {
  const [dark, light] = [DARK, LIGHT].map((block) => block.exec(css)?.[1]);
  if (!dark || !light) throw new Error('The style sheet of the console has no two themes.');
  return `:root {${dark}}
@media (prefers-color-scheme: light) {
:root:not([data-theme='dark']) {${light}}
}
:root[data-theme='light'] {${light}}
`;
}
