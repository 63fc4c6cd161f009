import type { Text } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import type { Condition } from '../../server/conditions/condition.ts';
import type { UpdateState } from './last-check.ts';

type Update = Extract<NonNullable<UpdateState['offer']>, { kind: 'update' }>;

/** Returns a condition about updates. @param subject identifies it: `release 1.1.0` */
export function aboutUpdates(subject: string, what: Text): Condition {
  const command = 'sudo landfall update status';
  return { topic: 'update', subject, severity: 'attention', what, command };
}

/** Returns what a check found: a new release, a withdrawn one, refused keys. */
export function updateConditions(state: UpdateState): Condition[] {
  const { offer, withdrawn, installed, failures } = state;
  const reason = plainLine(withdrawn ?? '');
  return [
    ...(offer?.kind === 'update' ? [newRelease(offer)] : []),
    ...(withdrawn === null
      ? []
      : [
          aboutUpdates(`withdrawn ${installed}`, {
            en: `release ${installed}, which runs here, was withdrawn: ${reason}`,
            zh: `正在运行的版本 ${installed} 已被撤回：${reason}`,
          }),
        ]),
    ...failures
      .filter(({ code }) => code === 'TRUST_REFUSED')
      .map(({ mirror, message }) =>
        aboutUpdates(`keys of ${mirror}`, {
          en: `a change of the trusted keys was refused (${mirror}): ${plainLine(message)}`,
          zh: `拒绝了可信密钥的更改（${mirror}）：${plainLine(message)}`,
        }),
      ),
  ];
}

function newRelease({ version, security }: Update): Condition {
  const texts = {
    none: { en: `release ${version} is available`, zh: `有新版本 ${version}` },
    moderate: {
      en: `release ${version} solves a security problem`,
      zh: `新版本 ${version} 修复一个安全问题`,
    },
    critical: {
      en: `critical security update: release ${version}`,
      zh: `严重安全更新：版本 ${version}`,
    },
  };
  return aboutUpdates(`release ${version}`, texts[security]);
}
