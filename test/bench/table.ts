import type { Cost } from './measure.ts';

/**
 * Renders the comparison as a Markdown table: medians, and in the last column the wall-clock time
 * as a multiple of the other program's.
 * @param medians cost by `step<tab>program`
 * @param size bytes of the bundle
 */
export function formatComparison(
  medians: ReadonlyMap<string, Cost>,
  size: number,
  rounds: number,
): string {
  const rows = [...medians].map(([key, cost]) => {
    const [step = '', program = ''] = key.split('\t');
    return { step, program, cost };
  });
  const lines = rows.map(({ step, program, cost }) => {
    const other = rows.find((row) => row.step === step && row.program !== program);
    const ours = program.startsWith('landfall');
    const ratio = ours && other ? (cost.wall / other.cost.wall).toFixed(2) : '';
    const figures = [cost.wall.toFixed(2), cost.cpu.toFixed(2), (cost.memory / 1e6).toFixed(0)];
    return `| ${[step, program, ...figures, ratio].join(' | ')} |`;
  });
  return [
    `Bundle of ${(size / 1e9).toFixed(2)} GB; medians of ${rounds} alternating rounds.`,
    '',
    '| | program | seconds | CPU seconds | peak memory, MB | ratio |',
    '|---|---|---:|---:|---:|---:|',
    ...lines,
  ].join('\n');
}
