import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { siteFile } from '#contract/server-paths.ts';
import { targetText } from '#contract/site/backup/targets.ts';
import { isEngineNode } from '#contract/site/enabled.ts';
import { siteSchema } from '#contract/site/site.ts';
import { inLanguage, type Text } from '#contract/text/language.ts';
import type { TextStyle } from '#contract/text/paint.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { formatTime } from '#contract/text/time-zone.ts';
import { whyGivenUp } from '../../operations/transactions/history.ts';
import { storedUpdates } from '../../operations/update/last-check.ts';
import { openSubjects } from '../../server/alerts/announce.ts';
import { adviceOf, colourOf } from '../../server/conditions/condition.ts';
import { diskConditions } from '../../server/conditions/disk.ts';
import type { Host } from '../../server/host/host.ts';
import { readJsonFile } from '../../server/host/state-file.ts';
import { waitingNotices } from '../../server/host/undo/notice.ts';
import { storedBackups } from '../../server/records/backups.ts';
import { updateInProgress } from '../../server/records/transaction.ts';
import { installedRelease } from '../../server/stage/installed.ts';
import { storedReport } from '../../stages/report/stored-report.ts';
import { routeConditions } from '../../stages/route/check/describe.ts';
import { storedRoute } from '../../stages/route/check/state.ts';
import { healthOf, latePartsOf, stackConditions } from '../../stages/stack/describe-stack.ts';
import { type StackState, stackState } from '../../stages/stack/stack-state.ts';
import { checkedOn, type ReleaseFacts, releaseCondition } from '../release-condition.ts';

const say = (en: string, zh: string) => inLanguage({ en, zh });

/** What `landfall` shows about a server. */
export interface Overview extends ReleaseFacts {
  readonly release: string;
  /** Undefined: this user may not ask Docker. */
  readonly stack: StackState | undefined;
  /** Undefined: this user may not read the site. `last`: the newest good backup of each target. */
  readonly backup:
    | { readonly targets: readonly BackupOfTarget[]; readonly isNeedless?: boolean }
    | undefined;
  readonly alerts: readonly string[];
  readonly warnings: readonly string[];
  readonly missingKeys: readonly string[];
  /** Whether the chat has no model at all. */
  readonly lacksModel: boolean;
  /** Whether a change waits for `landfall confirm`. */
  readonly isWaiting: boolean;
}

interface BackupOfTarget {
  readonly name: string;
  /** ISO 8601; undefined before the first good backup. */
  readonly last: string | undefined;
  readonly isSetUp: boolean;
  readonly failure: string | undefined;
}

/** A line of `landfall`. */
interface OverviewLine {
  readonly label: Text;
  readonly text: string;
  readonly colour?: TextStyle;
}

/** Seconds until a Docker that does not respond counts as down: the command must be fast. */
const dockerSeconds = 3;

/** Reads what this user may read. Uses no network. */
export async function readOverview(host: Host): Promise<Overview> {
  const [stack, release, update, updating, backup, alerts, report, low, waiting] =
    await Promise.all([
      mayAskDocker(host).then((may) => (may ? stackState(host, dockerSeconds) : undefined)),
      installedRelease(host),
      storedUpdates.read(host),
      updateInProgress(host),
      backupsOf(host),
      alertsOf(host),
      storedReport.read(host),
      diskConditions(host),
      waitingNotices(host),
    ]);
  // Other lines have the alerts and the updates, and the disk is measured again.
  const warnings = (report?.warnings ?? []).filter(
    ({ kind }) => kind !== 'alert' && kind !== 'update' && kind !== 'disk-low',
  );
  const offer = update?.offer?.kind === 'update' ? update.offer : undefined;
  return {
    ...{ stack, update, backup, alerts, missingKeys: report?.missingKeys ?? [] },
    lacksModel: report?.lacksModel ?? false,
    givenUp: offer && (await whyGivenUp(host, offer)),
    release: release ?? report?.release ?? '?',
    updating,
    isWaiting: waiting.length > 0,
    warnings: [...low.map(({ what }) => inLanguage(what)), ...warnings.map(({ text }) => text)],
  };
}

async function mayAskDocker(host: Host): Promise<boolean> {
  if (process.getuid?.() === 0) return true;
  try {
    await access(host.path('run/docker.sock'), constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

async function backupsOf(host: Host): Promise<Overview['backup']> {
  const site = await readJsonFile(host, siteFile, siteSchema);
  if (!site) return undefined;
  const { targets } = await storedBackups.read(host);
  return {
    isNeedless: isEngineNode(site),
    targets: (site.backup?.to ?? []).map(targetText).map((name) => ({
      name,
      last: targets[name]?.lastGood?.at,
      isSetUp: targets[name] !== undefined,
      failure: targets[name]?.lastRun?.failure?.message,
    })),
  };
}

async function alertsOf(host: Host): Promise<string[]> {
  const [open, route] = await Promise.all([openSubjects(host), storedRoute.read(host)]);
  const failed = route ? routeConditions(route).filter(({ severity }) => severity !== 'note') : [];
  return [...open, ...failed.map(({ what }) => inLanguage(what))];
}

/** Formats the five lines. */
export function overviewLines(overview: Overview): OverviewLine[] {
  return [
    { label: { en: 'stack', zh: '组件' }, ...stackLine(overview.stack) },
    { label: { en: 'release', zh: '版本' }, ...releaseLine(overview) },
    { label: { en: 'backup', zh: '备份' }, ...backupLine(overview.backup) },
    { label: { en: 'alerts', zh: '告警' }, ...listLine(overview.alerts, 'landfall status') },
    { label: { en: 'warnings', zh: '警告' }, ...listLine(overview.warnings, 'landfall report') },
  ];
}

type Line = Omit<OverviewLine, 'label'>;

function needsRoot(): Line {
  const text = say('shown to root only: sudo landfall', '只有 root 可见：sudo landfall');
  return { text, colour: 'dim' };
}

function releaseLine({ release, ...facts }: Overview): Line {
  const [condition, { update }] = [releaseCondition(facts), facts];
  if (condition) {
    const text = `${release}${say('; ', '；')}${adviceOf(condition)}`;
    return { text, colour: colourOf(condition) };
  }
  const unchecked = { en: 'no check for newer ones', zh: '未检查新版本' };
  return {
    text: `${release}${say('; ', '；')}${inLanguage(update ? checkedOn(update) : unchecked)}`,
  };
}

function stackLine(stack: StackState | undefined): Line {
  if (!stack) return needsRoot();
  const { parts } = 'parts' in stack ? stack : { parts: [] };
  if (parts.length === 0) {
    return {
      text: stackConditions(stack)
        .map((each) => adviceOf(each))
        .join(''),
      colour: 'red',
    };
  }
  const [late, stopped] = [latePartsOf(parts), parts.filter((part) => part.stoppedSince)];
  const namesOf = (list: typeof parts) => list.map(({ name }) => name).join(', ');
  const [names, halted, count] = [namesOf(late), namesOf(stopped), parts.length - stopped.length];
  const end = halted === '' ? '' : say(`; stopped: ${halted}`, `；已停止：${halted}`);
  if (late.length === 0) {
    const text = `${say(`up, ${count} components`, `正常，${count} 个组件`)}${end}`;
    return { text, colour: halted === '' ? 'green' : 'yellow' };
  }
  return healthOf(stack) === 'starting'
    ? { text: `${say(`starting: ${names}`, `正在启动：${names}`)}${end}`, colour: 'yellow' }
    : { text: `${say(`not up: ${names}`, `不正常：${names}`)}${end}`, colour: 'red' };
}

function backupLine(backup: Overview['backup']): Line {
  if (!backup) return needsRoot();
  const { targets, isNeedless } = backup;
  if (isNeedless) {
    return { text: say('none: an engine node has no chats', '无：推理节点没有对话') };
  }
  if (targets.length === 0) {
    return {
      text: say('none: the site has no `backup`', '无：站点没有 `backup`'),
      colour: 'yellow',
    };
  }
  const texts = targets.map(({ name, last, isSetUp, failure }) => {
    if (!isSetUp) return say(`${name}: not set up`, `${name}：尚未设置`);
    const time = last === undefined ? say('none yet', '尚无备份') : formatTime(new Date(last));
    const failed = failure === undefined ? '' : say('; the last run failed', '；上次运行失败');
    return say(`${time} to ${name}${failed}`, `${time}，${name}${failed}`);
  });
  const isGood = targets.every(({ last, failure }) => last !== undefined && failure === undefined);
  return isGood ? { text: texts.join('; ') } : { text: texts.join('; '), colour: 'yellow' };
}

/** Characters of the first entry of a list. */
const maxFirst = 120;

function listLine(list: readonly string[], command: string): Line {
  const [first] = list;
  if (first === undefined) return { text: say('none', '无') };
  const text = plainLine(first, maxFirst);
  const more =
    list.length === 1 ? '' : say(`${list.length}, such as `, `${list.length} 条，例如：`);
  return { text: `${more}${text}; ${command}`, colour: 'yellow' };
}
