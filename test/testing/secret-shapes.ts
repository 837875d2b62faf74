/**
 * Shapes of secrets as they are found in arguments, names and messages: tokens of vendors, names in
 * many languages, sentences. Half of them are held back: the rules were written without them, and
 * the test says how many of them the rules find.
 */

import { createHash } from 'node:crypto';

export interface SecretShape {
  /** A text with a secret in it. */
  readonly text: string;
  readonly secret: string;
  /** Decided by a hash of the shape, before any rule was written. */
  readonly isHeldBack: boolean;
}

const MIXED = 'k7Qv2Zp9XrT4mW8sYb3LcN6hJd5GfA1uEe0BiPoRxKqVtHwMzSyDaCjFnUgIl';
const LOWER = 'k7qv2zp9xrt4mw8syb3lcn6hjd5gfa1uee0biporxkqvthwmzsydacjfnugil';
const UPPER = 'K7QV2ZP9XRT4MW8SYB3LCN6HJD5GFA1UEE0BIPORXKQVTHWMZSYDACJFNUGIL';
const HEX = '7f3a9c0e5b1d86427f0a3c9e1b5d8426e0f7a3c95b1d8642c0e7f3a95b1d8642';
const UUID = '7f3a9c0e-5b1d-4642-8f0a-3c9e1b5d8426';
const PASSWORD = 'Trout-42-Lamp';

const mixed = (length: number): string => MIXED.repeat(3).slice(0, length);
const lower = (length: number): string => LOWER.repeat(3).slice(0, length);
const upper = (length: number): string => UPPER.repeat(3).slice(0, length);
const hex = (length: number): string => HEX.repeat(3).slice(0, length);

/** Tokens with a prefix of their vendor. Public documentation and lists of secret scanners name them. */
const TOKENS: readonly string[] = [
  `hvs.${mixed(24)}`,
  `hvb.${mixed(90)}`,
  `aio_${mixed(28)}`,
  `p8e-${lower(32)}`,
  `AGE-SECRET-KEY-1${upper(58)}`,
  `pat${mixed(14)}.${hex(64)}`,
  `LTAI${mixed(20)}`,
  `apify_api_${mixed(36)}`,
  `AKCp${mixed(69)}`,
  `ATCTT3${mixed(60)}`,
  `ATBB${mixed(32)}`,
  `bkua_${hex(40)}`,
  `CCIPAT_${mixed(22)}_${hex(40)}`,
  `CLOJARS_${lower(60)}`,
  `CFPAT-${mixed(43)}`,
  `dapi${hex(32)}`,
  `ddp_${mixed(36)}`,
  `doo_v1_${hex(64)}`,
  `dp.pt.${mixed(43)}`,
  `sl.${mixed(140)}`,
  `duffel_test_${mixed(43)}`,
  `dt0c01.${upper(24)}.${upper(64)}`,
  `EZAK${mixed(54)}`,
  `e2b_${hex(40)}`,
  `EAACEdEose0cBA${mixed(60)}`,
  `fc-${hex(32)}`,
  `FLWSECK_TEST-${hex(32)}-X`,
  `fo1_${mixed(43)}`,
  `fio-u-${mixed(64)}`,
  `gldt-${mixed(20)}`,
  `glptt-${hex(40)}`,
  `GOCSPX-${mixed(28)}`,
  `glsa_${mixed(32)}_${hex(8)}`,
  `HRKU-AA${mixed(58)}`,
  `pat-na1-${UUID}`,
  `lsv2_pt_${hex(32)}_${hex(10)}`,
  `lin_oauth_${hex(64)}`,
  `${hex(32)}-us12`,
  `key-${hex(32)}`,
  `napi_${lower(64)}`,
  `nfp_${mixed(40)}`,
  `NRAK-${upper(27)}`,
  `secret_${mixed(43)}`,
  `sha256~${mixed(43)}`,
  `pcsk_${mixed(6)}_${mixed(63)}`,
  `access-sandbox-${UUID}`,
  `pscale_tkn_${mixed(43)}`,
  `pscale_pw_${mixed(43)}`,
  `PMAK-${hex(24)}-${hex(34)}`,
  `pnu_${mixed(36)}`,
  `pul-${hex(40)}`,
  `rdme_${lower(70)}`,
  `r8_${mixed(37)}`,
  `re_${mixed(8)}_${mixed(24)}`,
  `rubygems_${hex(48)}`,
  `tk-us-${mixed(48)}`,
  `xkeysib-${hex(64)}-${mixed(16)}`,
  `sntryu_${hex(64)}`,
  `shippo_live_${hex(40)}`,
  `squ_${hex(40)}`,
  `sgp_${hex(16)}_${hex(40)}`,
  `sq0atp-${mixed(22)}`,
  `whsec_${mixed(32)}`,
  `sb_secret_${mixed(31)}`,
  `tskey-auth-${mixed(11)}-${mixed(32)}`,
  `${mixed(14)}.atlasv1.${mixed(60)}`,
  `AKID${mixed(32)}`,
  `tfp_${mixed(59)}`,
  `vercel_blob_rw_${mixed(16)}_${mixed(32)}`,
  `vk1.a.${mixed(80)}`,
  `waka_${UUID}`,
  `xai-${mixed(80)}`,
  `AQVN${mixed(35)}`,
  `zpka_${hex(32)}_${hex(8)}`,
  `api_org_${mixed(34)}`,
  `API-${upper(26)}`,
  `oy2${lower(43)}`,
  `nyk_v0_${mixed(60)}`,
  `dnkey-${upper(26)}-${upper(52)}`,
  `ops_eyJ${mixed(60)}`,
  `sdk-live-${hex(40)}`,
  `ctx7sk-${UUID}`,
  `bb_live_${mixed(27)}`,
  `ak_${mixed(20)}`,
];

/** Names whose values are secret. */
const NAMES: readonly string[] = (
  'mnemonic haslo пароль 密码 session_id ' +
  'hasło nowe_haslo hasloBazy heslo nove_heslo lösenord losenord adgangskode kodeord passord ' +
  'salasana jelszó jelszo lozinka geslo parolă kullanici_parola şifre sifre parool slaptažodis ' +
  'mật_khẩu mat_khau kata_sandi รหัสผ่าน पासवर्ड كلمة_المرور كلمة_السر סיסמה סיסמא κωδικός_πρόσβασης ' +
  'رمز_عبور パスワード 暗証番号 ログインパスワード 비밀번호 암호 密碼 用户密码 登录密码 口令 令牌 密钥 ' +
  'токен секрет пароль_бд ПАРОЛЬ парола лозинка mdp mot_de_passe palavra_passe contraseña_nueva ' +
  'seed_phrase seedPhrase recovery_phrase recovery_code recoveryCodes backup_codes passkey ' +
  'JSESSIONID PHPSESSID sessionId session_key SESSION-ID asp_net_sessionid totp_seed hmac_key ' +
  'client_assertion saml_response SAMLResponse private_pem pgp_key wallet_seed keyfile_pass'
).split(' ');

/** Sentences. `{}` is the secret. */
const SENTENCES: readonly string[] = [
  'the password is {}',
  'use token {}',
  'My password is {}.',
  'the password is "{}"',
  'password was {}, please change it',
  'The API key is {}',
  'Your access token is {}',
  'Log in with password {}',
  'log in as ann with the password {}',
  'Use the password {} to open the file',
  'using api key {}',
  'try the token {} instead',
  'connect with user ann and password {}',
  'the secret is {}, keep it safe',
  'The passphrase for the key is {}',
  'API key: {}',
  'Access token = {}',
  'passcode is: {}',
  'the password should be {}',
  'set the password to {}',
  'change my password to {}',
  'reset the token to {}',
  'Das Passwort ist {}',
  'Das Passwort lautet {}',
  'le mot de passe est {}',
  'Mot de passe : {}',
  'la contraseña es {}',
  'a senha é {}',
  'la password è {}',
  'het wachtwoord is {}',
  'пароль: {}',
  'пароль — {}',
  '密码是{}',
  '密码：{}',
  'パスワードは{}です',
  'hasło to {}',
];

function shape(text: string, secret: string): SecretShape {
  const digest = createHash('sha256').update(text).digest();
  return { text, secret, isHeldBack: digest[0]! % 2 === 1 && !NAMED.has(text) };
}

const named = (name: string): string => JSON.stringify({ [name]: PASSWORD });

/** The nine shapes that a review found in records. All rules had to find them. */
const NAMED: ReadonlySet<string> = new Set([
  `stored ${TOKENS[0]} there`,
  ...NAMES.slice(0, 5).map(named),
  ...SENTENCES.slice(0, 2).map((sentence) => sentence.replace('{}', PASSWORD)),
]);

export const SECRET_SHAPES: readonly SecretShape[] = [
  ...TOKENS.map((token) => shape(`stored ${token} there`, token)),
  ...NAMES.map((name) => shape(named(name), PASSWORD)),
  ...NAMES.map((name) => shape(`host=db ${name}=${PASSWORD} port=1`, PASSWORD)),
  ...SENTENCES.map((sentence) => shape(sentence.replace('{}', PASSWORD), PASSWORD)),
];

/** Values and sentences that hold no secret. None of them may be changed. */
export const INNOCENT: readonly string[] = [
  'imported from /home/ann/work/bad4.mjs',
  'see dist/index-BxK29sQz.js and report_2026-11-18T10.22.31Z.csv',
  'IMG_20261118_102231.jpg, backup-2026-11-18.tar.gz, key-visual-final-2.png',
  'src/auth/token-store.test.ts failed, see sessions/session-12.log',
  UUID,
  hex(40),
  hex(64),
  `commit ${hex(40)} on branch fix/token-refresh-2`,
  `sha256:${hex(64)}`,
  'sha512-k7Qv2Zp9XrT4mW8sYb3LcN6hJd5GfA1uEe0BiPoRxKqVtHwMzSyDaCjFnUgIl0==',
  '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgVE2upms',
  'cus_NffrFeUfNV2Hib, pi_3MtwBwLkdIwHu7ix28a3tqPa, price_1MoBy5LkdIwHu7ixZhnattbh',
  'msg_01XFDUDYJgAACzvnptvVoYEL, toolu_01T1x1fJ34qAmk2tNTrN7Up6, file-BK7bzQj3FfZFXr7DbL6xJwfo',
  `resp_${hex(48)}, chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT`,
  'arn:aws:iam::123456789012:role/key-admin, i-0abcd1234efgh5678, vpc-0a1b2c3d4e5f60718',
  'C024BE91L, U024BE7LH, T024BE7LD, PROJ-1234, #4521',
  'the password is required',
  'The password is too short; it must have 12 characters.',
  'the password is wrong, or the token is expired',
  'Your token is valid for 3600 seconds.',
  'The API key is missing.',
  'the secret is stored in Vault',
  'use token authentication, not basic',
  'Log in with password or with a passkey',
  'using api key rotation every 90 days',
  'Unexpected token < in JSON at position 0',
  'Unexpected token 5 in JSON at position 12',
  'max_tokens=4096 token_count: 12',
  'the password should be at least 12 characters long',
  'set the password to something longer',
  'reset the token to get a new one',
  'changed the primary key to id2',
  'Das Passwort ist falsch.',
  'le mot de passe est incorrect',
  'la contraseña es obligatoria',
  'monkey=banana7 keyboard=qwerty2 hockey: team4',
  '{"sessions": 4, "session": "morning-3", "seed": 42, "code": "E1234", "pin_count": 3}',
  '{"api": "v2", "kind": "passport", "author": "ann4", "keyword": "fish2"}',
  '{"path": "/srv/secrets-howto/page4.md", "query": "how to reset a password"}',
  'npm_package_version=1.2.3 fc-cache re_match tk-inter pul-over sl.py ak_bars dp.table',
];
