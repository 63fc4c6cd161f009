import type { Cost } from './measure.ts';

/**
 * Renders the comparison as a Markdown table of medians. The last column has Landfall's processor
 * time as a multiple of that of the program in the row.
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
    const own = rows.find((row) => row.step === step && row.program.startsWith('landfall'));
    const ratio = own && own.program !== program ? (own.cost.cpu / cost.cpu).toFixed(2) : '';
    const figures = [
      cost.cpu.toFixed(2),
      (cost.written / 1e6).toFixed(0),
      (cost.memory / 1e6).toFixed(0),
      cost.wall.toFixed(2),
    ];
    return `| ${[step, program, ...figures, ratio].join(' | ')} |`;
  });
  return [
    `Bundle of ${(size / 1e9).toFixed(2)} GB; medians of ${rounds} alternating rounds.`,
    '',
    '| | program | CPU seconds | written, MB | peak memory, MB | seconds | Landfall compared |',
    '|---|---|---:|---:|---:|---:|---:|',
    ...lines,
  ].join('\n');
}
