import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** Runs the browser of a Debian root folder; its /tmp is that of this machine, for files. */
const launcher = (root: string) => `#!/bin/sh
exec unshare --mount --propagation private sh -c '
mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc" && mount --bind /tmp "$0/tmp" &&
exec chroot "$0" /usr/bin/chromium-headless-shell "$@"' ${root} "$@"
`;

/** A browser that Playwright controls. */
export interface Chromium {
  readonly browser: Browser;
  close(): Promise<void>;
}

/**
 * Starts the Chromium of a Debian root folder.
 * @param root the value of `needs('browser')`
 */
export async function startChromium(root: string, args: readonly string[] = []): Promise<Chromium> {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-browser-'));
  const program = join(folder, 'chromium');
  await writeFile(program, launcher(root));
  await chmod(program, 0o755);
  const browser = await chromium.launch({
    executablePath: program,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', ...args],
  });
  return {
    browser,
    async close() {
      await browser.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
