export function installFolder(folder: string): string | undefined;
