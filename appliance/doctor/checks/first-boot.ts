import { outcomeOf, readStanding } from '../../progress/state.ts';
import type { Check, Finding } from '../finding.ts';

/** Reports a first boot that failed or was interrupted, with its cause. */
export const firstBootCheck: Check = {
  name: 'first-boot',
  root: false,
  needs: 'server',
  run: async (host) => {
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
  },
};
