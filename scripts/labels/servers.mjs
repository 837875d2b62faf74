// The servers that labels are measured with: npm packages, and what they need to list their tools.
// Credentials are made up; a server that has to reach its service before it lists is not here.

const KEY = '00000000000000000000000000000000';

const WRANGLER = `oauth_token = "x"
expiration_time = "2099-01-01T00:00:00.000Z"
refresh_token = "x"
scopes = ["account:read"]
`;

/** From the key that a user would give the server to its package. */
export const SERVERS = {
  airtable: { package: 'airtable-mcp-server', env: { AIRTABLE_API_KEY: `pat123.${KEY}` } },
  asana: { package: '@roychri/mcp-server-asana', env: { ASANA_ACCESS_TOKEN: KEY } },
  azure: { package: '@azure/mcp', args: ['server', 'start'] },
  brave: { package: '@brave/brave-search-mcp-server', env: { BRAVE_API_KEY: KEY } },
  'brave-search': {
    package: '@modelcontextprotocol/server-brave-search',
    env: { BRAVE_API_KEY: KEY },
  },
  brightdata: { package: '@brightdata/mcp', env: { API_TOKEN: KEY } },
  'chrome-devtools': { package: 'chrome-devtools-mcp' },
  circleci: { package: '@circleci/mcp-server-circleci', env: { CIRCLECI_TOKEN: KEY } },
  cloudflare: {
    package: '@cloudflare/mcp-server-cloudflare',
    args: ['run', KEY],
    files: { '.config/.wrangler/config/default.toml': WRANGLER },
  },
  commands: { package: 'mcp-server-commands' },
  context7: { package: '@upstash/context7-mcp' },
  datadog: {
    package: '@winor30/mcp-server-datadog',
    env: { DATADOG_API_KEY: KEY, DATADOG_APP_KEY: KEY },
  },
  everart: { package: '@modelcontextprotocol/server-everart', env: { EVERART_API_KEY: KEY } },
  everything: { package: '@modelcontextprotocol/server-everything', args: ['stdio'] },
  exa: { package: 'exa-mcp-server', env: { EXA_API_KEY: KEY } },
  excel: { package: '@negokaz/excel-mcp-server' },
  fetch: { package: 'mcp-fetch-server' },
  figma: { package: 'figma-developer-mcp', args: ['--figma-api-key', KEY, '--stdio'] },
  filesystem: { package: '@modelcontextprotocol/server-filesystem', args: ['.'] },
  firecrawl: { package: 'firecrawl-mcp', env: { FIRECRAWL_API_KEY: KEY } },
  git: { package: '@cyanheads/git-mcp-server' },
  github: {
    package: '@modelcontextprotocol/server-github',
    env: { GITHUB_PERSONAL_ACCESS_TOKEN: KEY },
  },
  gitlab: {
    package: '@modelcontextprotocol/server-gitlab',
    env: { GITLAB_PERSONAL_ACCESS_TOKEN: KEY },
  },
  'google-maps': {
    package: '@modelcontextprotocol/server-google-maps',
    env: { GOOGLE_MAPS_API_KEY: KEY },
  },
  hubspot: { package: '@hubspot/mcp-server', env: { PRIVATE_APP_ACCESS_TOKEN: KEY } },
  jira: {
    package: '@aashari/mcp-server-atlassian-jira',
    env: { ATLASSIAN_SITE_NAME: 'x', ATLASSIAN_USER_EMAIL: 'a@b.c', ATLASSIAN_API_TOKEN: KEY },
  },
  linear: { package: '@tacticlaunch/mcp-linear', env: { LINEAR_API_TOKEN: KEY } },
  mapbox: {
    package: '@mapbox/mcp-server',
    version: '0.2.0',
    env: { MAPBOX_ACCESS_TOKEN: 'pk.eyJ1IjoieCJ9.x' },
  },
  memory: { package: '@modelcontextprotocol/server-memory' },
  mongodb: { package: 'mongodb-mcp-server', env: { MDB_MCP_TELEMETRY: 'disabled' } },
  notion: { package: '@notionhq/notion-mcp-server', env: { NOTION_TOKEN: `ntn_${KEY}` } },
  perplexity: { package: '@perplexity-ai/mcp-server', env: { PERPLEXITY_API_KEY: KEY } },
  playwright: { package: '@playwright/mcp' },
  postgres: {
    package: '@modelcontextprotocol/server-postgres',
    args: ['postgresql://127.0.0.1:9/x'],
  },
  puppeteer: { package: '@modelcontextprotocol/server-puppeteer' },
  resend: { package: 'resend-mcp', env: { RESEND_API_KEY: KEY } },
  sentry: { package: '@sentry/mcp-server', args: [`--access-token=${KEY}`] },
  'sequential-thinking': { package: '@modelcontextprotocol/server-sequential-thinking' },
  slack: {
    package: '@modelcontextprotocol/server-slack',
    env: { SLACK_BOT_TOKEN: `xoxb-${KEY}`, SLACK_TEAM_ID: 'T0' },
  },
  tavily: { package: 'tavily-mcp', env: { TAVILY_API_KEY: `tvly-${KEY}` } },
  trello: {
    package: '@delorenj/mcp-server-trello',
    env: { TRELLO_API_KEY: KEY, TRELLO_TOKEN: KEY },
  },
  twilio: { package: '@twilio-alpha/mcp', args: [`AC${KEY}/SK${KEY}:${KEY}`] },
  launchdarkly: { package: '@launchdarkly/mcp-server', args: ['start', '--api-key', KEY] },
  mobile: { package: '@mobilenext/mobile-mcp' },
  netlify: { package: '@netlify/mcp' },
  pinecone: { package: '@pinecone-database/mcp', env: { PINECONE_API_KEY: KEY } },
  shopify: { package: '@shopify/dev-mcp' },
  xcodebuild: { package: 'xcodebuildmcp', args: ['mcp'] },
};
