import { inLanguage } from '#contract/text/language.ts';
import { runAgain } from '../../stage/retry-advice.ts';
import type { InstalledStanding, StagesStanding, Standing } from '../standing.ts';
import type { Brevity, Row } from './row.ts';
import { renderTable } from './table.ts';

/** Describes a standing without stages in one line. */
export function describeStanding(standing: Exclude<Standing, { kind: 'stages' }>): string {
  if (standing.kind === 'installed') return describeInstalled(standing);
  if (standing.kind === 'bootstrap') {
    return `${inLanguage({ en: 'downloading the release', zh: '正在下载版本' })}: ${standing.line}`;
  }
  return inLanguage({
    en: 'no first boot has started on this server yet',
    zh: '这台服务器还没有开始首次启动',
  });
}

function describeInstalled({ release, unfinished }: InstalledStanding): string {
  const installed = inLanguage({
    en: `release ${release} is installed here`,
    zh: `这台服务器已安装版本 ${release}`,
  });
  if (!unfinished) return installed;
  const { end, stage, code } = unfinished;
  const how =
    end === 'failed'
      ? {
          en: `failed at ${stage} (${code ?? 'no code'})`,
          zh: `在 ${stage} 失败（${code ?? '没有错误码'}）`,
        }
      : { en: `was interrupted after it started ${stage}`, zh: `在 ${stage} 开始后中断` };
  return inLanguage({
    en: `${installed}; the last first boot ${how.en}; to continue, run: ${runAgain}`,
    zh: `${installed}；上一次首次启动${how.zh}；要继续，请运行：${runAgain}`,
  });
}

/** Describes an interrupted run in one line. */
export function describeInterruption({ installed }: StagesStanding): string {
  return inLanguage(
    installed
      ? {
          en: `the first boot was interrupted; to continue, run: ${runAgain}`,
          zh: `首次启动已中断；要继续，请运行：${runAgain}`,
        }
      : {
          en: 'the first boot was interrupted; it continues automatically',
          zh: '首次启动已中断，会自动继续',
        },
  );
}

/** Renders a standing as rows for a terminal. */
export function rowsOf(standing: Standing, now: number, brevity?: Brevity): Row[] {
  if (standing.kind === 'stages') return renderTable(standing, now, brevity);
  return [{ text: describeStanding(standing) }];
}
