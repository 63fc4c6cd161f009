import { LandfallError } from '#contract/errors.ts';
import { Host } from '../host/host.ts';
import { runCommand } from '../host/run/command.ts';
import { renderReport } from '../report/render-report.ts';
import { readReport } from '../report/stored-report.ts';
import type { Command } from './command.ts';
import { readFlags } from './read-flags.ts';

export const reportCommand: Command = {
  summary: 'show what was done here, the addresses, the fingerprints and what to do next',
  usage: '[--json]',
  example: 'landfall report',
  root: false,
  run: async (args) => {
    const { json } = readFlags('report', args, ['json']);
    const report = await readReport(new Host('/', runCommand));
    if (!report) {
      throw new LandfallError('STATE_INVALID', 'there is no report on this server yet', {
        hint: 'The first boot writes it at its end. How far that is: landfall status',
      });
    }
    process.stdout.write(json ? `${JSON.stringify(report, null, 2)}\n` : renderReport(report));
  },
};
