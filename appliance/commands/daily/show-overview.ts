import { inLanguage } from '#contract/text/language.ts';
import { alignRows } from '#contract/text/table.ts';
import { paintFor } from '#terminal/paint-for.ts';
import { roomOn } from '#terminal/screen.ts';
import { Host } from '../../server/host/host.ts';
import { runCommand } from '../../server/host/run/command.ts';
import { undoneNotices } from '../../server/host/undo/notice.ts';
import { outcomeOf, readStanding, type Standing } from '../../server/progress/state.ts';
import { type Row, rowsOf } from '../../server/progress/terminal/table.ts';
import { renderRows } from '../../server/progress/terminal/watch.ts';
import type { NextCommand } from '../../stages/report/next-steps.ts';
import { overviewLines, readOverview } from './overview.ts';
import { nextCommands } from './overview-next.ts';

/** Prints the state of this server. Before the end of a first boot, that of its stages. */
export async function showOverview(): Promise<void> {
  const { stdout, env } = process;
  const columns = stdout.isTTY ? roomOn(stdout).columns : Number.POSITIVE_INFINITY;
  const rows = await overviewRows(new Host('/', runCommand));
  console.log(renderRows(rows, columns, paintFor(stdout, env)).join('\n'));
}

/** Returns the rows of `landfall`. Needs no root; lines that do say so. */
export async function overviewRows(host: Host, now = Date.now()): Promise<Row[]> {
  const standing = await readStanding(host);
  const isOver = outcomeOf(standing) === 'done';
  const setup = isOver ? [] : rowsOf(standing, now, true);
  if (!isInstalled(standing)) return [...setup, ...commandRows(setupCommands(standing))];
  const overview = await readOverview(host);
  const lines = overviewLines(overview);
  const undone = await undoneNotices(host);
  const texts = alignRows(lines.map(({ label, text }) => [inLanguage(label), text]));
  return [
    ...setup,
    ...undone.map((text): Row => ({ text, colour: 'yellow' })),
    ...lines.map(({ colour }, index): Row => {
      const text = texts[index] ?? '';
      return colour ? { text, colour } : { text };
    }),
    ...commandRows(isOver ? nextCommands(overview) : setupCommands(standing)),
  ];
}

/** A first boot has completed: a later one may have failed, and the stack runs. */
function isInstalled(standing: Standing): boolean {
  return standing.kind === 'stages'
    ? standing.installed || standing.status.state === 'done'
    : standing.kind === 'installed';
}

function commandRows(commands: readonly NextCommand[]): Row[] {
  const lines = alignRows(commands.map(({ command, does }) => [`  ${command}`, inLanguage(does)]));
  return [{ text: '' }, ...lines.map((text) => ({ text }))];
}

function setupCommands(standing: Standing): readonly NextCommand[] {
  const watch = {
    command: 'landfall status --watch',
    does: { en: 'follow the first boot', zh: '跟踪首次启动' },
  };
  const again = {
    command: 'sudo landfall first-boot',
    does: { en: 'set up what is missing', zh: '完成未完成的设置' },
  };
  const doctor = {
    command: 'sudo landfall doctor',
    does: { en: 'find faults, with the remedy for each', zh: '查找故障及其处理方法' },
  };
  const help = { command: 'landfall help', does: { en: 'list all commands', zh: '列出所有命令' } };
  const isOver =
    standing.kind === 'installed' ||
    (standing.kind === 'stages' && (standing.interrupted || standing.status.state === 'failed'));
  return isOver ? [again, doctor, help] : [watch, help];
}
