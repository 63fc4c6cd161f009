import { formatBytes } from '#contract/text/amount.ts';
import { say } from '#contract/text/language.ts';
import { formatTable } from '#contract/text/table.ts';
import type { HashedFile } from '../hashed-file.ts';
import { isBundle } from '../release-files.ts';
import { siteLines } from '../site-lines.ts';
import { isLoopback, type ListenAddress, urlsOf } from './listen-address.ts';

/** Formats what is served: the files with their SHA-256, the URLs, and the lines of site.yaml. */
export function describeServed(files: readonly HashedFile[], address: ListenAddress): string {
  const bundles = files.filter(({ name }) => isBundle(name));
  const others = files.length - bundles.length;
  const urls = urlsOf(address);
  return `${formatTable([
    ...bundles.flatMap(({ name, size, sha256 }) => [
      [say('serves', '提供'), `${name}  ${formatBytes(size)}`],
      ['', `SHA-256 ${sha256}`],
    ]),
    ...(others > 0
      ? [
          [
            '',
            say(
              `and ${others} smaller files, listed at the URL`,
              `还有 ${others} 个小文件，列在网址中`,
            ),
          ],
        ]
      : []),
    ...urls.map((url) => [say('URL', '网址'), url]),
    ...(isLoopback(address.host) ? tunnelRows(address) : []),
  ])}\n${siteLines(
    siteUrls(address),
    files.map(({ name }) => name),
  )}`;
}

/** Returns the URLs for a site: the loopback address is no address of another machine. */
function siteUrls(address: ListenAddress): string[] {
  const urls = urlsOf(address);
  return urls.length > 1 ? urls.slice(0, -1) : urls;
}

function tunnelRows({ host, port }: ListenAddress): string[][] {
  const local = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const tunnel = `ssh -N -R ${local}:${local} root@`;
  const listen = `--listen 0.0.0.0:${port}`;
  return [
    [
      say('reach it', '连接方法'),
      say(`over SSH: ${tunnel}<server>`, `通过 SSH：${tunnel}<服务器>`),
    ],
    ['', say(`from the LAN: start it with ${listen}`, `从局域网：启动时加上 ${listen}`)],
  ];
}

/** Returns the result for `--json`. */
export function servedJson(files: readonly HashedFile[], address: ListenAddress): object {
  return {
    urls: urlsOf(address),
    files: files.map(({ name, size, sha256 }) => ({ name, size, sha256 })),
  };
}
