import { LandfallError } from '#contract/errors.ts';
import { secretsFolder } from '#contract/server-paths.ts';
import { makeSecret, readOrMakeSecret } from '../host/secret-file.ts';
import type { Context, Stage } from '../stage/stage.ts';
import { unmadeSecrets } from './secret-values.ts';
import { removeSecret, staleSecrets } from './stale-secrets.ts';

/** Generates the passwords and keys of the stack on the server. */
export const secretsStage: Stage = {
  name: 'secrets',
  title: 'secrets: generated here, readable only by root',
  check: async ({ host, site }) => [
    ...(await unmadeSecrets(host, site)).map(({ name }) => `generate ${name}`),
    ...(await staleSecrets(host, site)).map((name) => `remove ${name}`),
  ],
  apply: async ({ host, site }) => {
    for (const { name, generate } of await unmadeSecrets(host, site)) {
      if (generate) await readOrMakeSecret(host, name, () => makeSecret(generate));
    }
    for (const name of await staleSecrets(host, site)) await removeSecret(host, name);
  },
  prove: async ({ host, site }: Context) => {
    const unmade = await unmadeSecrets(host, site);
    if (unmade.length === 0) return;
    throw new LandfallError('STATE_INVALID', 'generating secrets failed', {
      hint: `Delete empty files in /${secretsFolder} and try again.`,
      problems: unmade.map(({ name }) => ({ message: name })),
    });
  },
};
