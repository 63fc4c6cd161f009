import { unconfirmed } from '../../../server/host/undo/undo.ts';
import { outcomeOf, readStanding } from '../../../server/progress/state.ts';
import { readTransaction } from '../../../server/records/transaction.ts';
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
  const found = (text: string, details: readonly string[] = []): Finding[] => [
    { code: 'FIRST_BOOT_FAILED', subject: 'first-boot', text, details },
  ];
  if (standing.kind === 'stages') {
    const { error } = standing.status;
    if (!error) return found('the last first boot was interrupted');
    const { code, message, problems = [], hint } = error;
    return found(`the last first boot failed: ${code}: ${message}`, [
      ...problems,
      ...(hint ? [hint] : []),
    ]);
  }
  const { stage, code } = standing.kind === 'installed' ? (standing.unfinished ?? {}) : {};
  return found(
    `the last first boot ${outcome === 'failed' ? 'failed' : 'was interrupted'} in the stage ${stage ?? 'preflight'}${code === undefined ? '' : `: ${code}`}`,
  );
});

/** Reports changes that are undone automatically unless the administrator confirms them. */
export const unconfirmedCheck = serverCheck({ name: 'unconfirmed', root: true }, async (host) =>
  (await unconfirmed(host)).map((name) => ({
    code: 'CHANGE_UNCONFIRMED',
    subject: name,
    text: `the change of ${name} waits for a confirmation`,
  })),
);

/** Reports a rollback that has failed too often. */
export const stuckUpdateCheck = serverCheck({ name: 'update', root: true }, async (host) => {
  const open = await readTransaction(host);
  if (open?.state !== 'stuck') return [];
  const { to, reason } = open;
  const details = reason ? [reason.message, ...reason.problems] : [];
  const text = `the rollback of ${to} is stuck; nothing was deleted`;
  return [{ code: 'UPDATE_STUCK', subject: to, text, details }];
});

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
              ? `the stage ${stage.name} has ${todo.length} pending ${todo.length === 1 ? 'change' : 'changes'}`
              : `the stage ${stage.name} cannot be checked: ${obstacle}`,
          details: [...todo, ...detailsOf(rest)],
          ...(hasStageFix(stage.name) ? { fix: stageFix(stage.name) } : {}),
        }));
    }),
  );
}
