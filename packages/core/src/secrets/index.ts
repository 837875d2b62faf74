// Secrets by name.
export { isSecretName, isSecretSetting } from './names/secret-names.js';

// Secrets by form, in text.
export { REDACTED } from './text/redacted.js';
export { isSecretValue } from './text/known-tokens.js';
export { createBase64Redactor } from './text/base64-values.js';
export { isSecretPart, placeOf } from './text/address-path.js';

// All of it together, with names and forms of an operator.
export {
  createSecretDetector,
  redactJson,
  redactText,
  redactUrl,
  type SecretDetector,
  type SecretDetectorOptions,
} from './detector.js';
export { announcesSecret, secretMembers } from './json/secret-positions.js';
export { beginsKey, isKeyLineAt } from './text/private-keys.js';
