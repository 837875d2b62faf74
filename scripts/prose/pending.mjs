// Folders and files whose texts have not been read yet. Their findings are counted and not errors.
// The list only gets shorter.

export const PENDING = [];
