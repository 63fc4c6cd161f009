import semver from 'semver';
import { z } from 'zod';
import type { Architecture } from '#contract/bundle/release-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { parseJson } from '#contract/text/json.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import type { PreviewComputer } from '../render.ts';
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
});
const errorsSchema = z.object({ ServerErrors: z.array(z.string()).nullish() });

/** The first version of Compose with `!override` and `!reset`. */
const neededCompose = '2.24.4';
/** API version of Docker 25, the first with `start_interval`. */
const startIntervalApi = '1.44.0';
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
  const [api = ''] = await docker.list('version', '--format', '{{.Server.APIVersion}}');
  return {
    arch,
    memory: info.MemTotal,
    cpus: info.CpuCfsPeriod && info.CpuCfsQuota ? info.NCPU : 0,
    startInterval: isAtLeast(api, startIntervalApi),
  };
}

/** A preview mounts files of this computer and publishes ports on its loopback address. */
async function needLocalDocker(docker: Docker): Promise<void> {
  const format = '{{.Endpoints.docker.Host}}';
  const [endpoint = ''] = await docker.lines('context', 'inspect', '--format', format);
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
  const value = parseJson(end.stdout);
  const info = infoSchema.safeParse(value).data;
  const errors = errorsSchema.safeParse(value).data?.ServerErrors ?? [];
  if (end.code === 0 && info && errors.length === 0) return info;
  const lines = [...end.stderr.split('\n'), ...errors].filter(Boolean);
  // The docker command has no exit codes of its own for these cases.
  const isDenied = lines.some((line) => /permission denied/i.test(line));
  const message = isDenied ? "no permission for Docker's socket" : 'Docker does not respond';
  throw new LandfallError('DOCKER_UNREACHABLE', message, {
    hint: isDenied
      ? 'Add yourself to the group docker (sudo usermod -aG docker $USER) and log in again, or use rootless Docker.'
      : 'Start it: sudo systemctl start docker, or open Docker Desktop.',
    retriable: !isDenied,
    problems: lines.slice(-1).map((line) => ({ message: plainLine(line, 300) })),
  });
}

/** @throws LandfallError TOOL_MISSING */
async function needCompose(docker: Docker): Promise<void> {
  const [version] = await docker.lines('compose', 'version', '--short');
  if (version !== undefined && isAtLeast(version, neededCompose)) return;
  const message =
    version === undefined
      ? 'Docker Compose is not installed'
      : `Docker Compose ${plainLine(version)} is too old`;
  throw new LandfallError('TOOL_MISSING', message, {
    hint: `Install Docker Compose ${neededCompose} or newer: https://docs.docker.com/compose/install/`,
  });
}

/** Reads the beginning of a version, such as that of `v2.40.3-4`. */
function isAtLeast(version: string, needed: string): boolean {
  return semver.gte(semver.coerce(version) ?? '0.0.0', needed);
}
