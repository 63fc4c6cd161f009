import { afterEach, describe, expect, it, vi } from 'vitest';
import { checkUpdates } from '../../../../appliance/operations/update/check-updates.ts';
import { describeUpdate } from '../../../../appliance/operations/update/last-check.ts';
import { Mirror } from '../../../../appliance/operations/update/mirror.ts';
import { scheduledCheck } from '../../../../appliance/operations/update/scheduled-check.ts';
import { Journal } from '../../../../appliance/server/stage/journal.ts';
import { makeKeyPair, recoveryKey, releaseKey, strangerKey } from '../../../simulator/keys.ts';
import { channelRelease } from '../../shared/contract/channel/a-channel.ts';
import { nextRelease, updateLab } from './update-lab.ts';

let lab: Awaited<ReturnType<typeof updateLab>>;
afterEach(() => lab.close());

const codes = ({ failures }: Awaited<ReturnType<typeof checkUpdates>>) =>
  failures.map(({ code }) => code);

describe('a check for updates', () => {
  it('takes the newest channel of several mirrors', async () => {
    lab = await updateLab();
    lab.first.publish({ serial: 3, releases: [channelRelease('1.0.0')] });
    lab.second.publish({ serial: 4 });
    const state = await checkUpdates(lab.context);
    expect(state).toMatchObject({
      installed: '1.0.0',
      channel: { name: 'stable', serial: 4, mirror: lab.second.channel, key: releaseKey.public.id },
      offer: { kind: 'update', version: '1.1.0', newest: '1.1.0', changes: null },
      failures: [],
    });
    expect((await lab.anchor()).channelSerial).toBe(4);
  });

  it('ignores a mirror that is older than what the server has seen', async () => {
    lab = await updateLab();
    lab.first.publish({ serial: 3 });
    lab.second.publish({ serial: 4 });
    await checkUpdates(lab.context);
    lab.second.remove('stable/channel.json');
    const state = await checkUpdates(lab.context);
    expect([state.channel, codes(state)]).toEqual([null, ['CHANNEL_OLD', 'HTTP_STATUS']]);
  });

  it('reports what an update transfers and which containers it replaces', async () => {
    lab = await updateLab();
    const { bytes, entry } = nextRelease();
    lab.first.publish({ releases: [entry] });
    lab.first.put('v1.1.0/landfall-1.1.0-amd64.release.json', bytes);
    const { offer } = await checkUpdates(lab.context);
    expect(offer).toMatchObject({ changes: { components: ['ui'], unsized: 0 } });
    const { changes } = offer as { changes: { bytes: number } };
    expect(changes.bytes).toBeGreaterThan(2000);
    expect(changes.bytes).toBeLessThan(10_000);
  });

  it('expects the pause of the last change of the containers', async () => {
    lab = await updateLab();
    lab.first.publish();
    expect((await checkUpdates(lab.context)).offer).toMatchObject({ pause: null });
    const { host, release } = lab.context;
    const entry = { release: release.version, stage: 'stack', own: 10 } as const;
    await new Journal(host).add({ ...entry, event: 'applied', took: 24_000 });
    await new Journal(host).add({ ...entry, event: 'kept', took: 300 });
    const state = await checkUpdates(lab.context);
    expect(state.offer).toMatchObject({ pause: 24_000 });
    expect(describeUpdate(state)).toMatch(/^pause +about 24 s, /m);
  });

  it('ignores a release.json that is not the one of the channel', async () => {
    lab = await updateLab();
    const { bytes, entry } = nextRelease();
    lab.first.publish({ releases: [entry] });
    lab.first.put('v1.1.0/landfall-1.1.0-amd64.release.json', bytes.subarray(1));
    expect((await checkUpdates(lab.context)).offer).toMatchObject({ changes: null });
  });

  it('rejects a channel of a stranger, and names the mirror', async () => {
    lab = await updateLab();
    lab.first.publish({}, strangerKey);
    lab.second.publish();
    const state = await checkUpdates(lab.context);
    expect(state.failures).toMatchObject([
      { mirror: lab.first.channel, code: 'CHANNEL_UNTRUSTED' },
    ]);
    expect(state.channel?.mirror).toBe(lab.second.channel);
  });

  it('goes on to the next mirror after a signed channel with an invalid version', async () => {
    lab = await updateLab();
    const first = channelRelease('1.2.0', { updatesFrom: 'not a version' });
    lab.first.publish({ serial: 9, releases: [first] });
    lab.second.publish();
    const state = await checkUpdates(lab.context);
    expect(codes(state)).toEqual(['CHANNEL_INVALID']);
    expect(state.channel?.mirror).toBe(lab.second.channel);
  });

  it('goes on to the next mirror after an error that it does not know', async () => {
    lab = await updateLab();
    lab.first.publish();
    lab.second.publish();
    const read = vi.spyOn(Mirror.prototype, 'channel');
    read.mockRejectedValueOnce(new TypeError('not\u001b[31m known'));
    const state = await checkUpdates(lab.context).finally(() => read.mockRestore());
    const message = 'the program failed: TypeError: not known';
    expect(state.failures).toEqual([
      { mirror: lab.first.channel, code: 'CHANNEL_INVALID', message },
    ]);
    expect(state.channel?.mirror).toBe(lab.second.channel);
  });

  it('reads a channel again that was published between two requests', async () => {
    lab = await updateLab();
    lab.first.publish({ serial: 3 });
    const { first } = lab;
    first.put('stable/channel.json.sig', Buffer.alloc(70));
    first.onRequest = (count) => {
      // After the signature, which is the old one.
      if (count === 3) first.publish({ serial: 5 });
    };
    expect((await checkUpdates(lab.context)).channel?.serial).toBe(5);
  });
});

describe('a rotation of the keys', () => {
  const next = makeKeyPair();
  const nextRecovery = makeKeyPair();
  const rotation = { release: [next.public.spki], recovery: nextRecovery.public.spki };

  it('follows a rotation before it reads the channel, and keeps it whatever happens later', async () => {
    lab = await updateLab();
    lab.first.rotate(rotation);
    lab.first.publish({ trust: 1, serial: 1 }, strangerKey);
    await checkUpdates(lab.context);
    expect(await lab.anchor()).toMatchObject({ trust: 1, release: [next.public.spki] });
    lab.first.publish({ trust: 1, serial: 1 }, next);
    expect((await checkUpdates(lab.context)).channel).toMatchObject({ trust: 1, serial: 1 });
  });

  it('recovers from a stolen key that signed the highest serial', async () => {
    lab = await updateLab();
    lab.first.publish({ serial: Number.MAX_SAFE_INTEGER });
    await checkUpdates(lab.context);
    lab.first.publish({ serial: 8 });
    expect((await checkUpdates(lab.context)).channel).toBeNull();
    lab.first.rotate(rotation);
    lab.first.publish({ trust: 1, serial: 1 }, next);
    expect((await checkUpdates(lab.context)).channel).toMatchObject({ trust: 1, serial: 1 });
  });

  it('follows the next rotation, signed by the new recovery key', async () => {
    lab = await updateLab();
    const third = makeKeyPair();
    lab.first.rotate(rotation);
    lab.first.rotate({ trust: 2, release: [third.public.spki], recovery: null }, nextRecovery);
    await checkUpdates(lab.context);
    expect(await lab.anchor()).toMatchObject({ trust: 2, release: [third.public.spki] });
  });

  it.each([
    ['the release key signed it', rotation, releaseKey],
    ['it skips a number', { ...rotation, trust: 1, created: 'never' }, recoveryKey],
    ['it is for another product', { ...rotation, product: 'other' }, recoveryKey],
  ])('refuses a rotation with both lists of keys if %s', async (_why, change, key) => {
    lab = await updateLab();
    lab.first.rotate(change, key);
    const { failures } = await checkUpdates(lab.context);
    expect(failures[0]?.code).toBe('TRUST_REFUSED');
    expect(failures[0]?.message).toMatch(/trusted: .*release key.*; announced: /);
    expect((await lab.anchor()).trust).toBe(0);
  });

  it('keeps the rotation before one that it refuses', async () => {
    lab = await updateLab();
    lab.first.rotate(rotation);
    lab.first.rotate({ trust: 2 }, strangerKey);
    lab.second.publish({ trust: 1, serial: 1 }, next);
    const { failures, channel } = await checkUpdates(lab.context);
    expect(failures).toMatchObject([{ code: 'TRUST_REFUSED' }]);
    expect(channel).toMatchObject({ trust: 1, serial: 1 });
    expect(await lab.anchor()).toMatchObject({ trust: 1, channelSerial: 1 });
  });

  it('reads another mirror after a refused rotation', async () => {
    lab = await updateLab();
    lab.first.rotate(rotation, strangerKey);
    lab.second.publish();
    expect((await checkUpdates(lab.context)).channel?.mirror).toBe(lab.second.channel);
  });

  it('reports a channel that needs more rotations than the mirror has', async () => {
    lab = await updateLab();
    lab.first.publish({ trust: 2 });
    expect(codes(await checkUpdates(lab.context))[0]).toBe('CHANNEL_KEYS');
  });
});

describe('a scheduled check', () => {
  it('sends one alert for each new release', async () => {
    lab = await updateLab();
    lab.first.publish({ serial: 1 });
    await scheduledCheck(lab.context);
    await scheduledCheck(lab.context);
    expect(lab.receiver.accepted).toEqual([
      expect.stringMatching(/release 1\.1\.0 is available[\s\S]*sudo landfall update status/),
    ]);
    lab.first.publish({ serial: 2, releases: [channelRelease('1.2.0', { security: 'critical' })] });
    await scheduledCheck(lab.context);
    expect(lab.receiver.accepted[1]).toMatch(/^Landfall on vps-1: critical security update/);
  });

  it('sends one alert when the installed release was withdrawn', async () => {
    lab = await updateLab('zh');
    const withdrawn = { reason: 'It lost data.' };
    lab.first.publish({ releases: [channelRelease('1.0.0', { withdrawn })] });
    await scheduledCheck(lab.context);
    await scheduledCheck(lab.context);
    expect(lab.receiver.accepted).toEqual([expect.stringContaining('已被撤回：It lost data.')]);
  });

  it('sends one alert for each refused rotation of the keys', async () => {
    lab = await updateLab();
    lab.first.rotate({}, strangerKey);
    lab.second.publish({ releases: [] });
    await scheduledCheck(lab.context);
    await scheduledCheck(lab.context);
    expect(lab.receiver.accepted).toEqual([expect.stringContaining('trusted keys was refused')]);
  });
});
