import { LandfallError } from '#contract/errors.ts';
import { installedMark } from '#contract/server-paths.ts';
import { alertSecrets } from '#contract/site/alerts/secret-names.ts';
import { backupSecrets } from '#contract/site/backup/targets.ts';
import { providerKeyName } from '#contract/site/key-names.ts';
import type { Site } from '#contract/site/site.ts';
import { inLanguage } from '#contract/text/language.ts';
import { tryProviderKey } from '#smoke/cases/relay-requests.ts';
import { checkUrl } from '../../server/alerts/requests.ts';
import { readText } from '../../server/host/files.ts';
import { takeChangeLock } from '../../server/host/lock/run-lock.ts';
import type { Facts } from '../../server/load-facts.ts';
import { Journal } from '../../server/stage/journal.ts';
import { runAlone } from '../../server/stage/run-stages.ts';
import { updateMissingKeys } from '../../stages/report/missing-keys.ts';
import { updateAlertWarnings } from '../../stages/report/warnings.ts';
import { socksPassword } from '../../stages/route/public.ts';
import { socksMeasure } from '../../stages/route/socks/socks.ts';
import { knownSecret, setSecret } from '../../stages/secrets/set-secret.ts';
import { serverTarget } from '../../stages/smoke/target.ts';
import { stackStage } from '../../stages/stack/stage.ts';
import { consoleReporter, serverFacts } from '../command.ts';
import { readHidden } from '../read-hidden.ts';

const say = (en: string, zh: string) => inLanguage({ en, zh });

/**
 * Asks for the value of a secret, stores it, and restarts the services that use it.
 * @throws LandfallError USAGE, PROVIDER_KEY_REFUSED, ALREADY_RUNNING, or the code of the stage
 */
export async function setByHand(secretName: string | undefined): Promise<void> {
  const facts = await serverFacts();
  const { host } = facts;
  const name = knownSecret(facts.site, secretName);
  const isInstalled = (await readText(host, installedMark)) !== undefined;
  const value = await readHidden(say(`Value of ${name} (hidden): `, `${name} 的值（不显示）：`));
  if (isAlertSecret(facts.site, name)) {
    if (name.endsWith('-url')) checkUrl(value);
    await setSecret(host, name, value);
    await updateAlertWarnings(host, facts.site);
    console.log(
      say(
        `${name} is set. Run: sudo landfall alert test`,
        `${name} 已设置。请运行：sudo landfall alert test`,
      ),
    );
    return;
  }
  if (backupSecrets(facts.site).includes(name)) {
    await setSecret(host, name, value);
    console.log(
      say(
        `${name} is set. Run: sudo landfall backup init`,
        `${name} 已设置。请运行：sudo landfall backup init`,
      ),
    );
    return;
  }
  // An unfinished first boot uses the value later. Otherwise the lock protects the stack.
  if (isInstalled) await takeChangeLock(host, console.log);
  await setSecret(host, name, value);
  if (!isInstalled) {
    console.log(
      say(
        `${name} is set. The first boot uses it when it continues.`,
        `${name} 已设置。首次启动继续时会使用它。`,
      ),
    );
    return;
  }
  if (name === socksPassword.name) await socksMeasure.apply({ ...facts, report: consoleReporter });
  await runAlone(stackStage, { ...facts, report: consoleReporter }, new Journal(host));
  await updateMissingKeys(host, facts.site);
  console.log(
    say(
      `${name} is set, and the services that use it have restarted.`,
      `${name} 已设置，使用它的服务已重启。`,
    ),
  );
  const verdict = await tryKey(facts, name);
  if (verdict !== undefined) console.log(verdict);
}

/**
 * Tries the key of a provider once through the relay, and returns the result as a sentence; undefined
 * for another secret.
 * @throws LandfallError PROVIDER_KEY_REFUSED
 */
export async function tryKey(facts: Facts, name: string): Promise<string | undefined> {
  const provider = Object.keys(facts.site.providers).find((each) => providerKeyName(each) === name);
  if (provider === undefined) return undefined;
  const verdict = await tryProviderKey(await serverTarget(facts), provider);
  if (verdict === 'accepted')
    return say(`${provider} accepts the key.`, `${provider} 接受了这个密钥。`);
  if (verdict === 'untested') {
    return say(
      `The key could not be tested at ${provider}. To test it with a chat, run: sudo landfall smoke`,
      `没能在 ${provider} 测试这个密钥。要用一次对话来测试，请运行：sudo landfall smoke`,
    );
  }
  throw new LandfallError(
    'PROVIDER_KEY_REFUSED',
    inLanguage({
      en: `${provider} rejects the new value of ${name}`,
      zh: `${provider} 拒绝了 ${name} 的新值`,
    }),
    {
      hint: {
        en: `Copy the key again from the console of the provider, and run \`sudo landfall secret set ${name}\`.`,
        zh: `从模型服务商的控制台重新复制密钥，再运行 \`sudo landfall secret set ${name}\`。`,
      },
    },
  );
}

/** Alerts read their secrets when they are sent, so no service restarts. */
function isAlertSecret({ alerts }: Site, name: string): boolean {
  return alerts.flatMap(alertSecrets).some((secret) => secret.name === name);
}
