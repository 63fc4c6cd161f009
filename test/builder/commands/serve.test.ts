import { rm } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { serve } from '../../../builder/commands/serve.ts';
import { bundleOf, OutputFolder } from '../deliver/hosting/release-folder.ts';
import { channelLab } from './channel/channel-lab.ts';
import { terminalIn } from './terminal.ts';

const { tar } = OutputFolder;
const listen = '127.0.0.1:0';

/** Serves until the work has ended. Returns the output. */
async function serving(
  folder: OutputFolder,
  flags: { listen: string; json?: true; quiet?: true },
  work: (out: string) => Promise<void> = async () => {},
) {
  const terminal = terminalIn(folder.path);
  let out = '';
  await serve(terminal.context, '.', flags, async () => {
    // The output is written after this call.
    await new Promise((resolve) => setImmediate(resolve));
    out = terminal.out();
    await work(out);
  });
  return { out, err: terminal.err() };
}

describe('landfall serve', () => {
  it('prints the SHA-256, the URL, the tunnel and the lines for site.yaml, then the downloads', async () => {
    await using folder = await OutputFolder.create();
    const { out, err } = await serving(folder, { listen }, async (shown) => {
      const [, url = ''] = /URL +(\S+)/.exec(shown) ?? [];
      const response = await fetch(`${url}${tar}`);
      expect(Buffer.from(await response.arrayBuffer()).equals(folder.bundle)).toBe(true);
      expect(shown).toContain(`SHA-256 ${response.headers.get('etag')?.slice(1, -1)}`);
      expect(shown).toContain(`site.yaml:\nrelease:\n  - ${url}\n`);
      const address = new URL(url).host;
      expect(shown).toContain(`ssh -N -R ${address}:${address} root@<server>`);
    });
    expect(out).toContain(`serves    ${tar}`);
    expect(err).toContain(`sent ${tar} to 127.0.0.1, `);
    expect(err).toMatch(/stopped: 1 file and \d+\.\d kB sent\n$/);
  });

  it('prints one JSON object with the URLs and files', async () => {
    await using folder = await OutputFolder.create();
    const { out, err } = await serving(folder, { listen, json: true, quiet: true });
    const { urls, files } = JSON.parse(out);
    expect(urls).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/)]);
    expect(files).toContainEqual({
      name: tar,
      size: folder.bundle.length,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(err).toBe('');
  });

  it('serves the parts of a bundle', async () => {
    await using folder = await OutputFolder.create(bundleOf(), 4_000);
    const { out } = await serving(folder, { listen });
    expect(out).toContain(`serves    ${tar}.000`);
    expect(out).toContain(`          SHA-256 `);
  });

  it('serves releases, rotations of the keys and a channel below one folder', async () => {
    const lab = await channelLab();
    await lab.channel('add', 'v1.1.0');
    await lab.channel('sign', '--key', 'release.key');
    const terminal = terminalIn(lab.folder);
    await serve(terminal.context, '.', { listen, quiet: true }, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      const shown = terminal.out();
      const [, url = ''] = /URL +(\S+)/.exec(shown) ?? [];
      expect(shown).toContain(`site.yaml:\nupdates:\n  channels:\n    - ${url}stable/\n`);
      const channel = await fetch(`${url}stable/channel.json`);
      expect(await channel.text()).toBe(`${await lab.read('stable/channel.json')}`);
      const bundle = await fetch(`${url}v1.1.0/landfall-1.1.0-amd64.tar`, { method: 'HEAD' });
      expect(bundle.status).toBe(200);
      expect(await (await fetch(url)).text()).toContain('href="stable/channel.json"');
      expect((await fetch(`${url}release.key`)).status).toBe(404);
    });
    await rm(lab.folder, { recursive: true });
  });

  it('rejects a folder without a bundle before it listens', async () => {
    await using folder = await OutputFolder.create();
    const { context } = terminalIn(folder.path);
    const missing = serve(context, 'release.pub', { listen }, async () => {});
    await expect(missing).rejects.toMatchObject({ code: 'FILE_MISSING' });
  });
});
