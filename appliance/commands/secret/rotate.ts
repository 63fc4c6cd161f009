import { LandfallError } from '#contract/errors.ts';
import { installedMark } from '#contract/server-paths.ts';
import type { Site } from '#contract/site/site.ts';
import { inLanguage } from '#contract/text/language.ts';
import { readText } from '../../server/host/files.ts';
import { takeChangeLock } from '../../server/host/lock/run-lock.ts';
import { makeSecret, writeSecret } from '../../server/host/secret-file.ts';
import { Journal } from '../../server/stage/journal.ts';
import { runAlone } from '../../server/stage/run-stages.ts';
import type { Context, Stage } from '../../server/stage/stage.ts';
import { socksPassword } from '../../stages/route/public.ts';
import { socksMeasure } from '../../stages/route/socks/socks.ts';
import { type SecretName, secretNames } from '../../stages/secrets/secret-names.ts';
import { stackStage } from '../../stages/stack/stage.ts';
import { consolePasswordName } from '../../stages/users/console-password.ts';
import { askFor } from '../ask-yes.ts';
import { secretsOf, userTitle } from './inventory.ts';

export interface RotateOptions {
  readonly allGenerated?: boolean;
  readonly yes?: boolean;
}

type GeneratedSecret = SecretName & Required<Pick<SecretName, 'generate'>>;

const say = (en: string, zh: string) => inLanguage({ en, zh });
/** Its change ends all sessions of the chat UI. */
const signingKey = 'WEBUI_SECRET_KEY';
const adminPassword = 'WEBUI_ADMIN_PASSWORD';

/**
 * Replaces generated secrets after a question, and restarts only what reads them.
 * @throws LandfallError USAGE for a secret that cannot be replaced this way; STATE_INVALID before the first boot
 * has ended; ALREADY_RUNNING; the code of the stage
 */
export async function rotateSecrets(
  context: Context,
  names: readonly string[],
  { allGenerated = false, yes = false }: RotateOptions,
): Promise<void> {
  const { host, site } = context;
  const secrets = chosenSecrets(site, names, allGenerated);
  if ((await readText(host, installedMark)) === undefined) {
    throw new LandfallError(
      'STATE_INVALID',
      inLanguage({ en: 'the first boot has not ended', zh: '首次启动还没有结束' }),
      {
        hint: {
          en: 'Run `sudo landfall first-boot`, then this command again.',
          zh: '运行 `sudo landfall first-boot`，再运行这条命令。',
        },
      },
    );
  }
  if (!yes && !(await isConfirmed(site, secrets))) {
    console.log(say('Nothing was changed.', '未做任何更改。'));
    return;
  }
  const lock = await takeChangeLock(host, console.log);
  try {
    await runAlone(rotation(secrets), context, new Journal(host));
  } finally {
    await lock.release();
  }
  console.log(doneText(site, secrets));
}

/**
 * Returns the secrets to replace, in display order.
 * @throws LandfallError USAGE, which does not contain an unknown name, because it may be a value
 */
export function chosenSecrets(
  site: Site,
  names: readonly string[],
  allGenerated: boolean,
): GeneratedSecret[] {
  for (const name of names) refuseOthers(site, name);
  const inUse = usedNames(site);
  const chosen = secretNames(site)
    .filter(isGenerated)
    .filter(({ name, required }) => {
      if (names.includes(name)) return true;
      return (
        allGenerated && required && inUse.has(name) && ![signingKey, adminPassword].includes(name)
      );
    });
  if (chosen.length > 0) return chosen;
  throw new LandfallError(
    'USAGE',
    inLanguage({ en: 'no secret was named', zh: '没有写出机密的名称' }),
    {
      hint: {
        en: 'Name one of `sudo landfall secret list`, or use --all-generated.',
        zh: '写出 `sudo landfall secret list` 中的一个名称，或用 --all-generated。',
      },
    },
  );
}

const isGenerated = (secret: SecretName): secret is GeneratedSecret =>
  secret.generate !== undefined;

function usedNames(site: Site): ReadonlySet<string> {
  return new Set(secretsOf(site).flatMap(({ name, usedBy }) => (usedBy.length > 0 ? [name] : [])));
}

/** @throws LandfallError USAGE for a name of another kind of secret, with the command for it */
function refuseOthers(site: Site, name: string): void {
  const refused = (reason: string, hint: string) => new LandfallError('USAGE', reason, { hint });
  const secret = secretsOf(site).find((each) => each.name === name);
  if (!secret) {
    throw refused('this site has no secret of this name', 'Run `sudo landfall secret list`.');
  }
  if (name === adminPassword) {
    throw refused(`${name} is the password of an account`, 'Run `sudo landfall ui password`.');
  }
  if (name === consolePasswordName) {
    const { user } = site.admin;
    throw refused(`${name} is the password of ${user}`, `Run \`sudo passwd ${user}\`.`);
  }
  if (!secret.isGenerated) {
    throw refused(`${name} is set by hand`, `Run \`sudo landfall secret set ${name}\`.`);
  }
  if (secret.usedBy.length === 0) {
    throw refused(`${name} is not in use on this site`, 'Run `sudo landfall secret list`.');
  }
}

/** The signing key needs the whole word. */
async function isConfirmed(site: Site, secrets: readonly GeneratedSecret[]): Promise<boolean> {
  const names = secrets.map(({ name }) => name).join(', ');
  const restarts = usersOf(site, secrets);
  console.log(
    say(
      `New values for ${names}. These restart: ${restarts}. Clients with an earlier value are rejected.`,
      `将更换 ${names}。以下服务会重启：${restarts}。仍使用旧值的客户端会被拒绝。`,
    ),
  );
  if (!secrets.some(({ name }) => name === signingKey)) {
    return await askFor('y', say('Replace them? [y/N] ', '确认更换？[y/N] '), '--yes');
  }
  console.log(
    say(
      'All users of the chat must sign in again, and tokens that the chat UI has stored, such as those of tool servers, are lost.',
      '聊天的所有用户都须重新登录，聊天界面保存的令牌（例如工具服务器的令牌）会丢失。',
    ),
  );
  return await askFor('yes', say('Type "yes" to replace them: ', '输入 yes 以更换：'), '--yes');
}

function usersOf(site: Site, secrets: readonly GeneratedSecret[]): string {
  const names = new Set(secrets.map(({ name }) => name));
  const users = secretsOf(site).flatMap(({ name, usedBy }) => (names.has(name) ? usedBy : []));
  return [...new Set(users)].map(userTitle).join(', ');
}

/**
 * Returns the stage that stores new values and applies them. The journal has its start before the first value
 * changes, so that after an interruption the next run applies what is stored.
 */
function rotation(secrets: readonly GeneratedSecret[]): Stage {
  return {
    ...stackStage,
    check: async () =>
      secrets.map(({ name }) => inLanguage({ en: `replace ${name}`, zh: `替换 ${name}` })),
    apply: async (context) => {
      for (const { name, generate } of secrets) {
        await writeSecret(context.host, name, makeSecret(generate));
      }
      const hasSocks = secrets.some(({ name }) => name === socksPassword.name);
      if (hasSocks) await socksMeasure.apply(context);
      if (secrets.some(({ name }) => name !== socksPassword.name)) await stackStage.apply(context);
    },
  };
}

function doneText(site: Site, secrets: readonly GeneratedSecret[]): string {
  const names = secrets.map(({ name }) => name).join(', ');
  const users = usersOf(site, secrets);
  const isShown = secrets.some(({ title }) => title !== undefined);
  const done = say(
    `Replaced: ${names}. Restarted: ${users}.`,
    `已更换：${names}。已重启：${users}。`,
  );
  const show = say('New values: sudo landfall credentials', '查看新值：sudo landfall credentials');
  return isShown ? `${done}\n${show}` : done;
}
