import { open } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';

/** The authentication settings of Docker's `config.json`. */
const dockerConfigSchema = z.object({
  auths: z
    .record(
      z.string(),
      z.object({
        auth: z.string().nullish(),
        username: z.string().nullish(),
        password: z.string().nullish(),
        identitytoken: z.string().nullish(),
      }),
    )
    .nullish(),
  credsStore: z.string().nullish(),
  credHelpers: z.record(z.string(), z.string()).nullish(),
});

export type DockerConfig = z.infer<typeof dockerConfigSchema>;
export type DockerAuth = NonNullable<DockerConfig['auths']>[string];

const maxBytes = 1024 * 1024;

/**
 * Returns the file that `docker login` writes: `$DOCKER_CONFIG/config.json`, else
 * `~/.docker/config.json`.
 */
export function dockerConfigPath(env: NodeJS.ProcessEnv): string {
  return join(env.DOCKER_CONFIG || join(env.HOME || homedir(), '.docker'), 'config.json');
}

/**
 * Reads Docker's configuration. A missing file is an empty configuration. Errors name the file and
 * never quote it, because its content is secret.
 * @throws LandfallError REGISTRY_CREDENTIALS
 */
export async function readDockerConfig(path: string): Promise<DockerConfig> {
  const text = await readBounded(path);
  if (text === undefined || text.trim() === '') return {};
  const parsed = dockerConfigSchema.safeParse(parse(text, path));
  if (parsed.success) return parsed.data;
  const fields = new Set(parsed.error.issues.map((issue) => String(issue.path[0] ?? 'the file')));
  throw broken(path, `${path} is malformed: unexpected value of ${[...fields].join(', ')}`);
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the text, so it is not used as the cause.
    throw broken(path, `${path} is not valid JSON`);
  }
}

async function readBounded(path: string): Promise<string | undefined> {
  try {
    await using file = await open(path, 'r');
    const { size } = await file.stat();
    if (size > maxBytes) throw broken(path, `${path} is larger than 1 MiB`);
    return await file.readFile('utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (error instanceof LandfallError) throw error;
    throw broken(path, `cannot read ${path} (${code ?? 'unknown'})`);
  }
}

function broken(path: string, message: string): LandfallError {
  return new LandfallError('REGISTRY_CREDENTIALS', message, {
    hint: `Fix ${path}, or set DOCKER_CONFIG to an empty folder to use no login.`,
  });
}
