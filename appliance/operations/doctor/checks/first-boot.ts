import { hintsOf, messageOf } from '#contract/text/chinese-errors.ts';
import type { Text } from '#contract/text/language.ts';
import { unconfirmed } from '../../../server/host/undo/undo.ts';
import { outcomeOf, readStanding } from '../../../server/progress/state.ts';
import { planStages } from '../../../server/stage/plan.ts';
import type { Stage } from '../../../server/stage/stage.ts';
import {
  type Check,
  detailsOf,
  type Finding,
  hasStageFix,
  serverCheck,
  siteCheck,
  stageFix,
} from '../finding.ts';

/** Reports a first boot that failed or was interrupted, with its cause. */
export const firstBootCheck = serverCheck({ name: 'first-boot', root: false }, async (host) => {
  const standing = await readStanding(host);
  const outcome = outcomeOf(standing);
  if (outcome !== 'failed' && outcome !== 'interrupted') return [];
  const found = (text: Text, details: readonly string[] = []): Finding[] => [
    { code: 'FIRST_BOOT_FAILED', subject: 'first-boot', text, details },
  ];
  if (standing.kind === 'stages') {
    const { error } = standing.status;
    if (!error)
      return found({ en: 'the last first boot was interrupted', zh: '上一次首次启动已中断' });
    const { code, message, problems = [] } = error;
    const text = {
      en: `the last first boot failed: ${code}: ${message}`,
      zh: `上一次首次启动失败：${code}：${messageOf(error).zh}`,
    };
    const hints = Object.values(hintsOf(error)).filter((hint) => hint !== undefined);
    return found(text, [...problems, ...hints]);
  }
  const { stage, code } = standing.kind === 'installed' ? (standing.unfinished ?? {}) : {};
  const how =
    outcome === 'failed' ? { en: 'failed', zh: '失败' } : { en: 'was interrupted', zh: '中断' };
  const [at, why] = [stage ?? 'preflight', code === undefined ? '' : `: ${code}`];
  return found({
    en: `the last first boot ${how.en} in the stage ${at}${why}`,
    zh: `上一次首次启动在 ${at} 阶段${how.zh}${why}`,
  });
});

/** Reports changes that are undone automatically unless the administrator confirms them. */
export const unconfirmedCheck = serverCheck({ name: 'unconfirmed', root: true }, async (host) =>
  (await unconfirmed(host)).map((name) => ({
    code: 'CHANGE_UNCONFIRMED',
    subject: name,
    text: { en: `the change of ${name} waits for a confirmation`, zh: `${name} 的更改等待确认` },
  })),
);

/** Returns one check per stage, which reports what a first boot would change now. */
export function stageChecks(stages: readonly Stage[]): Check[] {
  return stages.map((stage) =>
    siteCheck({ name: `stage-${stage.name}`, root: true }, async (context) => {
      const planned = await planStages([stage], context);
      return planned
        .filter(({ todo, obstacle }) => todo.length > 0 || obstacle !== undefined)
        .map(({ todo, obstacle, ...rest }) => ({
          code: 'STAGE_PENDING',
          subject: stage.name,
          text:
            obstacle === undefined
              ? {
                  en: `the stage ${stage.name} has ${todo.length} pending ${todo.length === 1 ? 'change' : 'changes'}`,
                  zh: `阶段 ${stage.name} 有 ${todo.length} 项待执行的更改`,
                }
              : {
                  en: `the stage ${stage.name} cannot be checked: ${obstacle}`,
                  zh: `无法检查阶段 ${stage.name}：${obstacle}`,
                },
          details: [...todo, ...detailsOf(rest)],
          ...(hasStageFix(stage.name) ? { fix: stageFix(stage.name) } : {}),
        }));
    }),
  );
}
