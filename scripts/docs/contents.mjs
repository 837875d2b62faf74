// The order of the documentation: the sections of the site and of docs/README.md, and the pages of each.
// A test compares it with docs/README.md and fails if a page is missing or listed twice.

/**
 * An entry is the path of a page, or a group: `{ page, title, pages }`. `page` is the index of the group. A group
 * without an index has the `folder` of its pages. `title` replaces the heading of the page in the navigation.
 */
export const CONTENTS = [
  {
    title: 'Getting started',
    entries: [
      { page: 'README.md', title: 'Overview' },
      'docs/setup.md',
      {
        page: 'docs/clients/README.md',
        pages: [
          'docs/clients/claude-desktop.md',
          'docs/clients/claude-code.md',
          'docs/clients/cursor.md',
          'docs/clients/vscode.md',
          'docs/clients/windsurf.md',
          'docs/clients/zed.md',
          'docs/clients/codex.md',
          'docs/clients/gemini-cli.md',
          'docs/clients/your-own-agent.md',
        ],
      },
      'docs/running.md',
      'docs/troubleshooting.md',
      {
        folder: 'examples',
        title: 'Examples',
        pages: [
          'examples/two-servers/README.md',
          'examples/same-server-twice/README.md',
          'examples/read-only-agent/README.md',
          'examples/write-a-server/README.md',
          'examples/custom-interceptor/README.md',
          'examples/harbour/README.md',
          'examples/adapter-from-openapi/README.md',
        ],
      },
    ],
  },
  {
    title: 'Guides',
    entries: [
      {
        page: 'docs/recipes/README.md',
        pages: [
          'docs/recipes/read-only-gateway.md',
          'docs/recipes/team.md',
          'docs/recipes/two-accounts.md',
          'docs/recipes/rename.md',
          'docs/recipes/github-actions.md',
          'docs/recipes/nginx.md',
          'docs/recipes/systemd.md',
        ],
      },
      'docs/policy.md',
      'docs/scripts.md',
      { page: 'docs/why-this-label.md', title: 'Why this label?' },
      'docs/registry.md',
      'docs/secrets.md',
      'docs/sandbox.md',
      'docs/console.md',
      'docs/audit.md',
      'docs/access.md',
      'docs/sign-in.md',
      'docs/accounts.md',
      'docs/lock.md',
      'docs/metrics.md',
      'docs/docker.md',
      'docs/windows.md',
      'docs/many-instances.md',
      'docs/behind-a-balancer.md',
      'docs/upgrading.md',
      'docs/write-a-server.md',
      { page: 'docs/mcpaql.md', title: 'An API as five tools' },
      'docs/import-an-api.md',
      { page: 'docs/views.md', title: 'Views' },
      { page: 'docs/sets.md', title: 'Tool sets' },
      'docs/lightdash.md',
    ],
  },
  {
    title: 'Reference',
    entries: [
      'docs/reference/configuration.md',
      'docs/reference/command-line.md',
      'docs/errors.md',
      {
        page: 'docs/lint/README.md',
        pages: [
          'name-missing',
          'name-duplicate',
          'name-characters',
          'name-length',
          'name-collision',
          'name-case',
          'name-confusable',
          'name-invisible',
          'title-missing',
          'title-is-name',
          'title-shared',
          'hint-read-only-missing',
          'hint-destructive-missing',
          'hint-idempotent-missing',
          'hint-open-world-missing',
          'hint-not-boolean',
          'hint-contradiction',
          'hint-says-nothing',
          'verb-against-hint',
          'claim-against-words',
          'claim-against-observation',
          'description-missing',
          'description-addresses-model',
          'text-invisible',
          'schema-not-object',
        ].map((rule) => `docs/lint/${rule}.md`),
      },
      'docs/protocol.md',
      'docs/admin-api.md',
      'docs/results.md',
      'docs/limits.md',
      'docs/glossary.md',
    ],
  },
  {
    title: 'Explanations',
    entries: [
      { page: 'docs/lifecycle.md', title: 'The path of a call' },
      'docs/names.md',
      { page: 'docs/requirements.md', title: 'Requirements' },
      { page: 'docs/annotations.md', title: 'Labels' },
      'docs/journal.md',
      'docs/security.md',
      'docs/comparison.md',
    ],
  },
  {
    title: 'Measurements',
    entries: [
      'docs/conformance.md',
      'docs/performance.md',
      'docs/labels.md',
      'docs/tokens.md',
      'docs/search.md',
      'docs/openapi-corpus.md',
      'docs/openapi-requests.md',
      'docs/scale.md',
    ],
  },
  {
    title: 'The code',
    entries: [
      'ARCHITECTURE.md',
      'CONTRIBUTING.md',
      'CHANGELOG.md',
      {
        folder: 'packages',
        title: 'Packages',
        pages: ['cli', 'gateway', 'toolkit', 'lightdash', 'mcpaql']
          .map((name) => `packages/${name}/README.md`)
          .concat('apps/console/README.md'),
      },
    ],
  },
];

/** The list of all pages. */
export const INDEX = 'docs/README.md';

/** Pages that list others in the order of the navigation have no place in it themselves. */
export const INDEXES = [INDEX, 'docs/reference/README.md'];

/** The pages in reading order. */
export function pagesInOrder(contents = CONTENTS) {
  return contents.flatMap(({ entries }) => entries.flatMap(pagesOf));
}

export function pagesOf(entry) {
  if (typeof entry === 'string') return [entry];
  const { page, pages = [] } = entry;
  return page === undefined ? pages : [page, ...pages];
}
