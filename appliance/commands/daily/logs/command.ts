import { InvalidArgumentError } from 'commander';
import { inLanguage, type Text } from '#contract/text/language.ts';
import { formatSecond } from '#contract/text/time-zone.ts';
import { rootCommand, serverFacts } from '../../command.ts';

// The code is loaded on demand: a first boot needs none of it, and has little memory.

const help: Text = {
  en: `
A source is a component, such as ui, or a unit of Landfall, such as boot, route or backup; default: all.
Keys, passwords and tokens are replaced by ***. Without --since, the last 200 lines are shown.

Example:
  sudo landfall logs ui --follow
  sudo landfall logs --since 1h --grep error
  sudo landfall logs --since yesterday
`,
  zh: `
来源是一个组件（例如 ui），或 Landfall 的一个单元（例如 boot、route 或
backup）；默认：全部。密钥、密码和令牌显示为 ***。不写 --since 时，显示最后
200 行。

示例：
  sudo landfall logs ui --follow
  sudo landfall logs --since 1h --grep error
  sudo landfall logs --since yesterday
`,
};

/** `landfall logs`: the logs of components and units, merged by time. */
export function logsCommand() {
  return rootCommand('logs')
    .description('show the logs of components and units, merged by time')
    .argument('[source...]', 'such as ui or route; default: all')
    .option('--follow', 'show new lines until Ctrl-C')
    .option('--since <time>', 'show lines since: 30m, 1h, 2d, today, yesterday', parseSince)
    .option('--grep <text>', 'show lines with this text, in any case')
    .option('--lines <n>', 'show the last lines only', parseLines)
    .option('--json', 'print one JSON object per line')
    .addHelpText('after', inLanguage(help))
    .action(async (sources, flags) => {
      const { showLogs } = await import('./show-logs.ts');
      await showLogs(await serverFacts(), sources, flags);
    });
}

const units = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
/** Days. Docker keeps less. */
const longest = 3650;

/** Returns a duration in milliseconds. `today` and `yesterday` begin at midnight in the time zone of the site. */
export function parseSince(text: string): number {
  const days = ['today', 'yesterday'].indexOf(text);
  if (days >= 0) return sinceMidnight() + days * units.d;
  const [, number, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const duration = Number(number) * units[(unit ?? 's') as keyof typeof units];
  if (duration > 0 && duration <= longest * units.d) return duration;
  throw new InvalidArgumentError(
    'It must be a duration such as 30m, 1h or 2d, today or yesterday.',
  );
}

function sinceMidnight(): number {
  const [, hours, minutes, seconds] = / (\d+):(\d+):(\d+)$/.exec(formatSecond(new Date())) ?? [];
  return Number(hours) * units.h + Number(minutes) * units.m + Number(seconds) * units.s + 1;
}

/** They are held in memory until the last one is known. */
const maxLines = 10_000;

function parseLines(text: string): number {
  const lines = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (lines >= 1 && lines <= maxLines) return lines;
  throw new InvalidArgumentError(`It must be a number from 1 to ${maxLines}.`);
}
