import { existsSync } from 'node:fs';
import Docker from 'dockerode';

const defaultSocket = '/var/run/docker.sock';

/** Returns the machine's Docker as a prepared dependency; undefined if there is none. */
export function usersDocker({ DOCKER_HOST } = process.env): { engine?: string } {
  const named = /^unix:\/\/(.+)$/.exec(DOCKER_HOST ?? '')?.[1];
  const socket = named ?? (existsSync(defaultSocket) ? defaultSocket : undefined);
  return socket ? { engine: socket } : {};
}

/**
 * Lists conflicting names in a Docker: the stack uses fixed names, and a test must not remove
 * existing objects.
 */
export async function conflictsIn(socket: string): Promise<string[]> {
  const engine = new Docker({ socketPath: socket });
  const [containers, { Volumes }, networks, images] = await Promise.all([
    engine.listContainers({ all: true }),
    engine.listVolumes(),
    engine.listNetworks(),
    engine.listImages(),
  ]);
  return [
    ...containers.flatMap(({ Names }) => Names.filter((name) => name.startsWith('/landfall-'))),
    ...(Volumes ?? []).map(({ Name }) => Name).filter((name) => name.startsWith('landfall_')),
    ...networks.map(({ Name }) => Name).filter((name) => name.startsWith('landfall_')),
    ...images.flatMap(({ RepoTags }) => ownTags(RepoTags)),
  ];
}

/** Removes the objects of a run; only for a Docker without conflicts before it. */
export async function removeStack(socket: string): Promise<void> {
  const engine = new Docker({ socketPath: socket });
  for (const { Id, Names } of await engine.listContainers({ all: true })) {
    if (Names.some((name) => name.startsWith('/landfall-'))) {
      await engine.getContainer(Id).remove({ force: true, v: true });
    }
  }
  for (const { Name } of await engine.listNetworks()) {
    if (Name.startsWith('landfall_')) await engine.getNetwork(Name).remove();
  }
  const { Volumes } = await engine.listVolumes();
  for (const { Name } of Volumes ?? []) {
    if (Name.startsWith('landfall_')) await engine.getVolume(Name).remove();
  }
  const images = await engine.listImages();
  for (const tag of images.flatMap(({ RepoTags }) => ownTags(RepoTags))) {
    await engine.getImage(tag).remove();
  }
}

function ownTags(tags: readonly string[] | undefined): string[] {
  return (tags ?? []).filter((tag) => tag.startsWith('landfall.local/'));
}
