import { formatBytes } from '#contract/text/amount.ts';
import { say } from '#contract/text/language.ts';
import { formatTable } from '#contract/text/table.ts';
import { safeUrl } from '#http/safe-url.ts';
import type { UrlCheck } from '../../user-data/check-urls.ts';
import { checkedRow } from '../../user-data/describe.ts';
import { siteLines } from '../site-lines.ts';
import type { UploadedFile } from './upload-files.ts';

/** The result of an upload. */
interface UploadResult {
  /** The folder, as `--to` names it. */
  readonly to: string;
  readonly files: readonly UploadedFile[];
  /** URL of the folder for servers; undefined if it was not given. */
  readonly publicUrl: URL | undefined;
  readonly checks: readonly UrlCheck[];
}

/** Formats the result: the files, the checks of their URLs, and the lines of site.yaml. */
export function describeUpload({ to, files, publicUrl, checks }: UploadResult): string {
  const sent = files.filter(({ isSent }) => isSent).length;
  const table = formatTable([
    [
      say('uploaded', '上传'),
      say(
        `${sent} of ${files.length} files to ${to}`,
        `${files.length} 个文件中的 ${sent} 个，到 ${to}`,
      ),
    ],
    ...files.map(({ name, size, isSent }) => [
      isSent ? say('sent', '已发送') : say('kept', '已有'),
      `${name}  ${formatBytes(size)}${isSent ? '' : say(', same size and SHA-256', '，大小和 SHA-256 相同')}`,
    ]),
    ...checks.map(checkedRow),
    ...(publicUrl
      ? []
      : [
          [
            '',
            say(
              'to test the URL for servers, add --public-url',
              '要测试服务器用的网址，请加上 --public-url',
            ),
          ],
        ]),
  ]);
  const isServed = checks.every(({ state }) => state === 'served');
  if (!publicUrl || !isServed) return `${table}\n`;
  return `${table}\n${siteLines(
    [publicUrl.href],
    files.map(({ name }) => name),
  )}`;
}

/** Returns the result for `--json`. */
export function uploadJson({ to, files, publicUrl, checks }: UploadResult): object {
  return {
    to,
    files,
    publicUrl: publicUrl?.href ?? null,
    urls: checks.map(({ arch, name, url, state }) => ({
      arch,
      file: name,
      url: safeUrl(url),
      state,
    })),
  };
}
