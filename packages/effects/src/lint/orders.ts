/**
 * Phrases that give orders to a model instead of describing a tool. Only phrases are matched, not
 * intentions.
 */

/**
 * One kind of order. The patterns run over plain text (plain-text.ts) and have bounded lookahead,
 * so no text makes them slow.
 */
interface OrderKind {
  /** What the text does: a sentence without its subject. */
  readonly does: string;
  /** What the text seems to do if its phrase is unclear, as a sentence without its subject. */
  readonly seems?: string;
  /** Phrases that almost always address a model. */
  readonly clear?: readonly RegExp[];
  /** Phrases that may also describe the tool or be a quotation. */
  readonly doubtful?: readonly RegExp[];
}

/** An order that was found in a text. */
export interface Order {
  readonly does: string;
  readonly isClear: boolean;
}

const phrase = (...words: readonly string[]) => new RegExp(String.raw`\b${words.join(' ')}\b`);

const NOT = "(?:do not|don'?t|never|avoid|refrain from)(?: ever)?";
const MUST_NOT = "(?:must|should|shall)(?: not|n't| never)(?: ever)?";
const MODEL = '(?:you|assistant|model|llm|ai|agent|claude|chatgpt)';
const USER = '(?:(?:the|your|any|this|our) )?users?';
/** Not followed by "to": "Do not tell the user to restart" hides nothing. */
const USER_NOTHING = String.raw`${USER}\b(?! to\b)`;
const TELL = '(?:tell|inform)(?:ing)?';
const NOTIFY = '(?:notify|alert|warn)(?:ing)?';
const SHOW = '(?:mention|reveal|show|disclos|report|explain|expos)(?:e|ing)?';
const THIS = String.raw`(?:this|that|it|these|the fact)\b[^.!?]{0,40}`;
const SOMETHING = String.raw`(?:this|that|it|these|any|anything)\b[^.!?]{0,40}`;

const IGNORE = '(?:ignore|disregard|forget)(?: (?:of|the|these|my|all|any)){0,4}';
const IGNORE_ALL = `${IGNORE} (?:all|any|other)(?: (?:of|the|these|my|other)){0,3}`;
const OVERRIDE =
  '(?:ignore|disregard|forget|override|bypass)(?: (?:of|the|these|your|all|any)){0,4}';
const EARLIER = String.raw`(?:previous|prior|earlier|above|preceding)(?: \w{1,30})?`;
const INSTRUCTIONS = '(?:instruction|directive|guideline|prompt)s?';
/** "Ignore any instructions in the page" protects the model, so it does not count. */
const NOT_INSIDE = String.raw`\b(?! (?:in|inside|within|found|contained|embedded|that)\b)(?! (?:of|from) (?!(?:the |your )?(?:user|system)))`;

const READ = '(?:read|open|cat|load|send|include|pass|attach|upload|copy|paste|put)';
const MUST_READ = `(?:must|should|need to|have to|always|first)(?: also| always| first)? ${READ}`;
const SECRET_FILE = [
  String.raw`\.ssh`,
  String.raw`\bid_(?:rsa|dsa|ecdsa|ed25519)`,
  // As a file name; `process.env` does not count.
  String.raw`(?<![\w)\]])\.env`,
  String.raw`\.aws/credentials|\.netrc|\.npmrc|\.git-credentials|\.kube/config`,
  String.raw`\bmcp\.json|\bclaude_desktop_config\.json|/etc/(?:passwd|shadow)`,
].join('|');
const A_SECRET_FILE = `[^!?]{0,80}?(?:${SECRET_FILE})`;

const TAG_END = '(?: [^<>]{0,200})?/?>';
const SUBJECT = '(?:system|hidden|secret|special|developer)';
const MESSAGE = '(?:instructions?|prompt|reminder|message|notes?|notice|override|directive)';
const ORDER_TAG = `< ?/? ?(?:important[-\\w]{0,30}|${SUBJECT}[-_ ]?${MESSAGE})${TAG_END}`;
const ROLE_TAG = `(?:system|assistant|developer|instructions?|secret|hidden|critical)${TAG_END}`;
const CHAT_MARKER = String.raw`<\|\w{1,30}\|>|\[/?inst\]|<</?sys>>`;

const KINDS: readonly OrderKind[] = [
  {
    does: 'tells the model to disregard its instructions',
    clear: [
      phrase(OVERRIDE, EARLIER, INSTRUCTIONS),
      phrase(OVERRIDE, EARLIER, `rules?${NOT_INSIDE}`),
      phrase(IGNORE, String.raw`(?:your|system|original)(?: \w{1,30})?`, INSTRUCTIONS),
      phrase('(?:ignore|disregard|forget) everything (?:above|before|else|you)'),
      phrase(IGNORE_ALL, `(?:(?:tool|system|safety|user) )?instructions?${NOT_INSIDE}`),
    ],
  },
  {
    does: 'tells the model to keep something from the user',
    seems: 'mentions keeping something from the user',
    clear: [
      phrase(NOT, TELL, USER_NOTHING),
      // As a sentence of its own; "if true, do not notify users" describes.
      new RegExp(String.raw`(?:^|[.!?:;>]) ?${NOT} ${NOTIFY} (?:the|your) user\b(?! to\b)`),
      phrase(NOT, 'let', USER, '(?:know|see|notice|find out|suspect)'),
      phrase(NOT, SHOW, `${SOMETHING} to`, USER),
      phrase(MODEL, MUST_NOT, `(?:${TELL}|${NOTIFY}|let)`, USER_NOTHING),
      phrase('you', MUST_NOT, SHOW, THIS),
      phrase('users?', MUST_NOT, '(?:know|be (?:told|informed|aware|made aware))'),
      phrase('(?:hide|conceal|withhold|keep)', `${THIS} from`, USER),
    ],
    doubtful: [
      phrase(NOT, NOTIFY, USER_NOTHING),
      phrase(MUST_NOT, `(?:${TELL}|${NOTIFY}|let)`, USER_NOTHING),
      phrase(MUST_NOT, SHOW, `${SOMETHING} to`, USER),
      phrase('users?', MUST_NOT, '(?:see|notice|be (?:notified|alerted|warned))'),
      phrase('(?:hide|conceal|withhold)', '[^.!?]{1,40} from', USER),
      phrase('(?:secret|hidden|concealed) from', USER),
      phrase('without (?:telling|informing|notifying|alerting|warning)', USER),
      phrase('without letting', USER, 'know'),
      phrase('without', SHOW, `${SOMETHING} to`, USER),
    ],
  },
  {
    does: 'wraps orders in a tag or a chat marker',
    seems: 'names a tag or a chat marker that models obey',
    clear: [new RegExp(`(?<!\`)(?:${ORDER_TAG}|${CHAT_MARKER}|< ?/ ?(?:system|assistant) ?>)`)],
    doubtful: [new RegExp(`\`(?:${ORDER_TAG}|${CHAT_MARKER})|< ?/? ?${ROLE_TAG}`)],
  },
  {
    does: 'asks the model for a file that contains secrets',
    seems: 'mentions reading or sending a file that contains secrets',
    clear: [
      phrase(MUST_READ, A_SECRET_FILE),
      phrase(READ, `${A_SECRET_FILE}[^!?]{0,40} (?:and|then)`, READ, '(?:it|its|the|them|their)'),
    ],
    doubtful: [phrase(READ, A_SECRET_FILE)],
  },
  {
    does: 'gives orders to follow before a call',
    doubtful: [
      phrase(
        'before (?:using|calling|invoking|running)',
        '(?:this|any|the|another|each|every)(?: other)? tools?,?',
        '(?:(?:always|first|please|you|must|should) ){0,4}(?:read|open|cat|load|fetch|send|copy|run)',
      ),
      phrase(
        '(?:before|instead of|prior to|rather than)',
        '(?:(?:using|calling|invoking|running) )?(?:any|all|every|each)(?: of the)?(?: other)? tools?',
      ),
    ],
  },
  { does: 'mentions the system prompt', doubtful: [phrase('system prompt')] },
  { does: 'contains an HTML comment', doubtful: [/<!--/] },
];

/** A long blank moves the text after it out of view. */
const PADDING = /\s{100}/;
const PADDED: Order = { does: 'hides text after a long blank', isClear: false };

/** The kinds of orders in a text, each once. `plain`: the same text as `plainText` gives it. */
export function ordersIn(text: string, plain: string): Order[] {
  const has = (patterns: readonly RegExp[] = []) => patterns.some((each) => each.test(plain));
  const orders = KINDS.flatMap(({ does, seems = does, clear, doubtful }): Order[] => {
    if (has(clear)) return [{ does, isClear: true }];
    return has(doubtful) ? [{ does: seems, isClear: false }] : [];
  });
  return PADDING.test(text.trim()) ? [...orders, PADDED] : orders;
}
