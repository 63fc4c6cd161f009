import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { stageChecks } from '../../../../appliance/doctor/checks/stages.ts';
import type { Stage, StageName } from '../../../../appliance/stage/stage.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

function stage(name: StageName, check: Stage['check']): Stage {
  return { name, title: name, check, apply: async () => {}, prove: async () => {} };
}

async function findings(of: Stage) {
  const [check] = stageChecks([of]);
  return check?.needs === 'site' ? await check.run(contextFor(TemporaryHost.with({}))) : [];
}

describe('the check of a stage', () => {
  it('finds pending changes, and runs the stage to fix them', async () => {
    const [finding] = await findings(stage('stack', async () => ['start ui']));
    expect(finding).toMatchObject({
      code: 'STAGE_PENDING',
      subject: 'stack',
      text: 'the stage stack has 1 pending change',
      details: ['start ui'],
    });
    const ran: string[] = [];
    const host = TemporaryHost.with({});
    await finding?.fix?.apply({ host, runStage: async (name) => void ran.push(name) });
    expect(ran).toEqual(['stack']);
  });

  it('finds a stage that cannot be checked, with its hint', async () => {
    const error = new LandfallError('STATE_INVALID', 'no secrets', { hint: 'Run it again.' });
    expect(await findings(stage('stack', () => Promise.reject(error)))).toMatchObject([
      { text: 'the stage stack cannot be checked: no secrets', details: ['Run it again.'] },
    ]);
  });

  it.each(['preflight', 'users', 'ssh', 'firewall', 'ban'] as const)(
    'offers no automatic fix for a stage that could lock out the administrator: %s',
    async (name) => {
      const [finding] = await findings(stage(name, async () => ['change it']));
      expect(finding?.fix).toBeUndefined();
    },
  );
});
