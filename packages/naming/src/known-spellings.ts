/** Words whose usual spelling no rule would guess. Add one when a label reads wrong. */

const SPELLINGS =
  'AI API APIs AQL ASCII AWS BigQuery CI CLI CPU CRM CSS CSV DB DNS DevTools DuckDB ERP FTP GCP GPU ' +
  'GitHub GitLab GraphQL gRPC HTML HTTP HTTPS HubSpot iCloud ID IDE IDs IMAP IO iOS IP IoT JetBrains ' +
  'JS JSON JWT K8s KPI LLM LinkedIn macOS MCP MCPAQL MariaDB MongoDB MySQL NoSQL npm OAuth OAuth2 ' +
  'OpenAI OpenAPI OS PagerDuty PDF PHP PNG PR PRs PayPal PostHog PostgreSQL QA RPC RSS S3 ' +
  'SDK SEO SFTP SMS SMTP SNS SQL SQLite SQS SSE SSH SSL SSO SVG SaaS SharePoint TCP TLS TS TV UI UDP ' +
  'URI URIs URL URLs UTC UUID UX VM VPC VPN WebSocket WhatsApp WiFi WordPress XML YAML YouTube ZIP';

/** Lower-case word → its usual spelling. */
export const KNOWN_SPELLINGS: ReadonlyMap<string, string> = new Map(
  SPELLINGS.split(' ').map((spelling) => [spelling.toLowerCase(), spelling]),
);
