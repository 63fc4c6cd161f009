import { type Language, languages } from '#contract/text/language.ts';
import { asJson, rowsAfterWatch } from '../../../appliance/commands/status.ts';
import { consoleLines } from '../../../appliance/server/progress/console.ts';
import { renderMotd } from '../../../appliance/server/progress/motd.ts';
import type { Standing } from '../../../appliance/server/progress/state.ts';
import type { Status } from '../../../appliance/server/progress/status.ts';
import { rowsOf } from '../../../appliance/server/progress/terminal/table.ts';
import { pageOf } from '../../appliance/server/progress/page/page-of.ts';
import { statusOf } from '../../appliance/server/progress/status-of.ts';
import { warningOf } from '../../appliance/server/stage/warning-of.ts';
import { forEachLanguage, json, type Section, sections, type Topic } from '../golden.ts';
import { textOfRows } from '../printed.ts';

const error = {
  code: 'DISK_FULL',
  message: 'no space on /var',
  problems: ['/var has 1.0 GB', '/ has 2.0 GB'],
  hint: 'Free it.',
  retriable: false,
};
const progress = { done: 1.2e9, total: 4.3e9, unit: 'bytes' } as const;

/** The states of a first boot, by what they are. */
const statuses: Readonly<Record<string, Status>> = {
  'not begun': statusOf('preflight', 'waiting'),
  running: statusOf('images', 'running', {
    line: 'pulling ui',
    progress,
    warnings: [warningOf('no swap could be made'), warningOf('qwen3:8b will be slow')],
  }),
  'waiting for proxies': statusOf('route', 'running', { waitsFor: 'proxies' }),
  'waiting for a backup': statusOf('secrets', 'running', { waitsFor: 'restore' }),
  failed: statusOf('images', 'failed', { error }),
  'failed for a moment': statusOf('images', 'failed', { error: { ...error, retriable: true } }),
  done: statusOf(undefined, 'kept', { warnings: [warningOf('no swap could be made')] }),
};

const standings: Readonly<Record<string, Standing>> = {
  ...Object.fromEntries(
    Object.entries(statuses).map(([name, status]): [string, Standing] => [
      name,
      { kind: 'stages', status, interrupted: false, installed: false },
    ]),
  ),
  interrupted: {
    ...{ kind: 'stages', interrupted: true, installed: false },
    status: statusOf('images'),
  },
  'interrupted by hand': {
    ...{ kind: 'stages', interrupted: true, installed: true },
    status: statusOf('images'),
  },
  'failed by hand': {
    ...{ kind: 'stages', interrupted: false, installed: true },
    status: statusOf('images', 'failed', { error }),
  },
  'after a reboot': { kind: 'installed', release: '1.2.0' },
  'after a failure and a reboot': {
    ...{ kind: 'installed', release: '1.2.0' },
    unfinished: { end: 'failed', stage: 'ssh', code: 'SSH_UNPROVEN' },
  },
  'after an interruption and a reboot': {
    ...{ kind: 'installed', release: '1.2.0' },
    unfinished: { end: 'interrupted', stage: 'ssh' },
  },
  bootstrap: { kind: 'bootstrap', line: '16 of 50 MB' },
  unknown: { kind: 'unknown' },
};

/** What an administrator sees of a first boot: status, console, login message, page. */
export const firstBoot: Topic = async () =>
  new Map([
    ...(await forEachLanguage('status', () =>
      sections(Object.entries(standings).flatMap(statusText)),
    )),
    [
      'status.json',
      sections(Object.entries(standings).map(([name, each]) => [name, json(asJson(each))])),
    ],
    ...(await forEachLanguage('console', () =>
      sections(Object.entries(statuses).map(consoleText)),
    )),
    ...languages.map((language): [string, string] => [
      `login-message.${language}.txt`,
      sections(Object.entries(statuses).flatMap((entry) => motdText(entry, language))),
    ]),
    ['page.html', pageOf(statusOf('images', 'running', { progress }))],
    ['page-parts.txt', sections(Object.entries(statuses).map(pageText))],
  ]);

function now(standing: Standing): number {
  return standing.kind === 'stages' ? Date.parse(standing.status.updated) : 0;
}

function statusText([name, standing]: [string, Standing]): Section[] {
  return [
    [name, textOfRows(rowsOf(standing, now(standing)))],
    [`${name}, brief`, textOfRows(rowsOf(standing, now(standing), true))],
    ...(name === 'done'
      ? [['after landfall status --watch', textOfRows(rowsAfterWatch())] as const]
      : []),
  ];
}

function consoleText([name, status]: [string, Status]): Section {
  const lines: string[] = [];
  const listener = consoleLines((line) => lines.push(line));
  for (const change of ['stage', 'line', 'progress'] as const) listener(status, change);
  return [name, lines.join('\n')];
}

function motdText([name, status]: [string, Status], language: Language): Section[] {
  return [
    [name, renderMotd(status, false, language)],
    [`${name}, by hand`, renderMotd(status, true, language)],
  ];
}

/** The page without what all its states have in common. */
function pageText([name, status]: [string, Status]): Section {
  const page = pageOf(status, Date.parse(status.updated), 'https://chat.example.com/');
  const own = page
    .split('\n')
    .filter((line) => /^<(?:title|h1|progress|p|noscript)/.test(line))
    .join('\n');
  return [name, own];
}
