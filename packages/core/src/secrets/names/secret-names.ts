/**
 * Recognises secrets by name: JSON members, environment variables, headers, flags and query
 * parameters.
 */

/** Characters. Longer names are cut. */
const MAX_NAME = 200;

/** Secret at any place in a name. Case and punctuation do not matter. */
const PARTS: readonly string[] = [
  'password',
  'passwd',
  'passphrase',
  'passcode',
  'secret',
  'token',
  'credential',
  'apikey',
  'accesskey',
  'accountkey',
  'privatekey',
  'signingkey',
  'encryptionkey',
  'masterkey',
  'sshkey',
  'connectionstring',
  'authorization',
  'cookie',
  'amzsignature',
  'googsignature',
  'hmackey',
  'passkey',
  'pgpkey',
  'sessionid',
  'sessionkey',
  'samlresponse',
  // What opens a wallet or an account again.
  'mnemonic',
  'seedphrase',
  'walletseed',
  'totpseed',
  'recoveryphrase',
  'recoverycode',
  'backupcode',
];

/** In other languages. */
const FOREIGN_PARTS =
  'passwort kennwort wachtwoord motdepasse contraseña palavrapasse haslo heslo losenord adgangskode ' +
  'kodeord salasana jelszo sifre parool slaptazodis matkhau katasandi парол лозинка токен секрет ' +
  'κωδικοςπροσβασης סיסמה كلمةالمرور รหัสผ่าน 密码 密钥 口令 パスワード 암호';

let folded: readonly string[] | undefined;

/** Each as `wordsOf` folds it. Not when the code is loaded: that would take a start 4 ms. */
function allParts(): readonly string[] {
  folded ??= [...PARTS, ...FOREIGN_PARTS.split(' ').map(plainName)];
  return folded;
}

/** Too short to search for inside other words. Secret only as the whole name or its last word. */
const WORDS: ReadonlySet<string> = new Set([
  'pass',
  'pwd',
  'pin',
  'otp',
  'cvv',
  'cvc',
  'jwt',
  'pat',
  'auth',
  'bearer',
  'cred',
  'creds',
  'mdp',
  'parola',
  'senha',
]);

/**
 * Secret as the last word of settings and query parameters. Other data uses these words too often.
 */
const SETTING_WORDS: ReadonlySet<string> = new Set(['key', 'sig', 'signature']);

/** Names that are about a secret and do not hold it: `max_tokens`, `token_type`. */
const HARMLESS_FIRST: ReadonlySet<string> = new Set(['has', 'is', 'max', 'min', 'num', 'total']);
const HARMLESS_LAST: ReadonlySet<string> = new Set([
  'budget',
  'count',
  'endpoint',
  'expires',
  'expiry',
  'length',
  'limit',
  'ttl',
  'type',
  'uri',
  'url',
  'usage',
]);

/**
 * Whether a value with this name is a secret. `more`: further parts of names, as `plainName` writes
 * them.
 */
export function isSecretName(name: string, more: readonly string[] = []): boolean {
  const words = wordsOf(name);
  const plain = words.join('');
  if (more.some((part) => plain.includes(part))) return true;
  if (words.length > 1) {
    if (HARMLESS_FIRST.has(words[0]!) || HARMLESS_LAST.has(words.at(-1)!)) return false;
  }
  if (WORDS.has(plain) || WORDS.has(words.at(-1) ?? '')) return true;
  return allParts().some((part) => plain.includes(part));
}

/** Whether an environment variable, a header, a flag or a query parameter names a secret. */
export function isSecretSetting(name: string): boolean {
  const words = wordsOf(name);
  if (SETTING_WORDS.has(words.at(-1) ?? '') && words[0] !== 'public') return true;
  return isSecretName(name);
}

/** A name without case and punctuation: `API-Key`, `api_key` and `apiKey` are one name. */
export function plainName(name: string): string {
  return wordsOf(name).join('');
}

/** Without accents, so that `lösenord` and `losenord` are one name. */
function wordsOf(name: string): string[] {
  const cut = name.slice(0, MAX_NAME);
  // Nearly all names, and quicker.
  const letters = /^[\w.-]*$/.test(cut)
    ? cut
    : cut
        .normalize('NFKD')
        .replaceAll(/[\p{Cf}\p{M}]/gu, '')
        .replaceAll(/[łŁ]/g, 'l');
  return letters
    .replaceAll(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
