import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { statusFile } from '#contract/server-paths.ts';
import {
  firstBootCheck,
  stageChecks,
  unconfirmedCheck,
} from '../../../../../appliance/operations/doctor/checks/first-boot.ts';
import { undoFolder } from '../../../../../appliance/server/host/undo/undo.ts';
import type { Stage, StageName } from '../../../../../appliance/server/stage/stage.ts';
import { contextFor } from '../../../context.ts';
import { statusOf } from '../../../server/progress/status-of.ts';
import { TemporaryHost } from '../../../temporary-host.ts';
import { english, look } from '../look.ts';

const server = (...given: Parameters<typeof statusOf>) =>
  TemporaryHost.with({ [statusFile]: JSON.stringify(statusOf(...given)) });

describe('the check of the first boot', () => {
  it('finds a failed one with its cause', async () => {
    const error = { code: 'DISK_FULL', message: 'the disk is full', retriable: false };
    expect(await look(firstBootCheck, server('images', 'failed', { error }))).toEqual([
      [
        'FIRST_BOOT_FAILED',
        'first-boot',
        'the last first boot failed: DISK_FULL: the disk is full',
      ],
    ]);
  });

  it('finds an interrupted one', async () => {
    expect(await look(firstBootCheck, server('images'))).toEqual([
      ['FIRST_BOOT_FAILED', 'first-boot', 'the last first boot was interrupted'],
    ]);
  });

  it('accepts a completed one', async () => {
    expect(await look(firstBootCheck, server(undefined))).toEqual([]);
  });
});

describe('the check of unconfirmed changes', () => {
  it('finds a change that will be undone', async () => {
    const host = TemporaryHost.with({ [`${undoFolder}/firewall.sh`]: '' });
    expect(await look(unconfirmedCheck, host)).toEqual([
      ['CHANGE_UNCONFIRMED', 'firewall', 'the change of firewall waits for a confirmation'],
    ]);
  });

  it('finds nothing without one', async () => {
    expect(await look(unconfirmedCheck, TemporaryHost.with({}))).toEqual([]);
  });
});

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
      text: english('the stage stack has 1 pending change'),
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
      {
        text: english('the stage stack cannot be checked: no secrets'),
        details: ['Run it again.'],
      },
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
