// A client that makes one call after another and measures how long each takes.

export async function openClient(url) {
  let session;
  let id = 0;
  const send = async (method, params) => {
    const isNotice = method.startsWith('notifications/');
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(session ? { 'mcp-session-id': session } : {}),
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...(isNotice ? {} : { id: ++id }), method, params }),
    });
    session ??= response.headers.get('mcp-session-id');
    const text = await response.text();
    if (!response.ok || /"id":\d+,"error":/.test(text)) throw new Error(text.slice(0, 500));
  };
  const clientInfo = { name: 'bench', version: '1' };
  await send('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  await send('notifications/initialized', {});
  await send('tools/list', {});
  return () => send('tools/call', { name: 'kid:echo', arguments: { text: 'x' } });
}

/** Calls until the work is done. */
export async function callWhile(call, work) {
  const state = { isDone: false };
  const working = work().finally(() => (state.isDone = true));
  const times = [];
  while (!state.isDone) {
    const start = performance.now();
    await call();
    times.push(performance.now() - start);
  }
  await working;
  times.sort((a, b) => a - b);
  const at = (part) => times[Math.floor(part * (times.length - 1))];
  return { calls: times.length, p50: at(0.5), p99: at(0.99), longest: times.at(-1) };
}
