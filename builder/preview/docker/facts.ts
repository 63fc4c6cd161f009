import { z } from 'zod';
import type { Architecture } from '#contract/bundle/release-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { parseJson } from '#contract/text/json.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import type { PreviewComputer } from '#preview/render.ts';
import type { Docker } from './docker.ts';

/** What a preview needs to know about Docker. */
export interface DockerFacts extends PreviewComputer {
  readonly arch: Architecture;
}

const infoSchema = z.object({
  MemTotal: z.number(),
  NCPU: z.number(),
  Architecture: z.string(),
  CpuCfsPeriod: z.boolean(),
  CpuCfsQuota: z.boolean(),
  ServerErrors: z.array(z.string()).nullish(),
});
const versionSchema = z.object({ Server: z.object({ ApiVersion: z.string() }) });

/** The first version of Compose with `!override` and `!reset`. */
const neededCompose = [2, 24, 4] as const;
/** API version of Docker 25, the first with `start_interval`. */
const startIntervalApi = [1, 44] as const;
const machines: Readonly<Record<string, Architecture>> = { x86_64: 'amd64', aarch64: 'arm64' };

/**
 * Checks that Docker and Compose can run a preview, and returns what it depends on.
 * @throws LandfallError TOOL_MISSING, DOCKER_UNREACHABLE
 */
export async function readDockerFacts(docker: Docker): Promise<DockerFacts> {
  await needLocalDocker(docker);
  const info = await needDocker(docker);
  await needCompose(docker);
  const arch = machines[info.Architecture] ?? (info.Architecture as Architecture);
  const { stdout } = await docker.run(['version', '--format', '{{json .}}']);
  const { ApiVersion } = versionSchema.parse(JSON.parse(stdout)).Server;
  return {
    arch,
    memory: info.MemTotal,
    cpus: info.CpuCfsPeriod && info.CpuCfsQuota ? info.NCPU : 0,
    startInterval: isAtLeast(ApiVersion, startIntervalApi),
  };
}

/** A preview mounts files of this computer and publishes ports on its loopback address. */
async function needLocalDocker(docker: Docker): Promise<void> {
  const [endpoint = ''] = await docker.lines(
    'context',
    'inspect',
    '--format',
    '{{.Endpoints.docker.Host}}',
  );
  if (!/^(?:ssh|tcp|https?):/.test(endpoint)) return;
  throw new LandfallError('DOCKER_UNREACHABLE', 'Docker runs on another computer', {
    hint: 'Select the Docker of this computer: run `docker context use default` and unset DOCKER_HOST.',
    retriable: false,
  });
}

/**
 * Checks that Docker responds, and returns its description of the computer.
 * @throws LandfallError TOOL_MISSING, DOCKER_UNREACHABLE
 */
export async function needDocker(docker: Docker): Promise<z.infer<typeof infoSchema>> {
  const end = await docker.run(['info', '--format', '{{json .}}'], { anyCode: true });
  const parsed = infoSchema.safeParse(parseJson(end.stdout));
  if (end.code === 0 && parsed.success && !parsed.data.ServerErrors?.length) return parsed.data;
  const lines = [end.stderr, ...serverErrors(end.stdout)].join('\n');
  throw unreachable(plainLine(lines.split('\n').filter(Boolean).at(-1) ?? '', 300), lines);
}

function unreachable(reason: string, output: string): LandfallError {
  // The docker command has no exit codes of its own for these cases.
  const denied = /permission denied/i.test(output);
  return new LandfallError(
    'DOCKER_UNREACHABLE',
    denied ? "no permission for Docker's socket" : 'Docker does not respond',
    {
      hint: denied
        ? 'Add yourself to the group docker (sudo usermod -aG docker $USER) and log in again, or use rootless Docker.'
        : 'Start it: sudo systemctl start docker, or open Docker Desktop.',
      retriable: !denied,
      problems: reason === '' ? [] : [{ message: reason }],
    },
  );
}

function serverErrors(stdout: string): string[] {
  const parsed = z.object({ ServerErrors: z.array(z.string()) }).safeParse(parseJson(stdout));
  return parsed.success ? parsed.data.ServerErrors : [];
}

/** @throws LandfallError TOOL_MISSING */
async function needCompose(docker: Docker): Promise<void> {
  const [version] = await docker.lines('compose', 'version', '--short');
  if (version !== undefined && isAtLeast(version.replace(/^v/, ''), neededCompose)) return;
  const needed = neededCompose.join('.');
  throw new LandfallError(
    'TOOL_MISSING',
    version === undefined
      ? 'Docker Compose is not installed'
      : `Docker Compose ${plainLine(version)} is too old`,
    { hint: `Install Docker Compose ${needed} or newer: https://docs.docker.com/compose/install/` },
  );
}

function isAtLeast(version: string, needed: readonly number[]): boolean {
  const found = version.split(/[.+-]/).map(Number);
  const index = needed.findIndex((number, at) => found[at] !== number);
  return index === -1 || (found[index] ?? 0) > (needed[index] ?? 0);
}
