/** Words whose usual spelling no rule can guess. Add one when a label looks wrong. */

const SPELLINGS =
  '2FA AI API APIs AQL arXiv ASCII AWS BigQuery CDK CI CircleCI CLI ClickHouse ClickUp ' +
  'CoinGecko CPU CRM CSS CSV DB dbt DevOps DevTools DigitalOcean DNS DuckDB DuckDuckGo eBay ' +
  'EC2 ElevenLabs ERP FTP GCP GitHub GitLab GPU GraphQL gRPC HTML HTTP HTTPS HubSpot iCloud ID ' +
  'IDE IDs IMAP iMessage IO iOS IoT IP JetBrains JS JSON JWT K8s KB KPI LangChain LinkedIn ' +
  'LlamaIndex LLM LLMs macOS MariaDB MCP MCPAQL MD5 MongoDB MP3 MP4 MySQL NoSQL npm OAuth ' +
  'OAuth2 OneDrive OneNote OpenAI OpenAPI OpenSearch OpenStreetMap OS PagerDuty PayPal PDF ' +
  'PDFs PHP PlanetScale PNG PostHog PostgreSQL PR PRs PubMed QA QuickBooks RDS RPC RSS S3 SaaS ' +
  'SDK SendGrid SEO SFTP SHA256 SharePoint SMS SMTP SNS SQL SQLite SQS SSE SSH SSL SSO SVG TCP ' +
  'TLS TS TV UDP UI URI URIs URL URLs UTC UTF8 UUID UX VirusTotal VM VMs VPC VPN WebSocket ' +
  'WhatsApp WiFi WordPress XML YAML YouTube ZIP';

/** Lower-case word → its usual spelling. */
export const KNOWN_SPELLINGS: ReadonlyMap<string, string> = new Map(
  SPELLINGS.split(' ').map((spelling) => [spelling.toLowerCase(), spelling]),
);
