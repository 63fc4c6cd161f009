import { describe, expect, it } from 'vitest';
import { serve } from '../../../builder/commands/serve.ts';
import { bundleOf, OutputFolder } from '../hosting/release-folder.ts';
import { terminalIn } from './terminal.ts';

const { tar } = OutputFolder;
const listen = '127.0.0.1:0';

/** Serves until the work has ended. Returns the output. */
async function serving(
  folder: OutputFolder,
  flags: { listen: string; json?: boolean; quiet?: boolean },
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

  it('rejects a folder without a bundle before it listens', async () => {
    await using folder = await OutputFolder.create();
    const { context } = terminalIn(folder.path);
    const missing = serve(context, 'release.pub', { listen }, async () => {});
    await expect(missing).rejects.toMatchObject({ code: 'FILE_MISSING' });
  });
});
