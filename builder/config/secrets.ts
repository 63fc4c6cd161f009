import { LandfallError, type Problem } from '#contract/errors.ts';
import { nameOf } from './explain.ts';
import type { YamlFile } from './read-yaml.ts';

type Path = ReadonlyArray<string | number>;

/** Keys that hold secrets wherever they stand. `ssh_keys` holds public ones. */
const secretKey =
  /^(?:.*_)?(?:api_?key|access_?key|secret_?key|private_?key|password|passwd|passphrase|secret|token)$/i;

/** Values that are secrets whatever their key is called. */
const secretValues: ReadonlyArray<readonly [RegExp, string]> = [
  [/^sk-[A-Za-z0-9_-]{8,}/, 'looks like a provider key'],
  [
    /^(?:hf_|ghp_|gho_|github_pat_|glpat-|xox[bap]-|AKIA)[A-Za-z0-9_-]{8,}/,
    'looks like an access token',
  ],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----/, 'is a private key'],
  [/^[a-z][a-z0-9+.-]*:\/\/[^/\s@]*:[^/\s@]+@/i, 'has a password in its URL'],
];

/**
 * Refuses a site that carries secrets: it becomes user-data, which the provider, every process on
 * the server and often every container can read. The secret itself is never repeated.
 * @param allowed paths (`route.url`) whose URL may carry a password all the same
 * @throws LandfallError SITE_SECRET with every place
 */
export function refuseSecrets(file: YamlFile, allowed: ReadonlySet<string>): void {
  const problems = [...findSecrets(file.value, [])]
    .filter(({ at }) => !allowed.has(nameOf(at)))
    .map(
      ({ at, what }): Problem => ({
        message: `${nameOf(at)} ${what}`,
        hint: adviceFor(at),
        file: file.path,
        ...file.locate(at),
      }),
    );
  if (problems.length === 0) return;
  throw new LandfallError(
    'SITE_SECRET',
    `${file.path} holds secrets, and user-data is no place for them`,
    {
      hint: 'Take them out. The server makes its own secrets; keys of providers are set on it after the first boot.',
      problems,
    },
  );
}

function* findSecrets(value: unknown, at: Path): Generator<{ at: Path; what: string }> {
  if (typeof value === 'string') {
    const found = secretValues.find(([pattern]) => pattern.test(value.trim()));
    if (found) yield { at, what: found[1] };
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const path = [...at, Array.isArray(value) ? Number(key) : key];
    const scalar = typeof inner === 'string' || typeof inner === 'number';
    if (!Array.isArray(value) && secretKey.test(key) && scalar && inner !== '') {
      yield { at: path, what: 'holds a secret' };
    } else {
      yield* findSecrets(inner, path);
    }
  }
}

function adviceFor(at: Path): string {
  if (nameOf(at) === 'route.url') {
    return 'If the proxy cannot do without, pass --allow-route-password and read its warning.';
  }
  if (at[0] === 'admin') return 'Name the public half: the .pub file beside your private key.';
  return 'Remove it here and set it on the server with `landfall secret set`.';
}
