import { Command } from 'commander';
import { LandfallError } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import { columnsOf } from '#terminal/wrap-for.ts';
import { Host } from '../server/host/host.ts';
import { runCommand } from '../server/host/run/command.ts';
import { renderReport } from '../stages/report/render-report.ts';
import { storedReport } from '../stages/report/stored-report.ts';
import { exampleText } from './command.ts';

/** `landfall report`: shows the report that the first boot wrote. */
export function reportCommand() {
  return new Command('report')
    .description('show URLs, fingerprints, models and next steps')
    .option('--json', 'print the report as JSON')
    .option('--timings', 'also show the durations of the stages')
    .addHelpText('after', exampleText('landfall report', 'landfall report --timings'))
    .action(({ json, timings }) => showReport(json, timings));
}

async function showReport(json = false, timings = false): Promise<void> {
  const report = await storedReport.read(new Host('/', runCommand));
  if (!report) {
    throw new LandfallError(
      'STATE_INVALID',
      inLanguage({ en: 'this server has no report yet', zh: '这台服务器还没有报告' }),
      {
        hint: {
          en: 'Wait until the first boot ends; `landfall status` shows its progress.',
          zh: '等首次启动结束；`landfall status` 显示进度。',
        },
      },
    );
  }
  process.stdout.write(
    json
      ? `${JSON.stringify(report, null, 2)}\n`
      : renderReport(report, { timings, columns: columnsOf(process.stdout) }),
  );
}
