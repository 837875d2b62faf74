/** Two texts side by side. Lines that only one of them has are marked. */

import { paragraph } from './shown-text.js';

export interface SideBySideProps {
  readonly before: string;
  readonly after: string;
  readonly beforeTitle: string;
  readonly afterTitle: string;
}

export function SideBySide({ before, after, beforeTitle, afterTitle }: SideBySideProps) {
  return (
    <div class="sides">
      <Side title={beforeTitle} lines={linesOf(before)} other={linesOf(after)} mark="removed" />
      <Side title={afterTitle} lines={linesOf(after)} other={linesOf(before)} mark="added" />
    </div>
  );
}

interface SideProps {
  readonly title: string;
  readonly lines: readonly string[];
  readonly other: readonly string[];
  readonly mark: string;
}

function Side({ title, lines, other, mark }: SideProps) {
  const known = new Set(other.map(bare));
  return (
    <div>
      <h4>{title}</h4>
      <pre class="diff" tabIndex={0} aria-label={title}>
        {lines.map((text, i) => (
          <div key={i} class={known.has(bare(text)) ? '' : mark}>
            {text}
          </div>
        ))}
      </pre>
    </div>
  );
}

function linesOf(text: string): readonly string[] {
  return paragraph(text).split('\n');
}

/** A comma at the end depends on what follows. */
function bare(text: string): string {
  return text.trim().replace(/,$/, '');
}
