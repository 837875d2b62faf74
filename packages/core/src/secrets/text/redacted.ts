/** The text that replaces a secret, in text and in JSON. */
export const REDACTED = '[redacted]';
