import { LandfallError } from '#contract/errors.ts';
import { installedMark } from '#contract/server-paths.ts';
import { formatBytes } from '#contract/text/format-bytes.ts';
import { inLanguage } from '#contract/text/language.ts';
import { formatTable } from '#contract/text/table.ts';
import { whyGivenUp } from '../../operations/transactions/history.ts';
import { checkUpdates } from '../../operations/update/check-updates.ts';
import { describeUpdate } from '../../operations/update/describe.ts';
import { describeBundle } from '../../operations/update/describe-bundle.ts';
import { readNamedBundle } from '../../operations/update/download/named-bundle.ts';
import { type NextRelease, offeredRelease } from '../../operations/update/download/next-release.ts';
import { type CopySpace, shortageOf } from '../../server/chats/data-size.ts';
import { readText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import { takeRunLock } from '../../server/host/lock/run-lock.ts';
import type { Facts } from '../../server/load-facts.ts';
import { isApplying, storedTransaction } from '../../server/records/transaction.ts';
import { askFor } from '../ask-yes.ts';
import { stageRelease } from './download.ts';
import { applyStaged, followUpdate } from './follow.ts';
import { chooseWayBack, closesServer, spaceFor } from './way-back.ts';

export interface InstallFlags {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly retry?: boolean;
  readonly withoutRollback?: boolean;
  /** Seconds. */
  readonly maxPause: number;
}

/** What a command found, and how it describes it. */
interface Found {
  /** Undefined: there is no release to install. */
  readonly next?: NextRelease;
  readonly text: string;
}

/**
 * Installs the offered release, or follows an update that is running.
 * @param version the release that the administrator wants; undefined: the next one
 * @throws LandfallError those of {@link install}
 */
export async function installUpdate(
  facts: Facts,
  version: string | undefined,
  flags: InstallFlags,
): Promise<void> {
  await install(facts, flags, async () => {
    const state = await checkUpdates(facts);
    const { offer } = state;
    const text = describeUpdate(state);
    if (offer?.kind !== 'update') return { text };
    if (version !== undefined && offer.version !== version) {
      throw notOffered(version, offer.version);
    }
    return { text, next: offeredRelease(facts.site, offer) };
  });
}

/**
 * Installs the release of a bundle that the administrator names, or follows an update that is running.
 * @param name path or URL of the bundle
 * @throws LandfallError those of `readNamedBundle` and of {@link install}
 */
export async function installBundle(facts: Facts, name: string, flags: InstallFlags) {
  await install(facts, flags, async () => {
    const named = await readNamedBundle({ ...facts, note: console.log }, name);
    return { next: named.next, text: describeBundle(named, facts.release.version) };
  });
}

/**
 * Installs a release. The update itself runs in a unit of its own, so Ctrl-C and a closed window do not
 * stop it.
 * @throws LandfallError UPDATE_FAILED if it was rolled back, DISK_FULL, ALREADY_RUNNING
 */
async function install(
  facts: Facts,
  flags: InstallFlags,
  find: () => Promise<Found>,
): Promise<void> {
  const { host } = facts;
  if ((await readText(host, installedMark)) === undefined) throw notInstalled();
  const running = await storedTransaction.read(host);
  if (running && isApplying(running)) return await followUpdate(host, running);
  const lock = await takeRunLock(host, 'update');
  const { next, text } = await find();
  if (!next) return console.log(text);
  await refuseFailed(host, next, flags);
  const isDownloaded = running?.state === 'staged' && running.manifest === next.manifest;
  const space = await spaceFor(host, next);
  const shortage = shortageOf(space, isDownloaded ? 0 : (next.disk ?? 0));
  const keeps = !shortage || !flags.withoutRollback;
  console.log(text);
  console.log(`\n${describeCourse(facts, next, space, keeps)}\n`);
  if (flags.dryRun) return shortage && console.log(inLanguage(shortage));
  const versions = { from: facts.release.version, to: next.version };
  const way = await chooseWayBack(shortage, flags, versions);
  const isAgreed = way === 'given-up' || (way === 'kept' && (await agrees(flags)));
  if (!isAgreed) return console.log(inLanguage(unchanged));
  const staged = await stageRelease(facts, next);
  // The release is on the disk now, so what it takes is no longer an estimate.
  const rest = shortageOf(await spaceFor(host, next));
  const last = rest && way === 'given-up' ? way : await chooseWayBack(rest, flags, versions);
  if (last === 'declined') return console.log(inLanguage(unchanged));
  const keepsPrevious = last === 'kept';
  await applyStaged(facts, staged, { limit: flags.maxPause, lock, keepsPrevious });
}

async function agrees({ yes = false }: InstallFlags): Promise<boolean> {
  return yes || (await askFor('y', inLanguage(question), '--yes'));
}

const unchanged = { en: 'Nothing was changed.', zh: '未做任何更改。' };

const question = { en: 'Install it now? [y/N] ', zh: '现在安装吗？[y/N] ' };

function notInstalled(): LandfallError {
  return new LandfallError(
    'STATE_INVALID',
    inLanguage({
      en: 'the first boot of this server has not completed',
      zh: '这台服务器的首次启动没有完成',
    }),
    {
      hint: { en: 'Run `landfall status`.', zh: '运行 `landfall status`。' },
    },
  );
}

function notOffered(version: string, offered: string): LandfallError {
  return new LandfallError(
    'USAGE',
    inLanguage({
      en: `the next release for this server is ${offered}, not ${version}`,
      zh: `这台服务器的下一个版本是 ${offered}，不是 ${version}`,
    }),
    {
      hint: {
        en: 'Run `sudo landfall update` without a version.',
        zh: '运行 `sudo landfall update`，不写版本。',
      },
    },
  );
}

/** @throws LandfallError UPDATE_FAILED for a release that was rolled back */
async function refuseFailed(host: Host, next: NextRelease, flags: InstallFlags): Promise<void> {
  const givenUp = flags.retry ? undefined : await whyGivenUp(host, next);
  if (!givenUp) return;
  throw new LandfallError(
    'UPDATE_FAILED',
    inLanguage({
      en: `${next.version} was rolled back: ${givenUp.reason}`,
      zh: `${next.version} 已回滚：${givenUp.reason}`,
    }),
    {
      hint: {
        en: 'Wait for a newer release, or try again with --retry.',
        zh: '等待更新的版本，或加上 --retry 再试一次。',
      },
    },
  );
}

/** Says what will happen, in order. */
function describeCourse(
  { release }: Facts,
  next: NextRelease,
  { size, free }: CopySpace,
  keeps: boolean,
): string {
  const { version, bundle } = next;
  const say = (en: string, zh: string) => inLanguage({ en, zh });
  const closes = closesServer(next.components);
  const copied = formatBytes(size);
  const left = formatBytes(free);
  return formatTable([
    [
      'file' in bundle ? say('1 copy', '1 复制') : say('1 download', '1 下载'),
      say('while the server runs', '期间服务照常运行'),
    ],
    [
      say('2 prepare', '2 准备'),
      say('packages and settings, while the server runs', '软件包和设置，期间服务照常运行'),
    ],
    closes === false
      ? [
          say('3 restart', '3 重启'),
          say('only what changed; the chat stays open', '仅重启有变化的组件，对话不中断'),
        ]
      : [
          say('3 close', '3 关闭'),
          keeps
            ? say(
                `browsers see "being updated"; ${copied} of chats are copied, ${left} are free`,
                `浏览器显示“正在更新”；复制 ${copied} 的对话数据，剩余空间 ${left}`,
              )
            : say(
                'browsers see "being updated"; the chats are not copied',
                '浏览器显示“正在更新”；不复制对话数据',
              ),
        ],
    [
      say('4 test', '4 测试'),
      keeps
        ? say(
            `if ${version} does not work, ${release.version} comes back with all data`,
            `如果 ${version} 无法正常工作，自动恢复 ${release.version} 及全部数据`,
          )
        : say(
            `if ${version} does not work, ${release.version} starts again, if it can read the chats`,
            `如果 ${version} 无法正常工作，且 ${release.version} 能读取对话数据，就恢复 ${release.version}`,
          ),
    ],
    keeps
      ? [
          say('5 keep', '5 保留'),
          say(
            `${release.version} stays, for landfall update rollback`,
            `保留 ${release.version}，可用 landfall update rollback 恢复`,
          ),
        ]
      : [
          say('5 remove', '5 删除'),
          say(`${release.version} and its images`, `${release.version} 及其镜像`),
        ],
  ]);
}
