// What `callsign adapter serve` costs: processor time and memory until the first answer, and with the list of tools.
// Reads /proc, so it runs on Linux only.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const CALLSIGN = fileURLToPath(new URL('../../packages/cli/bin/callsign.cjs', import.meta.url));
const TICKS_PER_SECOND = 100;

export async function serveCost(adapter) {
  const child = spawn(process.execPath, [CALLSIGN, 'adapter', 'serve', adapter], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const ask = async (id, method, params) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    const [line] = await once(lines, 'line');
    return JSON.parse(line).result;
  };
  try {
    await ask(1, 'initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'openapi-corpus', version: '1.0.0' },
    });
    const startSeconds = processorSeconds(child.pid);
    const startMb = memoryMb(child.pid);
    child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    const { tools } = await ask(2, 'tools/list', {});
    return { startSeconds, startMb, tools: tools.length, listMb: memoryMb(child.pid) };
  } finally {
    const ended = once(child, 'close');
    child.stdin.end();
    await ended;
  }
}

function memoryMb(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1024;
}

function processorSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
