/** The verbs of tools and of HTTP operations: what each does, and how certain that is. The only such table. */

import type { Effect } from '../hints/endpoints.js';

/**
 * - `clear`: almost always has this effect.
 * - `likely`: has exceptions. A read counts if name and description both state it; a change may overwrite or not.
 * - `weak`: says little on its own. A change counts only where an action stands: at the end of a path, as a parameter.
 */
export type Certainty = 'clear' | 'likely' | 'weak';

/** What a verb means in its base form. */
export interface Verb {
  readonly effect: Effect;
  readonly certainty: Certainty;
  /** Only its place shows whether the word is a verb: `post_message`, `list_posts`. */
  readonly isNoun: boolean;
}

/** A word with `*` is often a noun. */
const ROWS: readonly (readonly [Effect, Certainty, string])[] = [
  [
    'reads',
    'clear',
    `get list* read search* find fetch describe show view* count* retrieve lookup inspect introspect return* enumerate
    obtain peek tail* grep glob whoami stat* geocode autocomplete`,
  ],
  [
    'reads',
    'likely',
    `query* check* compare diff* validate preview* analyze analyse summarize summarise explain extract calculate estimate*
    detect discover look* locate compute parse lint rank* suggest recommend scrape* crawl* research* identify measure*
    diagnose troubleshoot explore browse translate rephrase transcribe screenshot* snapshot* wait* ping* echo*
    decode encode predict infer geolocate see ask* examine observe assess forecast* tokenize rerank match* dump* consult
    learn* classify investigate determine gather recall visualize filter* sort* trace* audit* scan*`,
  ],
  [
    'reads',
    'weak',
    `verify poll* watch* monitor* collect review* evaluate* resolve simulate answer*
    convert* provide report* render* map* access* display*`,
  ],
  [
    'adds',
    'clear',
    `create add insert register append clone* duplicate fork* schedule* draft* attach subscribe comment* mkdir`,
  ],
  [
    'changes',
    'clear',
    `update edit set* rename move* patch* modify change* write overwrite upsert replace put toggle* enable disable assign
    unassign mark* close* reopen restore* unarchive archive* lock* unlock pin* unpin configure adjust transition* grant*
    approve accept reject dismiss rotate scale* detach merge* start* resume* restart pause* install* reboot rebuild
    regenerate rebase amend squash migrate commit* retry* rerun sync* complete* confirm click* navigate rollback*
    revert launch* apply build* test* perform spawn format* deactivate suspend block* unpublish disconnect untag unmerge
    allocate associate authorise calibrate chmod cordon debit decr demote downgrade enqueue enrol enroll equip hset
    impersonate incr initiate mutate mv originate pardon poweroff poweron quarantine reallocate reassign recalculate recreate
    redeem reindex reinstall reinstate reprocess requeue reroute reschedule resync sadd setex signin signup lpush rpush
    respawn teleport unban unbind unblock uncordon undelete undeploy unenroll unequip unfavorite unfavourite unfollow
    unfriend unhide uninvite unlike unmonitor unmute unpair unset unshare unstake unstar unsub unsuspend untrash unwatch
    zadd`,
  ],
  [
    'destroys',
    'clear',
    `delete remove purge unregister deregister clear drop truncate destroy erase wipe revoke reset trash* discard uninstall
    prune flush unlink unsubscribe forget cancel kill terminate stop* abort shutdown* void* evict expire ban invalidate
    expunge deprovision decommission delist rm rmdir del abolish annihilate annul banish deallocate deauthorize defund
    dequeue detonate disarm disassociate discharge dismantle dissociate eradicate expel flushall flushdb hangup logoff logon
    lpop rpop nuke nullify obliterate optout relinquish rescind retract shred signout`,
  ],
  [
    'sends',
    'clear',
    `send post* email* reply* notify forward* invite broadcast* pay* charge* refund* deploy* trigger* dispatch* resend
    push* repost resubmit donate disburse remit repay reimburse redeploy`,
  ],
  ['sends', 'likely', `publish* submit order* book* buy sell transfer* purchase* share* mint`],
  ['runs', 'clear', `execute run* exec* eval* invoke call*`],
  [
    'changes',
    'likely',
    `save store* record* download* export* activate connect* pull* checkout
    stash tag* open* select* press* type* fill* hover tap* swipe drag* scroll* resize handle* emulate login*
    authenticate authorize sign* switch* initialize init setup* bind link* follow* star* vote* react upvote capture
    finalize persist ingest index* cache* manage process* control* play* use* fix repair advance* increment decrement
    consume drain acquire empty*`,
  ],
  ['adds', 'likely', `make generate copy* provision upload* import*`],
  ['destroys', 'likely', `logout*`],
  // Words that say nothing in a sentence or in the middle of a name.
  [
    'changes',
    'weak',
    `ack* acknowledge act* advertise* announce* arm* assume* attack* auth* barge* begin* blacklist* blink* blocklist*
    bump* burn* buzz* bypass* cast* checkin* claim* compact* continue* craft* defend* deposit* dial* dim* dispense* do*
    dock* down* eject* end* escalate* exchange* exclude* exit* failover* fax* feed* finish* fire* flash* gc* give* go*
    halt* heal* hide* hit* hold* include* issue* join* kick* land* learn* leave* like* load* lower* monitor* mount*
    mute* nack* new* next* off* on* opt* optimize* override* panic* park* place* pop* previous* promote* quit* raise* receive*
    recharge* refresh* release* reload* renew* replay* request* respond* retweet* rewind* ring* rsvp* say* scrub* seek* settle*
    shuffle* skip* sleep* sms* snooze* speak* stake* su* swap* take* takeoff* tick* topup* touch* trade* train* turn*
    tweet* unload* unmount* up* upgrade* vacuum* wake* warmup* water* whisper* whitelist* withdraw* zap*`,
  ],
];

/** A Map and not an object, because a server may name a tool `constructor`. */
const VERBS: ReadonlyMap<string, Verb> = new Map(
  // The first row that has a word counts.
  ROWS.toReversed().flatMap(([effect, certainty, words]) =>
    words.split(/\s+/).map((word): [string, Verb] => {
      return [word.replace('*', ''), { effect, certainty, isNoun: word.endsWith('*') }];
    }),
  ),
);

/** The meaning of a word in its base form; `undefined` if it is no known verb. */
export function verbOf(word: string): Verb | undefined {
  return VERBS.get(word);
}

/** Whether the word is a verb in its base form, and seldom anything else in a name. */
export function isVerb(word: string): boolean {
  const verb = VERBS.get(word);
  return verb !== undefined && (verb.effect === 'reads' || verb.certainty !== 'weak');
}

export function isRead(verb: Verb | undefined): boolean {
  return verb?.effect === 'reads';
}

/** A verb of a change that counts at any place. */
export function isChange(verb: Verb | undefined): verb is Verb {
  return verb !== undefined && verb.effect !== 'reads' && verb.certainty !== 'weak';
}

/** A verb of a change that is almost never a noun. */
export function isClearChange(word: string): boolean {
  const verb = VERBS.get(word);
  return isChange(verb) && !verb.isNoun;
}

/** Verbs of tools that are nouns in an API, or reads. A tool that downloads may write a file; a GET only sends it. */
const THINGS_OF_APIS: ReadonlySet<string> = new Set(
  'download type index cache select handle use'.split(' '),
);

/** The word may name a change where an action stands. It may be a noun too: `order`. */
export function mayChange(word: string): boolean {
  const verb = VERBS.get(word);
  return (
    verb !== undefined &&
    !THINGS_OF_APIS.has(word) &&
    (verb.effect !== 'reads' || DOUBTFUL.has(word))
  );
}

/** Reads of tools that change something at the end of a path: `/hosts/{id}/monitor`. */
const DOUBTFUL: ReadonlySet<string> = new Set('answer verify watch monitor learn scan'.split(' '));

/** A verb that proves a read of an HTTP operation. "Returns" says what comes back, not what happens before. */
export function provesRead(word: string): boolean {
  if (word === 'download' || word === 'display') return true;
  const verb = VERBS.get(word);
  return verb?.effect === 'reads' && verb.certainty !== 'weak' && !NO_PROOF.has(word);
}

const NO_PROOF: ReadonlySet<string> = new Set(
  `analyse analyze ask assess audit classify consult convert crawl detect determine diagnose diff discover dump echo examine
  explain extract forecast gather glob grep identify introspect investigate learn lint locate look match measure observe
  ping preview rank recall recommend rephrase rerank research return scan scrape screenshot snapshot sort stat summarise
  summarize tail tokenize trace transcribe troubleshoot validate wait`.split(/\s+/),
);

/** How a word of a sentence is inflected. `done`: a participle. */
export type Form = 'base' | 'third' | 'ing' | 'done';

/** The verb that a word is a form of: `Deletes`, `Fetching` and `Copies` are forms of `delete`, `fetch`, `copy`. */
export function inflected(
  word: string,
): { readonly base: string; readonly form: Form } | undefined {
  if (VERBS.has(word)) return { base: word, form: 'base' };
  for (const [ending, form] of ENDINGS) {
    if (!word.endsWith(ending)) continue;
    const stem = word.slice(0, -ending.length);
    const stems = [stem, `${stem}e`, stem.replace(/(.)\1$/, '$1'), stem.replace(/i$/, 'y')];
    // The third person of `use` is `uses`, not a form of `us`.
    const base = stems.find((each) => VERBS.has(each));
    if (base !== undefined) return { base, form };
  }
  const base = IRREGULAR.get(word);
  return base === undefined ? undefined : { base, form: 'done' };
}

const ENDINGS: readonly (readonly [string, Form])[] = [
  ['ing', 'ing'],
  ['es', 'third'],
  ['s', 'third'],
  ['ed', 'done'],
];

const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['sent', 'send'],
  ['overwritten', 'overwrite'],
  ['written', 'write'],
  ['paid', 'pay'],
  ['run', 'run'],
]);
