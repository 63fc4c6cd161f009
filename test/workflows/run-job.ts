import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import type { GhStandIn } from '../stand-ins/code-host/gh-stand-in.ts';
import { readWorkflows } from './workflow.ts';

/** How a runner starts a script. */
const shell = ['--noprofile', '--norc', '-e', '-c'];

interface JobRun {
  readonly host: GhStandIn;
  /** Contains the checkout and the temporary folder of each job. */
  readonly folder: string;
  /** Shell functions that replace programs. */
  readonly programs: string;
  /** The scripts to run. */
  readonly scripts: RegExp;
  /** Variables, before those of the steps. */
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs scripts of a job, as a runner does, up to the first that fails. */
export async function runJob(
  file: string,
  name: string,
  { host, folder, programs, scripts, env }: JobRun,
) {
  const work = join(folder, name);
  await mkdir(join(work, 'dist/release'), { recursive: true });
  const { steps = [] } = readWorkflows().find((each) => each.file === file)?.jobs[name] ?? {};
  if (steps.some(({ uses }) => uses?.startsWith('actions/checkout@')))
    await mkdir(join(work, '.git'), { recursive: true });
  for (const step of steps.filter(({ run }) => scripts.test(run ?? ''))) {
    const given = Object.entries(step.env ?? {}).map(([key, value]) => [key, String(value)]);
    const { exitCode, all } = await execa('bash', [...shell, `${programs}\n${step.run}`], {
      all: true,
      cwd: work,
      extendEnv: false,
      reject: false,
      env: {
        ...host.env,
        ...{ GITHUB_REF_NAME: 'v1.2.3', GITHUB_SHA: 'a'.repeat(40), RUNNER_TEMP: work },
        ...Object.fromEntries(given),
        ...env,
      },
    });
    if (exitCode !== 0) return { work, exitCode, all };
  }
  return { work, exitCode: 0, all: '' };
}
