/** Splits keys and tool names into words, and writes the words for programs and for people. */

import { INVISIBLE } from './confusables.js';

/** Character classes: upper case; lower case with marks and modifiers; lower case alone; digits. */
type Letters = readonly [upper: string, following: string, lower: string, digit: string];

const PLAIN: Letters = ['[A-Z]', '[a-z]', '[a-z]', '[0-9]'];
const ANY: Letters = [
  String.raw`\p{Lu}`,
  String.raw`[\p{Ll}\p{Lo}\p{Lm}\p{Lt}\p{M}]`,
  String.raw`\p{Ll}`,
  String.raw`\p{N}`,
];
const IS_PLAIN = /^[\0-\x7f]*$/;

const plainWord: RegExp = wordPattern(PLAIN, 'g');
/** Compiled on first use: the Unicode classes are slow to compile. */
let anyWord: RegExp | undefined;

// A capital starts a word unless it continues an acronym. Digits belong to the letters around
// them: n8n.
function wordPattern([upper, following, lower, digit]: Letters, flags: string): RegExp {
  const parts = [
    `${upper}{2,}s(?!${lower})`, // a plural acronym: URLs
    `${upper}{2,}(?=v${digit})`, // an acronym and its version: UUIDv4
    `${upper}+(?!${lower})(?:${digit}+${lower}*)*`,
    `${upper}?${following}+(?:${digit}+${lower}*)*`,
    `${digit}+${lower}*`,
  ];
  return new RegExp(parts.join('|'), flags);
}

/** The words of a name as they were written: `readHTML5_file` → `read`, `HTML5`, `file`. */
export function wordsOf(name: string): string[] {
  if (IS_PLAIN.test(name)) return name.match(plainWord) ?? [];
  return name.normalize('NFC').match((anyWord ??= wordPattern(ANY, 'gu'))) ?? [];
}

/** `RunInstances` → `run`, `instances`. */
export function lowerWords(text: string): string[] {
  return wordsOf(text).map((word) => word.toLowerCase());
}

/** `apple-mail` → `apple_mail`, `GitHubAPI` → `git_hub_api`. */
export function snakeCase(name: string): string {
  return wordsOf(name).join('_').toLowerCase();
}

/** A key or tool name as a label: `read_file` → `Read File`, `github-api` → `GitHub API`. */
export function titleCase(name: string): string {
  const whole = knownSpelling(name);
  if (whole !== undefined) return whole;
  const shouted = name === name.toUpperCase();
  return joinKnownPairs(wordsOf(name))
    .map((word) => knownSpelling(word) ?? capitalise(word, shouted))
    .join(' ');
}

/** Words of a server key that are left out of its display name. */
const EMPTY_WORDS = new Set(['mcp', 'server']);

/**
 * The display name of a server: the operator's name for it, or else its key as a label. The name
 * that a server gives itself is not used, since a server could imitate another.
 */
export function displayName(key: string, given?: string): string {
  const chosen = given?.replace(INVISIBLE, '').trim();
  if (chosen) return chosen;
  const last = key.slice(key.lastIndexOf('/') + 1) || key;
  const telling = wordsOf(last).filter((word) => !EMPTY_WORDS.has(word.toLowerCase()));
  return titleCase(telling.join(' ')) || titleCase(last) || key;
}

function knownSpelling(word: string): string | undefined {
  return KNOWN_SPELLINGS.get(word.toLowerCase());
}

/** Joins brands with an inner capital, which `wordsOf` splits: `Git` + `Hub`. */
function joinKnownPairs(words: readonly string[]): string[] {
  const joined: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const pair = words[i]! + (words[i + 1] ?? '');
    const isPair = pair !== words[i] && /\p{Lu}/u.test(words[i + 1]!) && knownSpelling(pair);
    joined.push(isPair ? pair : words[i]!);
    if (isPair) i++;
  }
  return joined;
}

function capitalise(word: string, shouted: boolean): string {
  if (/^v\d+$/i.test(word)) return word.toLowerCase();
  const isAcronym =
    !shouted && word.length > 1 && word === word.toUpperCase() && /\p{Lu}/u.test(word);
  if (isAcronym) return word;
  const [first = '', ...rest] = word;
  return first.toUpperCase() + rest.join('').toLowerCase();
}

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
const KNOWN_SPELLINGS: ReadonlyMap<string, string> = new Map(
  SPELLINGS.split(' ').map((spelling) => [spelling.toLowerCase(), spelling]),
);
