import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { uploadCommand } from '../../../builder/commands/upload.ts';
import { HttpProxy } from '../../faulty-server/http-proxy.ts';
import { ObjectStore, storeKey } from '../../stand-ins/object-store/object-store.ts';
import { bundleOf, OutputFolder } from '../deliver/hosting/release-folder.ts';
import { channelLab } from './channel/channel-lab.ts';
import { runCommand, terminalIn } from './terminal.ts';

const { tar, stem } = OutputFolder;
const manifest = `${stem}.release.json`;

let store: ObjectStore;
let output: OutputFolder;
beforeEach(async () => {
  store = await ObjectStore.start();
  output = await OutputFolder.create(bundleOf(), 4_000);
});
afterEach(async () => {
  await store[Symbol.asyncDispose]();
  await output[Symbol.asyncDispose]();
});

async function upload(...args: string[]): Promise<string> {
  const terminal = terminalIn(output.path, {
    AWS_ACCESS_KEY_ID: storeKey.id,
    AWS_SECRET_ACCESS_KEY: storeKey.secret,
    AWS_REGION: storeKey.region,
    AWS_ENDPOINT_URL_S3: store.endpoint,
  });
  await runCommand(uploadCommand, terminal, '.', '--to', 's3://releases/public/1.2.0', ...args);
  return terminal.out();
}

const publicUrl = () => `${store.endpoint}/releases/public/1.2.0`;

describe('landfall upload', () => {
  it('uploads the parts with the first one last, then the manifest, and no private file', async () => {
    await upload();
    const names = store.stored.map((request) => request.replace('PUT public/1.2.0/', ''));
    const parts = names.filter((name) => name.startsWith(tar));
    expect(parts.length).toBeGreaterThan(1);
    expect(names.slice(0, parts.length)).toEqual(parts);
    expect(parts.at(-1)).toBe(`${tar}.000`);
    expect(names.slice(parts.length)).toEqual([`${manifest}.sig`, 'release.pub', manifest]);
  });

  it('uploads releases first, then the channel with its signature last', async () => {
    const lab = await channelLab();
    await lab.channel('add', 'v1.1.0');
    const terminal = () =>
      terminalIn(lab.folder, {
        AWS_ACCESS_KEY_ID: storeKey.id,
        AWS_SECRET_ACCESS_KEY: storeKey.secret,
        AWS_REGION: storeKey.region,
        AWS_ENDPOINT_URL_S3: store.endpoint,
      });
    const args = ['.', '--to', 's3://releases/public'];
    const attempt = runCommand(uploadCommand, terminal(), ...args);
    await expect(attempt).rejects.toMatchObject({ code: 'FILE_MISSING' });
    await lab.channel('sign', '--key', 'release.key');
    const done = terminal();
    await runCommand(uploadCommand, done, ...args);
    expect(done.out()).toContain('stable/channel.json');
    expect(store.stored.slice(-3)).toEqual([
      'PUT public/v1.1.0/landfall-1.1.0-amd64.tar',
      'PUT public/stable/channel.json',
      'PUT public/stable/channel.json.sig',
    ]);
    await rm(lab.folder, { recursive: true });
  });

  it.each([
    ['the URL of a console', []],
    ['an endpoint', ['--to', 's3://releases/public/1.2.0', '--endpoint']],
  ])('uploads to a cloud that refuses the bucket in the path, with %s', async (_, args) => {
    const cloud = `cos.${storeKey.region}.myqcloud.com`;
    await using cos = await ObjectStore.start({ virtualHost: cloud });
    const proxy = await HttpProxy.start({ names: { [`releases.${cloud}`]: '127.0.0.1' } });
    const url = `http://releases.${cloud}:${new URL(cos.endpoint).port}`;
    const to = args.length > 0 ? [...args, url] : ['--to', `${url}/public/1.2.0`];
    const terminal = terminalIn(output.path, {
      AWS_ACCESS_KEY_ID: storeKey.id,
      AWS_SECRET_ACCESS_KEY: storeKey.secret,
    });
    await runCommand(uploadCommand, terminal, '.', ...to, '--proxy', proxy.url);
    await proxy.close();
    expect(cos.objects.has(`public/1.2.0/${manifest}`)).toBe(true);
    expect(cos.unknown).toEqual([]);
  });

  it('says how to reach a store that refuses the bucket in the path', async () => {
    await using cos = await ObjectStore.start({ virtualHost: 'cos.test' });
    await expect(upload('--endpoint', cos.endpoint)).rejects.toMatchObject({
      code: 'UPLOAD_REFUSED',
      hint: 'Add --virtual-host.',
    });
  });

  it('keeps files with the same content', async () => {
    await upload();
    const before = store.stored.length;
    expect(await upload()).toMatch(/^uploaded +0 of \d+ files.*\nkept .*same size and SHA-256/);
    expect(store.stored).toHaveLength(before);
  });

  it('checks the public URL and prints the line for site.yaml, with a slash at its end', async () => {
    const shown = await upload('--public-url', publicUrl());
    expect(shown).toContain(`serves    ${publicUrl()}/${tar}.*`);
    expect(shown).toContain(`site.yaml:\nrelease:\n  - ${publicUrl()}/\n`);
  });

  it('fails when the public URL does not serve the release, and prints no line for site.yaml', async () => {
    const terminal = upload('--public-url', `${store.endpoint}/releases/public/other`);
    await expect(terminal).rejects.toMatchObject({ code: 'USER_DATA_URL' });
    expect(store.objects.has(`public/1.2.0/${manifest}`)).toBe(true);
  });

  it('prints one JSON object', async () => {
    const result = JSON.parse(await upload('--json', '--public-url', publicUrl()));
    expect(result).toMatchObject({
      to: 's3://releases/public/1.2.0',
      publicUrl: `${publicUrl()}/`,
      urls: [{ arch: 'amd64', file: tar, state: 'served' }],
    });
    expect(result.files.at(-1)).toMatchObject({ name: manifest, isSent: true });
  });

  it('rejects a public URL that a site does not accept, before the upload', async () => {
    await expect(upload('--public-url', 'ftp://a.test/')).rejects.toMatchObject({ code: 'USAGE' });
    expect(store.stored).toEqual([]);
  });

  it('rejects missing keys before the upload', async () => {
    const { context } = terminalIn(output.path);
    const terminal = { ...terminalIn(output.path), context };
    const run = runCommand(uploadCommand, terminal, '.', '--to', 's3://releases');
    await expect(run).rejects.toMatchObject({
      code: 'USAGE',
      message: 'no access keys for the bucket',
    });
  });
});
