import { formatDuration } from '#contract/text/duration.ts';
import { type Paint, unpainted } from '#contract/text/paint.ts';
import { alignRows } from '#contract/text/table.ts';
import { expectedReply, type HostResult, isConnected } from './check-hosts.ts';
import { remedies } from './remedies.ts';

const words = { connected: 'ok', slow: 'slow', failed: 'FAILED' } as const;

/**
 * Formats results as a table, each different remedy once below it, and `Connected` or
 * `Not connected` as the last line.
 */
export function checkTable(results: readonly HostResult[], paint: Paint = unpainted): string {
  const rows = alignRows(results.map(cellsOf), [{}, {}, {}, { align: 'right' }]);
  const advice = [...new Set(results.flatMap(({ remedy }) => remedy ?? []))];
  const slow = results.some(({ outcome }) => outcome === 'slow') ? [slowLine] : [];
  return [
    ...rows,
    ...[...advice.map((name) => remedies[name]), ...slow].flatMap((line) => ['', line]),
    '',
    isConnected(results) ? paint('green', 'Connected') : paint('red', 'Not connected'),
  ].join('\n');
}

const slowLine = `A reply takes more than ${formatDuration(expectedReply)}. Use a faster proxy, or one closer to you.`;

function cellsOf({ outcome, host, purpose, milliseconds, detail = '' }: HostResult): string[] {
  const time = milliseconds === 0 ? '' : formatDuration(milliseconds);
  return [words[outcome], host, purpose, time, detail];
}
