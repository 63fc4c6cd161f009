import { open } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { parseJson } from '#contract/text/json.ts';
import { askHelper } from './credential-helper.ts';
import { dockerHub } from './reference.ts';

/** A login: a user name and password, or an identity token that is exchanged for access tokens. */
export type Credentials =
  | { readonly kind: 'password'; readonly username: string; readonly password: string }
  | { readonly kind: 'identity'; readonly token: string };

interface CredentialOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Milliseconds for a credential helper. */
  readonly helperTimeout?: number | undefined;
}

/** Docker stores the Docker Hub login under the URL of its first API. */
const hubServer = 'https://index.docker.io/v1/';
const hubHosts = [dockerHub, 'index.docker.io', 'registry-1.docker.io'];

/** The user name with which helpers mark an identity token. */
const tokenUser = '<token>';

/**
 * The logins that `docker login` stores. Looked up once per host, when a registry requires a
 * login. A login is used for exactly its host and port.
 */
export class CredentialStore {
  readonly #options: CredentialOptions;
  readonly #byHost = new Map<string, Promise<Credentials | undefined>>();
  #config: Promise<DockerConfig> | undefined;

  constructor(options: CredentialOptions) {
    this.#options = options;
  }

  /**
   * Returns the login for a registry's host (`docker.io`, `localhost:5000`), or undefined.
   * @throws LandfallError REGISTRY_CREDENTIALS
   */
  for(host: string): Promise<Credentials | undefined> {
    const known = this.#byHost.get(host);
    if (known) return known;
    const looking = this.#look(host);
    this.#byHost.set(host, looking);
    return looking;
  }

  async #look(host: string): Promise<Credentials | undefined> {
    this.#config ??= readDockerConfig(dockerConfigPath(this.#options.env));
    const config = await this.#config;
    const keys = host === dockerHub ? [hubServer, ...hubHosts] : [host];
    const helper = keys.map((key) => config.credHelpers?.[key]).find(Boolean) || config.credsStore;
    const fromHelper = helper ? await this.#ask(helper, keys[0] ?? host) : undefined;
    return fromHelper ?? fromFile(config, keys, host);
  }

  async #ask(helper: string, server: string): Promise<Credentials | undefined> {
    const { env, helperTimeout: timeout } = this.#options;
    const answer = await askHelper(helper, server, { env, timeout });
    if (!answer || (answer.username === '' && answer.secret === '')) return undefined;
    return answer.username === tokenUser
      ? { kind: 'identity', token: answer.secret }
      : password(answer.username, answer.secret, server);
  }
}

function fromFile(
  { auths }: DockerConfig,
  keys: readonly string[],
  host: string,
): Credentials | undefined {
  const entries = Object.entries(auths ?? {});
  const found =
    entries.find(([key]) => keys.includes(key)) ??
    entries.find(([key]) => keys.includes(hostOf(key)));
  return found ? readAuth(found[1], host) : undefined;
}

/** Old entries are URLs. A URL with another path does not apply to the whole host. */
function hostOf(key: string): string {
  return /^https?:\/\/([^/]+)\/?(?:v[12]\/?)?$/.exec(key.toLowerCase())?.[1] ?? key.toLowerCase();
}

function readAuth(entry: DockerAuth, host: string): Credentials | undefined {
  if (entry.identitytoken) return { kind: 'identity', token: entry.identitytoken };
  if (entry.username && entry.password) return password(entry.username, entry.password, host);
  if (!entry.auth) return undefined;
  const text = Buffer.from(entry.auth, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1) throw unusable(host, 'is not a base64-encoded user name and password');
  // Docker pads some passwords with NUL bytes and strips them when reading.
  return password(text.slice(0, colon), text.slice(colon + 1).replace(/\0+$/, ''), host);
}

function password(username: string, secret: string, host: string): Credentials {
  if (username.includes(':')) throw unusable(host, 'has a user name that contains a colon');
  return { kind: 'password', username, password: secret };
}

function unusable(host: string, reason: string): LandfallError {
  return new LandfallError('REGISTRY_CREDENTIALS', `the stored login for ${host} ${reason}`, {
    hint: `Run \`docker logout ${host}\` and \`docker login ${host}\`, or set DOCKER_CONFIG to an empty folder.`,
  });
}

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

type DockerConfig = z.infer<typeof dockerConfigSchema>;
type DockerAuth = NonNullable<DockerConfig['auths']>[string];

const maxBytes = 1024 * 1024;

/**
 * Returns the file that `docker login` writes: `$DOCKER_CONFIG/config.json`, else
 * `~/.docker/config.json`.
 */
function dockerConfigPath(env: NodeJS.ProcessEnv): string {
  return join(env.DOCKER_CONFIG || join(env.HOME || homedir(), '.docker'), 'config.json');
}

/**
 * Reads Docker's configuration. A missing file is an empty configuration. Errors name the file and
 * never quote it, because its content is secret.
 * @throws LandfallError REGISTRY_CREDENTIALS
 */
async function readDockerConfig(path: string): Promise<DockerConfig> {
  const text = await readBounded(path);
  if (text === undefined || text.trim() === '') return {};
  const value = parseJson(text);
  if (value === undefined) throw broken(path, `${path} is not valid JSON`);
  const parsed = dockerConfigSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const fields = new Set(parsed.error.issues.map((issue) => String(issue.path[0] ?? 'the file')));
  throw broken(path, `${path} is malformed: unexpected value of ${[...fields].join(', ')}`);
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
