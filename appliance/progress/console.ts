import type { Listener } from './tracker.ts';

/** Writes one line a change for the console and the journal: no colour, no bars, no cursor. */
export function consoleLines(write: (line: string) => void): Listener {
  const announced = new Map<string, string>();
  return ({ stages, line }, change) => {
    if (change === 'line' && line) write(`          ${line}`);
    if (change !== 'stage') return;
    for (const [index, { name, title, state, took }] of stages.entries()) {
      if (announced.get(name) === state || state === 'waiting') continue;
      announced.set(name, state);
      const place = `[${String(index + 1).padStart(2)}/${stages.length}]`;
      if (state === 'running') write(`${place}   ${title}`);
      else
        write(
          `${place}   ${name}: ${words[state]}${took === undefined ? '' : ` (${seconds(took)})`}`,
        );
    }
  };
}

const words = { applied: 'done', kept: 'already so', failed: 'FAILED' } as const;

/** Milliseconds as a person reads them. */
export function seconds(milliseconds: number): string {
  const total = milliseconds / 1000;
  if (total < 60) return `${total.toFixed(1)} s`;
  return `${Math.floor(total / 60)} min ${Math.round(total % 60)} s`;
}
