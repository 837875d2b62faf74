// The servers that labels are measured with: npm packages, and what they need to list their tools.
// Credentials are made up; a server that has to reach its service before it lists is not here.

const KEY = '00000000000000000000000000000000';

/** Nothing listens there. */
const NOWHERE = 'https://127.0.0.1:9';

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
  vapi: { package: '@vapi-ai/mcp-server', env: { VAPI_TOKEN: KEY } },
  destatis: {
    package: 'destatis-mcp',
    env: {
      DESTATIS_USERNAME: 'x',
      DESTATIS_PASSWORD: 'x',
      DESTATIS_TOKEN: KEY,
      GENESIS_TOKEN: KEY,
    },
  },
  'weather-zh': { package: 'test-mcp' },
  amap: { package: '@amap/amap-maps-mcp-server', env: { AMAP_MAPS_API_KEY: KEY } },
  'baidu-map': { package: '@baidumap/mcp-server-baidu-map', env: { BAIDU_MAP_API_KEY: KEY } },
  bazi: { package: 'bazi-mcp' },
  howtocook: { package: 'howtocook-mcp' },
  edgeone: { package: 'edgeone-pages-mcp' },
  variflight: { package: '@variflight-ai/variflight-mcp', env: { VARIFLIGHT_API_KEY: KEY } },
  lark: { package: '@larksuiteoapi/lark-mcp', args: ['mcp', '-a', 'cli_x', '-s', KEY, '-l', 'zh'] },
  mastergo: { package: '@mastergo/magic-mcp', args: ['--token=x', '--url=https://mastergo.com'] },
  'aliyun-esa': {
    package: 'mcp-server-esa',
    env: { ALIBABA_CLOUD_ACCESS_KEY_ID: 'x', ALIBABA_CLOUD_ACCESS_KEY_SECRET: KEY },
  },
  'aliyun-fc': { package: 'alibabacloud-fc-mcp-server' },
  cloudbase: { package: '@cloudbase/cloudbase-mcp' },
  minimax: {
    package: 'minimax-mcp-js',
    env: {
      MINIMAX_API_KEY: KEY,
      MINIMAX_API_HOST: 'https://api.minimaxi.chat',
      MINIMAX_MCP_BASE_PATH: '.',
    },
  },
  chatwork: { package: '@chatwork/mcp-server', env: { CHATWORK_API_TOKEN: KEY } },
  backlog: {
    package: 'backlog-mcp-server',
    env: { BACKLOG_DOMAIN: 'x.backlog.com', BACKLOG_API_KEY: KEY },
  },
  microcms: { package: 'microcms-mcp-server', args: ['--service-id', 'x', '--api-key', KEY] },
  freee: {
    package: 'freee-mcp',
    env: { FREEE_CLIENT_ID: 'x', FREEE_CLIENT_SECRET: KEY, FREEE_COMPANY_ID: '1' },
  },
  'tts-ja': { package: 'tts-mcp', bin: 'tts-mcp-server', env: { OPENAI_API_KEY: KEY } },
  line: {
    package: '@line/line-bot-mcp-server',
    env: { CHANNEL_ACCESS_TOKEN: KEY, DESTINATION_USER_ID: 'U0' },
  },
  'korean-law': { package: 'korean-law-mcp', env: { LAW_OC: 'x' } },
  opendart: { package: 'opendart-mcp', env: { DART_API_KEY: KEY, OPENDART_API_KEY: KEY } },
  'korea-stock': { package: 'korea-stock-mcp', env: { DART_API_KEY: KEY, KRX_API_KEY: KEY } },
  kordoc: { package: 'kordoc', bin: 'kordoc-mcp' },
  lumbretravel: {
    package: 'lumbretravel-mcp',
    env: { CLIENT_ID: 'x', CLIENT_SECRET: KEY, EMAIL: 'a@b.c', PASSWORD: 'x' },
  },
  mercadolibre: {
    package: 'mercadolibre-mcp',
    env: { CLIENT_ID: 'x', CLIENT_SECRET: KEY, SITE_ID: 'MLA' },
  },
  'brasil-data': { package: 'brasil-data-mcp' },
  nuvemshop: {
    package: 'nuvemshop-mcp',
    env: {
      USER_ACCESS_TOKEN: KEY,
      USER_ID: '1',
      STORE_ID: '1',
      USER_AGENT: 'x',
      NUVEMSHOP_STORE_ID: '1',
    },
  },
  amocrm: {
    package: 'amocrm-mcp',
    env: { AMOCRM_SUBDOMAIN: 'x', AMOCRM_ACCESS_TOKEN: KEY, AMOCRM_BASE_URL: NOWHERE },
  },
  getcourse: { package: 'getcourse-mcp', env: { GETCOURSE_ACCOUNT: 'x', GETCOURSE_API_KEY: KEY } },
  wordstat: {
    package: 'yandex-wordstat-mcp',
    env: { YANDEX_API_KEY: KEY, YANDEX_FOLDER_ID: 'x', YANDEX_SEARCH_API_KEY: KEY },
  },
  'workshops-de': { package: '@workshops.de/mcp' },
  shopware: {
    package: 'shopware-mcp',
    env: {
      SHOPWARE_URL: NOWHERE,
      SHOPWARE_API_URL: NOWHERE,
      SHOPWARE_CLIENT_ID: 'x',
      SHOPWARE_CLIENT_SECRET: KEY,
    },
  },
  gmail: {
    package: '@shinzolabs/gmail-mcp',
    env: { CLIENT_ID: 'x', CLIENT_SECRET: KEY, REFRESH_TOKEN: KEY },
  },
  'gmail-small': { package: 'gmail-mcp', env: { GOOGLE_ACCESS_TOKEN: KEY } },
  sendgrid: { package: 'sendgrid-mcp', env: { SENDGRID_API_KEY: 'SG.x' } },
  discord: { package: 'discord-mcp', env: { DISCORD_BOT_TOKEN: KEY } },
  'discord-small': { package: 'mcp-discord', env: { DISCORD_TOKEN: KEY } },
  teams: { package: '@floriscornel/teams-mcp' },
  chatwoot: {
    package: 'chatwoot-mcp-server',
    env: {
      CHATWOOT_BASE_URL: NOWHERE,
      CHATWOOT_URL: NOWHERE,
      CHATWOOT_API_TOKEN: KEY,
      CHATWOOT_API_KEY: KEY,
      CHATWOOT_ACCOUNT_ID: '1',
    },
  },
  retell: { package: '@abhaybabbar/retellai-mcp-server', env: { RETELL_API_KEY: KEY } },
  'google-calendar': {
    package: '@cocal/google-calendar-mcp',
    env: { GOOGLE_OAUTH_CREDENTIALS: 'keys.json' },
    files: {
      'keys.json':
        '{"installed":{"client_id":"x","client_secret":"x","redirect_uris":["http://localhost:3000/oauth2callback"]}}',
    },
  },
  'cal-com': { package: '@calcom/cal-mcp', env: { CAL_API_KEY: KEY } },
  'google-tasks': {
    package: 'google-tasks-mcp',
    env: { GOOGLE_CLIENT_ID: 'x', GOOGLE_CLIENT_SECRET: KEY, GOOGLE_REFRESH_TOKEN: KEY },
  },
  paddle: {
    package: '@paddle/paddle-mcp',
    args: ['--api-key=x', '--environment=sandbox'],
    env: { PADDLE_API_KEY: KEY, PADDLE_ENVIRONMENT: 'sandbox' },
  },
  razorpay: {
    package: 'razorpay-mcp',
    bin: 'razorpay-mcp-stdio',
    args: ['--key-id', 'x', '--key-secret', KEY],
  },
  square: {
    package: 'square-mcp-server',
    args: ['start'],
    env: { ACCESS_TOKEN: KEY, SANDBOX: 'true' },
  },
  xero: {
    package: '@xeroapi/xero-mcp-server',
    env: { XERO_CLIENT_ID: 'x', XERO_CLIENT_SECRET: KEY },
  },
  ynab: { package: 'ynab-mcp-server', env: { YNAB_API_TOKEN: KEY } },
  'shopify-admin': {
    package: 'shopify-mcp',
    args: ['--accessToken=shpat_x', '--domain=x.myshopify.com'],
  },
  'shopify-small': {
    package: 'shopify-mcp-server',
    env: { SHOPIFY_ACCESS_TOKEN: KEY, MYSHOPIFY_DOMAIN: 'x.myshopify.com' },
  },
  salesforce: {
    package: '@tsmztech/mcp-server-salesforce',
    env: { SALESFORCE_USERNAME: 'x', SALESFORCE_PASSWORD: 'x', SALESFORCE_TOKEN: 'x' },
  },
  pipedrive: {
    package: 'pipedrive-mcp',
    env: { PIPEDRIVE_API_TOKEN: KEY, PIPEDRIVE_DOMAIN: 'x', PIPEDRIVE_COMPANY_DOMAIN: 'x' },
  },
  attio: { package: 'attio-mcp-server', env: { ATTIO_API_KEY: KEY } },
  odoo: {
    package: 'odoo-mcp-server',
    env: {
      ODOO_URL: NOWHERE,
      ODOO_DB: 'x',
      ODOO_USERNAME: 'x',
      ODOO_PASSWORD: 'x',
      ODOO_API_KEY: KEY,
    },
  },
  ccxt: { package: '@mcpfun/mcp-server-ccxt' },
  onchain: { package: '@bankless/onchain-mcp', env: { BANKLESS_API_TOKEN: KEY } },
  argocd: {
    package: 'argocd-mcp',
    args: ['stdio'],
    env: { ARGOCD_BASE_URL: NOWHERE, ARGOCD_API_TOKEN: KEY },
  },
  coolify: {
    package: '@masonator/coolify-mcp',
    env: { COOLIFY_ACCESS_TOKEN: KEY, COOLIFY_BASE_URL: NOWHERE },
  },
  vercel: { package: 'vercel-mcp', args: ['VERCEL_API_KEY=x'], env: { VERCEL_API_KEY: KEY } },
  railway: { package: '@jasontanswe/railway-mcp', env: { RAILWAY_API_TOKEN: KEY } },
  hetzner: {
    package: 'hetzner-mcp',
    env: { HETZNER_API_TOKEN: KEY, HCLOUD_TOKEN: KEY, HETZNER_CLOUD_TOKEN: KEY },
  },
  kubernetes: { package: 'mcp-server-kubernetes' },
  terraform: { package: 'terraform-mcp-server' },
  'cloud-run': { package: '@google-cloud/cloud-run-mcp' },
  'google-storage': { package: '@google-cloud/storage-mcp' },
  gcloud: { package: '@google-cloud/gcloud-mcp' },
  keycloak: {
    package: 'keycloak-model-context-protocol',
    env: { KEYCLOAK_URL: NOWHERE, KEYCLOAK_ADMIN: 'x', KEYCLOAK_ADMIN_PASSWORD: 'x' },
  },
  apisix: { package: 'apisix-mcp', env: { APISIX_SERVER_HOST: NOWHERE, APISIX_ADMIN_KEY: KEY } },
  sonarqube: {
    package: 'sonarqube-mcp-server',
    env: { SONARQUBE_TOKEN: KEY, SONARQUBE_URL: NOWHERE },
  },
  mysql: {
    package: '@f4ww4z/mcp-mysql-server',
    env: { MYSQL_HOST: '127.0.0.1', MYSQL_USER: 'x', MYSQL_PASSWORD: 'x', MYSQL_DATABASE: 'x' },
  },
  'turso-cloud': {
    package: 'mcp-turso-cloud',
    env: { TURSO_API_TOKEN: KEY, TURSO_ORGANIZATION: 'x' },
  },
  couchdb: {
    package: 'couchdb-mcp',
    env: { COUCHDB_URL: NOWHERE, COUCHDB_USER: 'x', COUCHDB_PASSWORD: 'x' },
  },
  mssql: {
    package: 'mssql-mcp-server',
    env: { DB_SERVER: '127.0.0.1', DB_DATABASE: 'x', DB_USER: 'x', DB_PASSWORD: 'x' },
  },
  influxdb: {
    package: 'influxdb-mcp-server',
    env: { INFLUXDB_URL: NOWHERE, INFLUXDB_TOKEN: KEY, INFLUXDB_ORG: 'x' },
  },
  nile: {
    package: '@niledatabase/nile-mcp-server',
    env: { NILE_API_KEY: KEY, NILE_WORKSPACE_SLUG: 'x' },
  },
  selenium: { package: '@angiejones/mcp-selenium' },
  'playwright-ea': { package: '@executeautomation/playwright-mcp-server' },
  browsermcp: { package: '@browsermcp/mcp' },
  hyperbrowser: { package: 'hyperbrowser-mcp', env: { HYPERBROWSER_API_KEY: KEY } },
  'filesystem-shtse8': { package: '@shtse8/filesystem-mcp' },
  unifi: { package: 'unifi-mcp', env: { UNIFI_API_URL: NOWHERE, UNIFI_API_KEY: KEY } },
  adb: { package: 'adb-mcp' },
  'ios-simulator': { package: 'ios-simulator-mcp' },
  ssh: {
    package: 'ssh-mcp',
    args: ['--host=127.0.0.1', '--user=x'],
    env: { SSH_MCP_PASSWORD: 'x' },
  },
  gdb: { package: 'mcp-gdb' },
  applescript: { package: '@steipete/macos-automator-mcp' },
  'obsidian-mcpvault': { package: '@bitbonsai/mcpvault', args: ['.'] },
  trilium: {
    package: 'triliumnext-mcp',
    env: { TRILIUM_API_URL: NOWHERE, TRILIUM_API_TOKEN: KEY, PERMISSIONS: 'READ;WRITE' },
  },
  karakeep: {
    package: '@karakeep/mcp',
    env: { KARAKEEP_API_ADDR: NOWHERE, KARAKEEP_API_KEY: KEY },
  },
  paperless: {
    package: '@baruchiro/paperless-mcp',
    env: { PAPERLESS_URL: NOWHERE, PAPERLESS_API_KEY: KEY },
  },
  todoist: { package: 'todoist-mcp', env: { API_KEY: KEY } },
  dart: { package: 'dart-mcp-server', env: { DART_TOKEN: 'dsa_x' } },
  shortcut: { package: '@shortcut/mcp', env: { SHORTCUT_API_TOKEN: KEY } },
  'task-manager': { package: '@kazuph/mcp-taskmanager' },
  hevy: { package: 'hevy-mcp', env: { HEVY_API_KEY: KEY } },
  strapi: {
    package: 'strapi-mcp',
    env: { STRAPI_URL: NOWHERE, STRAPI_ADMIN_EMAIL: 'a@b.c', STRAPI_ADMIN_PASSWORD: 'x' },
  },
  contentful: {
    package: '@ivotoby/contentful-management-mcp-server',
    env: { CONTENTFUL_MANAGEMENT_ACCESS_TOKEN: KEY },
  },
  webflow: { package: 'webflow-mcp-server', env: { WEBFLOW_TOKEN: KEY } },
  'linkedin-hdw': {
    package: '@horizondatawave/mcp',
    env: { HDW_ACCESS_TOKEN: KEY, HDW_ACCOUNT_ID: 'x' },
  },
  cloudinary: {
    package: 'cloudinary-mcp-server',
    env: { CLOUDINARY_CLOUD_NAME: 'x', CLOUDINARY_API_KEY: KEY, CLOUDINARY_API_SECRET: KEY },
  },
  'nano-banana': { package: 'nano-banana-mcp', env: { GEMINI_API_KEY: KEY } },
  airbnb: { package: '@openbnb/mcp-server-airbnb' },
  deepl: { package: 'deepl-mcp-server', env: { DEEPL_API_KEY: KEY } },
  frame0: { package: 'frame0-mcp-server' },
  n8n: {
    package: '@illuminaresolutions/n8n-mcp-server',
    env: { N8N_HOST: NOWHERE, N8N_API_KEY: KEY },
  },
  bitbucket: {
    package: '@nexus2520/bitbucket-mcp-server',
    env: { BITBUCKET_USERNAME: 'x', BITBUCKET_APP_PASSWORD: 'x' },
  },
  'code-runner': { package: 'mcp-server-code-runner' },
};
