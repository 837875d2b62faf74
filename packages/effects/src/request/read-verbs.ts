/** Verbs that read, and only read. "Returns" is none: it says what comes back, not what happens before. */

const READS: ReadonlySet<string> = new Set(
  `get list retrieve search fetch find show read view lookup count download describe display browse query inspect
  compare enumerate filter infer explore translate geolocate visualize decode encode parse peek obtain whoami geocode autocomplete suggest estimate calculate compute predict check see`.split(
    /\s+/,
  ),
);

/** Verbs that are seldom a noun, and so count in the middle of a name too: `actions_get_reviews_for_run`. */
const INNER: ReadonlySet<string> = new Set(
  'get list retrieve search fetch find lookup describe download'.split(' '),
);

/** `isMeetingRunning`, `hasPermission`: questions. */
const QUESTIONS: ReadonlySet<string> = new Set(['is', 'has', 'exists', 'are']);

/** Verbs that also change something as the last word behind an object: `/notifications/{id}/read` marks it. */
const DOUBTFUL_IN_PATHS: ReadonlySet<string> = new Set(
  'read view show check query fetch compare display see suggest estimate predict compute inspect translate decode encode parse explore infer filter'.split(
    ' ',
  ),
);

/** `checkin`, `check_out` and `check off` change something. */
const PARTICLES: ReadonlySet<string> = new Set(['in', 'out', 'off', 'mark', 'rid']);

/** `get` that is glued to what it gets: `getbalance`. No other word begins with it. */
const GLUED =
  /^(get|fetch|list(?!en|ing|er)|search(?!er|ing)|lookup|find(?!er|ing))([\p{L}\p{N}]{3,})$/u;
const INNER_CHANGE =
  /create|delete|remove|update|insert|reset|clear|send|purge|flush|cancel|revoke|andset|orset|orcreate|lock$/;

/** Whether the words begin with a verb that reads. */
export function isReadPhrase(words: readonly string[]): boolean {
  const [first = '', second = ''] = words;
  if (READS.has(first)) return !PARTICLES.has(second);
  if (first === 'look' && second === 'up') return true;
  if (words.length > 2 && QUESTIONS.has(first)) return true;
  const [, , glued] = GLUED.exec(first) ?? [];
  return glued !== undefined && !INNER_CHANGE.test(glued);
}

export function isReadVerb(word: string): boolean {
  return READS.has(word);
}

/** Whether a word in the middle of a name is a verb that reads. */
export function isInnerRead(word: string): boolean {
  return INNER.has(word);
}

export function isQuestion(word: string): boolean {
  return QUESTIONS.has(word);
}

/** Whether a verb in a path is a read wherever it stands. */
export function isReadInPath(words: readonly string[]): boolean {
  const [first = '', second = 'all'] = words;
  return (
    isReadPhrase(words) && !(second === 'all' && words.length < 3 && DOUBTFUL_IN_PATHS.has(first))
  );
}
