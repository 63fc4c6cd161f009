import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Docker } from '../../../../../builder/commands/preview/docker/docker.ts';
import { readDockerFacts } from '../../../../../builder/commands/preview/docker/facts.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-docker-facts-'));
});
afterEach(() => rm(folder, { recursive: true }));

const info = {
  MemTotal: 8e9,
  NCPU: 4,
  Architecture: 'x86_64',
  CpuCfsPeriod: true,
  CpuCfsQuota: true,
};
/** What the docker command prints, as a shell script. */
const good = {
  context: 'echo unix:///var/run/docker.sock',
  info: `echo '${JSON.stringify(info)}'`,
  version: 'echo 1.50',
  compose: 'echo 2.40.3-4',
};

/** Returns the docker command whose subcommands behave like these. */
async function dockerWith(change: Partial<typeof good>): Promise<Docker> {
  const cases = Object.entries({ ...good, ...change }).map(
    ([name, script]) => `${name}) ${script} ;;`,
  );
  const path = join(folder, 'bin');
  await mkdir(path);
  const script = `#!/bin/sh\ncase "$1" in\n${cases.join('\n')}\nesac\n`;
  await writeFile(join(path, 'docker'), script, { mode: 0o755 });
  return new Docker({ PATH: `${path}:/usr/bin:/bin` });
}

describe('the Docker of a preview', () => {
  it('describes the Docker of a preview by its memory, CPUs and versions', async () => {
    expect(await readDockerFacts(await dockerWith({}))).toEqual({
      arch: 'amd64',
      memory: 8e9,
      cpus: 4,
      startInterval: true,
    });
  });

  it('sets no CPU limit for a preview where the kernel does not support it', async () => {
    const docker = await dockerWith({
      info: `echo '${JSON.stringify({ ...info, CpuCfsQuota: false })}'`,
    });
    expect((await readDockerFacts(docker)).cpus).toBe(0);
  });

  it('must be installed', async () => {
    const reading = readDockerFacts(new Docker({ PATH: folder }));
    await expect(reading).rejects.toMatchObject({
      code: 'TOOL_MISSING',
      hint: expect.stringContaining('Docker Desktop'),
    });
  });

  it.each([
    [
      'respond',
      'Cannot connect to the Docker daemon at unix:///x. Is the docker daemon running?',
      'systemctl start',
    ],
    ['be accessible', 'permission denied while trying to connect to the docker API', 'usermod'],
  ])('must %s', async (_name, output, hint) => {
    const docker = await dockerWith({ info: `echo '${output}' >&2; exit 1` });
    await expect(readDockerFacts(docker)).rejects.toMatchObject({
      code: 'DOCKER_UNREACHABLE',
      hint: expect.stringContaining(hint),
      problems: [{ message: output }],
    });
  });

  it('must run on this computer', async () => {
    const docker = await dockerWith({ context: 'echo ssh://me@server' });
    await expect(readDockerFacts(docker)).rejects.toMatchObject({
      code: 'DOCKER_UNREACHABLE',
      retriable: false,
    });
  });

  it.each([
    ['is missing', 'echo "unknown command: docker compose" >&2; exit 1', 'not installed'],
    ['is too old', 'echo 2.24.3', 'too old'],
    ['has another major version', 'echo 1.29.2', 'too old'],
  ])('must have Compose: it %s', async (_name, compose, message) => {
    await expect(readDockerFacts(await dockerWith({ compose }))).rejects.toMatchObject({
      code: 'TOOL_MISSING',
      message: expect.stringContaining(message),
      hint: expect.stringContaining('2.24.4'),
    });
  });
});
