/**
 * Finds "deletes" in descriptions in other languages. Other verbs are only read in English. A
 * participle, as in "lists deleted files", and a denial do not count.
 */

/** In small letters. As texts, since the bundled command holds only ASCII characters. */
const FORMS: readonly string[] = [
  '(?<![已被未不])(?:删除|清空|移除|刪除)(?!的)',
  '削除(?:する|します|し)(?!た|ない|ません)',
  '삭제(?:합니다|하고|한다)',
  '(?<!не )удаля(?:ет|ть)',
  '(?<![a-zäöü])löscht(?! nicht)',
  String.raw`(?<!ne )\bsupprime\b`,
  '(?<!no |non |não |[a-z])(?:elimina|borra|apaga)(?![a-z])',
];

export const FOREIGN_DELETION: RegExp = new RegExp(FORMS.join('|'), 'u');
