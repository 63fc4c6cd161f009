import { bootFolder, bootUnitFile } from '#contract/server-paths.ts';
import { formatBytes } from '#contract/text/amount.ts';
import { say } from '#contract/text/language.ts';
import { formatTable } from '#contract/text/table.ts';
import { formatKeyId, type TrustedKeys } from '#contract/trust/keys.ts';
import { safeUrl } from '#http/safe-url.ts';
import type { PinnedRelease } from '../../bundle/released/pinned-release.ts';
import type { ReleaseUrl } from './boot-settings.ts';
import type { UrlCheck } from './check-urls.ts';
import type { RenderedUserData } from './render.ts';

/** What `landfall user-data` made, and the URLs that its server will use. */
export interface UserDataResult {
  /** Output file; - for standard output. */
  readonly path: string;
  readonly releases: readonly PinnedRelease[];
  readonly keys: TrustedKeys;
  readonly rendered: RenderedUserData;
  readonly warnings: readonly string[];
  readonly urls: readonly ReleaseUrl[];
  /** Undefined if the URLs were not checked. */
  readonly checks: readonly UrlCheck[] | undefined;
  /** The release that was downloaded; undefined for files of the user. */
  readonly packaged: { readonly keyPage?: string | undefined } | undefined;
}

/** Formats the result as a table: the file, its trust, and the files to upload. */
export function describeUserData(result: UserDataResult): string {
  const { path, releases, keys, rendered, urls, checks, packaged } = result;
  const [first] = releases;
  const architectures = releases.map(({ release }) => release.arch);
  return formatTable([
    [say('release', '版本'), releaseOf(first, architectures)],
    ...keys.release.map(({ id }) => [
      say('trusts', '信任'),
      say(`${formatKeyId(id)}  (release key)`, `${formatKeyId(id)}  （发布密钥）`),
    ]),
    ...(keys.recovery ? [recoveryRow(formatKeyId(keys.recovery.id))] : []),
    ...(packaged ? [compareRow(packaged.keyPage ?? say(secondSource.en, secondSource.zh))] : []),
    ...rendered.bootstrap.map(({ name, sha256 }) => [say('embeds', '内含'), `${sha256}  ${name}`]),
    [
      say('compare', '核对'),
      say(
        'with the SHA-256 of `landfall inspect`; to print those on the server:',
        '与 `landfall inspect` 的 SHA-256 核对；在服务器上显示它们：',
      ),
    ],
    ['', `sha256sum /${bootFolder}/* /${bootUnitFile}`],
    ...(checks
      ? checks.map(checkedRow)
      : [...urls.map(packaged ? sourceRow : uploadRow), ...(urls.length > 0 ? [checkHint()] : [])]),
    [
      'user-data',
      say(`${path}, ${rendered.bytes.length} bytes`, `${path}，${rendered.bytes.length} 字节`),
    ],
    ...(path !== '-' && isReady(checks) ? [nextRow(path, rendered)] : []),
    // A site with `release: push` has no URLs.
    ...(urls.length === 0 ? [sendRow()] : []),
  ]);
}

function nextRow(path: string, { format }: RenderedUserData): string[] {
  return format === 'shell'
    ? [
        say('run', '运行'),
        say(
          `${path} as root on the new server, such as with the command assistant of the console`,
          `在新服务器上以 root 运行 ${path}，例如用控制台的自动化助手`,
        ),
      ]
    : [
        say('paste', '粘贴'),
        say(`${path} when you create the server`, `创建服务器时粘贴 ${path} 的内容`),
      ];
}

const secondSource = {
  en: 'a second source of the project, such as its website',
  zh: '项目在其他渠道（例如网站）公布的指纹',
};

function releaseOf(first: PinnedRelease | undefined, architectures: readonly string[]): string {
  const name = `${first?.release.product} ${first?.release.version}`;
  return say(
    `${name} for ${architectures.join(' and ')}`,
    `${name}，用于 ${architectures.join('、')}`,
  );
}

function recoveryRow(id: string): string[] {
  return [say('trusts', '信任'), say(`${id}  (recovery key)`, `${id}  （恢复密钥）`)];
}

function compareRow(source: string): string[] {
  return [
    say('compare', '核对'),
    say(`these key ids with ${source}`, `把以上密钥指纹与 ${source} 核对`),
  ];
}

function sendRow(): string[] {
  return [
    say('send', '发送'),
    say(
      'the bundle then: landfall push <user>@<server>',
      '然后发送发布包：landfall push <用户>@<服务器>',
    ),
  ];
}

function checkHint(): string[] {
  return ['', say('to test these URLs, add --check-urls', '要测试这些地址，请加上 --check-urls')];
}

function isReady(checks: readonly UrlCheck[] = []): boolean {
  return checks.every(({ state }) => state === 'served');
}

function uploadRow(file: ReleaseUrl): string[] {
  const name = `${file.name}${partsOf(file)}`;
  return [
    say('upload', '上传'),
    say(`${name}  to  ${urlText(file)}`, `${name}  到  ${urlText(file)}`),
  ];
}

function sourceRow(file: ReleaseUrl): string[] {
  return [say('downloads', '下载'), urlText(file)];
}

/** Returns the URL; for a bundle in parts with a placeholder for their numbers. */
function urlText(file: ReleaseUrl): string {
  return safeUrl(file.url) + partsOf(file);
}

function partsOf({ pinned }: ReleaseUrl): string {
  return pinned.partSize === undefined ? '' : '.*';
}

/** Returns the row of a checked URL. */
export function checkedRow(check: UrlCheck): string[] {
  if (check.state === 'not-served') return [say('failed', '失败'), urlText(check)];
  const size = check.size === undefined ? say('unknown size', '大小未知') : formatBytes(check.size);
  const resuming = check.isResumable
    ? say('downloads can be resumed', '可断点续传')
    : say(
        'interrupted downloads start over: the server does not support ranges',
        '中断后要重新下载：服务器不支持范围请求',
      );
  return [
    say('serves', '可下载'),
    say(`${urlText(check)}  ${size}, ${resuming}`, `${urlText(check)}  ${size}，${resuming}`),
  ];
}

/** Returns the result for `--json`. */
export function userDataJson(result: UserDataResult): object {
  const { path, releases, keys, rendered, warnings, urls, checks } = result;
  return {
    path,
    size: rendered.bytes.length,
    format: rendered.format,
    manifests: Object.fromEntries(
      releases.map(({ release, manifestSha256 }) => [release.arch, manifestSha256]),
    ),
    keyIds: keys.release.map(({ id }) => id),
    recoveryKeyId: keys.recovery?.id ?? null,
    bootstrap: rendered.bootstrap.map(({ name, sha256 }) => ({ name, sha256 })),
    urls: checks ? checks.map(checkJson) : urls.map(urlJson),
    warnings,
  };
}

function urlJson({ arch, name, url, pinned: { partSize } }: ReleaseUrl): object {
  return { arch, file: name, url: safeUrl(url), partSize };
}

function checkJson(check: UrlCheck): object {
  const { state } = check;
  if (state === 'not-served') return { ...urlJson(check), state };
  return { ...urlJson(check), state, size: check.size ?? null, isResumable: check.isResumable };
}
