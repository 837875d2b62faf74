export { type ApiKeyStore, createApiKey, type SharedApiKeys } from './callers/api-key.js';
export { openBrowser } from './sign-in/open-browser.js';
export { signIn } from './sign-in/sign-in.js';
export { SignInError } from './sign-in/sign-in-error.js';
export { signOut } from './sign-in/sign-out.js';
export { createOutboundFetch } from './network/outbound-fetch.js';
export { credentialsFor, SignInCredentials } from './sign-in/sign-in-credentials.js';
export { SignInFile } from './sign-in/sign-in-file.js';
export { holderOf, parseSignIn, signInId } from './sign-in/sign-in-record.js';
export type { RemoteEntry, SignInRecord } from './sign-in/sign-in-record.js';
export type { SignInStore } from './sign-in/sign-in-store.js';
export { mayListen } from './callers/may-listen.js';
export { createAuthentication } from './callers/authentication.js';
export type { Authentication } from './callers/authentication.js';
export { API_KEY, AUTH_SETTINGS, CONSOLE_LEVELS } from './callers/auth-settings.js';
export type { ApiKeySettings, AuthSettings, ConsoleAccessLevel } from './callers/auth-settings.js';
export { SignInSite } from './authorization/sign-in-site.js';
export type { CallerAccess } from './authorization/authorization-server.js';
export { CallerSignInFile } from './authorization/caller-sign-in-file.js';
export {
  addOperatorAnswer,
  CALLER_SIGN_INS,
  emptyState,
  operatorHash,
  type Revoked,
  revokeSignIns,
} from './authorization/caller-sign-in-state.js';
export { isAsAsked, operatorQuestion } from './authorization/operator-question.js';
export type { OperatorQueue } from './authorization/waiting-people.js';
export type { CallerSignIn, CallerSignInState } from './authorization/caller-sign-in-state.js';
export type { CallerSignInStore } from './authorization/caller-sign-in-store.js';
export { NETWORK_SETTINGS } from './network/network-settings.js';
export type { NetworkSettings } from './network/network-settings.js';
export { OAUTH_SETTINGS } from './sign-in/oauth-settings.js';
export type { OAuthSettings } from './sign-in/oauth-settings.js';
export {
  accountKey,
  type Account,
  type AccountPlace,
  LOCAL_PERSON,
  newAccountId,
  parseAccount,
  valueProblem,
} from './accounts/account.js';
export { EXCHANGE_SETTINGS } from './accounts/exchange-settings.js';
export { ExchangedCredentials } from './accounts/exchanged-credentials.js';
export { SubjectTokens } from './accounts/subject-tokens.js';
export { accountSignIns, type AccountStore } from './accounts/account-store.js';
export { removeAccount } from './accounts/remove-account.js';
export { accountLink } from './authorization/account-link.js';
export type { AccountServer, AccountsOfPeople } from './authorization/account-pages.js';
