export function deleteStaleOutput(packages: string): void;
