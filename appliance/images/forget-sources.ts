import { localImage } from '#contract/bundle/release-name.ts';
import { chosenImages } from '#contract/site/chosen-images.ts';
import type { Host } from '../host/host.ts';
import type { Context } from '../stage/stage.ts';

/** A name with a digest, except our own: the containerd store adds digests to it. */
const pulledName = /^(?!landfall\.local\/)[a-z0-9][a-z0-9._:/-]*@sha256:[0-9a-f]{64}$/;

/**
 * Removes the names under which images of the release were pulled. A run that was killed can leave
 * one, with the port of a loopback registry that no longer exists.
 * @throws LandfallError COMMAND_FAILED
 */
export async function forgetSources({
  host,
  release,
  site,
}: Pick<Context, 'host' | 'release' | 'site'>): Promise<void> {
  for (const { component } of chosenImages(release, site)) {
    for (const name of await pulledNames(host, localImage(component, release.version))) {
      await host.run('docker', ['image', 'rm', '--no-prune', name], { accept: [1] });
    }
  }
}

async function pulledNames(host: Host, image: string): Promise<string[]> {
  const format = '{{range .RepoDigests}}{{println .}}{{end}}';
  const args = ['image', 'inspect', '--format', format, image];
  const { stdout } = await host.run('docker', args, { accept: [1] });
  return stdout.split('\n').filter((line) => pulledName.test(line));
}
