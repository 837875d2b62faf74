/** An entry as the text that is kept. Put together by hand, from parts that many records share: there are a lot of them. */

import { hash } from 'node:crypto';

import { memberText, type Verdict } from '@callsign/core';

import type { AuditEntry, CallEntry, IntentEntry, ToolFacts } from './audit-entry.js';
import type { CallerFacts, GapRecord } from './audit-record.js';
import type { Line } from './audit-store.js';
import { bounded } from './bounded.js';

export interface WriteOptions {
  readonly writer: string;
  /** Arguments without their secrets; absent where only fingerprints are kept. */
  readonly redact?: (argumentsJson: string, inputSchema: string | undefined) => string;
}

const toolText = onceFor(({ tool, risk, riskFrom, severity }: ToolFacts) => {
  return membersText({ severity, tool, risk, riskFrom });
});
const callerText = onceFor((caller: CallerFacts) => membersText({ caller }));
const verdictText = onceFor(({ decision, rule }: Verdict) => {
  return membersText({ decision, rule: bounded(rule) });
});

/** The members are those of the types in audit-record.ts, which its test holds them to. */
export function writeLine(entry: AuditEntry, options: WriteOptions): Line {
  const id = idOf(options.writer, entry.n);
  const time = isoTime(entry.time);
  if (entry.kind === 'gap') {
    const { kind, n, lost, reason } = entry;
    const record: GapRecord = { kind, id, time, severity: 'error', lost, reason };
    return { n, body: JSON.stringify(record) };
  }
  const start = `{"kind":"${entry.kind}","id":"${id}","time":"${time}",`;
  const end = entry.kind === 'call' ? endText(entry, options.writer) : '';
  return { n: entry.n, body: `${start}${factsText(entry, options)}${end}}` };
}

function factsText(entry: CallEntry | IntentEntry, { redact }: WriteOptions): string {
  const { tool, name, method, caller, verdict, params } = entry;
  const given = memberText(params, 'arguments');
  let text = `${toolText(tool)},${membersText({ name: bounded(name), method })}`;
  text += `,${callerText(caller)}`;
  if (verdict) text += `,${verdictText(verdict)}`;
  text += `,"sizeIn":${params.length}`;
  if (given === undefined) return text;
  text += `,"fingerprint":"${fingerprintOf(given)}"`;
  if (!redact) return text;
  const kept = redact(given, memberText(tool.definition ?? '{}', 'inputSchema'));
  return `${text},"arguments":${JSON.stringify(kept)}`;
}

function endText({ outcome, ms, retries, sizeOut, intent }: CallEntry, writer: string): string {
  const rounded = Math.round(ms * 1000) / 1000;
  const announced = intent === undefined ? '' : `,"intent":"${idOf(writer, intent)}"`;
  return `,"outcome":"${outcome}","ms":${rounded},"retries":${retries},"sizeOut":${sizeOut}${announced}`;
}

/** Equal for arguments that are equal to the letter. */
export function fingerprintOf(argumentsJson: string): string {
  return `sha256:${hash('sha256', argumentsJson)}`;
}

let lastTime = { ms: Number.NaN, text: '' };

/** Under load, many calls begin in the same millisecond. */
function isoTime(time: number): string {
  const ms = Math.trunc(time);
  if (ms !== lastTime.ms) lastTime = { ms, text: new Date(ms).toISOString() };
  return lastTime.text;
}

function idOf(writer: string, n: number): string {
  return `${writer}-${n}`;
}

/** What is made of an object is made once, for as long as the object is around. */
function onceFor<T extends object>(make: (from: T) => string): (from: T) => string {
  const made = new WeakMap<T, string>();
  return (from) => {
    let text = made.get(from);
    if (text === undefined) made.set(from, (text = make(from)));
    return text;
  };
}

/** An object's members without its braces. */
function membersText(members: object): string {
  return JSON.stringify(members).slice(1, -1);
}
