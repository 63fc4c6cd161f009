import { LandfallError } from '#contract/errors.ts';
import { secretsFolder } from '#contract/server-paths.ts';
import { relayKeyPrefix } from '#contract/site/key-names.ts';
import type { Site } from '#contract/site/site.ts';
import { inLanguage } from '#contract/text/language.ts';
import { removeFile } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import { makeSecret, writeSecret } from '../../server/host/secret-file.ts';
import type { Context, Stage } from '../../server/stage/stage.ts';
import { secretNames } from './secret-names.ts';
import { unmadeSecrets } from './secret-values.ts';
import { needsRestore, waitForRestore } from './wait-for-restore.ts';

/** Generates the passwords and keys of the stack on the server. */
export const secretsStage: Stage = {
  name: 'secrets',
  title: 'secrets: generated here, readable only by root',
  check: async ({ host, site }) => [
    ...((await needsRestore({ host, site }))
      ? [inLanguage({ en: 'wait for a restored backup', zh: '等待从备份恢复' })]
      : []),
    ...(await unmadeSecrets(host, site)).map(({ name }) =>
      inLanguage({ en: `generate ${name}`, zh: `生成 ${name}` }),
    ),
    ...(await staleSecrets(host, site)).map((name) =>
      inLanguage({ en: `remove ${name}`, zh: `删除 ${name}` }),
    ),
  ],
  apply: async (context) => {
    const { host, site } = context;
    // It brings the secrets of the earlier server.
    await waitForRestore(context);
    for (const { name, generate } of await unmadeSecrets(host, site)) {
      if (generate) await writeSecret(host, name, makeSecret(generate));
    }
    for (const name of await staleSecrets(host, site))
      await removeFile(host, `${secretsFolder}/${name}`);
  },
  prove: async ({ host, site }: Context) => {
    const unmade = await unmadeSecrets(host, site);
    if (unmade.length === 0) return;
    throw new LandfallError('STATE_INVALID', 'generating secrets failed', {
      hint: {
        en: `Delete empty files in /${secretsFolder} and try again.`,
        zh: `删除 /${secretsFolder} 中的空文件，再试一次。`,
      },
      problems: unmade.map(({ name }) => ({ message: name })),
    });
  },
};

/**
 * Returns the names of relay keys whose client is no longer in the site. Other secrets are kept:
 * provider keys belong to the administrator, and generated ones may be needed again.
 */
async function staleSecrets(host: Host, site: Site): Promise<string[]> {
  const known = new Set(secretNames(site).map(({ name }) => name));
  const files = await host.namesIn(secretsFolder);
  return files.filter((name) => name.startsWith(relayKeyPrefix) && !known.has(name));
}
