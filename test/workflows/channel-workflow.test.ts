import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Channel, encodeChannel } from '#contract/channel/channel.ts';
import { verifyChannel } from '#contract/channel/newest.ts';
import { firstAnchor } from '#contract/trust/anchor.ts';
import { addRelease } from '../../builder/deliver/channel/edit-channel.ts';
import { makeBundle } from '../simulator/bundle.ts';
import { releaseKey } from '../simulator/keys.ts';
import { workFolder } from '../simulator/work-folder.ts';
import { GhStandIn } from '../stand-ins/code-host/gh-stand-in.ts';
import { runJob } from './run-job.ts';

const program = fileURLToPath(new URL('../../builder/bin/landfall.mjs', import.meta.url));
/** `npm run landfall -- …` is the real command. */
const programs = `npm() { shift 3; ${process.execPath} ${program} "$@"; }`;
const secret = `${releaseKey.privateKey.export({ format: 'pem', type: 'pkcs8' })}`;
const anchor = firstAnchor({ release: [releaseKey.public], recovery: undefined });

let host: GhStandIn;
let folder: string;
beforeEach(async () => {
  folder = await workFolder();
  host = await GhStandIn.create(join(folder, 'host'));
  await host.add('stable', false);
  await host.add('trust', false);
});

let runs = 0;
/** Runs the job that signs, in a new folder. */
const sign = (env: NodeJS.ProcessEnv) => {
  runs += 1;
  return runJob('channel.yml', 'sign', {
    ...{ host, programs, folder: join(folder, `${runs}`), scripts: /gh release|npm run landfall/ },
    env: { RELEASE_KEY: secret, LANDFALL_KEY_PASSPHRASE: '', CHANGE: 'sign', HOME: folder, ...env },
  });
};

/** Publishes a release with the entries of its thin and its full bundle. */
async function publish(version: string) {
  for (const [tag, kind] of [
    [`v${version}`, 'thin'],
    [`full-v${version}`, 'full'],
  ] as const) {
    const source = join(folder, tag);
    await mkdir(source);
    const facts = { version, kind, updatesFrom: null, models: [] };
    const bundle = makeBundle({ release: (release) => ({ ...release, ...facts }) });
    await writeFile(join(source, `landfall-${version}-amd64.tar`), bundle);
    const notes = kind === 'thin' ? 'Faster.' : '';
    const entry = await addRelease(undefined, 'entry', source, { notes, security: 'none' });
    await host.add(tag, false);
    await host.put(
      tag,
      `${kind}.channel.json`,
      `${new TextDecoder().decode(encodeChannel(entry))}`,
    );
  }
}

/** Reads the published channel as a server does. */
async function published(): Promise<Channel> {
  const read = (name: string) => readFile(join(folder, 'host/stable', name));
  const signed = { bytes: await read('channel.json'), signature: await read('channel.json.sig') };
  return verifyChannel(signed, anchor, 'landfall').channel;
}

describe('the workflow of the channel with a stand-in for gh', () => {
  it('adds a release with both kinds of bundles, withdraws it, and signs again', async () => {
    await publish('1.2.3');
    expect(await sign({ CHANGE: 'add', VERSION: '1.2.3' })).toMatchObject({ exitCode: 0 });
    const { serial, releases } = await published();
    expect({ serial, releases }).toMatchObject({
      serial: 1,
      releases: [
        {
          notes: 'Faster.',
          bundles: {
            amd64: {
              thin: { urls: ['v1.2.3/landfall-1.2.3-amd64.tar'] },
              full: { urls: ['full-v1.2.3/landfall-1.2.3-amd64.tar'] },
            },
          },
        },
      ],
    });
    const REASON = 'It loses "uploads" $(id).';
    await sign({ CHANGE: 'withdraw', VERSION: '1.2.3', REASON });
    expect(await sign({ CHANGE: 'sign' })).toMatchObject({ exitCode: 0 });
    expect(await published()).toMatchObject({
      serial: 3,
      releases: [{ withdrawn: { reason: REASON } }],
    });
  });

  it('starts no new channel when the channel cannot be downloaded', async () => {
    await publish('1.2.3');
    host = await GhStandIn.create(join(folder, 'other'));
    const { exitCode, all } = await sign({ CHANGE: 'add', VERSION: '1.2.3' });
    expect({ exitCode, all }).toEqual({ exitCode: 1, all: 'release not found' });
  });

  it('uploads nothing without an entry of the release', async () => {
    const { exitCode } = await sign({ CHANGE: 'add', VERSION: '9.0.0' });
    expect(exitCode).toBe(1);
    expect((await host.state()).uploads).toEqual([]);
  });
});

describe('the reminder to sign the channel', () => {
  const remind = () =>
    runJob('channel.yml', 'remind', {
      ...{ host, folder: join(folder, 'remind'), scripts: /gh /, programs: '' },
      env: { GH_REPO: 'team/landfall' },
    });
  const expiresIn = (days: number) =>
    host.put(
      'stable',
      'channel.json',
      JSON.stringify({ expires: new Date(Date.now() + days * 864e5).toISOString() }),
    );

  it('opens one issue 14 days before the channel expires', async () => {
    await expiresIn(13.5);
    expect(await remind()).toMatchObject({ exitCode: 0 });
    expect(await remind()).toMatchObject({ exitCode: 0 });
    expect((await host.state()).issues).toMatchObject([
      { title: 'Sign the channel again', body: expect.stringContaining('valid for 13 days') },
    ]);
  });

  it('opens no issue before', async () => {
    await expiresIn(14.5);
    expect(await remind()).toMatchObject({ exitCode: 0 });
    expect((await host.state()).issues).toEqual([]);
  });
});
