import { LandfallError, type Problem } from '#contract/errors.ts';
import { nameOf } from '#explain/field-name.ts';
import { isSecretName, secretLooks } from '#explain/secret-signs.ts';
import type { YamlFile } from '#yaml/parse.ts';

type Path = ReadonlyArray<string | number>;

/**
 * Rejects a site that contains secrets: it becomes user-data, which the provider, every process on
 * the server and often every container can read. Errors never contain the secret.
 * @param allowed paths (`route.url`) whose URL may contain a password
 * @throws LandfallError SITE_SECRET with every field
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
    `${file.path} contains secrets, which are not allowed in user-data`,
    {
      hint: 'Remove them. The server generates its own secrets; set provider keys on it after the first boot.',
      problems,
    },
  );
}

/** @param named whether the name of a parent key marks the value as a secret */
function* findSecrets(
  value: unknown,
  at: Path,
  named = false,
): Generator<{ at: Path; what: string }> {
  if (typeof value === 'string' || typeof value === 'number') {
    const what = named && value !== '' ? 'contains a secret' : secretLooks(String(value));
    if (what) yield { at, what };
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const inList = Array.isArray(value);
    const path = [...at, inList ? Number(key) : key];
    yield* findSecrets(inner, path, named || (!inList && isSecretName(key)));
  }
}

function adviceFor(at: Path): string {
  if (nameOf(at) === 'route.url') {
    return 'If the proxy requires a password, pass --allow-route-password and read its warning.';
  }
  if (at[0] === 'admin' && at[1] === 'ssh_keys')
    return 'Use the public key: the content of the .pub file next to your private key.';
  return 'Remove it here and set it on the server with `landfall secret set`.';
}
