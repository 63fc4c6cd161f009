import { inLanguage } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { formatTable } from '#contract/text/table.ts';
import { formatKeyId } from '#contract/trust/keys.ts';
import { changeRows, versionRow } from './describe.ts';
import type { NamedBundle } from './download/named-bundle.ts';

/** Formats a release that the administrator named as a table. @param installed its version */
export function describeBundle({ release, changes, name, signer }: NamedBundle, installed: string) {
  const say = (en: string, zh: string) => inLanguage({ en, zh });
  return formatTable([
    [say('installed', '已安装'), installed],
    versionRow(release),
    [say('bundle', '发布包'), plainLine(name, 1000)],
    ...changeRows(say('new data', '新增数据'), changes),
    [say('signed by', '签名密钥'), formatKeyId(signer.id)],
  ]);
}
