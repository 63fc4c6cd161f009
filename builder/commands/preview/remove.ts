import type { Docker } from './docker/docker.ts';
import { previewImages } from './override.ts';
import { projectOf } from './preview.ts';
import { type PreviewFolder, stateFile } from './state.ts';

/** How many objects of Docker were removed. */
export interface Removed {
  readonly containers: number;
  readonly networks: number;
  readonly volumes: number;
  readonly images: number;
}

/**
 * Removes what a preview created: containers, networks, volumes, images and files. Finds them by their
 * labels and names, so that it also removes a preview of which only a part exists.
 * @param keepData keeps the volumes, and the secrets that belong to them
 * @throws LandfallError COMMAND_FAILED, FILE_ACCESS
 */
export async function removePreview(
  docker: Docker,
  folder: PreviewFolder,
  name: string,
  { keepData = false }: { readonly keepData?: boolean | undefined } = {},
): Promise<Removed> {
  const project = projectOf(name);
  const label = `label=com.docker.compose.project=${project}`;
  const state = await folder.readState();
  let containers = 0;
  // Docker may still create a container that an interrupted Compose requested.
  for (;;) {
    const found = await docker.list('ps', '--all', '--quiet', '--filter', label);
    if (found.length === 0) break;
    containers += found.length;
    // Open WebUI closes its database when it is stopped.
    if (keepData) await docker.run(['stop', '-t', '10', ...found]);
    await docker.run(['rm', '--force', '--volumes', ...found]);
  }
  const removeAll = async (kind: string, ...filter: readonly string[]): Promise<number> => {
    const found = await docker.list(kind, 'ls', '--filter', ...filter);
    if (found.length > 0) await docker.run([kind, 'rm', ...found]);
    return found.length;
  };
  const networks = await removeAll('network', label, '--quiet');
  const volumes = keepData ? 0 : await removeAll('volume', label, '--quiet');
  const ownImages = [`reference=${previewImages(project)}/*`, '--format'];
  const images = await removeAll('image', ...ownImages, '{{.Repository}}:{{.Tag}}');
  for (const reference of state?.pulled ?? []) {
    await docker.run(['image', 'rm', reference], { anyCode: true });
  }
  await folder.remove(keepData && state ? [stateFile] : []);
  return { containers, networks, volumes, images };
}
