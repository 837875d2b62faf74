/** Verbs of HTTP APIs that change something, beside those of tool names (`inference/verb-effects.ts`). */

import { effectOf, isChange, isSurelyVerb } from '../inference/verb-effects.js';

/** They are almost never anything else. */
const CLEAR: ReadonlySet<string> = new Set(
  `abolish allocate annihilate annul associate authorise banish calibrate chmod cordon deactivate deallocate
  deauthorize debit decommission decr defund del deprovision dequeue detonate disarm disassociate disburse discharge
  dismantle dissociate donate downgrade enqueue enrol enroll equip eradicate evict expel expunge flushall flushdb
  hangup hset impersonate incr initiate invalidate logoff logon lpop lpush mkdir mutate mv nuke nullify obliterate
  optout originate pardon poweroff poweron quarantine reallocate reassign recalculate recreate redeem redeploy
  regenerate reimburse reindex reinstall reinstate relinquish remit repay repost reprocess requeue reroute
  reschedule rescind resend respawn resubmit resync retract rm rmdir rpop rpush sadd setex shred signin signout
  signup suspend teleport terminate unban unbind unblock uncordon undelete undeploy unenroll unequip unfavorite
  unfavourite unfollow unfriend unhide uninvite unlike unmonitor unmute unpair unset unshare unstake unstar unsub
  unsuspend untrash unwatch zadd`.split(/\s+/),
);

/** They are often nouns, or mean something else in a sentence. */
const ALSO_NOUNS: ReadonlySet<string> = new Set(
  `abort ack acknowledge act activate advertise announce answer apply arm assume attach attack auth authorize ban
  barge begin blacklist blink blocklist bump burn buzz bypass cast checkin checkout claim click close compact
  confirm consume continue craft decrement defend demote deposit detach dial dim dispense do dock down drain eject
  end escalate eval exchange exclude exec execute exit expire failover fax feed finalize finish fire flash flush gc
  give go halt heal hide hit hold include increment invalidate issue join kick land learn leave like load login
  logout lower mark mint monitor mount move mute nack new next off on open opt optimize override panic park perform
  pop press previous promote provision purchase push quit raise reboot rebuild receive recharge refresh register
  release reload renew replay request rerun reset retweet rewind ring rotate rsvp say scrub seek settle shuffle
  shutdown skip sleep sms snooze spawn speak stake su submit subscribe swap sync take takeoff tap tick toggle topup
  touch trade train turn tweet unload unlock unmount up upgrade vacuum verify vote wake warmup watch water whisper
  whitelist withdraw zap`.split(/\s+/),
);

/**
 * Verbs of tools that are nouns in an API. A tool that downloads may write a file; a GET only sends it.
 */
const THINGS: ReadonlySet<string> = new Set(
  'download type index cache select handle use'.split(' '),
);

/** The word names a change, in its base form. It may be a noun too: `order`. */
export function isChangeVerb(word: string): boolean {
  return CLEAR.has(word) || ALSO_NOUNS.has(word) || (isChange(effectOf(word)) && !THINGS.has(word));
}

/** The word names a change, and is almost never a noun. */
export function isClearChange(word: string): boolean {
  return CLEAR.has(word) || (isSurelyVerb(word) && isChange(effectOf(word)));
}

/** Nouns for what is stored, and verbs: `order`. The name of the operation, or a parameter, shows which. */
const RECORDS: ReadonlySet<string> = new Set(
  `access archive bid blacklist block blocklist book build bundle cache call cast change charge claim comment commit
  control deposit draft email exchange export feed follow fork grant host import index invite issue label like link
  lock mark merge message monitor order patch play post process pull purchase record refund release reply request
  run schedule session set share signal stake star stop store subscribe tag test token track trade transfer
  transition trash tweet update upload vote watch whitelist`.split(/\s+/),
);

/** The word can name something that is stored, although it is a verb. */
export function isRecord(word: string): boolean {
  return RECORDS.has(word);
}

/** Verbs that are seldom the first part of a compound noun. */
const ACTIONS: ReadonlySet<string> = new Set(
  `abort ack activate add answer apply ban begin book call cast clear click clone close confirm copy craft cut dial
  do drop email end feed fire flag generate give go hide hold join kick land launch leave lock make mark move mute
  new open pause play post press print pull push put refresh register renew reset run scan send set skip start stop
  switch sync take takeoff tap toggle touch turn unlock upgrade use verify wake warmup zap`.split(
    /\s+/,
  ),
);

/** The word is an action even before a noun: `open_gates`. */
export function isActionWord(word: string): boolean {
  return ACTIONS.has(word);
}

/** A change that a name or a path adds to a read: `get_or_create`. */
export function joinedChange(words: readonly string[]): string | undefined {
  return words.find(
    (word, i) => /^(?:and|or|then)$/.test(words[i - 1] ?? '') && isChangeVerb(word),
  );
}

/**
 * Verbs that begin a word together with what they change: `createacct`, `addusers`. Short ones begin many nouns, so they
 * count only before a word that is known.
 */
const GLUED =
  /^(create|delete|remove|update|insert|reset|cancel|suspend|unsuspend|enable|disable|activate|deactivate|register|unregister|install|uninstall|subscribe|unsubscribe|restart|modify|change|rename|clear|purge|upload|publish|mark|send|start|stop|kill|edit|save|move|add|del|set)(\p{L}{2,})$/u;

/** What is left of a word that only belongs to the family of its verb: `updates`, `creators`, `settings`. */
const DERIVED =
  /^(?:s|es|e?d|e?rs?|ors?|(?:at|t|lat)?ions?|able|ability|ments?|als?|ances?|ures?|t?ings?|ees?|y|ies|ants?|ively?|ive|le|ly|up|ups|out|outs|ress(?:es)?|ons?|ition(?:s|al)?|kets?|ketplaces?|keters?|keting|downs?|list|lists|point|points|books?)$/;

/** The verb that a word of a path begins with. `isKnown` tells whether the rest of the word is one. */
export function gluedVerb(word: string, isKnown: (rest: string) => boolean): string | undefined {
  const [, verb, rest] = GLUED.exec(word) ?? [];
  if (verb === undefined || rest === undefined || DERIVED.test(rest)) return undefined;
  return verb.length > 4 || isKnown(rest) ? verb : undefined;
}

/**
 * Verbs that remove, send or change in other languages, as words or as beginnings of words of a sentence. A participle,
 * as in "gelöschte Dateien", does not count.
 */
const FOREIGN = new RegExp(
  [
    // Spanish, Portuguese, Italian, French
    '(?:elimina|borra|apaga|exclui|excluye|cancela|annulla|cancella|rimuove|rimuovi|invia|env[ií]a|crea|cria|aggiunge|aggiungi|actualiza|atualiza|aggiorna|modifica|a[ñn]ade|adiciona|bloquea|bloqueia|desactiva|activa|anula|reinicia|paga|supprime|efface|envoie|cr[ée]e|ajoute|annule|bloque|valide|r[ée]silie|red[ée]marre)(?:r|z|nt|m|n)?',
    '(?:excluir|incluir|supprimer|envoyer|cr[ée]er|ajouter|annuler|effacer|valider|r[ée]silier|cadastrar|desligar|ligar|abrir|cerrar|inviare|eliminare|cancellare|creare|ta bort)',
    // German, Dutch, Swedish
    '(?:l[öo]e?sch(?:t|e|en)|entfern(?:t|e|en)|send(?:et|e|en)|versend(?:et|e|en)|erstell(?:t|e|en)|leg(?:t|e|en) an|anlegen|[äa]nder(?:t|e|n)|bearbeite[nt]?|sperr(?:t|e|en)|stornier(?:t|e|en)|bezahl(?:t|e|en)|starte[nt]?|stopp(?:t|e|en)|verwijder(?:t|en)?|verzend(?:t|en)?|betaal(?:t)?|betalen|wijzig(?:t|en)?|annule(?:ert|ren)|skicka[rt]?|raderar?|betalar?|ändrar?|skapar?)',
    // Polish, Czech, Turkish, Finnish, Indonesian, Vietnamese
    '(?:usu[nńw](?:a|ie)?|wy[sś]lij|wysy[lł]a|dodaj|utw[oó]rz|zmie[nń]|anuluj|zap[lł]a[cć]|sma[zž](?:at|e)|ode[sš]l(?:at|i)|vytvo[rř](?:it|í)|sil(?:er)?|g[öo]nder(?:ir)?|olu[sş]tur(?:ur)?|g[üu]ncelle(?:r)?|iptal|poista(?:a)?|l[äa]het[äa](?:[äa])?|hapus|menghapus|kirim|mengirim|buat|membuat|ubah|xóa|gửi|tạo)',
    // Russian, Ukrainian
    '(?:удал[яи](?:ет|ть)|отправ(?:ляет|ить)|созда(?:ет|ёт|ть)|измен(?:яет|ить)|обнов(?:ляет|ить)|добав(?:ляет|ить)|оплатить|заблокировать|отменить|видалити|надіслати|створити)',
  ]
    .map((words) => String.raw`(?<!\p{L})${words}(?!\p{L})`)
    .join('|') +
    // Chinese, Japanese and Korean write no spaces.
    '|(?<![已被未不])(?:删除|刪除|移除|清空|发送|發送|创建|新增|修改|更新|添加|支付|取消|关闭|重启)(?!的|时间|日期|记录|历史)|(?:削除|送信|作成|更新|変更|登録|追加|停止|支払)(?:する|します|し(?!た|ない|ません)|$)|(?:삭제|전송|생성|수정|추가|변경|취소|등록)(?:합니다|하고|한다|하기|$)',
  'iu',
);

/** A change that a sentence names in another language. */
export function foreignChange(sentence: string): string | undefined {
  return FOREIGN.exec(sentence)?.[0];
}
