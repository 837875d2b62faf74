/** Writing JSON-RPC messages around parameters and results that stay text. */

export function requestText(id: number, method: string, params: string | undefined): string {
  const head = `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)}`;
  return params === undefined ? `${head}}` : `${head},"params":${params}}`;
}

export function notificationText(method: string, params?: string): string {
  const head = `{"jsonrpc":"2.0","method":${JSON.stringify(method)}`;
  return params === undefined ? `${head}}` : `${head},"params":${params}}`;
}

/** `id` is JSON text, as the other end wrote it. */
export function resultText(id: string, result: string): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
}

export function errorText(id: string | undefined, error: string): string {
  return `{"jsonrpc":"2.0","id":${id ?? 'null'},"error":${error}}`;
}
