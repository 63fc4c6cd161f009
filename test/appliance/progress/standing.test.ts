import { describe, expect, it } from 'vitest';
import { bootstrapStatusFile, installedMark, statusFile } from '#contract/server-paths.ts';
import { asJson, exitCodeFor } from '../../../appliance/commands/status.ts';
import { readStanding } from '../../../appliance/progress/standing.ts';
import { TemporaryHost } from '../temporary-host.ts';
import { statusOf } from './status-of.ts';

const bootstrap = { [bootstrapStatusFile]: 'runtime/node.tgz: 16 of 50 MB\n' };
const installed = { [installedMark]: '1.2.0\n' };
const status = (...given: Parameters<typeof statusOf>) => ({
  [statusFile]: JSON.stringify(statusOf(...given)),
});

describe('where a server stands', () => {
  it.each([
    ['nothing was ever begun', {}, 'unknown'],
    ['the release is being fetched', bootstrap, 'bootstrap'],
    ['stages run', { ...bootstrap, ...status('images') }, 'stages'],
    ['it was restarted after it was up', installed, 'installed'],
    ['it is updated', { ...installed, ...status('images') }, 'stages'],
    ['the status is damaged', { ...bootstrap, [statusFile]: '{"state":' }, 'bootstrap'],
  ])('%s', async (_case, files, kind) => {
    expect(await readStanding(TemporaryHost.with(files))).toMatchObject({ kind });
  });

  it('is one plain line while the release is fetched', async () => {
    const host = TemporaryHost.with({ [bootstrapStatusFile]: '\x1b[2Jfetching\nmore\n' });
    expect(await readStanding(host)).toEqual({ kind: 'bootstrap', line: 'fetching' });
  });
});

describe('the exit code of landfall status', () => {
  const codeOf = async (files: Record<string, string>) =>
    exitCodeFor(await readStanding(TemporaryHost.with(files)));

  it('is 0 when all is up', async () => {
    expect(await codeOf(status(undefined))).toBe(0);
    expect(await codeOf(installed)).toBe(0);
  });

  it('is 75 while it goes on', async () => {
    expect(await codeOf(bootstrap)).toBe(75);
    expect(await codeOf(status('images'))).toBe(75);
  });

  it('is 11 when it has failed', async () => {
    expect(await codeOf(status('images', 'failed'))).toBe(11);
  });

  it('is an error where there is nothing to tell of', async () => {
    await expect(codeOf({})).rejects.toMatchObject({ code: 'STATE_INVALID' });
  });
});

describe('landfall status --json', () => {
  it('is the status file, or as much of its shape as is known', async () => {
    const json = async (files: Record<string, string>) =>
      asJson(await readStanding(TemporaryHost.with(files)));
    expect(await json(status('images'))).toEqual(statusOf('images'));
    expect(await json(installed)).toEqual({ state: 'done', release: '1.2.0' });
    expect(await json(bootstrap)).toEqual({
      state: 'bootstrap',
      line: 'runtime/node.tgz: 16 of 50 MB',
    });
    expect(await json({})).toEqual({ state: 'unknown' });
  });
});
