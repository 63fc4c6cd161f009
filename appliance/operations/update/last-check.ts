import { z } from 'zod';
import type { Release } from '#contract/bundle/release.ts';
import { allErrorCodes, type ErrorCode } from '#contract/error-codes.ts';
import { updateStateFile } from '#contract/server-paths.ts';
import { formatBytes, formatDuration } from '#contract/text/amount.ts';
import { inLanguage } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { formatTable } from '#contract/text/table.ts';
import { formatTime } from '#contract/text/time-zone.ts';
import { formatKeyId } from '#contract/trust/keys.ts';
import { StateFile } from '../../server/host/state-file.ts';

const errorCode = z.custom<ErrorCode>((code) => allErrorCodes().some((row) => row.code === code));

const offerSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('up-to-date') }),
  z.strictObject({
    kind: z.literal('update'),
    version: z.string(),
    created: z.iso.datetime(),
    notes: z.string(),
    security: z.enum(['none', 'moderate', 'critical']),
    /** The newest version; another one if this one must be installed first. */
    newest: z.string(),
    /** URL and SHA-256 of the bundle's manifest. */
    manifest: z.string(),
    /** Size of the whole bundle and of its parts in bytes; null: one file. */
    size: z.int(),
    part: z.int().nullable(),
    /** The bundle, relative to the folder above a channel. */
    urls: z.array(z.string()),
    /** Null if release.json could not be read. */
    changes: z
      .strictObject({
        /** Bytes of the files, images and models that this server does not have. */
        bytes: z.int(),
        /** Number of items whose size is unknown. */
        unsized: z.int(),
        /** Bytes that the release takes on the disk at most, besides the installed one. */
        disk: z.int().default(0),
        /** Components whose image is another one. */
        components: z.array(z.string()),
      })
      .nullable(),
    /** How long the containers took to start at their last change, in milliseconds; null if unknown. */
    pause: z.int().nullable(),
  }),
  z.strictObject({ kind: z.literal('unreachable'), newest: z.string(), updatesFrom: z.string() }),
]);

const stateSchema = z.strictObject({
  schema: z.literal(1),
  /** The last check. */
  at: z.iso.datetime(),
  /** The release that ran then. */
  installed: z.string(),
  /** The newest channel that a mirror had; null if none could be read. */
  channel: z
    .strictObject({
      name: z.string(),
      serial: z.int(),
      created: z.iso.datetime(),
      expires: z.iso.datetime(),
      /** ID of the key that signed it. */
      key: z.string(),
      /** Number of the last rotation of the keys. */
      trust: z.int(),
      /** The folder from which it was read. */
      mirror: z.string(),
    })
    .nullable(),
  offer: offerSchema.nullable(),
  /** Why the installed release was withdrawn; null if it was not. */
  withdrawn: z.string().nullable(),
  /** What is wrong with mirrors that could not be used. */
  failures: z.array(z.strictObject({ mirror: z.string(), code: errorCode, message: z.string() })),
  /** What alerts were sent about, so that each is sent once. */
  announced: z.array(z.string()).max(100),
});

/** The state after a check for updates. */
export type UpdateState = z.infer<typeof stateSchema>;

/** What an update transfers at most, and which containers it replaces. */
export type ReleaseChanges = NonNullable<
  Extract<NonNullable<UpdateState['offer']>, { kind: 'update' }>['changes']
>;

export const storedUpdates = new StateFile(updateStateFile, stateSchema);

/**
 * Formats what the last check found as a table, then the notes of the offered release.
 * @param progress rows of {@link progressRows}
 */
export function describeUpdate(
  state: UpdateState,
  progress: readonly string[][] = [],
  now = new Date(),
): string {
  const { installed, channel, offer, at } = state;
  const say = (en: string, zh: string) => inLanguage({ en, zh });
  const time = (iso: string) => formatTime(new Date(iso));
  const rows = [
    [say('installed', '已安装'), installed],
    ...(offer ? offerRows(offer) : []),
    ...progress,
    ...(channel
      ? [
          [
            say('channel', '频道'),
            say(
              `${channel.name}, serial ${channel.serial}, valid until ${time(channel.expires)}`,
              `${channel.name}，序号 ${channel.serial}，有效期至 ${time(channel.expires)}`,
            ),
          ],
          [
            say('signed by', '签名密钥'),
            say(
              `${formatKeyId(channel.key)}, rotations: ${channel.trust}`,
              `${formatKeyId(channel.key)}（密钥已轮换 ${channel.trust} 次）`,
            ),
          ],
        ]
      : []),
    [say('checked', '检查时间'), time(at)],
  ];
  const notes = offer?.kind === 'update' ? notesOf(offer.notes) : [];
  const remarks = remarksOn(state, now).map((remark) => inLanguage(remark));
  return [formatTable(rows), ...section(remarks), ...section(notes)].join('\n');
}

const section = (lines: readonly string[]) => (lines.length === 0 ? [] : ['', ...lines]);

function offerRows(offer: NonNullable<UpdateState['offer']>): string[][] {
  const say = (en: string, zh: string) => inLanguage({ en, zh });
  const newest = say('newest', '最新版本');
  if (offer.kind === 'up-to-date') return [[newest, say('up to date', '已是最新')]];
  if (offer.kind === 'unreachable') return [[newest, offer.newest]];
  const { security, changes, size, pause } = offer;
  const solves = {
    none: say('no security problem', '不涉及安全问题'),
    moderate: say('solves a security problem', '修复一个安全问题'),
    critical: say('solves a critical security problem', '修复一个严重安全问题'),
  };
  return [
    [newest, offer.newest],
    versionRow(offer),
    [say('security', '安全'), solves[security]],
    ...changeRows(say('download', '下载'), changes ?? { bytes: size }),
    ...(pause === null ? [] : [[say('pause', '中断'), pauseText(pause)]]),
  ];
}

/** Returns the row with the release to install. */
export function versionRow({ version, created }: Pick<Release, 'version' | 'created'>): string[] {
  const say = (en: string, zh: string) => inLanguage({ en, zh });
  const published = formatTime(new Date(created));
  return [
    say('next update', '下一次更新'),
    say(`${version}, of ${published}`, `${version}（${published}）`),
  ];
}

/** Returns rows with the size of an update, and the components that restart. */
export function changeRows(
  sizeLabel: string,
  { bytes = 0, unsized = 0, components }: Partial<ReleaseChanges>,
): string[][] {
  const say = (en: string, zh: string) => inLanguage({ en, zh });
  const more =
    unsized > 0 ? say(`, and ${unsized} of unknown size`, `，另有 ${unsized} 项大小未知`) : '';
  return [
    [sizeLabel, say(`at most ${formatBytes(bytes)}${more}`, `最多 ${formatBytes(bytes)}${more}`)],
    [
      say('restarts', '重启'),
      components === undefined
        ? say('unknown', '未知')
        : components.join(', ') ||
          say('components with changed settings only', '仅设置有变化的组件'),
    ],
  ];
}

function pauseText(milliseconds: number): string {
  const time = formatDuration(milliseconds);
  return inLanguage({
    en: `about ${time}, as at the last change of the containers`,
    zh: `约 ${time}（按上次更换容器的用时估计）`,
  });
}

function notesOf(notes: string): string[] {
  return notes === '' ? [] : notes.split('\n').map((line) => plainLine(line, 400));
}

/** What the administrator should know about the state, besides the offer. */
function remarksOn({ withdrawn, channel, offer, failures, installed }: UpdateState, now: Date) {
  const remarks = [];
  if (withdrawn !== null) {
    const reason = plainLine(withdrawn, 500);
    remarks.push({
      en: `Release ${installed}, which runs here, was withdrawn: ${reason}`,
      zh: `正在运行的版本 ${installed} 已被撤回：${reason}`,
    });
  }
  if (offer?.kind === 'unreachable') {
    const { newest, updatesFrom } = offer;
    remarks.push({
      en: `Release ${newest} updates from ${updatesFrom} or later, which the channel does not have.`,
      zh: `版本 ${newest} 只能从 ${updatesFrom} 或更高版本更新，但频道中没有这样的版本。`,
    });
  }
  if (offer?.kind === 'update' && offer.newest !== offer.version) {
    remarks.push({
      en: `Update to ${offer.version} first, then to ${offer.newest}.`,
      zh: `请先更新到 ${offer.version}，再更新到 ${offer.newest}。`,
    });
  }
  if (channel && Date.parse(channel.expires) <= now.getTime()) {
    remarks.push({
      en: 'The channel has expired: it is no longer maintained, or a mirror is old. Check the page of the project.',
      zh: '频道已过期：可能无人维护，或镜像太旧。请查看项目页面。',
    });
  }
  if (channel && Date.parse(channel.created) > now.getTime() + maxClockDifference) {
    remarks.push({
      en: 'The channel was created in the future: check the clock of this server with `timedatectl`.',
      zh: '频道的创建时间在未来：请用 `timedatectl` 检查服务器时钟。',
    });
  }
  for (const { mirror, code, message } of failures) {
    const text = `${mirror}: ${code}: ${plainLine(message, 1000)}`;
    remarks.push({ en: `Not usable: ${text}`, zh: `无法使用：${text}` });
  }
  return remarks;
}

/** Clocks may differ by this much. Milliseconds. */
const maxClockDifference = 10 * 60 * 1000;
