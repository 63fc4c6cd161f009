import { LandfallError } from '#contract/errors.ts';
import { secretsFolder } from '#contract/server-paths.ts';
import { makeSecret, readOrMakeSecret } from '../host/secret-file.ts';
import type { Context, Stage } from '../stage/stage.ts';
import { unmadeSecrets } from './secret-values.ts';
import { removeSecret, staleSecrets } from './stale-secrets.ts';

/** Passwords and keys of the stack, made here and nowhere else. */
export const secretsStage: Stage = {
  name: 'secrets',
  title: 'secrets: made here, for root alone',
  check: async ({ host, site }) => [
    ...(await unmadeSecrets(host, site)).map(({ name }) => `make ${name}`),
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
    throw new LandfallError('STATE_INVALID', 'some secrets could not be made', {
      hint: `Look at /${secretsFolder}: empty files there may be removed.`,
      problems: unmade.map(({ name }) => ({ message: name })),
    });
  },
};
