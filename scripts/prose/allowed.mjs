// Texts that the rules report and that stay as they are, each with the reason.

/** `text` is what the finding quotes. An exception that no finding needs is an error. */
export const ALLOWED = [];
