/**
 * Verbs of names and descriptions in other languages. They are enough for a label, but never prove a read. A participle, as
 * in "gelöschte Dateien", and a denial do not count.
 */

import type { Effect } from '../hints/endpoints.js';

/** Words of languages that write spaces, as patterns. */
const SPACED: readonly (readonly [Effect, string])[] = [
  [
    'reads',
    // Spanish, Portuguese, Italian, French
    `consultar?|consulter?|obten(?:er|ir|ha)|obti[ée]n[et]?|obt[ée]m|obter|listar?|lister?|buscar?|pesquisar?|recherche[rz]?|cercare|cerca
    |mostrar?|muestra|exib(?:e|ir)|affiche[rz]?|afficher|l[êe]e?r?|leer|lire|lit|leggi|devuelve|devolver|retorna[rn]?|retourne|renvoie|recuperar?
    |r[ée]cup[èé]re[rz]?|encontrar?|encuentra|calcula[rn]?|calcule[rz]?|compara[rn]?|elenca|ottieni|verificar?
    |`.replaceAll(/\s/g, '') +
      // German, Dutch
      'abrufen|abfragen|auflisten|anzeigen|suchen?|sucht|durchsuch(?:en|t)|les(?:en)?|liest|listet|zeigt|zeige|liefert|gibt|holt|holen|hole|findet|finden|ermittelt|ermitteln|berechnet|berechnen|pr[üu]ft|pr[üu]fen|ophalen|zoeken|toon' +
      // Russian
      '|получ(?:ить|ает|ение|и)|найти|находит|поиск|ищет|показ(?:ать|ывает)|возвращает|вернуть|чита(?:ет|ть)|прочитать|просмотр(?:еть)?|вывести|выводит',
  ],
  [
    'adds',
    'crear?|cria[rn]?|creare|cr[ée]er?|a[ñn]adir|a[ñn]ade|adicionar?|agregar?|aggiung(?:e|i|ere)|ajoute[rz]?|cadastrar?|registrar|erstell(?:t|e|en)|anlegen|hinzuf[üu]g(?:en|t)|skapar?|dodaj|utw[oó]rz|vytvo[rř](?:it|í)|olu[sş]tur(?:ur)?|membuat|buat|tạo|созда(?:ет|ёт|ть|й)|добав(?:ляет|ить)|створити',
  ],
  [
    'changes',
    'actualizar?|atualizar?|aggiorna(?:re)?|modificar?|modifier|modifie|mettre|editar|cambiar?|alterar?|bloquear?|bloqueia|activa[rn]?|desactiva[rn]?|reinicia[rn]?|ligar|desligar|abrir|cerrar|valide[rz]?|red[ée]marre[rz]?|[äa]ndern?|[äa]ndert|bearbeite[nt]?|aktualisier(?:t|e|en)|sperr(?:t|e|en)|starte[nt]?|setzt?|setzen|wijzig(?:t|en)?|ändrar?|zmie[nń]|g[üu]ncelle(?:r)?|ubah|измен(?:яет|ить)|обнов(?:ляет|ить)|редактир(?:ует|овать)|заблокировать',
  ],
  [
    'destroys',
    'eliminar?|eliminare|borrar?|apagar?|exclui[r]?|excluye|cancelar?|annulla(?:re)?|cancella(?:re)?|rimuov[ei]|rimuovere|anular?|remover|quitar|supprime[rz]?|efface[rz]?|annule[rz]?|r[ée]silie[rz]?|l[öo]e?sch(?:t|e|en)|entfern(?:t|e|en)|stornier(?:t|e|en)|verwijder(?:t|en)?|annule(?:ert|ren)|raderar?|ta bort|usu[nńw](?:a|ie|[aą][cć])?|anuluj|sma[zž](?:at|e)|sil(?:er)?|iptal|poista(?:a)?|menghapus|hapus|xóa|удал[яи](?:ет|ть)|отмен(?:яет|ить)|видалити|stopp(?:t|e|en)',
  ],
  [
    'sends',
    'enviar?|env[ií]a|inviare?|invia|envoyer|envoie|publi(?:car|er|e)|publica|pagar?|comprar?|reservar?|responder|send(?:et|e|en)|versend(?:et|e|en)|ver[öo]ffentlich(?:t|en)|bezahl(?:t|e|en)|bestell(?:t|e|en)|buch(?:t|e|en)|verzend(?:t|en)?|betaal(?:t)?|betalen|skicka[rt]?|betalar?|wy[sś]lij|wysy[lł]a|zap[lł]a[cć]|ode[sš]l(?:at|i)|g[öo]nder(?:ir)?|l[äa]het[äa](?:[äa])?|mengirim|kirim|gửi|отправ(?:ляет|ить|ь)|опублик(?:ует|овать)|оплатить|надіслати',
  ],
  ['runs', 'ejecutar?|executar|esegui(?:re)?|ex[ée]cute[rz]|ausf[üu]hren|führt|выполн(?:яет|ить)'],
];

/** Chinese. The words stand for verbs and for nouns; their place decides. */
const CHINESE: readonly (readonly [Effect, string])[] = [
  [
    'reads',
    '查询|查詢|获取|取得|列出|搜索|搜尋|检索|读取|讀取|查看|查找|返回|分析|计算|定位|统计|识别|翻译|转换|规划|测量|推荐|解析|校验|检查|预览|提取|获得|浏览|对比|比较',
  ],
  ['adds', '创建|建立|新增|新建|添加|插入|注册'],
  [
    'changes',
    '修改|更新|编辑|设置|替换|移动|重命名|启用|禁用|覆盖|写入|保存|上传|绑定|关闭|重启|启动|变更',
  ],
  ['destroys', '删除|刪除|移除|清空|取消|撤销|销毁|终止|解绑|停止'],
  ['sends', '发送|發送|发布|推送|支付|转账|下单|部署|回复|邀请|预订'],
  ['runs', '执行|运行'],
];

/** Japanese and Korean. A verb has an ending, and stands at the end of its clause. */
const ENDED: readonly (readonly [Effect, string])[] = [
  [
    'reads',
    '取得|検索|一覧表示|表示|参照|確認|調査|計算|分析|抽出|変換|比較|読み取|返|조회|검색|추출|확인|반환|감지|파싱|비교|분석|변환|계산|표시|가져오|가져옵|보여|읽',
  ],
  ['adds', '作成|追加|登録|생성|추가|등록|작성'],
  ['changes', '更新|変更|編集|設定|移動|保存|수정|변경|업데이트|편집|설정|저장'],
  ['destroys', '削除|消去|停止|キャンセル|삭제|제거|취소'],
  ['sends', '送信|投稿|公開|支払|通知|予約|注文|招待|전송|발송|게시|결제|예약|주문|초대'],
  ['runs', '実行|실행'],
];

const ENDING =
  '(?:する|します|し(?!た|ない|ません)|ります|り|합니다|하고|한다|하기|하여|해|옵니다|니다|는다|습니다|고|어|줍니다|$)';

/** What stands before the verb of a Chinese clause. */
const CLAUSE_START =
  /(?:^|[\uff0c\u3001\uff1b\u3002\uff1a:,;\uff08(]|\u5e76\u4e14?|\u7136\u540e|\u518d|\u6216\u8005?|\u548c|\u53ca|\u4ee5\u53ca|\u53ef\u4ee5?|\u7528\u4e8e|\u652f\u6301|\u80fd\u591f|\u6279\u91cf|\u4e00\u952e)\s*$/u;

/** A verb of another language in a sentence or a name. */
export interface ForeignVerb {
  readonly word: string;
  readonly effect: Effect;
  /** Whether it stands where the verb of a sentence stands. */
  readonly isHead: boolean;
}

/** Compiled on first use: most texts are English. */
let patterns:
  | readonly { effect: Effect; word: RegExp; spaced: RegExp; chinese: RegExp; ended: RegExp }[]
  | undefined;

function compiled(): NonNullable<typeof patterns> {
  patterns ??= SPACED.map(([effect, spaced]) => ({
    effect,
    word: new RegExp(`^(?:${spaced})$`, 'u'),
    spaced: new RegExp(
      String.raw`(?<!\p{L}|(?<!\p{L})(?:no|non|não|ne|nicht|не) )(?:${spaced})(?!\p{L}| nicht| nichts)`,
      'gu',
    ),
    chinese: new RegExp(
      `(?<![已被未不所待])(?:${wordsIn(CHINESE, effect)})(?!的|时间|日期|记录|历史|状态|者|人|日志|前|后)`,
      'gu',
    ),
    ended: new RegExp(`(?:${wordsIn(ENDED, effect)})${ENDING}`, 'gu'),
  }));
  return patterns;
}

function wordsIn(table: readonly (readonly [Effect, string])[], effect: Effect): string {
  return table.find(([each]) => each === effect)![1];
}

const EAST_ASIAN = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/u;

/** One search tells for most texts that there is none. */
let anySpaced: RegExp | undefined;

function mayHoldVerbs(sentence: string): boolean {
  if (EAST_ASIAN.test(sentence)) return true;
  anySpaced ??= new RegExp(
    String.raw`(?<!\p{L})(?:${SPACED.map(([, spaced]) => spaced).join('|')})(?!\p{L})`,
    'u',
  );
  return anySpaced.test(sentence);
}

/** The verbs of a sentence in another language. Takes plain text: folding case would make the patterns slow to compile. */
export function foreignVerbs(sentence: string): ForeignVerb[] {
  if (!mayHoldVerbs(sentence)) return [];
  return compiled().flatMap(({ effect, spaced, chinese, ended }) => {
    if (!EAST_ASIAN.test(sentence)) {
      return Array.from(sentence.matchAll(spaced), ({ 0: word, index }): ForeignVerb => {
        // `Daten abrufen.`: the verb stands at the end, or at the beginning.
        const isHead =
          index < 3 ||
          /^[^\p{L}(]*(?:$|\()/u.test(sentence.slice(index + word.length)) ||
          /[,;] *$|(?<!\p{L})(?:y|e|et|und|и|and) (?:l[oae]s? |les )?$/u.test(
            sentence.slice(0, index),
          );
        return { word, effect, isHead };
      });
    }
    const isChinese = !/[\u3040-\u30ff\uac00-\ud7af]/u.test(sentence);
    const found = sentence.matchAll(isChinese ? chinese : ended);
    return Array.from(found, ({ 0: word, index }): ForeignVerb => {
      return { word, effect, isHead: !isChinese || CLAUSE_START.test(sentence.slice(0, index)) };
    });
  });
}

/** The effect of one word of a name. */
export function foreignWord(word: string): Effect | undefined {
  if (/^[a-z]{1,3}$/.test(word)) return undefined;
  return compiled().find((each) => each.word.test(word))?.effect;
}

const FOREIGN_READ_ONLY =
  /\u53ea\u8bfb|\u552f\u8b80|\u8aad\u307f\u53d6\u308a\u5c02\u7528|\uc77d\uae30 \uc804\uc6a9|nur lesend|schreibgesch[\u00fcu]tzt|solo lectura|sola lectura|somente leitura|apenas leitura|lecture seule|\u0442\u043e\u043b\u044c\u043a\u043e \u0434\u043b\u044f \u0447\u0442\u0435\u043d\u0438\u044f|sola lettura/u;

export function promisesReadOnly(text: string): boolean {
  return FOREIGN_READ_ONLY.test(text);
}
