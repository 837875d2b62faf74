/** Calls a tool from a form that is built from its schema. The call is governed and recorded like any other. */

import type { CallResult, ToolData } from '@callsign/gateway/admin/data';
import { indented } from '@callsign/terminal/indented-json';
import { useState } from 'preact/hooks';

import { approvals } from '../live/gateway-state.js';
import { post, session } from '../live/session.js';
import { Problem } from '../view/notice.js';
import { paragraph } from '../view/shown-text.js';
import { argumentsOf, fieldKind, type FieldKind } from './argument-fields.js';

type Values = Readonly<Record<string, string>>;

export function TryTool({ tool }: { readonly tool: ToolData }) {
  const [values, setValues] = useState<Values>({});
  const [isRunning, setRunning] = useState(false);
  const [result, setResult] = useState<CallResult>();
  const [problem, setProblem] = useState<string>();
  if (session.value?.role !== 'operator') return <p class="dim">A viewer cannot call tools.</p>;
  const isWaiting = isRunning && approvals.value?.some((each) => each.tool === tool.canonical);
  const call = async (): Promise<void> => {
    setProblem(undefined);
    setResult(undefined);
    setRunning(true);
    try {
      const args = argumentsOf(tool.parameters, values);
      const path = `/tools/${encodeURIComponent(tool.canonical)}/call`;
      setResult(await post<CallResult>(path, { arguments: args }));
    } catch (error) {
      setProblem((error as Error).message);
    } finally {
      setRunning(false);
    }
  };
  return (
    <form
      class="try"
      onSubmit={(event) => {
        event.preventDefault();
        void call();
      }}
    >
      {tool.parameters.map(({ name, schema, isRequired }) => (
        <Field
          key={name}
          name={name}
          kind={fieldKind(schema)}
          isRequired={isRequired}
          value={values[name] ?? ''}
          set={(value) => setValues({ ...values, [name]: value })}
        />
      ))}
      <div class="buttons">
        <button type="submit" class="primary" disabled={isRunning}>
          {isRunning ? 'Calling…' : tool.risk === 'read' ? 'Call' : `Call (${tool.risk})`}
        </button>
        {isWaiting && (
          <a class="button" href="#/approvals">
            It waits for your approval
          </a>
        )}
      </div>
      <Problem text={problem} />
      {result && <Result result={result} />}
    </form>
  );
}

interface FieldProps {
  readonly name: string;
  readonly kind: FieldKind;
  readonly isRequired: boolean;
  readonly value: string;
  readonly set: (value: string) => void;
}

function Field({ name, kind, isRequired, value, set }: FieldProps) {
  const label = paragraph(name).slice(0, 100);
  const common = { value, required: isRequired, 'aria-label': label };
  return (
    <label class="field">
      <span>
        <code>{label}</code>
        {isRequired ? ' *' : ''}
      </span>
      {kind.is === 'choice' ? (
        <select {...common} onChange={({ currentTarget }) => set(currentTarget.value)}>
          <option value="">not given</option>
          {kind.options.map((each) => (
            <option key={each} value={each}>
              {paragraph(each).slice(0, 100)}
            </option>
          ))}
        </select>
      ) : kind.is === 'json' ? (
        <textarea
          {...common}
          rows={3}
          placeholder="JSON"
          onInput={({ currentTarget }) => set(currentTarget.value)}
        />
      ) : kind.is === 'number' ? (
        <input
          {...common}
          type="number"
          step="any"
          onInput={({ currentTarget }) => set(currentTarget.value)}
        />
      ) : (
        <input {...common} type="text" onInput={({ currentTarget }) => set(currentTarget.value)} />
      )}
    </label>
  );
}

function Result({ result }: { readonly result: CallResult }) {
  const { ok, json, ms, length } = result;
  const reply = replyIn(json);
  const isError = !ok || reply.isError === true;
  return (
    <div class="result" role="status">
      <p class={isError ? 'problem' : 'done'}>
        {isError ? 'It failed' : 'It answered'} after {ms} ms.
      </p>
      {json === undefined ? (
        <p>The answer has {length} characters, which is too long for this page.</p>
      ) : (
        <pre tabIndex={0} aria-label="Answer">
          {paragraph(textOf(reply) ?? indented(json))}
        </pre>
      )}
    </div>
  );
}

/** The members of a result or an error that the page reads. */
interface ReplyMembers {
  readonly content?: unknown;
  readonly message?: unknown;
  readonly isError?: unknown;
}

function replyIn(json: string | undefined): ReplyMembers {
  return (JSON.parse(json ?? 'null') ?? {}) as ReplyMembers;
}

/** The text of a reply that has nothing else. */
function textOf({ content, message }: ReplyMembers): string | undefined {
  if (typeof message === 'string') return message;
  const parts: readonly { text?: unknown }[] = Array.isArray(content) ? content : [];
  const texts = parts.map((part) => part?.text).filter((text) => typeof text === 'string');
  return texts.length === parts.length && texts.length > 0 ? texts.join('\n') : undefined;
}
