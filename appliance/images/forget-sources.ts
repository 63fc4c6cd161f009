import type { Context } from '../stage/stage.ts';

/** An image that has the name it was pulled under: `<repository> <tag> <digest>`. */
const pulledName = /^([a-z0-9][a-z0-9._:/-]*) <none> (sha256:[0-9a-f]{64})$/;

/**
 * Takes the names away that images of the release were pulled under. Usually none is left; a run
 * that was killed between two commands leaves one, with the port of a registry that is no more.
 * @throws LandfallError COMMAND_FAILED
 */
export async function forgetSources({
  host,
  release,
}: Pick<Context, 'host' | 'release'>): Promise<void> {
  const ours = new Set(release.images.flatMap(({ manifest, index }) => [manifest, index]));
  const format = '{{.Repository}} {{.Tag}} {{.Digest}}';
  const { stdout } = await host.run('docker', ['image', 'ls', '--digests', '--format', format]);
  for (const line of stdout.split('\n')) {
    const [, repository, digest = ''] = pulledName.exec(line) ?? [];
    if (repository === undefined || !ours.has(digest)) continue;
    const name = `${repository}@${digest}`;
    await host.run('docker', ['image', 'rm', '--no-prune', name], { accept: [1] });
  }
}
