import { formatBytes } from '#contract/text/amount.ts';
import { displayWidth } from '#contract/text/display-width.ts';
import { inLanguage, say } from '#contract/text/language.ts';
import type { Paint } from '#contract/text/paint.ts';
import { alignRows } from '#contract/text/table.ts';
import { translated } from '#contract/text/translated.ts';
import { wrap } from '#contract/text/wrap.ts';
import type { PublishedBundle } from '../../bundle/archive/publish-bundle.ts';
import type { Check } from './checks.ts';

interface QuickstartFacts {
  readonly built: readonly PublishedBundle[];
  readonly keyId: string;
  readonly checks: readonly Check[];
  readonly notes: readonly string[];
}

/** Renders the summary: what was built, how it was verified, and the next steps. */
export function describeQuickstart(
  { built, keyId, checks, notes }: QuickstartFacts,
  userData: { readonly path: string; readonly size: number },
  show: (path: string) => string,
  look: Look,
): string {
  const { paint } = look;
  const made = built.map(({ path, release }) => {
    const last = release.files.at(-1);
    return [
      show(path),
      formatBytes((last?.offset ?? 0) + (last?.size ?? 0)),
      say('thin, images by digest', '精简，只有镜像的摘要'),
    ];
  });
  made.push([
    show(userData.path),
    formatBytes(userData.size),
    say(
      'an example of what you paste; all providers accept 16.4 kB',
      '示例；云服务商都接受 16.4 kB',
    ),
  ]);
  const proofs = checks.map(({ tool, state, detail }) => [
    tool,
    state === 'ok' ? paint('green', say('ok', '通过')) : paint('yellow', say('missing', '缺少')),
    translated(detail),
  ]);
  return [
    '',
    ...labelled(say('made', '已生成'), alignRows(made), look),
    ...labelled(say('key id', '密钥指纹'), [keyId], look),
    ...labelled(say('verified', '已验证'), alignRows(proofs), look),
    ...(notes.length > 0 ? labelled(say('note', '说明'), notes.map(translated), look) : []),
    ...labelled(say('next', '下一步'), inLanguage(nextSteps).split('\n'), look),
  ].join('\n');
}

const nextSteps = {
  en: `Install the command: npm link (sudo npm link, if npm says EACCES)
Create your own site outside of this checkout: cd ~ && landfall init my-server
The example site cannot be used: its SSH key and its release URL are examples.`,
  zh: `安装命令：npm link（npm 报告 EACCES 时用 sudo npm link）
在源码目录之外生成您自己的站点配置：cd ~ && landfall init my-server
示例站点不能使用：其中的 SSH 密钥和下载地址都是示例。`,
};

const labelColumns = 10;

interface Look {
  readonly paint: Paint;
  /** Of the terminal; undefined: lines are not wrapped. */
  readonly columns: number | undefined;
}

/** Prints a label before the first line. Wraps before it paints, because the wrapper counts characters. */
function labelled(label: string, lines: readonly string[], { paint, columns }: Look): string[] {
  const indent = ' '.repeat(labelColumns);
  const wrapped = lines.flatMap((line) => wrap(indent + line, columns ?? Number.POSITIVE_INFINITY));
  const title = label + ' '.repeat(labelColumns - displayWidth(label));
  return wrapped.map(
    (line, index) => paint('bold', index === 0 ? title : indent) + line.slice(labelColumns),
  );
}
